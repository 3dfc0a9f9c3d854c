import { hasFrames } from './frames.ts'
import type { ByteSource } from './source.ts'

const TAG_HEADER_BYTES = 10
/** Programs that write tags leave padding after them. */
const PADDING_BYTES_MAX = 8 * 1024

/** Kilobits per second of layer III, by the index in the header: MPEG 1 first, then MPEG 2 and 2.5. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLING_HZ_1 = [44_100, 48_000, 32_000]

/** Whether the file is MP3 sound: frames, preceded by at most one ID3 tag. */
export async function isMpegAudio(source: ByteSource): Promise<boolean> {
  const startsAt = await soundStart(source)
  if (startsAt === null) return false
  let first: number | null = null
  return hasFrames(source, startsAt, 4, (header) => {
    // An old tag of 128 bytes, or a newer tag, may follow the last frame.
    const tag = header.toString('latin1', 0, 3)
    if (first !== null && (tag === 'TAG' || tag === 'APE')) return Infinity
    const kind = header.readUInt32BE(0) & 0xfffe0c00
    first ??= kind
    return kind === first ? frameBytes(header.readUInt32BE(0)) : null
  })
}

async function soundStart(source: ByteSource): Promise<number | null> {
  const header = await source.read(0, TAG_HEADER_BYTES)
  if (header.toString('latin1', 0, 3) !== 'ID3') return 0
  if (header.length < TAG_HEADER_BYTES) return null
  const [version = 0, revision, flags = 0, ...size] = header.subarray(3)
  const isTag = version >= 2 && version <= 4 && revision !== 0xff && (flags & 0x0f) === 0
  if (!isTag || size.some((byte) => byte > 0x7f)) return null
  const tagBytes = size.reduce((sum, byte) => sum * 0x80 + byte, 0)
  const footerBytes = (flags & 0x10) === 0 ? 0 : TAG_HEADER_BYTES
  const endsAt = TAG_HEADER_BYTES + tagBytes + footerBytes
  const padding = await source.read(endsAt, PADDING_BYTES_MAX)
  const firstByte = padding.findIndex((byte) => byte !== 0)
  return firstByte === -1 ? null : endsAt + firstByte
}

function frameBytes(header: number): number | null {
  const version = (header >>> 19) & 3
  const isThirdLayer = ((header >>> 17) & 3) === 1
  if (header >>> 21 !== 0x7ff || version === 1 || !isThirdLayer) return null
  const isFirst = version === 3
  const kbps = (isFirst ? BITRATES_1 : BITRATES_2)[(header >>> 12) & 0x0f] ?? 0
  const hz = (SAMPLING_HZ_1[(header >>> 10) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4)
  if (kbps === 0 || hz === 0) return null
  const padding = (header >>> 9) & 1
  return Math.floor(((isFirst ? 144 : 72) * kbps * 1_000) / hz) + padding
}
