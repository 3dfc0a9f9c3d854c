import { hasFrames } from './frames.ts'
import type { ByteSource } from './source.ts'

const HEADER_BYTES = 7
const SAMPLING_RATES = 13

/** Whether the file consists of AAC sound in ADTS frames, from its first byte. */
export async function isAac(source: ByteSource): Promise<boolean> {
  let first: number | null = null
  return hasFrames(source, 0, HEADER_BYTES, (header) => {
    // Twelve bits of synchronisation, and a layer of two that is always zero.
    if ((header.readUInt16BE(0) & 0xfff6) !== 0xfff0) return null
    const rate = ((header[2] ?? 0) >> 2) & 0x0f
    const lengthBytes = (header.readUIntBE(3, 3) >> 5) & 0x1fff
    first ??= rate
    return rate < SAMPLING_RATES && rate === first && lengthBytes > HEADER_BYTES
      ? lengthBytes
      : null
  })
}
