import { describe, expect, it } from '@jest/globals'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEDIA_KINDS } from '../../filetypes/kinds.ts'
import { READ_BYTES_MAX, windowed } from '../../filetypes/source.ts'
import { judge, verify } from '../../filetypes/verify.ts'
import { isWhole } from '../support/byte-files.ts'
import { bombInText, hostilePackages } from '../support/hostile-files.ts'
import {
  box,
  contentTypes,
  DOCX,
  ftyp,
  isoMedia,
  jpeg,
  latin1,
  mp3,
  officeParts,
  pdf,
  png,
  pngChunk,
  SAMPLES,
} from '../support/sample-files.ts'
import { zip } from '../support/zip.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** What was read of a file that exists only as its beginning, its end and `filling` between them. */
async function costOf(
  type: string,
  start: Buffer,
  filling: number,
  end: Buffer,
  sizeBytes: number,
) {
  const cost = { reads: 0, bytes: 0 }
  const endAt = sizeBytes - end.length
  const source = windowed(sizeBytes, async (offset, lengthBytes) => {
    const bytes = Buffer.alloc(lengthBytes, filling)
    start.copy(bytes, 0, Math.min(offset, start.length))
    if (offset + lengthBytes > endAt) {
      end.copy(bytes, Math.max(0, endAt - offset), Math.max(0, offset - endAt))
    }
    cost.reads += 1
    cost.bytes += lengthBytes
    expect(lengthBytes).toBeLessThanOrEqual(READ_BYTES_MAX)
    return bytes
  })
  const verdict = await judge(source, type)
  return { verdict, ...cost }
}

describe('of a file as large as it may be', () => {
  const { document, image, video, audio } = MEDIA_KINDS
  const nothing = Buffer.alloc(0)

  it('that is text, each byte is read once, in pieces', async () => {
    const start = latin1('a')
    const cost = await costOf('text/plain', start, 0x20, nothing, document.bytesMax)
    expect(cost.verdict).toEqual(isWhole('text/plain'))
    expect(cost.bytes).toBeLessThan(document.bytesMax + MIB)
    expect(cost.reads).toBeLessThan(document.bytesMax / READ_BYTES_MAX + 10)
  })

  it('that is text with a control character, nothing is read behind that', async () => {
    const start = Buffer.concat([latin1('a'.repeat(100)), Buffer.from([0])])
    const { verdict, bytes } = await costOf('text/plain', start, 0x20, nothing, document.bytesMax)
    expect(verdict).toEqual({ ok: false, detected: null })
    expect(bytes).toBeLessThan(MIB)
  })

  it('that is PDF, only the ends are read', async () => {
    const { verdict, bytes } = await costOf('application/pdf', pdf(), 0, pdf(), document.bytesMax)
    expect(verdict).toEqual(isWhole('application/pdf'))
    expect(bytes).toBeLessThan(MIB)
  })

  it('that is a document, only the directory and the types are read', async () => {
    const media = {
      name: 'word/media/1.mov',
      data: Buffer.alloc(60 * MIB, 1),
      claims: { method: 0 },
    }
    const bytes = zip([media, ...officeParts(DOCX), contentTypes(DOCX)])
    const cost = await costOf(DOCX, bytes, 0, nothing, bytes.length)
    expect(cost.verdict).toEqual(isWhole(DOCX))
    expect(cost.bytes).toBeLessThan(MIB)
  })

  it('that is an old document, only the header and the directory are read', async () => {
    const type = 'application/msword'
    const cost = await costOf(type, SAMPLES[type]!, 0, nothing, document.bytesMax)
    expect(cost.verdict).toEqual(isWhole(type))
    expect(cost.bytes).toBeLessThan(MIB)
  })

  it('that is an old document of a chain without end, reading ends', async () => {
    const type = 'application/msword'
    const bytes = Buffer.from(SAMPLES[type]!)
    bytes.writeUInt32LE(1, 512 + 4) // The directory's sector comes after itself.
    const cost = await costOf(type, bytes, 0, nothing, document.bytesMax)
    expect(cost.verdict).toMatchObject({ ok: false })
    expect(cost.reads).toBeLessThan(5_000)
  })

  it('that is an old document whose table is listed without end, reading ends', async () => {
    const type = 'application/msword'
    const bytes = Buffer.from(SAMPLES[type]!)
    bytes.writeUInt32LE(0, 68)
    bytes.writeUInt32LE(0, 512 + 508) // The list's sector comes after itself.
    const cost = await costOf(type, bytes, 0, nothing, document.bytesMax)
    expect(cost.verdict).toMatchObject({ ok: false })
    expect(cost.reads).toBeLessThan(100)
  })

  it('that is a JPEG, each byte is read about once', async () => {
    const pixels = Buffer.alloc(image.bytesMax - 2 * KIB)
    for (let at = 0; at < pixels.length; at += 2) pixels[at] = 0xff
    const bytes = jpeg({ pixels })
    const cost = await costOf('image/jpeg', bytes, 0, nothing, bytes.length)
    expect(cost.verdict).toEqual(isWhole('image/jpeg'))
    expect(cost.bytes).toBeLessThan(bytes.length + MIB)
  })

  it('that is a PNG of countless chunks, reading ends early', async () => {
    const chunk = pngChunk('tEXt')
    const chunks = Buffer.alloc(image.bytesMax - 1_000, chunk)
    const bytes = png({}, [chunks.subarray(0, chunks.length - (chunks.length % chunk.length))])
    const cost = await costOf('image/png', bytes, 0, nothing, bytes.length)
    expect(cost.verdict).toEqual({ ok: false, detected: null })
    expect(cost.bytes).toBeLessThan(32_768 * chunk.length + MIB)
  })

  it('that is a film, what is played is stepped over', async () => {
    const film = isoMedia('isom', ['vide'])
    const rest = Buffer.alloc(8)
    rest.writeUInt32BE(video.bytesMax - film.length)
    rest.write('free', 4, 'latin1')
    const start = Buffer.concat([film, rest])
    const cost = await costOf('video/mp4', start, 0x5a, nothing, video.bytesMax)
    expect(cost.verdict).toEqual(isWhole('video/mp4'))
    expect(cost.bytes).toBeLessThan(MIB)
  })

  it('that is a film of countless boxes, reading ends early', async () => {
    const boxes = Buffer.alloc(video.bytesMax - 100, box('free'))
    const film = Buffer.concat([ftyp('isom'), boxes])
    const cost = await costOf('video/mp4', film, 0, nothing, film.length)
    expect(cost.verdict).toEqual({ ok: false, detected: null })
    expect(cost.bytes).toBeLessThan(MIB)
  })

  it('that is sound, the first frames are enough', async () => {
    const { verdict, bytes } = await costOf('audio/mpeg', mp3(), 0, nothing, audio.bytesMax)
    expect(verdict).toEqual(isWhole('audio/mpeg'))
    expect(bytes).toBeLessThan(MIB)
  })
})

