import { deflateSync } from 'node:zlib'
import { compoundFile } from './compound-file.ts'
import { seededRandom } from './random.ts'
import {
  aac,
  amr,
  box,
  contentTypes,
  DOCX,
  ftyp,
  id3,
  isoMedia,
  jpeg,
  jpegSegment,
  latin1,
  legacyOffice,
  mp3,
  MP3_FRAME,
  officeParts,
  oggOpus,
  oggPage,
  openXml,
  pdf,
  png,
  PNG_SIGNATURE,
  pngChunk,
  SAMPLES,
  track,
  webp,
  WEBP_PIXEL,
  webpChunk,
  webpExtended,
  XLSX,
} from './sample-files.ts'
import { zip } from './zip.ts'

/** A file, what it was declared as, and what it begins like when that is something else. */
export type HostileFile = [name: string, bytes: Buffer, declared: string, detected: string | null]

const MSWORD = 'application/msword'
const ARCHIVE = zip([{ name: 'a.txt', data: 'hello' }])
const NOTED_ARCHIVE = zip([{ name: 'a.txt', data: 'hello' }], { comment: '-'.repeat(65_535) })
const DOUBTFUL_ARCHIVE = zip([{ name: 'a.txt', data: 'hello' }], {
  comment: `PK\x05\x06${'-'.repeat(30)}`,
})
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const join = (...parts: Buffer[]) => Buffer.concat(parts)

const flipped = (bytes: Buffer, at: number, to: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = to
  return copy
}

