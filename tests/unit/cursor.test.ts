import { describe, expect, it } from '@jest/globals'
import { createCursors } from '../../core/cursor.ts'
import { ServiceError } from '../../core/errors.ts'

const cursors = createCursors(Buffer.alloc(32, 1))
const LIST = ['conversations', 'demo', { state: 'done' }]
const POSITION = ['2026-11-21 09:30:00.12+00', '42']

function codeOf(attempt: () => unknown): string | null {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
  return null
}

describe('a cursor', () => {
  it.each([[['1']], [POSITION], [['', '']], [['ü', '🔑', '0']]])('gives back %j', (position) => {
    expect(cursors.decode(LIST, cursors.encode(LIST, position), position.length)).toEqual(position)
  })

  it('is short and needs no escaping in an address', () => {
    const cursor = cursors.encode(LIST, POSITION)
    expect(cursor).toBe(encodeURIComponent(cursor))
    expect(cursor.length).toBeLessThan(60)
  })

  it('takes as many tries to make up as 72 bits do', () => {
    const bytes = Buffer.from(cursors.encode(LIST, POSITION), 'base64url')
    expect(bytes.length * 8).toBe(72 + Buffer.byteLength(POSITION.join('\n')) * 8)
  })

  it.each([
    ['another project', ['conversations', 'other', { state: 'done' }]],
    ['another filter', ['conversations', 'demo', { state: 'handover' }]],
    ['no filter', ['conversations', 'demo', {}]],
    ['another list', ['contacts', 'demo', { state: 'done' }]],
  ])('is refused for %s', (_what, list) => {
    const cursor = cursors.encode(LIST, POSITION)
    expect(codeOf(() => cursors.decode(list, cursor, 2))).toBe('invalid_cursor')
  })

  it('is refused under another key', () => {
    const others = createCursors(Buffer.alloc(32, 2))
    const cursor = others.encode(LIST, POSITION)
    expect(codeOf(() => cursors.decode(LIST, cursor, 2))).toBe('invalid_cursor')
  })

  it('is refused with any one character changed', () => {
    const cursor = cursors.encode(LIST, POSITION)
    for (let at = 0; at < cursor.length; at++) {
      for (const character of ['A', 'z', '0', '_', '.', ' ', '=']) {
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1)
        if (changed === cursor) continue
        expect([changed, codeOf(() => cursors.decode(LIST, changed, 2))]).toEqual([
          changed,
          'invalid_cursor',
        ])
      }
    }
  })

  it('is refused at every shorter length, and with anything behind it', () => {
    const cursor = cursors.encode(LIST, POSITION)
    const wrong = Array.from({ length: cursor.length }, (_, length) => cursor.slice(0, length))
    wrong.push(`${cursor}=`, `${cursor}A`, `${cursor}AAAA`, ` ${cursor}`, `${cursor}\n`)
    for (const text of wrong) {
      expect([text, codeOf(() => cursors.decode(LIST, text, 2))]).toEqual([text, 'invalid_cursor'])
    }
  })

  it('is refused when it holds another number of parts than the list has', () => {
    const cursor = cursors.encode(LIST, POSITION)
    for (const parts of [1, 3]) {
      expect(codeOf(() => cursors.decode(LIST, cursor, parts))).toBe('invalid_cursor')
    }
  })

  it.each(['', 'null', '{}', 'MQ', '42', "' OR 1=1 --", '🔑', 'A'.repeat(500)])(
    'is refused as %j, which the service did not make',
    (text) => {
      expect(codeOf(() => cursors.decode(LIST, text, 1))).toBe('invalid_cursor')
    },
  )
})