describe('nothing is inflated', () => {
  it('but the list of types, to a limit', async () => {
    const [, bytes] = hostilePackages()[0]!
    const before = process.memoryUsage().rss
    expect(bytes.length).toBeLessThan(MIB)
    expect(await costOf(DOCX, bytes, 0, Buffer.alloc(0), bytes.length)).toMatchObject({
      verdict: { ok: false },
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB)
  })

  it('in a picture', async () => {
    const bytes = bombInText()
    const before = process.memoryUsage().rss
    const cost = await costOf('image/png', bytes, 0, Buffer.alloc(0), bytes.length)
    expect(cost.verdict).toEqual(isWhole('image/png'))
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB)
  })
})

describe('a file that cannot be read', () => {
  const noise = { name: 'word/media/1', data: Buffer.alloc(200 * KIB, 1), claims: { method: 0 } }
  it.each([
    ['image/jpeg', jpeg({ pixels: Buffer.alloc(200 * KIB, 1) })],
    [DOCX, zip([noise, ...officeParts(DOCX), contentTypes(DOCX)])],
  ])('at whatever moment, is no bad file: %s', async (type, bytes) => {
    for (let most = 0; ; most++) {
      let reads = 0
      const source = windowed(bytes.length, async (offset, lengthBytes) => {
        if (++reads > most) throw new Error('The disk is broken')
        return bytes.subarray(offset, offset + lengthBytes)
      })
      const verdict = await judge(source, type).catch((error: Error) => error.message)
      expect(verdict).toEqual(reads > most ? 'The disk is broken' : isWhole(type))
      if (reads <= most) return
      expect(most).toBeLessThan(100)
    }
  })

  it('as it is shorter than was said is no bad file, and is closed as others are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-files-'))
    const path = join(folder, 'file')
    const opened = async () => (await readdir('/dev/fd')).length
    try {
      await writeFile(path, 'price list')
      const before = await opened()
      for (let times = 0; times < 20; times++) {
        expect(await verify({ path, sizeBytes: 10 }, 'text/plain', ['text/plain'])).toEqual(
          isWhole('text/plain'),
        )
        const longer = verify({ path, sizeBytes: 11 }, 'text/plain', ['text/plain'])
        await expect(longer).rejects.toThrow('shorter than was said')
      }
      expect(await opened()).toBeLessThan(before + 20)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('while a long text is read', () => {
  it('the process goes on with other work', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-files-'))
    const sizeBytes = 64 * READ_BYTES_MAX
    let turns = 0
    let timer = setImmediate(function turn() {
      turns += 1
      timer = setImmediate(turn)
    })
    try {
      const path = join(folder, 'file')
      await writeFile(path, Buffer.alloc(sizeBytes, 'price list\n'))
      turns = 0
      const verdict = await verify({ path, sizeBytes }, 'text/plain', ['text/plain'])
      expect(verdict).toEqual(isWhole('text/plain'))
      expect(turns).toBeGreaterThanOrEqual(64)
    } finally {
      clearImmediate(timer)
      await rm(folder, { recursive: true })
    }
  })
})