export const hostilePictures = (): HostileFile[] => [
  ['a signature of PNG alone', PNG_SIGNATURE, 'image/png', null],
  ['a PNG of enormous sides', png({ width: 65_535, height: 65_535 }), 'image/png', null],
  ['a PNG of 16,385 by 1', png({ width: 16_385 }), 'image/png', null],
  ['a PNG of over 50 million pixels', png({ width: 7_072, height: 7_071 }), 'image/png', null],
  ['a PNG of no width', png({ width: 0 }), 'image/png', null],
  ['a PNG with a broken header', flipped(png(), 19, 2), 'image/png', null],
  [
    'a PNG chunk beyond the end',
    join(png().subarray(0, 33), Buffer.alloc(8, 0xff)),
    'image/png',
    null,
  ],
  ['a PNG without pixels', join(png().subarray(0, 33), pngChunk('IEND')), 'image/png', null],
  ['a PNG that moves', png({}, [pngChunk('acTL', Buffer.alloc(8))]), 'image/png', 'image/apng'],
  ['a PNG with a ZIP behind it', join(png(), ARCHIVE), 'image/png', null],
  ['a PNG with one byte behind it', join(png(), Buffer.from([0])), 'image/png', null],
  ['a mark and a PNG', join(UTF8_MARK, png()), 'image/png', null],
  ['an ID3 tag and a PNG', join(id3(Buffer.alloc(20)), png()), 'image/png', null],
  ['a JPEG with a ZIP behind it', join(jpeg(), ARCHIVE), 'image/jpeg', null],
  ['a JPEG with a PDF behind it', join(jpeg(), pdf()), 'image/jpeg', null],
  ['a JPEG with 64 KiB behind it', join(jpeg(), Buffer.alloc(65_537)), 'image/jpeg', null],
  ['a JPEG of three bytes', Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg', null],
  ['a JPEG without its end', jpeg().subarray(0, -2), 'image/jpeg', null],
  ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'image/jpeg', null],
  ['a JPEG of enormous sides', jpeg({ width: 65_000, height: 65_000 }), 'image/jpeg', null],
  [
    'a JPEG segment beyond the end',
    jpeg({ more: [Buffer.from('ffe1ffff', 'hex')] }),
    'image/jpeg',
    null,
  ],
  [
    'a JPEG segment of no length',
    jpeg({ more: [Buffer.from('ffe10000', 'hex')] }),
    'image/jpeg',
    null,
  ],
  ['a WebP of enormous sides', webp(webpExtended(0, 16_385), WEBP_PIXEL), 'image/webp', null],
  ['a WebP without a picture', webp(webpExtended(0)), 'image/webp', null],
  ['a WebP that says that it moves', webp(webpExtended(2), WEBP_PIXEL), 'image/webp', null],
  ['a WebP with a ZIP behind it', join(webp(WEBP_PIXEL), ARCHIVE), 'image/webp', null],
  ['a WebP chunk beyond the end', webp(WEBP_PIXEL, latin1('EXIF\xff\xff\0\0')), 'image/webp', null],
  ['a WebP that is a sound', webpChunk('RIFF', latin1('WAVEfmt ')), 'image/webp', 'audio/wav'],
  ['a GIF that is a script', latin1('GIF89a/*...*/=1;alert(1)'), 'image/png', 'image/gif'],
  ['an SVG', latin1('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/jpeg', null],
  ['HEIC', join(ftyp('heic'), box('mdat')), 'image/jpeg', 'image/heic'],
  ['AVIF', join(ftyp('avif'), box('mdat')), 'image/jpeg', 'image/avif'],
]

export const hostileMedia = (): HostileFile[] => [
  ['a film of HTML', join(ftyp('isom'), box('free', latin1('<script>'))), 'video/mp4', null],
  ['a film without an index', join(ftyp('isom'), box('mdat')), 'video/mp4', null],
  ['a film with two indexes', join(isoMedia('isom', ['vide']), box('moov')), 'video/mp4', null],
  ['a first box of no size', flipped(isoMedia('isom', ['vide']), 3, 0), 'video/mp4', null],
  [
    'a box beyond the end',
    join(isoMedia('isom', ['vide']), latin1('\0\0\x01\0free')),
    'video/mp4',
    null,
  ],
  [
    'a box of 2⁶⁴−1 bytes',
    join(isoMedia('isom', ['vide']), latin1('\0\0\0\x01free' + '\xff'.repeat(8))),
    'video/mp4',
    null,
  ],
  ['an unknown brand', isoMedia('zzzz', ['vide']), 'video/mp4', null],
  ['a film of sound alone', isoMedia('isom', ['soun']), 'video/mp4', null],
  ['a QuickTime film', isoMedia('qt  ', ['vide']), 'video/mp4', 'video/quicktime'],
  ['a film of 3GP as MP4', isoMedia('3gp5', ['vide']), 'video/mp4', 'video/3gpp'],
  ['a film of 3GPP2', isoMedia('3g2a', ['vide']), 'video/3gpp', 'video/3gpp2'],
  ['too many tracks', isoMedia('isom', Array<string>(65).fill('vide')), 'video/mp4', null],
  [
    'a track beyond its index',
    join(ftyp('isom'), box('moov', track('vide').subarray(0, -1))),
    'video/mp4',
    null,
  ],
  ['a film with a ZIP behind it', join(isoMedia('isom', ['vide']), ARCHIVE), 'video/mp4', null],
  [
    'Matroska of no size',
    Buffer.from('1a45dfa3' + '42820000'.repeat(64), 'hex'),
    'video/mp4',
    null,
  ],
  ['a film as a recording', isoMedia('isom', ['soun', 'vide']), 'audio/mp4', 'video/mp4'],
  ['two frames of MP3, cut', mp3(3).subarray(0, -1), 'audio/mpeg', null],
  ['a frame of MP3 and noise', join(MP3_FRAME, Buffer.alloc(500, 0x41)), 'audio/mpeg', null],
  ['a tag without sound', id3(Buffer.alloc(500)), 'audio/mpeg', null],
  ['a tag beyond the end', id3(Buffer.alloc(500)).subarray(0, 300), 'audio/mpeg', null],
  [
    'two tags before the sound',
    join(id3(Buffer.alloc(9)), id3(Buffer.alloc(9)), mp3()),
    'audio/mpeg',
    null,
  ],
  [
    '10,000 tags',
    join(...Array.from({ length: 10_000 }, () => id3(Buffer.alloc(0)))),
    'image/png',
    null,
  ],
  ['MP3 with a ZIP behind it', join(mp3(), ARCHIVE), 'audio/mpeg', null],
  ['MP3 with a ZIP of a long note behind it', join(mp3(), NOTED_ARCHIVE), 'audio/mpeg', null],
  [
    'MP3 with a ZIP behind it whose note begins like its end',
    join(mp3(), DOUBTFUL_ARCHIVE),
    'audio/mpeg',
    null,
  ],
  ['a tag before AAC', join(id3(Buffer.alloc(9)), aac()), 'audio/aac', null],
  ['AAC that loses its step', flipped(aac(), 33, 0x01), 'audio/aac', null],
  ['AMR of another signature', flipped(amr(), 5, 0x20), 'audio/amr', null],
  ['AMR whose padding is not empty', flipped(amr(), 6, 0x3d), 'audio/amr', null],
  ['wide-band AMR', latin1('#!AMR-WB\n' + '\x44'.repeat(100)), 'audio/amr', null],
  ['AMR of a reserved type', join(amr(1), Buffer.from([0x74])), 'audio/amr', null],
  ['Ogg of Vorbis', oggPage(0, latin1('\x01vorbis' + '\0'.repeat(23)), 2), 'audio/ogg', null],
  ['Ogg of two streams', join(oggOpus(), oggPage(5, latin1('x'), 0, 8)), 'audio/ogg', null],
  ['Ogg of Opus without tags', oggOpus().subarray(0, 47), 'audio/ogg', null],
]

export const hostileDocuments = (): HostileFile[] => [
  ['a mark and a PDF', join(UTF8_MARK, pdf()), 'application/pdf', null],
  ['an ID3 tag and a PDF', join(id3(Buffer.alloc(20)), pdf()), 'application/pdf', null],
  ['a PDF at offset 1,000', join(Buffer.alloc(1_000, 0x20), pdf()), 'application/pdf', null],
  ['a PDF without its end', pdf().subarray(0, -8), 'application/pdf', null],
  ['a PDF with 1 KiB behind it', join(pdf(), Buffer.alloc(1_025, 0x20)), 'application/pdf', null],
  ['a PDF with a ZIP behind it', join(pdf(), ARCHIVE), 'application/pdf', null],
  ['a PDF as text', latin1('%PDF-1.4\n1 0 obj\n%%EOF\n'), 'text/plain', 'application/pdf'],
  ['a workbook as a document', openXml(XLSX), DOCX, XLSX],
  ['OpenDocument', openDocument(), DOCX, 'application/vnd.oasis.opendocument.text'],
  ['a ZIP of any kind', ARCHIVE, DOCX, 'application/zip'],
  ['the end of a ZIP alone', zip([]), XLSX, 'application/zip'],
  ['an old document as a new one', legacyOffice('WordDocument'), DOCX, 'application/x-cfb'],
  [
    'an encrypted document',
    legacyOffice('EncryptionInfo', 'EncryptedPackage'),
    DOCX,
    'application/x-cfb',
  ],
  [
    'an encrypted document as an old one',
    legacyOffice('EncryptedPackage', 'WordDocument'),
    MSWORD,
    'application/x-cfb',
  ],
  ['an installer', legacyOffice('䡀䌏䈯', '䡀㿿䏤䇬䗤䒬䠱'), MSWORD, 'application/x-cfb'],
  ['an old workbook as a document', legacyOffice('Workbook'), MSWORD, 'application/x-cfb'],
  ['two documents in one', legacyOffice('WordDocument', 'Workbook'), MSWORD, 'application/x-cfb'],
  ['a document inside another thing', embedded(), MSWORD, 'application/x-cfb'],
  ['an empty main stream', emptyStream(), MSWORD, 'application/x-cfb'],
  [
    'a cut main stream',
    legacyOffice('WordDocument').subarray(0, -512),
    MSWORD,
    'application/x-cfb',
  ],
  ['text with a NUL', latin1('a\0b'), 'text/plain', null],
  ['text with an escape', latin1('\x1b[2J'), 'text/plain', null],
  ['text in Latin-1', latin1('caf\xe9'), 'text/plain', null],
  ['text of C1 controls', Buffer.from('\u0085'.repeat(3) + 'a'.repeat(200)), 'text/plain', null],
  ['UTF-16 with half a pair', Buffer.from('\ufeffa\ud83d', 'utf16le'), 'text/plain', null],
  ['UTF-16 of odd length', Buffer.from('fffe610062', 'hex'), 'text/plain', null],
  ['UTF-32', Buffer.from('fffe000061000000', 'hex'), 'text/plain', null],
  [
    'a program',
    join(latin1('\x7fELF\x02\x01\x01'), Buffer.alloc(200)),
    'text/plain',
    'application/x-elf',
  ],
]

function openDocument(): Buffer {
  const type = 'application/vnd.oasis.opendocument.text'
  return zip([{ name: 'mimetype', data: type, claims: { method: 0 } }])
}

function embedded(): Buffer {
  const document = [{ name: 'WordDocument', bytes: Buffer.alloc(4_096) }]
  return compoundFile([{ name: 'ObjectPool', entries: document }])
}

function emptyStream(): Buffer {
  return compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(0) }])
}

