import { describe, expect, it } from '@jest/globals'
import { WINDOW_BYTES } from '../../filetypes/source.ts'
import { isWhole, verdictOf } from '../support/byte-files.ts'
import {
  bombInText,
  hostileDocuments,
  hostileMedia,
  hostilePackages,
  hostilePictures,
  manySegments,
  scriptedPdf,
} from '../support/hostile-files.ts'
import { seededRandom } from '../support/random.ts'
import {
  contentTypes,
  DOCX,
  id3,
  isoMedia,
  jpeg,
  latin1,
  mp3,
  officeParts,
  openXml,
  pdf,
  png,
  SAMPLES,
} from '../support/sample-files.ts'
import { zip } from '../support/zip.ts'

const ZIP_END = latin1('PK\x05\x06')

describe('a file that is not what it was declared as is refused:', () => {
  it.each(hostilePictures())('%s', refused)
  it.each(hostileMedia())('%s', refused)
  it.each(hostileDocuments())('%s', refused)

  it.each(hostilePackages())('a document with %s', async (_, bytes) => {
    expect(await verdictOf(bytes, DOCX)).toMatchObject({ ok: false })
  })

  it('but not an old document whose list of parts leads round in a circle', async () => {
    const type = 'application/msword'
    const bytes = Buffer.from(SAMPLES[type]!)
    // The first part is the one that follows it.
    bytes.writeUInt32LE(1, 1_024 + 128 + 72)
    expect(await verdictOf(bytes, type)).toEqual(isWhole(type))
  })

  it('a JPEG of more segments than a picture has', async () => {
    expect(await verdictOf(manySegments(), 'image/jpeg')).toEqual({ ok: false, detected: null })
  })

  it.each(['image/png', 'audio/mpeg', 'application/pdf', 'application/msword', DOCX, 'text/plain'])(
    'no bytes as %s',
    async (declared) => {
      expect(await verdictOf(Buffer.alloc(0), declared)).toEqual({ ok: false, detected: null })
    },
  )

  it.each(['image/png', 'audio/mpeg', 'application/pdf', 'application/msword', DOCX])(
    'one byte as %s',
    async (declared) => {
      expect(await verdictOf(latin1('x'), declared)).toEqual({ ok: false, detected: null })
    },
  )

  async function refused(_: string, bytes: Buffer, declared: string, detected: string | null) {
    expect(await verdictOf(bytes, declared)).toEqual({ ok: false, detected })
  }
})

describe('an unusual file that is what it was declared as is taken:', () => {
  const main = officeParts(DOCX)
  const gainMap = Buffer.concat([jpeg(), jpeg({ pixels: Buffer.alloc(100_000, 1) })])
  const cover = Buffer.concat([id3(Buffer.alloc(200_000, 0x41)), Buffer.alloc(1_000), mp3()])
  it.each([
    ['a PNG with text of 100 MB of zeros', bombInText(), 'image/png'],
    ['a PNG of just 50 million pixels', png({ width: 10_000, height: 5_000 }), 'image/png'],
    ['a JPEG with a second picture', gainMap, 'image/jpeg'],
    ['a JPEG whose end lies across two reads', acrossReads(), 'image/jpeg'],
    ['a JPEG with notes of its camera', Buffer.concat([jpeg(), latin1('SEFT')]), 'image/jpeg'],
    ['a PDF with a script', scriptedPdf(), 'application/pdf'],
    [
      'a PDF that ends in a line',
      Buffer.concat([pdf(), Buffer.alloc(1_000, 0x20)]),
      'application/pdf',
    ],
    ['a document with its types last', zip([...main, contentTypes(DOCX)]), DOCX],
    ['a document with its types at the end of 200 KB', longDocument(), DOCX],
    ['a document whose sizes follow its parts', streamed(), DOCX],
    ['a 3GP film', isoMedia('3gp5', ['vide', 'soun']), 'video/3gpp'],
    ['a recording under the brand of films', isoMedia('isom', ['soun']), 'audio/mp4'],
    ['MP3 with a cover of 200 KB', cover, 'audio/mpeg'],
    ['MP3 that ends as a ZIP begins to end', Buffer.concat([mp3(), ZIP_END]), 'audio/mpeg'],
    ['MP3 with the end of a ZIP far from its own', farFromEnd(), 'audio/mpeg'],
    ['UTF-16, little end first', Buffer.from('\ufeffPreise 价格 🙂\r\n', 'utf16le'), 'text/plain'],
    ['UTF-16, big end first', Buffer.from('\ufeffPreise 🙂', 'utf16le').swap16(), 'text/plain'],
    ['UTF-8 behind a mark', Buffer.from('\ufeffid;name\n'), 'text/plain'],
    ['text that looks like a picture', latin1('BMW is a car maker'), 'text/plain'],
    ['text that looks like a program', latin1('MZ is how programs begin'), 'text/plain'],
    ['one letter', latin1('x'), 'text/plain'],
    ['text with a few C1 controls', Buffer.from('\u0085' + 'a'.repeat(400)), 'text/plain'],
  ])('%s', async (_, bytes, declared) => {
    expect(await verdictOf(bytes, declared)).toEqual(isWhole(declared))
  })

  function acrossReads(): Buffer {
    return jpeg({ pixels: Buffer.alloc(WINDOW_BYTES - 1, 1) })
  }

  /** As far as a note at the end of a ZIP could reach. */
  function farFromEnd(): Buffer {
    return Buffer.concat([mp3(), ZIP_END, Buffer.alloc(22 - ZIP_END.length + 0xffff)])
  }

  function longDocument(): Buffer {
    const { between } = seededRandom(1)
    const noise = Buffer.from(Array.from({ length: 200_000 }, () => between(0, 255)))
    const picture = { name: 'word/media/1.png', data: noise }
    return zip([picture, ...main, contentTypes(DOCX)])
  }

  function streamed(): Buffer {
    const bytes = zip([contentTypes(DOCX), ...main], { hasDescriptors: true })
    expect(bytes).not.toEqual(openXml(DOCX))
    return bytes
  }
})
