import { describe, expect, it } from '@jest/globals'
import { extensionOf, normaliseMimeType } from '../../filetypes/kinds.ts'
import { ACCEPTED, changed, holds, joined, refused, times } from '../support/byte-files.ts'
import { compoundFile } from '../support/compound-file.ts'
import {
  contentTypes,
  DOCX,
  jpeg,
  jpegSegment,
  latin1,
  legacyOffice,
  officeParts,
  png,
  PNG_SIGNATURE,
  pngChunk,
  SAMPLES,
  webp,
  webpChunk,
  webpExtended,
  XLSX,
} from '../support/sample-files.ts'
import { zip } from '../support/zip.ts'

const OOXML = 'application/vnd.openxmlformats-officedocument.'

describe('a type', () => {
  it.each([
    ['image/jpg', 'image/jpeg'],
    ['image/pjpeg', 'image/jpeg'],
    ['image/x-png', 'image/png'],
    ['video/3gp', 'video/3gpp'],
    ['video/x-m4v', 'video/mp4'],
    ['audio/mp3', 'audio/mpeg'],
    ['audio/x-mp3', 'audio/mpeg'],
    ['audio/x-mpeg', 'audio/mpeg'],
    ['audio/m4a', 'audio/mp4'],
    ['audio/x-m4a', 'audio/mp4'],
    ['audio/x-aac', 'audio/aac'],
    ['audio/aacp', 'audio/aac'],
    ['audio/opus', 'audio/ogg'],
    ['application/x-pdf', 'application/pdf'],
    ['Audio/OGG ; codecs=opus', 'audio/ogg'],
  ])('that senders call %s is %s', (called, type) => {
    expect(normaliseMimeType(called)).toBe(type)
  })

  it('has the extension by which programs know it', () => {
    expect(Object.fromEntries(ACCEPTED.map((type) => [type, extensionOf(type)]))).toEqual({
      'image/jpeg': 'jpg',
      'image/png': 'png',
      'image/webp': 'webp',
      'video/mp4': 'mp4',
      'video/3gpp': '3gp',
      'audio/aac': 'aac',
      'audio/amr': 'amr',
      'audio/mpeg': 'mp3',
      'audio/mp4': 'm4a',
      'audio/ogg': 'ogg',
      'application/pdf': 'pdf',
      'application/msword': 'doc',
      'application/vnd.ms-excel': 'xls',
      'application/vnd.ms-powerpoint': 'ppt',
      [`${OOXML}wordprocessingml.document`]: 'docx',
      [`${OOXML}spreadsheetml.sheet`]: 'xlsx',
      [`${OOXML}presentationml.presentation`]: 'pptx',
      'text/plain': 'txt',
    })
  })
})