/** Documents that differ from a sound one in a single respect; all begin like one, or like a ZIP. */
export function hostilePackages(): [name: string, bytes: Buffer][] {
  const sound = officeParts(DOCX)
  const types = contentTypes(DOCX)
  const typed = (more: string) => zip([contentTypes(DOCX, more), ...sound])
  const one = (claims: object, name = 'word/x.xml') =>
    zip([types, ...sound, { name, data: 'x', claims }])
  const huge = { ...types, data: `${String(types.data)}${' '.repeat(200 * 1024 * 1024)}` }
  return [
    ['a list of types of 200 MB', zip([huge, ...sound])],
    [
      'a list of types that says that it is short',
      zip([
        {
          ...types,
          data: `${String(types.data)}${' '.repeat(600_000)}`,
          claims: { inflatedBytes: 1_000 },
        },
        ...sound,
      ]),
    ],
    ['two lists of types', zip([types, ...sound, types])],
    ['no list of types', zip(sound)],
    ['a list of types of 600 KB', zip([contentTypes(DOCX, manyTypes()), ...sound])],
    ['a list without a main part', zip([{ ...types, data: '<Types/>' }, ...sound])],
    ['a program that unpacks it', zip([types, ...sound], { leading: latin1('MZ program') })],
    ['a list of types alone', zip([types])],
    [
      'a part of a signed archive',
      zip([types, ...sound, { name: 'META-INF/MANIFEST.MF', data: '' }]),
    ],
    ['a program', zip([types, ...sound, { name: 'word/vbaProject.bin', data: '' }])],
    [
      'a program of another name',
      typed(
        '<Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vbaProject"/>',
      ),
    ],
    [
      'a type spelt in references',
      typed(
        '<Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vba&#80;roject"/>',
      ),
    ],
    ['a declaration', typed('<!DOCTYPE x [<!ENTITY a "b">]>')],
    [
      'a document with programs',
      zip([
        {
          ...types,
          data: String(types.data).replace(
            `${DOCX}.main`,
            'application/vnd.ms-word.document.macroEnabled.main',
          ),
        },
        ...sound,
      ]),
    ],
    [
      'two main parts of two types',
      typed(`<Override PartName="/_rels/.rels" ContentType="${XLSX}.main+xml"/>`),
    ],
    ['a main part that is missing', zip([types, sound[0]!])],
    ['names of over 512 KiB', zip([types, ...sound, ...long(9)])],
    ['2,001 entries', zip([types, ...sound, ...many(1_998)])],
    ['more entries than are said', zip([types, ...sound, ...many(5)], { claimedEntries: 4 })],
    [
      'sizes of ZIP64 without its field',
      one({ inflatedBytes: 0xffffffff, compressedBytes: 0xffffffff }),
    ],
    ['parts that inflate to over 500 MB', zip([types, ...sound, ...overMost()])],
    ['parts that inflate a hundredfold', one({ inflatedBytes: 200_000 })],
    ['a part beyond the end', one({ compressedBytes: 1_000_000 })],
    ['an encrypted part', one({ flags: 1 })],
    ['an unknown compression', one({ method: 12 })],
    ['a path out of the archive', one({}, '../x.xml')],
    ['something before the archive', join(Buffer.alloc(16), openXml(DOCX))],
    ['something within the archive', split(openXml(DOCX), 22)],
    ['something behind the archive', join(openXml(DOCX), Buffer.alloc(16))],
    ['a comment', zip([types, ...sound], { comment: 'hidden' })],
    ['an archive cut short', SAMPLES[DOCX]!.subarray(0, -1)],
  ]
}

