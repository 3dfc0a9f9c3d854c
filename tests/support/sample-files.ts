import { crc32, deflateSync } from 'node:zlib'
import { compoundFile } from './compound-file.ts'
import { zip, type ZipPart } from './zip.ts'

/** The smallest files of every accepted type that are whole, and the parts to build others of. */

const OOXML = 'application/vnd.openxmlformats-officedocument.'
export const DOCX = `${OOXML}wordprocessingml.document`
export const XLSX = `${OOXML}spreadsheetml.sheet`
const PPTX = `${OOXML}presentationml.presentation`

export const latin1 = (text: string) => Buffer.from(text, 'latin1')

export const PNG_SIGNATURE = latin1('\x89PNG\r\n\x1a\n')

export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typeAndData = Buffer.concat([latin1(type), data])
  return Buffer.concat([word32(data.length), typeAndData, word32(crc32(typeAndData))])
}

/** A red picture, or what has the header of one of other sides; `more` comes before its pixels. */
export function png(sides: { width?: number; height?: number } = {}, more: Buffer[] = []): Buffer {
  const { width = 1, height = 1 } = sides
  const header = Buffer.concat([word32(width), word32(height), Buffer.from([8, 2, 0, 0, 0])])
  const pixels = deflateSync(Buffer.from([0, 0xff, 0, 0]))
  const chunks = [pngChunk('IHDR', header), ...more, pngChunk('IDAT', pixels), pngChunk('IEND')]
  return Buffer.concat([PNG_SIGNATURE, ...chunks])
}

export const JPEG_END = Buffer.from([0xff, 0xd9])

export function jpegSegment(marker: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), word16(data.length + 2), data])
}

/** A grey picture; `more` comes before its frame, `pixels` are its coded bytes. */
export function jpeg({
  width = 8,
  height = 8,
  more = [] as Buffer[],
  pixels = Buffer.from([0xff, 0x00, 0x2a, 0xff, 0xd0, 0x7f]),
} = {}): Buffer {
  const frame = [Buffer.from([8]), word16(height), word16(width), Buffer.from([1, 1, 0x11, 0])]
  return Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), jpegSegment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))],
    ...[...more, jpegSegment(0xdb, Buffer.alloc(65, 1)), jpegSegment(0xc0, Buffer.concat(frame))],
    jpegSegment(0xc4, Buffer.concat([Buffer.alloc(17), Buffer.from([0])])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    ...[pixels, JPEG_END],
  ])
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([latin1(type), size, data, Buffer.alloc(data.length % 2)])
}

export function webp(...chunks: Buffer[]): Buffer {
  return webpChunk('RIFF', Buffer.concat([latin1('WEBP'), ...chunks]))
}

/** One pixel, in the way without loss. */
export const WEBP_PIXEL = webpChunk('VP8L', Buffer.from('2f00000010071011118888fe07', 'hex'))

export function webpExtended(flags: number, side = 512): Buffer {
  const data = Buffer.alloc(10)
  data.writeUInt8(flags)
  data.writeUIntLE(side - 1, 4, 3)
  data.writeUIntLE(side - 1, 7, 3)
  return webpChunk('VP8X', data)
}

export const animatedWebp = () =>
  webp(
    ...[webpExtended(0x02), webpChunk('ANIM', Buffer.alloc(6))],
    webpChunk('ANMF', Buffer.concat([Buffer.alloc(16), WEBP_PIXEL])),
  )

export function box(type: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat(content)
  return Buffer.concat([word32(data.length + 8), latin1(type), data])
}

export const ftyp = (brand: string) => box('ftyp', latin1(brand), word32(0x200), latin1(brand))

export const track = (handler: string) =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box('mdia', box('hdlr', Buffer.alloc(8), latin1(handler), Buffer.alloc(13))),
  )

/** A film or a recording of a major brand, with a track for each handler. */
export function isoMedia(brand: string, handlers: string[]): Buffer {
  const moov = box('moov', box('mvhd', Buffer.alloc(100)), ...handlers.map(track))
  return Buffer.concat([ftyp(brand), moov, box('mdat', Buffer.alloc(64, 0x5a))])
}

