import { crc32 } from 'node:zlib'
import { isReasonablePicture } from './dimensions.ts'
import type { ByteSource } from './source.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const CHUNK_FRAME_BYTES = 12
const HEADER_BYTES = 13
const CHUNKS_MAX = 32_768

/** The bit depths that are permitted for each colour type. */
const DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
])

/**
 * Whether the file is a single still PNG picture, from its signature to its end, with nothing after it. Chunks
 * are skipped; their compressed contents are never inflated.
 */
export async function isPng(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, SIGNATURE.length + CHUNK_FRAME_BYTES + HEADER_BYTES)
  if (!start.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false
  if (!isHeaderChunk(start.subarray(SIGNATURE.length))) return false
  let at = start.length
  let hasPixels = false
  for (let chunks = 1; chunks < CHUNKS_MAX; chunks += 1) {
    const frame = await source.read(at, 8)
    if (frame.length < 8) return false
    const endsAt = at + CHUNK_FRAME_BYTES + frame.readUInt32BE(0)
    const type = frame.toString('latin1', 4, 8)
    if (endsAt > source.sizeBytes || !/^[A-Za-z]{4}$/.test(type)) return false
    if (type === 'acTL' || type === 'IHDR') return false
    if (type === 'IDAT') hasPixels = true
    if (type === 'IEND') return hasPixels && endsAt === source.sizeBytes
    at = endsAt
  }
  return false
}

function isHeaderChunk(chunk: Buffer): boolean {
  if (chunk.length < CHUNK_FRAME_BYTES + HEADER_BYTES) return false
  if (chunk.readUInt32BE(0) !== HEADER_BYTES || chunk.toString('latin1', 4, 8) !== 'IHDR') {
    return false
  }
  const typeAndData = chunk.subarray(4, 8 + HEADER_BYTES)
  if (crc32(typeAndData) !== chunk.readUInt32BE(8 + HEADER_BYTES)) return false
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = chunk.subarray(16, 21)
  return (
    isReasonablePicture(chunk.readUInt32BE(8), chunk.readUInt32BE(12)) &&
    DEPTHS.get(colour)?.includes(depth) === true &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1
  )
}
