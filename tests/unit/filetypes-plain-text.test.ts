import { describe, expect, it } from '@jest/globals'
import { isPlainText } from '../../filetypes/plain-text.ts'
import { READ_BYTES_MAX } from '../../filetypes/source.ts'
import { countedSource } from '../support/byte-files.ts'

const ALLOWED = '\t\n\v\f\r'
const FORBIDDEN = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => !ALLOWED.includes(character),
)
/** Pieces of text shorter and longer than what is read through the window, and than one read. */
const LETTERS = [3, 6_000, READ_BYTES_MAX / 2]

const isText = (bytes: Buffer) => isPlainText(countedSource(bytes).source)

describe('text', () => {
  it.each(LETTERS)('may hold no control character, be it behind %d letters', async (letters) => {
    for (const character of FORBIDDEN) {
      for (const letter of [' ', 'é']) {
        for (let shift = 0; shift < 4; shift += 1) {
          const before = 'a'.repeat(shift) + letter.repeat(letters)
          const verdict = await isText(Buffer.from(`${before}${character}${letter.repeat(7)}`))
          expect([character, letter, shift, verdict]).toEqual([character, letter, shift, false])
        }
      }
    }
  })

  it.each(LETTERS)(
    'may hold tabs and ends of lines and pages behind %d letters',
    async (letters) => {
      for (const character of ALLOWED) {
        expect(await isText(Buffer.from(`${'é'.repeat(letters)}${character}end`))).toBe(true)
      }
    },
  )

  it.each([2, 3, 4])(
    'is not broken where a character of %d bytes is cut by a read',
    async (size) => {
      const character = ['é', '价', '🙂'].find((one) => Buffer.byteLength(one) === size)!
      for (let shift = 0; shift < size; shift += 1) {
        const text = 'a'.repeat(shift) + character.repeat(READ_BYTES_MAX / 2)
        expect(await isText(Buffer.from(text))).toBe(true)
        expect(await isText(Buffer.from(text).subarray(0, -1))).toBe(false)
      }
    },
  )

  it('may hold one C1 control in two hundred bytes, not more', async () => {
    for (const length of [2_000, 20_000, READ_BYTES_MAX + 2_000]) {
      const most = Math.floor(length * 0.005)
      expect(await isText(withControls(most, length))).toBe(true)
      expect(await isText(withControls(most + 1, length))).toBe(false)
    }
  })

  it('may hold characters whose bytes are like those of C1 controls', async () => {
    expect(await isText(Buffer.from('\u00a0\u00bf\u0400聀'.repeat(10_000)))).toBe(true)
  })

  it('in UTF-16 may hold no control character, in either order, but pairs', async () => {
    for (const character of FORBIDDEN) expect(await isUtf16(`ab${character}c`)).toBe(false)
    expect(await isUtf16(`a${ALLOWED}\u2028🙂`)).toBe(true)
    expect(await isUtf16('🙂'.repeat(READ_BYTES_MAX))).toBe(true)
    for (const half of ['\ude42', '\ud83d', '\ud83da', '\ude42\ud83d', '\ud83d\ud83d\ude42']) {
      expect(await isUtf16(half)).toBe(false)
    }
    expect(await isUtf16('\u0085'.repeat(2) + 'a'.repeat(200))).toBe(false)
  })
})

/** Text of some length, among it C1 controls of two bytes each, spread in it. */
function withControls(count: number, length: number): Buffer {
  const bytes = Buffer.alloc(length, 'a')
  const step = Math.floor((length - 2) / count)
  for (let index = 0; index < count; index += 1) bytes.write('\u0085', index * step)
  return bytes
}

async function isUtf16(text: string): Promise<boolean> {
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  const verdicts = [await isText(little), await isText(Buffer.from(little).swap16())]
  expect(verdicts[0]).toBe(verdicts[1])
  return verdicts[0]!
}
