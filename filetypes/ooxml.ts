import type { Entry, ZipFile } from 'yauzl'
import { type ByteSource, tailOf } from './source.ts'
import { ZIP_END_BYTES } from './zip-end.ts'
import { withZip } from './zip-reader.ts'

const ENTRIES_MAX = 2_000
/** For names and comments; the largest permitted directory has half of this. */
const DIRECTORY_BYTES_MAX = 512 * 1024
const INFLATED_BYTES_MAX = 500 * 1024 * 1024
const INFLATED_RATIO_MAX = 100
/** The only part that is ever inflated; two thousand parts are listed in less. */
const CONTENT_TYPES_BYTES_MAX = 512 * 1024

const CONTENT_TYPES = '[content_types].xml'
/** The size of an entry of the directory, without its name and the fields after it. */
const ENTRY_BYTES = 46
const STORED = 0
const DEFLATED = 8

const FAMILY = 'application/vnd.openxmlformats-officedocument.'
/** The content type of the part that identifies a document of each type. */
const MAIN_PARTS: ReadonlyMap<string, string> = new Map([
  [`${FAMILY}wordprocessingml.document`, `${FAMILY}wordprocessingml.document.main+xml`],
  [`${FAMILY}spreadsheetml.sheet`, `${FAMILY}spreadsheetml.sheet.main+xml`],
  [`${FAMILY}presentationml.presentation`, `${FAMILY}presentationml.presentation.main+xml`],
])

/** Signed Java archives and programs in documents: not part of any document that is only read. */
const FOREIGN_PARTS = /^meta-inf\/|(^|\/)vbaproject\.bin$/
/** Character references and declarations could hide what a search for words has to find. */
const HIDDEN = /&#|<!/
const ACTIVE = /macroEnabled|vbaProject/i
/** The type of all parts with an extension, written plainly enough for every reader to agree on it. */
const DEFAULT = /<Default Extension="(\w+)" ContentType="[\w./+-]+"\s*\/>/g

type Directory = { names: ReadonlySet<string>; contentTypes: Entry }

/** Whether the file is a Word, Excel or PowerPoint document, as the type says, without programs. */
export async function isOfficeOpenXml(source: ByteSource, mimeType: string): Promise<boolean> {
  const directoryBytes = await plainDirectoryBytes(source)
  if (directoryBytes === null) return false
  const isDocument = await withZip(source, async (zip) => {
    const directory = await readDirectory(zip, source, directoryBytes)
    if (directory === null) return false
    const contentTypes = await inflated(zip, directory.contentTypes)
    return contentTypes !== null && declares(contentTypes, mimeType, directory.names)
  })
  return isDocument === true
}

/**
 * The length of an archive's directory when its position is beyond doubt: the archive fills the file, is not
 * split, and has no size that needs a longer field. Otherwise null.
 */
async function plainDirectoryBytes(source: ByteSource): Promise<number | null> {
  if ((await source.read(0, 4)).toString('latin1') !== 'PK\x03\x04') return null
  const end = await tailOf(source, ZIP_END_BYTES)
  if (end.length < ZIP_END_BYTES || end.toString('latin1', 0, 4) !== 'PK\x05\x06') return null
  const entries = end.readUInt16LE(10)
  const directoryBytes = end.readUInt32LE(12)
  const isPlain =
    entries <= ENTRIES_MAX &&
    directoryBytes <= DIRECTORY_BYTES_MAX &&
    entries === end.readUInt16LE(8) &&
    end.readUInt32LE(16) + directoryBytes === source.sizeBytes - ZIP_END_BYTES
  return isPlain ? directoryBytes : null
}

/** Walks the directory; null when it contains anything that a document does not have. */
async function readDirectory(
  zip: ZipFile,
  source: ByteSource,
  directoryBytes: number,
): Promise<Directory | null> {
  const names = new Set<string>()
  let contentTypes: Entry | null = null
  let inflatedBytes = 0
  let listedBytes = 0
  const bytesMax = Math.min(INFLATED_BYTES_MAX, source.sizeBytes * INFLATED_RATIO_MAX)
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    inflatedBytes += entry.uncompressedSize
    if (inflatedBytes > bytesMax || names.has(name) || FOREIGN_PARTS.test(name)) return null
    if (!isPlainEntry(entry, source)) return null
    names.add(name)
    if (name === CONTENT_TYPES) contentTypes = entry
    const { fileNameLength, extraFieldLength, fileCommentLength } = entry
    listedBytes += ENTRY_BYTES + fileNameLength + extraFieldLength + fileCommentLength
  }
  // Programs that use the length of the directory must find the same parts as those that use the count.
  if (contentTypes === null || listedBytes !== directoryBytes) return null
  return { names, contentTypes }
}

function isPlainEntry(entry: Entry, source: ByteSource): boolean {
  const { compressionMethod, compressedSize, relativeOffsetOfLocalHeader } = entry
  return (
    !entry.isEncrypted() &&
    (compressionMethod === STORED || compressionMethod === DEFLATED) &&
    relativeOffsetOfLocalHeader + compressedSize < source.sizeBytes
  )
}

/** The list of parts as text; null when it is longer than permitted or declared. */
async function inflated(zip: ZipFile, entry: Entry): Promise<string | null> {
  if (entry.uncompressedSize > CONTENT_TYPES_BYTES_MAX) return null
  const stream = await zip.openReadStreamPromise(entry)
  const pieces: Buffer[] = []
  // The library ends the stream with an error once it exceeds the size that was checked here.
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function declares(xml: string, mimeType: string, names: ReadonlySet<string>): boolean {
  if (HIDDEN.test(xml) || ACTIVE.test(withoutIdleTypes(xml, names))) return false
  const mains = elementsOf(xml).filter(({ contentType }) =>
    [...MAIN_PARTS.values()].includes(contentType),
  )
  return (
    mains.length > 0 &&
    mains.every(({ contentType }) => contentType === MAIN_PARTS.get(mimeType)) &&
    mains.every(({ part }) => part === null || names.has(part))
  )
}

/** The list without the types of extensions that no part has: some programs always list the same ones. */
function withoutIdleTypes(xml: string, names: ReadonlySet<string>): string {
  const extensions = new Set([...names].map((name) => name.slice(name.lastIndexOf('.') + 1)))
  return xml.replace(DEFAULT, (whole, extension: string) =>
    extensions.has(extension.toLowerCase()) ? whole : '',
  )
}

/** The content types of single parts, by name, and of all parts with an extension. */
function elementsOf(xml: string): { part: string | null; contentType: string }[] {
  return [...xml.matchAll(/<(?:[\w.-]+:)?(?:Override|Default)\s([^<>]*)>/g)].map(
    ([, text = '']) => {
      const part = attributeOf(text, 'PartName')
      const contentType = attributeOf(text, 'ContentType') ?? ''
      return { part: part?.replace(/^\//, '').toLowerCase() ?? null, contentType }
    },
  )
}

function attributeOf(text: string, name: string): string | null {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(text)
  return match?.[1] ?? match?.[2] ?? null
}
