import type { ByteSource } from './source.ts'

const PAGE_HEADER_BYTES = 27
const FIRST_OF_STREAM = 0x02
/** This many pages of a long recording are checked; shorter ones are checked to their end. */
const PAGES_ENOUGH = 256

type Page = { flags: number; serial: number; dataAt: number; endsAt: number }

/** Whether the file is a single stream of Opus sound in Ogg pages. */
export async function isOggOpus(source: ByteSource): Promise<boolean> {
  const first = await pageAt(source, 0)
  if (first?.flags !== FIRST_OF_STREAM || !(await isOpusHead(source, first))) return false
  let at = first.endsAt
  for (let pages = 1; pages < PAGES_ENOUGH; pages += 1) {
    if (at === source.sizeBytes) return pages >= 2
    const page = await pageAt(source, at)
    if (page === null || page.serial !== first.serial) return false
    if ((page.flags & FIRST_OF_STREAM) !== 0) return false
    if (pages === 1 && !(await beginsWith(source, page, 'OpusTags'))) return false
    at = page.endsAt
  }
  return true
}

async function isOpusHead(source: ByteSource, page: Page): Promise<boolean> {
  if (!(await beginsWith(source, page, 'OpusHead')) || page.endsAt - page.dataAt < 19) return false
  const [version = 0xff, channels = 0] = await source.read(page.dataAt + 8, 2)
  return version < 0x10 && channels >= 1
}

async function beginsWith(source: ByteSource, page: Page, words: string): Promise<boolean> {
  const start = await source.read(page.dataAt, words.length)
  return page.dataAt + words.length <= page.endsAt && start.toString('latin1') === words
}

async function pageAt(source: ByteSource, at: number): Promise<Page | null> {
  const header = await source.read(at, PAGE_HEADER_BYTES)
  if (header.length < PAGE_HEADER_BYTES || header.toString('latin1', 0, 5) !== 'OggS\0') return null
  const segments = header[26] ?? 0
  const sizes = await source.read(at + PAGE_HEADER_BYTES, segments)
  const dataAt = at + PAGE_HEADER_BYTES + segments
  const endsAt = sizes.reduce((sum, size) => sum + size, dataAt)
  if (sizes.length < segments || endsAt > source.sizeBytes) return null
  return { flags: header[5] ?? 0, serial: header.readUInt32LE(14), dataAt, endsAt }
}
