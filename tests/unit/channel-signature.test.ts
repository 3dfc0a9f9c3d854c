import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { isSignedBy } from '../../channel/callback.ts'

describe('the signature of a callback', () => {
  const body = Buffer.from('{"text":"\\u00e1 \\/"}')
  const secret = 'app-secret'
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const sha1 = createHmac('sha1', secret).update(body).digest('hex')

  it('is right with the hex digits of the channel', () => {
    expect(isSignedBy(body, `sha256=${hex}`, secret)).toBe(true)
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without its scheme', hex],
    ['of another scheme', `sha1=${sha1}`],
    ['in upper case', `sha256=${hex.toUpperCase()}`],
    ['truncated', `sha256=${hex.slice(0, 62)}`],
    ['too long', `sha256=${hex}00`],
    ['not hex', `sha256=${'z'.repeat(64)}`],
    ['in base64', `sha256=${Buffer.from(hex, 'hex').toString('base64')}`],
    ['followed by a blank', `sha256=${hex} `],
    ['another one', `sha256=${hex.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`],
  ])('is wrong when it is %s', (_, header) => {
    expect(isSignedBy(body, header, secret)).toBe(false)
  })

  it('is wrong for other bytes, for another secret and for none', () => {
    const reserialised = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
    const unkeyed = createHmac('sha256', '').update(body).digest('hex')

    expect(isSignedBy(reserialised, `sha256=${hex}`, secret)).toBe(false)
    expect(isSignedBy(body, `sha256=${hex}`, 'other')).toBe(false)
    expect(isSignedBy(body, `sha256=${unkeyed}`, '')).toBe(false)
  })
})
