import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { mintSecret } from '../../core/crypto.ts'
import { createLogger, redact } from '../../core/logger.ts'

function startLogger(level = 'debug') {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString())
      done()
    },
  })
  const log = createLogger(level, stream)
  const text = () => chunks.join('')
  /** The records so far; fails when one of them is not one line of JSON. */
  const records = () =>
    text()
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log, text, records }
}

const SECRETS = [
  mintSecret('pk_live_'),
  mintSecret('pk_test_'),
  mintSecret('mcp_at_'),
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/abc=',
  'EAAGm0PX4ZCpsBAKZCZBtestToken0123456789',
]

describe('the log', () => {
  it.each(SECRETS)('shows no part of the secret %s, wherever it turns up', (secret) => {
    const { log, text } = startLogger()
    log.info(`event.${secret}`, {
      own: secret,
      deep: { list: [`prefix ${secret}, suffix`] },
      header: `Bearer ${secret}`,
      url: `https://example.com/?access_token=${secret}&x=1`,
      error: new Error(`failed with ${secret}`, { cause: new Error(secret) }),
      [secret]: true,
    })
    expect(text()).toContain('[redacted]')
    expect(text()).not.toContain(secret)
    expect(text()).not.toContain(secret.slice(-16))
  })

  it('shows no bearer of any form', () => {
    expect(redact('authorization: Bearer abc.def-ghi~1+2/3==, next')).toBe(
      'authorization: Bearer [redacted], next',
    )
    expect(redact('BEARER abc')).toBe('Bearer [redacted]')
    expect(redact('Bearer abc; bearer def')).toBe('Bearer [redacted]; Bearer [redacted]')
  })

  it('keeps what only looks alike', () => {
    const text = 'pk_live_ is a prefix; pk_other_0123456789 and EAAnothing are none'
    expect(redact(text)).toBe(text)
  })

  it.each(['a\nb', 'a\r\nb', '{"level":"error"}\n{"event":"forged"}', '"}\n', 'a\u2028b', '\0'])(
    'writes one record a line, whatever the message %j holds',
    (message) => {
      const { log, records } = startLogger()
      log.info(message, { value: message, [message]: message })
      const rest = { value: message, [message]: message }
      expect(records()).toEqual([
        { at: expect.any(String), level: 'info', event: message, ...rest },
      ])
    },
  )

  it.each([
    ['an escape', '\u001b[2J'],
    ['a control of eight bits', '\u009b2J'],
    ['what deletes', '\u007f'],
    ['another end of a line', '\u2028'],
    ['another end of a paragraph', '\u2029'],
    ['what turns a line around', '\u202eevil'],
    ['what nobody sees', '\u{e0041}'],
  ])('steers no terminal, whatever is logged: %s', (_what, steering) => {
    const { log, text, records } = startLogger()
    log.error('request.failed', { error: new Error(`no prepared ${steering}`), [steering]: 1 })
    expect(text()).not.toContain(steering)
    expect(records()).toMatchObject([{ error: { message: `no prepared ${steering}` } }])
  })

  it('stays one JSON record when a secret ends a text', () => {
    const { log, records } = startLogger()
    log.info('event', { header: 'Bearer abc', secret: SECRETS[3], last: `Bearer ${SECRETS[0]}` })
    expect(records()).toMatchObject([{ header: 'Bearer [redacted]', last: 'Bearer [redacted]' }])
  })

  it('keeps the stack and the causes of an error', () => {
    const { log, records } = startLogger()
    const cause = new TypeError('inner')
    log.error('request.failed', { error: new Error('outer', { cause }) })
    expect(records()).toMatchObject([
      {
        level: 'error',
        event: 'request.failed',
        error: {
          name: 'Error',
          message: 'outer',
          stack: expect.stringContaining('logger.test.ts'),
          cause: { name: 'TypeError', message: 'inner', stack: expect.any(String) },
        },
      },
    ])
  })

  it('keeps what the system, or PostgreSQL, calls an error', () => {
    const { log, records } = startLogger()
    log.error('request.failed', { error: Object.assign(new Error('full'), { code: '53100' }) })
    expect(records()).toMatchObject([{ error: { code: '53100', message: 'full' } }])
  })

  it('leaves out what is below its level', () => {
    const { log, records } = startLogger('warn')
    log.info('quiet')
    log.warn('loud')
    expect(records()).toMatchObject([{ event: 'loud' }])
  })
})