describe('a picture', () => {
  it('is PNG of every kind of pixels, interlaced or not', async () => {
    const kinds: [colour: number, depths: number[]][] = [
      [0, [1, 2, 4, 8, 16]],
      [2, [8, 16]],
      [3, [1, 2, 4, 8]],
      [4, [8, 16]],
      [6, [8, 16]],
    ]
    const of = (colour: number, depth: number, interlaced: number) => {
      const sides = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, depth, colour, 0, 0, interlaced])
      return joined(PNG_SIGNATURE, pngChunk('IHDR', sides), png().subarray(33))
    }
    for (const [colour, depths] of kinds) {
      const all = [1, 2, 4, 8, 16, 3, 7].flatMap((depth) =>
        [0, 1].map((interlaced) => [depth, of(colour, depth, interlaced)] as const),
      )
      const none = [1, 2, 4, 8, 16, 3, 7].filter((depth) => !depths.includes(depth))
      expect(new Set(await refused(all, 'image/png'))).toEqual(new Set(none))
    }
  })

  it('may be as large as is documented, and no pixel larger', async () => {
    const sides = [
      [16_384, 1, true],
      [16_385, 1, false],
      [1, 16_384, true],
      [1, 16_385, false],
      [12_500, 4_000, true],
      [7_073, 7_070, false],
      [1, 0, false],
    ] as const
    for (const [width, height, isTaken] of sides) {
      const taken = await Promise.all([
        holds(png({ width, height }), 'image/png'),
        holds(jpeg({ width, height }), 'image/jpeg'),
      ])
      expect([width, height, ...taken]).toEqual([width, height, isTaken, isTaken])
    }
  })

  it('is JPEG of every way to code a frame, with fill bytes and marks within', async () => {
    const frame = Buffer.from([8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    const scan = joined(jpegSegment(0xda, Buffer.alloc(6)), Buffer.from([0xff, 0xd9]))
    const start = Buffer.from([0xff, 0xd8])
    const ways = Array.from({ length: 16 }, (_, n) => 0xc0 + n)
    const files = ways.map((way) => [way, joined(start, jpegSegment(way, frame), scan)] as const)
    expect(await refused(files, 'image/jpeg')).toEqual([0xc4, 0xc8, 0xcc])
    const marks = Array.from({ length: 8 }, (_, n) => Buffer.from([0x12, 0xff, 0xd0 + n]))
    const odd = [
      ['fill bytes', joined(start, Buffer.from([0xff, 0xff]), jpegSegment(0xc0, frame), scan)],
      ['fill bytes in the scan', jpeg({ pixels: Buffer.from([1, 0xff, 0xff, 0x00, 2]) })],
      ['a fill byte before the end', jpeg({ pixels: Buffer.from([1, 0xff]) })],
      ['marks', jpeg({ pixels: joined(...marks) })],
      ['sixteen pictures', times(jpeg(), 16)],
      ['notes of 64 KiB', joined(jpeg(), Buffer.alloc(65_536))],
    ] as const
    expect(await refused(odd, 'image/jpeg')).toEqual([])
  })

  it('is no JPEG with what other programs look for behind it', async () => {
    const foreign = ['PK\x03\x04', 'PK\x05\x06', '%PDF-', 'Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c']
    const files = foreign.map((start) => [start, joined(jpeg(), latin1(`  ${start}  `))] as const)
    expect(await refused(files, 'image/jpeg')).toEqual(foreign)
  })

  it('is WebP of every kind, and none of which a part is missing', async () => {
    const lossy = webpChunk('VP8 ', Buffer.from('0000009d012a0100010000', 'hex'))
    const lossless = (width: number, height: number) => {
      const data = Buffer.alloc(13)
      data.writeUInt8(0x2f)
      data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
      return webpChunk('VP8L', data)
    }
    const [anim, anmf] = [webpChunk('ANIM', Buffer.alloc(6)), webpChunk('ANMF', Buffer.alloc(16))]
    const files = [
      ['with loss', webp(webpExtended(0), lossy)],
      ['without loss', webp(webpExtended(0), lossless(1, 1))],
      ['of an odd part', webp(webpExtended(0), lossy, webpChunk('EXIF', Buffer.alloc(3)), lossy)],
      ['of the largest sides', webp(webpExtended(0, 7_000), lossy)],
      ['of 16,384 without loss', webp(lossless(16_384, 1))],
      ['of 16,384', webp(changed(webpExtended(0, 1), 8 + 4, 0xff, 0x3f), lossy)],
      ['that is to be scaled', webp(changed(lossy, 8 + 6, 0x01, 0xc0, 0x01, 0x40))],
    ] as const
    expect(await refused(files, 'image/webp')).toEqual([])
    const tall = Buffer.from(webpExtended(0, 1))
    tall.writeUIntLE(16_384, 8 + 7, 3)
    const wrong = [
      ['ANIM alone', webp(webpExtended(2), anim)],
      ['ANMF alone', webp(webpExtended(2), anmf)],
      ['too tall', webp(tall, lossy)],
      ['too wide', webp(changed(webpExtended(0, 1), 8 + 4, 0x00, 0x40), lossy)],
      ['more than 50 million pixels without loss', webp(lossless(10_000, 5_001))],
      ['more than 50 million pixels', webp(webpExtended(0, 7_072), lossy)],
      ['more behind it', joined(webp(lossy), Buffer.alloc(2))],
      ['a part behind it', joined(webp(lossy), webpChunk('EXIF', Buffer.alloc(2)))],
      ['no height', webp(changed(lossy, 8 + 8, 0, 0))],
    ] as const
    expect(await refused(wrong, 'image/webp')).toHaveLength(wrong.length)
  })
})

