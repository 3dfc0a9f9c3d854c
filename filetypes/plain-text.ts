import { isUtf8 } from 'node:buffer'
import { type ByteSource, READ_BYTES_MAX } from './source.ts'

/** The share of C1 control characters, 0x80 to 0x9F, up to which a file still counts as text. */
const C1_SHARE_MAX = 0.005

/** Whether the file is text without control characters: UTF-8, or UTF-16 with a byte order mark. */
export async function isPlainText(source: ByteSource): Promise<boolean> {
  if (source.sizeBytes === 0) return false
  const [first, second] = await source.read(0, 2)
  if (first === 0xff && second === 0xfe) return isUtf16(source, 'little')
  if (first === 0xfe && second === 0xff) return isUtf16(source, 'big')
  return isCleanUtf8(source)
}

/** Four bytes at a time: a space, 0xC2 (the first byte of C1), a one, and the highest bit. */
const SPACES = 0x20202020
const LEADS_TO_C1 = 0xc2c2c2c2
const ONES = 0x01010101
const HIGHEST = 0x80808080

/** Control characters below the space, except the tab and the ends of lines and pages. */
function isForbidden(character: number): boolean {
  return character < 0x20 && !(character >= 0x09 && character <= 0x0d)
}

async function isCleanUtf8(source: ByteSource): Promise<boolean> {
  const c1Max = source.sizeBytes * C1_SHARE_MAX
  let c1 = 0
  let at = 0
  while (at < source.sizeBytes) {
    const bytes = await source.read(at, READ_BYTES_MAX)
    const isLast = at + bytes.length >= source.sizeBytes
    const whole = isLast ? bytes : bytes.subarray(0, wholeCharacters(bytes))
    if (whole.length === 0 || !isUtf8(whole)) return false
    const found = c1In(whole)
    if (found === null) return false
    c1 += found
    at += whole.length
  }
  return c1 <= c1Max
}

/**
 * The number of C1 control characters in UTF-8 text; null when it contains a forbidden one. Words without any
 * byte below the space and without 0xC2, which are nearly all, are skipped at once.
 */
function c1In(bytes: Buffer): number | null {
  const isAligned = bytes.byteOffset % 4 === 0
  const words = new Int32Array(
    bytes.buffer,
    isAligned ? bytes.byteOffset : 0,
    isAligned ? Math.floor(bytes.length / 4) : 0,
  )
  let c1 = 0
  let at = 0
  while (at < bytes.length) {
    const word = words[at >> 2]
    if (word !== undefined && isHarmless(word)) {
      at += 4
      continue
    }
    const endsAt = Math.min(at + 4, bytes.length)
    for (; at < endsAt; at += 1) {
      const byte = bytes[at] ?? 0
      if (isForbidden(byte)) return null
      if (byte === 0xc2 && (bytes[at + 1] ?? 0xff) < 0xa0) c1 += 1
    }
  }
  return c1
}

/** Both halves find a byte in the same way: the highest bit is borrowed where it was not set. */
function isHarmless(word: number): boolean {
  const fromC1 = word ^ LEADS_TO_C1
  const low = (word - SPACES) & ~word
  const leads = (fromC1 - ONES) & ~fromC1
  return ((low | leads) & HIGHEST) === 0
}

/** The number of bytes that form whole characters: a character may continue in the next piece. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const characterBytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return characterBytes > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

async function isUtf16(source: ByteSource, order: 'little' | 'big'): Promise<boolean> {
  if (source.sizeBytes % 2 !== 0) return false
  const high = order === 'little' ? 1 : 0
  const c1Max = (source.sizeBytes / 2) * C1_SHARE_MAX
  let c1 = 0
  let isInPair = false
  let at = 2
  while (at < source.sizeBytes) {
    const bytes = await source.read(at, READ_BYTES_MAX)
    if (bytes.length === 0 || bytes.length % 2 !== 0) return false
    for (let index = 0; index < bytes.length; index += 2) {
      const unit = ((bytes[index + high] ?? 0) << 8) | (bytes[index + 1 - high] ?? 0)
      const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff
      if (isForbidden(unit) || isLowSurrogate !== isInPair) return false
      isInPair = unit >= 0xd800 && unit <= 0xdbff
      if (unit >= 0x80 && unit < 0xa0) c1 += 1
    }
    at += bytes.length
  }
  return !isInPair && c1 <= c1Max
}