/** More than all parts may be together, in a file that is large enough for it not to be a hundredfold. */
const overMost = () => [
  { name: 'word/media/1.mov', data: Buffer.alloc(6 * 1024 * 1024), claims: { method: 0 } },
  { name: 'word/x.xml', data: 'x', claims: { inflatedBytes: 495 * 1024 * 1024 } },
]

/** A file with something ahead of its last bytes. */
const split = (bytes: Buffer, lastBytes: number) =>
  join(bytes.subarray(0, -lastBytes), Buffer.alloc(16), bytes.subarray(-lastBytes))

/** Types that no compression makes much of. */
function manyTypes(): string {
  const { between } = seededRandom(1)
  const ending = () => Array.from({ length: 8 }, () => between(0, 0xffffffff).toString(36)).join('')
  const types = Array.from(
    { length: 8_000 },
    () => `<Default Extension="${ending()}" ContentType="x"/>`,
  )
  return types.join('')
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `word/media/${index}`, data: '' }))

const long = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}`.padEnd(60_000, '-'), data: '' }))

/** Text of 100 MB of zeros that takes 100 KB in a picture. */
export const bombInText = () =>
  png({}, [
    pngChunk('zTXt', join(latin1('Comment\0\0'), deflateSync(Buffer.alloc(100 * 1024 * 1024)))),
  ])

export const scriptedPdf = () => pdf('<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>')

export const manySegments = () =>
  jpeg({ more: Array.from({ length: 5_000 }, () => jpegSegment(0xfe, Buffer.alloc(0))) })
