import { isReasonablePicture } from './dimensions.ts'
import { type ByteSource, WINDOW_BYTES } from './source.ts'

const SEGMENTS_MAX = 4_096
/** Phones append smaller pictures to the main one: previews, gain maps, depth maps. */
const PICTURES_MAX = 16
/** Cameras append their own notes after the last picture. */
const TRAILER_BYTES_MAX = 64 * 1024

const START = 0xd8
const END = 0xd9
const SCAN = 0xda

/** What readers of other formats look for in the middle or at the end of a file. */
const FOREIGN = ['PK\x03\x04', 'PK\x05\x06', '%PDF-', 'Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c']

/** Whether the file is a complete JPEG picture from its first byte. */
export async function isJpeg(source: ByteSource): Promise<boolean> {
  let at = await pictureEnd(source, 0)
  for (let pictures = 1; pictures < PICTURES_MAX && at !== null; pictures += 1) {
    if ((await markerAt(source, at)) !== START) break
    at = await pictureEnd(source, at)
  }
  return at !== null && isHarmless(source, at)
}

async function isHarmless(source: ByteSource, trailerAt: number): Promise<boolean> {
  if (source.sizeBytes - trailerAt > TRAILER_BYTES_MAX) return false
  const trailer = await source.read(trailerAt, TRAILER_BYTES_MAX)
  return !FOREIGN.some((signature) => trailer.includes(signature, 0, 'latin1'))
}

/** The end of the picture that starts at an offset; null when there is none or it is incomplete. */
async function pictureEnd(source: ByteSource, startsAt: number): Promise<number | null> {
  if ((await markerAt(source, startsAt)) !== START) return null
  let at = startsAt + 2
  let hasFrame = false
  let hasScan = false
  for (let segments = 0; segments < SEGMENTS_MAX; segments += 1) {
    const marker = await markerAt(source, at)
    if (marker === END) return hasScan ? at + 2 : null
    if (marker === 0xff) {
      at += 1 // A fill byte: the marker comes later.
      continue
    }
    if (marker === null || !hasLength(marker)) return null
    const segment = await source.read(at + 2, 7)
    const endsAt = segment.length < 2 ? Infinity : at + 2 + segment.readUInt16BE(0)
    if (endsAt < at + 4 || endsAt > source.sizeBytes) return null
    if (isFrame(marker)) {
      if (!isReasonableFrame(segment)) return null
      hasFrame = true
    }
    if (marker === SCAN && !hasFrame) return null
    const nextAt = marker === SCAN ? await scanEnd(source, endsAt) : endsAt
    if (nextAt === null) return null
    hasScan ||= marker === SCAN
    at = nextAt
  }
  return null
}

async function markerAt(source: ByteSource, at: number): Promise<number | null> {
  const [prefix, marker] = await source.read(at, 2)
  return prefix === 0xff ? (marker ?? null) : null
}

function hasLength(marker: number): boolean {
  return marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xd9)
}

/** SOF0 to SOF15; three other markers have numbers in that range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function isReasonableFrame(segment: Buffer): boolean {
  if (segment.length < 7 || segment.readUInt16BE(0) < 8) return false
  return isReasonablePicture(segment.readUInt16BE(5), segment.readUInt16BE(3))
}

/** The end of the coded pixels: the first marker that is not part of them. */
async function scanEnd(source: ByteSource, startsAt: number): Promise<number | null> {
  let at = startsAt
  while (at + 1 < source.sizeBytes) {
    const bytes = await source.read(at, WINDOW_BYTES)
    if (bytes.length < 2) return null
    let index = bytes.indexOf(0xff)
    while (index !== -1 && index + 1 < bytes.length) {
      const next = bytes[index + 1] ?? 0
      const isCoded = next === 0 || (next >= 0xd0 && next <= 0xd7)
      if (!isCoded && next !== 0xff) return at + index
      index = bytes.indexOf(0xff, index + (isCoded ? 2 : 1))
    }
    // The last byte may be the first half of a marker.
    at += index === -1 ? bytes.length : bytes.length - 1
  }
  return null
}