/** A page of an Ogg stream with one packet of at most 254 bytes. */
export function oggPage(number: number, packet: Buffer, flags = 0, serial = 7): Buffer {
  const header = Buffer.alloc(28)
  header.write('OggS', 'latin1')
  header.writeUInt8(flags, 5)
  header.writeUInt32LE(serial, 14)
  header.writeUInt32LE(number, 18)
  header.writeUInt8(1, 26)
  header.writeUInt8(packet.length, 27)
  return Buffer.concat([header, packet])
}

export function oggOpus(): Buffer {
  const head = latin1('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0')
  const tags = latin1('OpusTags\0\0\0\0\0\0\0\0')
  const sound = [2, 3, 4].map((number) => oggPage(number, Buffer.alloc(40, 0xfc)))
  return Buffer.concat([oggPage(0, head, 2), oggPage(1, tags), ...sound])
}

/** A frame of MP3 sound at 32 kbit/s and 44.1 kHz. */
export const MP3_FRAME = Buffer.concat([Buffer.from('fffb1064', 'hex'), Buffer.alloc(100)])

export function id3(content: Buffer): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (content.length >> shift) & 0x7f)
  return Buffer.concat([latin1('ID3\x04\0\0'), Buffer.from(size), content])
}

const repeated = (bytes: Buffer, times: number) =>
  Buffer.concat(Array.from({ length: times }, () => bytes))

export const mp3 = (frames = 10) => repeated(MP3_FRAME, frames)

/** ADTS frames of 32 bytes: low complexity, 44.1 kHz, one channel. */
export const aac = (frames = 10) =>
  repeated(Buffer.concat([Buffer.from('fff15040041ffc', 'hex'), Buffer.alloc(25, 0x21)]), frames)

/** Speech at 12.2 kbit/s. */
export const amr = (frames = 10) =>
  Buffer.concat([
    latin1('#!AMR\n'),
    repeated(Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31, 0x55)]), frames),
  ])

export const pdf = (body = '1 0 obj <</Type /Catalog>> endobj') =>
  latin1(`%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${body}\ntrailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`)

const MAIN_NAMES: Record<string, string> = {
  [DOCX]: 'word/document.xml',
  [XLSX]: 'xl/workbook.xml',
  [PPTX]: 'ppt/presentation.xml',
}

export function contentTypes(type: string, more = ''): ZipPart {
  const parts = `<Override PartName="/${MAIN_NAMES[type]}" ContentType="${type}.main+xml"/>${more}`
  return {
    name: '[Content_Types].xml',
    data: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${parts}</Types>`,
  }
}

/** The parts of an Office document, but for the list of their types. */
export const officeParts = (type: string): ZipPart[] => [
  { name: '_rels/.rels', data: '<Relationships/>' },
  { name: MAIN_NAMES[type]!, data: '<main>Price list</main>' },
]

export const openXml = (type: string, ...more: ZipPart[]) =>
  zip([contentTypes(type), ...officeParts(type), ...more])

export const legacyOffice = (...names: string[]) =>
  compoundFile(names.map((name) => ({ name, bytes: Buffer.alloc(4_096, 0xec) })))

/** A whole file of every accepted type. */
export const SAMPLES: Readonly<Record<string, Buffer>> = {
  'image/jpeg': jpeg(),
  'image/png': png(),
  'image/webp': webp(WEBP_PIXEL),
  'video/mp4': isoMedia('isom', ['vide', 'soun']),
  'video/3gpp': isoMedia('3gp5', ['vide', 'soun']),
  'audio/mp4': isoMedia('M4A ', ['soun']),
  'audio/aac': aac(),
  'audio/amr': amr(),
  'audio/mpeg': mp3(),
  'audio/ogg': oggOpus(),
  'application/pdf': pdf(),
  'application/msword': legacyOffice('WordDocument', '1Table'),
  'application/vnd.ms-excel': legacyOffice('Workbook'),
  'application/vnd.ms-powerpoint': legacyOffice('Current User', 'PowerPoint Document'),
  [DOCX]: openXml(DOCX),
  [XLSX]: openXml(XLSX),
  [PPTX]: openXml(PPTX),
  'text/plain': Buffer.from('Grüße aus Köln — цены 价格 🙂\r\n\tthe end\n'),
}

function word16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

function word32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