describe('a document', () => {
  it.each([
    ['application/vnd.ms-excel', 'Book'],
    ['application/vnd.ms-excel', 'Workbook'],
    ['application/vnd.ms-powerpoint', 'PowerPoint Document'],
  ])('of before 2007 is %s for its stream %s, be it small', async (type, name) => {
    const small = compoundFile([{ name, bytes: Buffer.alloc(10) }])
    // Where a small one begins is told in another measure.
    const elsewhere = Buffer.from(small)
    elsewhere.writeUInt32LE(9_999, 1_024 + 128 + 116)
    const files = [
      ['small', small],
      ['small, far from the beginning', elsewhere],
      ['large', legacyOffice(name)],
      ['the second', legacyOffice('1Table', name, '2Table')],
    ] as const
    expect(await refused(files, type)).toEqual([])
    const within = compoundFile([{ name, entries: [] }])
    expect(await holds(within, type)).toBe(false)
  })

  it('of before 2007 lists its parts to either side', async () => {
    // The first part of the root becomes the one on the left of the second.
    const bytes = Buffer.from(legacyOffice('WordDocument', '1Table'))
    const root = 1_024
    const first = bytes.readUInt32LE(root + 76)
    const second = bytes.readUInt32LE(root + first * 128 + 72)
    bytes.writeUInt32LE(second, root + 76)
    bytes.writeUInt32LE(first, root + second * 128 + 68)
    bytes.writeUInt32LE(0xffffffff, root + first * 128 + 72)
    expect(await holds(bytes, 'application/msword')).toBe(true)
  })

  it('of before 2007 may be of long sectors, or so long that its table is listed in parts', async () => {
    const type = 'application/msword'
    expect(await holds(longSectors(), type)).toBe(true)
    const long = listedInParts()
    expect(await holds(long, type)).toBe(true)
    expect(await holds(changed(long, 26, 4), type)).toBe(false)
    // Its directory goes on at what is no sector but a mark.
    const marks = [0xffffffff, 0xfffffffd, 0xfffffffb].map((mark) => {
      const bytes = Buffer.from(long)
      bytes.writeUInt32LE(mark, sectorAt(2))
      return [mark, bytes] as const
    })
    expect(await refused(marks, type)).toEqual(marks.map(([mark]) => mark))
  })

  it('of Office lists its types in any way that its readers take', async () => {
    const main = `${DOCX}.main+xml`
    const list = (...lines: string[]) => [
      { name: '[Content_Types].xml', data: `<Types>${lines.join('')}</Types>` },
      ...officeParts(DOCX),
    ]
    const override = `<Override PartName="/word/document.xml" ContentType="${main}"/>`
    const files = [
      ['single quotes', zip(list(override.replaceAll('"', "'")))],
      ['spaces', zip(list(override.replaceAll('=', ' = ')))],
      ['a prefix', zip(list(override.replace('<', '<ct:')))],
      ['an ending', zip(list(`<Default Extension="xml" ContentType="${main}"/>`))],
      ['capitals', zip(list(override.replace('/word', '/Word')))],
      [
        'text that shrinks to a tenth',
        zip([...list(override), { name: 'word/a.xml', data: 'a word '.repeat(20_000) }, noise]),
      ],
      ['2,000 parts', zip([...list(override), ...parts(1_997)])],
    ] as const
    expect(await refused(files, DOCX)).toEqual([])
    const second = override.replace('/word/document.xml', '/none.xml')
    const wrong = [
      ['one of two main parts missing', zip(list(override, second))],
      ['a program in small letters', zip(list(override, '<x ContentType="macroenabled"/>'))],
      ['2,001 parts', zip([...list(override), ...parts(1_998)])],
      ['two of one name', zip([contentTypes(DOCX), ...officeParts(DOCX), ...officeParts(DOCX)])],
    ] as const
    expect(await refused(wrong, DOCX)).toHaveLength(wrong.length)
  })

  it('of Office may list a type of programs for an extension that none of its parts has', async () => {
    const listed = (extension: string) =>
      `<Default Extension="${extension}" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>`
    const of = (more: string, ...others: string[]) => {
      const all = others.map((name) => ({ name, data: 'x' }))
      return zip([contentTypes(XLSX, more), ...officeParts(XLSX), ...all])
    }
    const files = [
      ['no part', of(listed('bin'))],
      ['parts of other extensions', of(listed('bin'), 'xl/bin', 'xl/bin.xml', 'xl/bin/a.png')],
    ] as const
    expect(await refused(files, XLSX)).toEqual([])
    const hidden = `<Default ContentType='macroEnabled Extension="no"' Extension="bin"/>`
    const wrong = [
      ['a part of the extension', of(listed('bin'), 'xl/a.bin')],
      ['one in capitals', of(listed('bin'), 'xl/A.BIN')],
      ['an extension in capitals', of(listed('BIN'), 'xl/a.bin')],
      ['the extension of another default', of(listed('bin') + listed('xml'))],
      ['a part that is listed by itself', of(listed('bin').replace('Default', 'Override'))],
      ['an extension within another value', of(hidden, 'xl/a.bin')],
    ] as const
    expect(await refused(wrong, XLSX)).toHaveLength(wrong.length)
  })

  it('is PDF of a version that there is', async () => {
    const of = (version: string) =>
      joined(latin1(`%PDF-${version}`), SAMPLES['application/pdf']!.subarray(8))
    const versions = ['1.0', '1.4', '1.7', '2.0', '0.9', '3.0'].map(
      (one) => [one, of(one)] as const,
    )
    expect(await refused(versions, 'application/pdf')).toEqual(['0.9', '3.0'])
    const behind = (bytes: number) => joined(SAMPLES['application/pdf']!, Buffer.alloc(bytes, 0x20))
    expect(await holds(behind(1_023), 'application/pdf')).toBe(true)
    expect(await holds(behind(1_024), 'application/pdf')).toBe(false)
  })
})

