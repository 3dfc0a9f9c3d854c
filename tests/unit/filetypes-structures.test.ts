import { describe, expect, it } from '@jest/globals'
import { ACCEPTED, changed, holds } from '../support/byte-files.ts'
import {
  aac,
  box,
  contentTypes,
  DOCX,
  ftyp,
  id3,
  isoMedia,
  JPEG_END,
  jpegSegment,
  latin1,
  mp3,
  officeParts,
  oggOpus,
  oggPage,
  png,
  PNG_SIGNATURE,
  pngChunk,
  SAMPLES,
  webp,
  webpChunk,
  webpExtended,
} from '../support/sample-files.ts'
import { zip } from '../support/zip.ts'

const checked = ACCEPTED.filter((type) => type !== 'text/plain')

describe('the structure', () => {
  it.each(checked)('of a whole %s holds, and that of no other file does', async (type) => {
    expect(await holds(SAMPLES[type]!, type)).toBe(true)
    for (const other of ACCEPTED.filter((one) => one !== type)) {
      // A brand stands for more than one type; its tracks tell them apart.
      expect([other, await holds(SAMPLES[other]!, type)]).toEqual([other, false])
    }
  })

  const parts = [contentTypes(DOCX), ...officeParts(DOCX)]
  const broken: Record<string, [what: string, bytes: Buffer][]> = {
    'image/png': [
      ['another signature', changed(png(), 1, 0x51)],
      ['no header', Buffer.concat([PNG_SIGNATURE, pngChunk('IEND')])],
      ['two headers', png({}, [png().subarray(8, 33)])],
      ['a moving picture', png({}, [pngChunk('acTL', Buffer.alloc(8))])],
      ['a chunk of no name', png({}, [pngChunk('a\0bc')])],
      ['colours of an impossible depth', withHeader(4, 2, 0, 0, 0)],
      ['an unknown colour type', withHeader(8, 5, 0, 0, 0)],
      ['an unknown compression', withHeader(8, 2, 1, 0, 0)],
      ['an unknown filter', withHeader(8, 2, 0, 1, 0)],
      ['an unknown interlacing', withHeader(8, 2, 0, 0, 2)],
    ],
    'image/jpeg': [
      ['another start', changed(SAMPLES['image/jpeg']!, 1, 0xd7)],
      ['pixels without a frame', pieces(jpegSegment(0xda, Buffer.alloc(6)), JPEG_END)],
      ['a frame without pixels', pieces(jpegSegment(0xc0, frame(8)), JPEG_END)],
      ['a frame too short', pieces(jpegSegment(0xc0, frame(8).subarray(0, 4)), scan())],
      ['a frame of no height', pieces(jpegSegment(0xc0, frame(0)), scan())],
      [
        'a marker out of place',
        pieces(Buffer.from([0xff, 0xd0]), jpegSegment(0xc0, frame(8)), scan()),
      ],
      ['a cut scan', pieces(jpegSegment(0xc0, frame(8)), jpegSegment(0xda, Buffer.alloc(6)))],
    ],
    'image/webp': [
      ['a size that is not its own', changed(SAMPLES['image/webp']!, 4, 0xff)],
      ['no key frame', webp(webpChunk('VP8 ', Buffer.from('0100009d012a0100010000', 'hex')))],
      ['another start code', webp(webpChunk('VP8 ', Buffer.from('0000009d012b0100010000', 'hex')))],
      ['no width', webp(webpChunk('VP8 ', Buffer.from('0000009d012a0000010000', 'hex')))],
      ['another mark without loss', webp(webpChunk('VP8L', Buffer.alloc(12)))],
      ['motion without frames', webp(webpExtended(2), webpChunk('ANIM', Buffer.alloc(6)))],
    ],
    'video/mp4': [
      ['something before the brand', Buffer.concat([box('free'), isoMedia('isom', ['vide'])])],
      ['a brand in another box', changed(isoMedia('isom', ['vide']), 4, 0x67)],
      ['a brand cut short', Buffer.concat([box('ftyp', latin1('isom')), box('moov')])],
      [
        'a brand of 1 MB',
        Buffer.concat([box('ftyp', latin1('isom'), Buffer.alloc(1e6)), box('moov')]),
      ],
      ['a box of no name', Buffer.concat([isoMedia('isom', ['vide']), box('\0\0\0\0')])],
      ['a track for nothing', film(box('trak'))],
      ['a track without a handler', film(box('trak', box('mdia')))],
      ['a handler cut short', film(box('trak', box('mdia', box('hdlr', Buffer.alloc(11)))))],
      [
        'a long box shorter than itself',
        Buffer.concat([isoMedia('isom', []), latin1('\0\0\0\x01free'), Buffer.alloc(8)]),
      ],
      [
        'a box without an end that is not played',
        Buffer.concat([isoMedia('isom', []), latin1('\0\0\0\0free')]),
      ],
    ],
    'audio/aac': [
      ['frames of two rates', Buffer.concat([aac(1), changed(aac(1), 2, 0x4c)])],
      ['a reserved rate', changed(aac(1), 2, 0x74)],
      ['a frame of its header alone', changed(aac(1), 4, 0, 0xff)],
    ],
    'audio/mpeg': [
      ['a tag of a version to come', changed(tagged(), 3, 9)],
      ['a tag with unknown flags', changed(tagged(), 5, 1)],
      ['a tag whose size is of eight bits', changed(tagged(), 9, 0x94)],
      ['no synchronisation', changed(mp3(1), 0, 0xfe)],
      ['a reserved version', changed(mp3(1), 1, 0xeb).subarray(0, 52)],
      ['the second layer', changed(mp3(1), 1, 0xfd)],
      ['a free bit rate', changed(mp3(1), 2, 0x00)],
      ['a forbidden bit rate', changed(mp3(1), 2, 0xf0)],
      ['a reserved sampling rate', changed(mp3(1), 2, 0x1c)],
      ['frames of two rates', Buffer.concat([mp3(1), changed(mp3(1), 2, 0x14)])],
    ],
    'audio/ogg': [
      ['no first page', changed(oggOpus(), 5, 0)],
      ['two first pages', changed(oggOpus(), 47 + 5, 2)],
      ['another codec', changed(oggOpus(), 28, 0x70)],
      ['a version to come', changed(oggOpus(), 28 + 8, 0x10)],
      ['no channel', changed(oggOpus(), 28 + 9, 0)],
      [
        'a head cut short',
        Buffer.concat([oggPage(0, latin1('OpusHead\x01\x01'), 2), oggOpus().subarray(47)]),
      ],
      ['no tags', changed(oggOpus(), 47 + 28, 0x70)],
      ['a page of another name', changed(oggOpus(), 47, 0x50)],
      ['a page beyond the end', oggOpus().subarray(0, -1)],
      ['a page without its sizes', oggOpus().subarray(0, 47 + 27)],
    ],
    [DOCX]: [
      ['something before it that it knows of', zip(parts, { leading: Buffer.alloc(64) })],
      ['parts on another disk', changed(SAMPLES[DOCX]!, SAMPLES[DOCX]!.length - 14, 9)],
    ],
    'application/pdf': [['a version of letters', latin1('%PDF-1.x\n%%EOF\n')]],
    'application/msword': [
      ['another signature', changed(SAMPLES['application/msword']!, 7, 0)],
      ['a version to come', changed(SAMPLES['application/msword']!, 26, 5)],
      ['sectors of another version', changed(SAMPLES['application/msword']!, 30, 12)],
      ['another order of bytes', changed(SAMPLES['application/msword']!, 28, 0xff, 0xfe)],
      ['a directory beyond the end', changed(SAMPLES['application/msword']!, 48, 0, 0, 1, 0)],
      ['no root', changed(SAMPLES['application/msword']!, 1_024 + 66, 1)],
      ['a table beyond the end', changed(SAMPLES['application/msword']!, 76, 0, 0, 1, 0)],
    ],
  }
  const rows = Object.entries(broken).flatMap(([type, cases]) =>
    cases.map(([what, bytes]) => [type, what, bytes] as const),
  )

  it.each(rows)('of a %s does not hold with %s', async (type, _, bytes) => {
    expect(await holds(bytes, type)).toBe(false)
  })

  it('of a film holds with sizes of 64 bits, and up to the end of the file', async () => {
    const long = Buffer.concat([latin1('\0\0\0\x01free\0\0\0\0\0\0\0\x18'), Buffer.alloc(8)])
    const played = Buffer.concat([latin1('\0\0\0\0mdat'), Buffer.alloc(100)])
    const bytes = Buffer.concat([isoMedia('mp42', ['vide']), long, played])
    expect(await holds(bytes, 'video/mp4')).toBe(true)
  })

  it('of MP3 holds with a tag of either kind behind it', async () => {
    for (const tag of ['TAG', 'APETAGEX']) {
      const bytes = Buffer.concat([mp3(4), latin1(tag), Buffer.alloc(125)])
      expect(await holds(bytes, 'audio/mpeg')).toBe(true)
    }
  })

  it('of a WebP holds with loss', async () => {
    const bytes = webp(webpChunk('VP8 ', Buffer.from('0000009d012a0100010000', 'hex')))
    expect(await holds(bytes, 'image/webp')).toBe(true)
  })
})

function withHeader(...fields: number[]): Buffer {
  const sides = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])
  const header = pngChunk('IHDR', Buffer.concat([sides, Buffer.from(fields)]))
  return Buffer.concat([PNG_SIGNATURE, header, png().subarray(33)])
}

function pieces(...segments: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments])
}

function frame(height: number): Buffer {
  return Buffer.from([8, 0, height, 0, 8, 1, 1, 0x11, 0])
}

function scan(): Buffer {
  return Buffer.concat([jpegSegment(0xda, Buffer.alloc(6)), JPEG_END])
}

function film(track: Buffer): Buffer {
  return Buffer.concat([ftyp('isom'), box('moov', track)])
}

function tagged(): Buffer {
  return Buffer.concat([id3(Buffer.alloc(20)), mp3()])
}
