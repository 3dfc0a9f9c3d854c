import type { ByteSource } from './source.ts'

const BOXES_MAX = 16_384
const TRACKS_MAX = 64
const BRAND_BYTES_MAX = 1_024

/** The major brands of files that contain what their type says, and not, for example, a picture. */
const BRANDS: ReadonlyMap<string, RegExp> = new Map([
  ['video/mp4', /^(iso[m2-9]|mp4[12]|mp71|avc1|dash|cmfc|MSNV|M4V[ HP]|F4V )$/],
  ['video/3gpp', /^3g[pegrs][1-9]$/],
  ['audio/mp4', /^(M4[AB] |iso[m2-9]|mp4[12]|dash|cmfc)$/],
])

/** `endsAt` is the offset of the first byte after the box. */
type Box = { type: string; dataAt: number; endsAt: number }

/** Whether the file is an MP4 or 3GP video; `mimeType` says which. */
export async function isVideoMedia(source: ByteSource, mimeType: string): Promise<boolean> {
  const handlers = await trackHandlers(source, mimeType)
  return handlers !== null && (handlers.length === 0 || handlers.includes('vide'))
}

/** Whether the file is an MP4 that contains only sound. */
export async function isAudioMedia(source: ByteSource, mimeType: string): Promise<boolean> {
  const handlers = await trackHandlers(source, mimeType)
  return handlers !== null && !handlers.includes('vide')
}

/** The handler of each track; null when the file is not of the type. */
async function trackHandlers(source: ByteSource, mimeType: string): Promise<string[] | null> {
  const top = await boxesIn(source, 0, source.sizeBytes)
  const [first] = top ?? []
  const moovs = top?.filter(({ type }) => type === 'moov') ?? []
  const [moov] = moovs
  if (first === undefined || moov === undefined || moovs.length !== 1) return null
  if (!(await hasBrand(source, first, mimeType))) return null
  const tracks = await childrenOf(source, moov, 'trak')
  if (tracks === null || tracks.length > TRACKS_MAX) return null
  const handlers: string[] = []
  for (const track of tracks) {
    const handler = await handlerOf(source, track)
    if (handler === null) return null
    handlers.push(handler)
  }
  return handlers
}

async function hasBrand(source: ByteSource, box: Box, mimeType: string): Promise<boolean> {
  const lengthBytes = box.endsAt - box.dataAt
  if (box.type !== 'ftyp' || lengthBytes < 8 || lengthBytes > BRAND_BYTES_MAX) return false
  const brand = await source.read(box.dataAt, 4)
  return BRANDS.get(mimeType)?.test(brand.toString('latin1')) === true
}

async function handlerOf(source: ByteSource, track: Box): Promise<string | null> {
  const [media] = (await childrenOf(source, track, 'mdia')) ?? []
  if (media === undefined) return null
  const [handler] = (await childrenOf(source, media, 'hdlr')) ?? []
  if (handler === undefined || handler.endsAt - handler.dataAt < 12) return null
  // After the version, the flags and an unused field.
  return (await source.read(handler.dataAt + 8, 4)).toString('latin1')
}

async function childrenOf(source: ByteSource, box: Box, type: string): Promise<Box[] | null> {
  const children = await boxesIn(source, box.dataAt, box.endsAt)
  return children?.filter((child) => child.type === type) ?? null
}

/** The boxes that fill a range; null when they do not fill it exactly. */
async function boxesIn(
  source: ByteSource,
  startsAt: number,
  endsAt: number,
): Promise<Box[] | null> {
  const boxes: Box[] = []
  let at = startsAt
  while (at < endsAt) {
    const box = boxes.length < BOXES_MAX ? await boxAt(source, at) : null
    if (box === null || box.endsAt > endsAt) return null
    boxes.push(box)
    at = box.endsAt
  }
  return boxes
}

async function boxAt(source: ByteSource, at: number): Promise<Box | null> {
  const header = await source.read(at, 16)
  if (header.length < 8) return null
  const type = header.toString('latin1', 4, 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return null
  const sizeBytes = header.readUInt32BE(0)
  if (sizeBytes === 1) {
    const longBytes = header.length < 16 ? 0 : Number(header.readBigUInt64BE(8))
    return longBytes < 16 ? null : { type, dataAt: at + 16, endsAt: at + longBytes }
  }
  // Only the media data may extend to the end of the file.
  if (sizeBytes === 0 && type === 'mdat') {
    return { type, dataAt: at + 8, endsAt: source.sizeBytes }
  }
  return sizeBytes < 8 ? null : { type, dataAt: at + 8, endsAt: at + sizeBytes }
}