/** What no compression makes much of. */
const noise = {
  name: 'word/media/1.png',
  data: Buffer.from(Array.from({ length: 10_000 }, (_, n) => (n * n * 7_919) >> 5)),
  claims: { method: 0 },
}
const parts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `word/media/${index}`, data: '' }))

const END_OF_CHAIN = 0xfffffffe
const sectorAt = (sector: number, sectorBytes = 512) => (sector + 1) * sectorBytes

/** The first sectors of a document whose sectors have 4 KiB: its table, and its directory. */
function longSectors(): Buffer {
  const short = legacyOffice('WordDocument')
  const bytes = Buffer.alloc(sectorAt(4, 4_096))
  short.copy(bytes, 0, 0, 512)
  bytes.writeUInt16LE(4, 26)
  bytes.writeUInt16LE(12, 30)
  bytes.writeUInt32LE(END_OF_CHAIN, sectorAt(0, 4_096) + 4)
  short.copy(bytes, sectorAt(1, 4_096), 1_024, 1_536)
  bytes.writeUInt32LE(2, sectorAt(1, 4_096) + 128 + 116)
  return bytes
}

/** A document whose directory lies behind the 7 MB of which the header lists the table. */
function listedInParts(): Buffer {
  const short = legacyOffice('WordDocument')
  const listedInHeader = 109
  const directory = listedInHeader * 128
  const bytes = Buffer.alloc(sectorAt(directory + 1))
  short.copy(bytes, 0, 0, 512)
  bytes.writeUInt32LE(directory, 48)
  bytes.writeUInt32LE(1, 68)
  for (let listed = 0; listed < listedInHeader; listed++) bytes.writeUInt32LE(0, 76 + listed * 4)
  bytes.writeUInt32LE(2, sectorAt(1))
  bytes.writeUInt32LE(END_OF_CHAIN, sectorAt(1) + 508)
  bytes.writeUInt32LE(END_OF_CHAIN, sectorAt(2))
  short.copy(bytes, sectorAt(directory), 1_024, 1_536)
  bytes.writeUInt32LE(3, sectorAt(directory) + 128 + 116)
  return bytes
}
