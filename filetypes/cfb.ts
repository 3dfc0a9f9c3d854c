import { type CompoundFile, openCompoundFile } from './compound-file.ts'
import type { ByteSource } from './source.ts'

const ENTRIES_MAX = 4_096
const ENTRY_BYTES = 128
const STREAM = 2
const ROOT = 5
const NO_ENTRY = 0xffffffff
/** Streams shorter than this are stored elsewhere, inside a stream of the root. */
const SMALL_STREAM_BYTES = 4_096

/** The streams that identify a document of each type. */
const MAIN_STREAMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['application/msword', ['WordDocument']],
  ['application/vnd.ms-excel', ['Workbook', 'Book']],
  ['application/vnd.ms-powerpoint', ['PowerPoint Document']],
])

type Entry = {
  name: string
  type: number
  left: number
  right: number
  child: number
  startSector: number
  sizeBytes: number
}

/**
 * Whether the file is a Word, Excel or PowerPoint document in the format used before 2007. Only the root's own
 * streams count, since a document may contain other whole documents in its storages.
 */
export async function hasMainStream(source: ByteSource, mimeType: string): Promise<boolean> {
  const file = await openCompoundFile(source)
  const entries = file === null ? null : await directory(file)
  if (file === null || entries === null) return false
  const streams = rootEntries(entries).filter(({ type }) => type === STREAM)
  const isOther = streams.some(({ name }) => name === 'EncryptedPackage' || isMain(name, mimeType))
  if (isOther) return false
  const own = MAIN_STREAMS.get(mimeType) ?? []
  return streams.some((stream) => own.includes(stream.name) && isInside(file, stream))
}

/** Whether a stream identifies a document of another type. */
function isMain(name: string, butOf: string): boolean {
  return [...MAIN_STREAMS].some(([type, names]) => type !== butOf && names.includes(name))
}

function isInside(file: CompoundFile, { sizeBytes, startSector }: Entry): boolean {
  if (sizeBytes === 0) return false
  return (
    sizeBytes < SMALL_STREAM_BYTES ||
    file.sectorAt(startSector) + sizeBytes <= file.source.sizeBytes
  )
}

async function directory(file: CompoundFile): Promise<Entry[] | null> {
  const entries: Entry[] = []
  const perSector = file.sectorBytes / ENTRY_BYTES
  let sector: number | null = file.firstDirectorySector
  while (sector !== null) {
    if (entries.length + perSector > ENTRIES_MAX) return null
    const bytes = await file.source.read(file.sectorAt(sector), file.sectorBytes)
    if (bytes.length < file.sectorBytes) return null
    for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
      entries.push(entryFrom(bytes.subarray(at, at + ENTRY_BYTES)))
    }
    const next = await file.sectorAfter(sector)
    if (next === 'broken') return null
    sector = next
  }
  return entries
}

function entryFrom(bytes: Buffer): Entry {
  // The length is in bytes and includes the NUL that ends the name.
  const nameBytes = Math.min(Math.max(bytes.readUInt16LE(64) - 2, 0), 62)
  return {
    name: bytes.toString('utf16le', 0, nameBytes - (nameBytes % 2)),
    type: bytes.readUInt8(66),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    startSector: bytes.readUInt32LE(116),
    sizeBytes: bytes.readUInt32LE(120),
  }
}

/** The entries directly under the root. They form a tree; if it contains a loop, each entry is visited once. */
function rootEntries(entries: readonly Entry[]): Entry[] {
  const [root] = entries
  if (root?.type !== ROOT) return []
  const found = new Set<Entry>()
  const ahead = [root.child]
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const entry = id === NO_ENTRY ? undefined : entries[id]
    if (entry === undefined || found.has(entry)) continue
    found.add(entry)
    ahead.push(entry.left, entry.right)
  }
  return [...found]
}
