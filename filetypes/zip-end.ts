import { type ByteSource, tailOf } from './source.ts'

/** The record that ends a ZIP archive, without its comment of at most 65,535 bytes. */
export const ZIP_END_BYTES = 22
const COMMENT_BYTES_MAX = 0xffff

const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')

/** Whether a reader of ZIP archives, which starts at the end, would take the file for one. */
export async function endsLikeZip(source: ByteSource): Promise<boolean> {
  const tail = await tailOf(source, ZIP_END_BYTES + COMMENT_BYTES_MAX)
  let at = tail.lastIndexOf(ZIP_END)
  while (at !== -1) {
    const endsAt = at + ZIP_END_BYTES
    if (endsAt <= tail.length && endsAt + tail.readUInt16LE(at + 20) === tail.length) return true
    at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END, at - 1)
  }
  return false
}
