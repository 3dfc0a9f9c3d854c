import { isReasonablePicture } from './dimensions.ts'
import type { ByteSource } from './source.ts'

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const CHUNKS_MAX = 8_192
const HAS_ANIMATION = 0x02

export type WebpMotion = 'still' | 'animated'

/**
 * Whether a WebP picture is animated; null when the file is not one, is incomplete, or contains more after it.
 */
export async function webpMotion(source: ByteSource): Promise<WebpMotion | null> {
  const start = await source.read(0, RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES + 10)
  if (start.length < RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES + 10) return null
  if (start.toString('latin1', 0, 4) !== 'RIFF') return null
  if (start.toString('latin1', 8, 12) !== 'WEBP') return null
  if (start.readUInt32LE(4) + 8 !== source.sizeBytes) return null
  const first = start.toString('latin1', 12, 16)
  if (!isReasonableStart(first, start.subarray(RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES))) return null
  const types = await chunkTypes(source)
  if (types === null) return null
  if (first !== 'VP8X') return 'still'
  const isAnimated = ((start[20] ?? 0) & HAS_ANIMATION) !== 0
  if (isAnimated) return types.has('ANIM') && types.has('ANMF') ? 'animated' : null
  return types.has('VP8 ') || types.has('VP8L') ? 'still' : null
}

async function chunkTypes(source: ByteSource): Promise<Set<string> | null> {
  const types = new Set<string>()
  let at = RIFF_HEADER_BYTES
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks += 1) {
    if (at === source.sizeBytes) return types
    const header = await source.read(at, CHUNK_HEADER_BYTES)
    if (header.length < CHUNK_HEADER_BYTES) return null
    types.add(header.toString('latin1', 0, 4))
    const dataBytes = header.readUInt32LE(4)
    at += CHUNK_HEADER_BYTES + dataBytes + (dataBytes % 2)
    if (at > source.sizeBytes) return null
  }
  return null
}

/** The three possible beginnings of a picture give its dimensions in three different ways. */
function isReasonableStart(type: string, data: Buffer): boolean {
  if (type === 'VP8X') {
    return isReasonablePicture(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1)
  }
  if (type === 'VP8L') {
    const sides = data.readUInt32LE(1)
    return (
      data[0] === 0x2f && isReasonablePicture((sides & 0x3fff) + 1, ((sides >> 14) & 0x3fff) + 1)
    )
  }
  if (type === 'VP8 ') {
    const isKeyFrame = ((data[0] ?? 1) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a
    const width = data.readUInt16LE(6) & 0x3fff
    return isKeyFrame && isReasonablePicture(width, data.readUInt16LE(8) & 0x3fff)
  }
  return false
}
