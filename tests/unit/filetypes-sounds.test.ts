import { describe, expect, it } from '@jest/globals'
import {
  changed,
  holds,
  isWhole,
  joined,
  refused,
  times,
  verdictOf,
} from '../support/byte-files.ts'
import {
  aac,
  amr,
  box,
  id3,
  isoMedia,
  latin1,
  mp3,
  oggOpus,
  oggPage,
} from '../support/sample-files.ts'

describe('a recording', () => {
  it.each([
    ...['isom', 'iso2', 'iso5', 'iso9', 'mp41', 'mp42', 'mp71', 'avc1', 'dash', 'cmfc', 'MSNV'],
    ...['M4V ', 'M4VH', 'M4VP', 'F4V '],
  ])('of the brand %j is a film, with or without what it shows said yet', async (brand) => {
    for (const tracks of [['vide', 'soun'], []]) {
      expect(await verdictOf(isoMedia(brand, tracks), 'video/mp4')).toEqual(isWhole('video/mp4'))
    }
  })

  it.each(['3gp4', '3gp5', '3gp6', '3gp7', '3ge6', '3gg6', '3gr6', '3gs7'])(
    'of the brand %s is one of a phone',
    async (brand) => {
      const bytes = isoMedia(brand, ['vide', 'soun'])
      expect(await verdictOf(bytes, 'video/3gpp')).toEqual(isWhole('video/3gpp'))
    },
  )

  it.each(['M4A ', 'M4B ', 'isom', 'iso6', 'mp41', 'mp42', 'dash', 'cmfc'])(
    'of the brand %j is sound',
    async (brand) => {
      expect(await verdictOf(isoMedia(brand, ['soun']), 'audio/mp4')).toEqual(isWhole('audio/mp4'))
    },
  )

  it('may have 64 tracks, and boxes that are named with a ©', async () => {
    const tracks = Array<string>(64).fill('vide')
    const bytes = joined(isoMedia('isom', tracks), box('\xa9too'))
    expect(await holds(bytes, 'video/mp4')).toBe(true)
  })

  it('is MP3 of any version, rate and padding', async () => {
    // Two bytes of the header behind the first two, and how long such a frame is.
    const frames: [version: number, rest: number, bytes: number][] = [
      ...([
        [0xfb, 0x1000, 104],
        [0xfb, 0x2000, 130],
        [0xfb, 0x3000, 156],
        [0xfb, 0x4000, 182],
        [0xfb, 0x5000, 208],
        [0xfb, 0x6000, 261],
        [0xfb, 0x7000, 313],
        [0xfb, 0x8000, 365],
        [0xfb, 0x9000, 417],
        [0xfb, 0x9200, 418],
        [0xfb, 0xa000, 522],
        [0xfb, 0xb000, 626],
        [0xfb, 0xc000, 731],
        [0xfb, 0xd000, 835],
        [0xfb, 0xe400, 960],
        [0xfb, 0xe800, 1_440],
      ] as const),
      ...([
        [0xf3, 0x1000, 26],
        [0xf3, 0x2000, 52],
        [0xf3, 0x3000, 78],
        [0xf3, 0x5000, 130],
        [0xf3, 0x8400, 192],
        [0xf3, 0xb800, 504],
        [0xf3, 0xe200, 523],
        [0xe3, 0x4000, 208],
        [0xe3, 0x8400, 384],
        [0xe3, 0xe800, 1_440],
      ] as const),
    ].map(([version, rest, bytes]) => [version, rest, bytes])
    const files = frames.map(([version, rest, length]) => {
      const frame = Buffer.alloc(length, 0x55)
      frame.set([0xff, version, rest >> 8, rest & 0xff])
      return [frame.subarray(0, 4).toString('hex'), times(frame, 9)] as const
    })
    expect(await refused(files, 'audio/mpeg')).toEqual([])
  })

  it('is MP3 behind a tag of any version, with a footer too', async () => {
    const tagged = (version: number, flags = 0, footer = 0) =>
      joined(
        changed(id3(Buffer.alloc(20, 0x41)), 3, version, 0, flags),
        Buffer.alloc(footer, 0x41),
        mp3(),
      )
    const files = [
      [2, tagged(2)],
      [3, tagged(3)],
      [4, tagged(4)],
      ['a footer', tagged(4, 0x10, 10)],
    ] as const
    expect(await refused(files, 'audio/mpeg')).toEqual([])
    const wrong = [
      ['version 1', tagged(1)],
      ['version 5', tagged(5)],
      ['a revision that is none', changed(tagged(4), 4, 0xff)],
      ['more of something else', tagged(4, 0, 10)],
    ] as const
    expect(await refused(wrong, 'audio/mpeg')).toHaveLength(wrong.length)
  })

  it('is MP3 or AMR that was cut, behind the third frame, or has few and all of them', async () => {
    for (const [type, some] of [
      ['audio/mpeg', mp3],
      ['audio/amr', amr],
      ['audio/aac', aac],
    ] as const) {
      const lengths = [some(1), some(7), some(4).subarray(0, -1)]
      expect(
        await refused(
          lengths.map((one, n) => [`${type} ${n}`, one]),
          type,
        ),
      ).toEqual([])
      expect(await holds(some(3).subarray(0, -1), type)).toBe(false)
    }
  })

  it('is AMR of every kind of frame', async () => {
    const sizes = [
      [0, 13],
      [1, 14],
      [2, 16],
      [3, 18],
      [4, 20],
      [5, 21],
      [6, 27],
      [7, 32],
      [8, 6],
    ]
    const files = [...sizes, [15, 1]].map(([type = 0, bytes = 0]) => {
      const frame = Buffer.alloc(bytes, 0x55)
      frame[0] = (type << 3) | 0x04
      return [type, joined(latin1('#!AMR\n'), times(frame, 9))] as const
    })
    expect(await refused(files, 'audio/amr')).toEqual([])
    const padded = [0x80, 0x01, 0x02].map((bit) => [bit, changed(amr(1), 6, 0x3c | bit)] as const)
    expect(await refused(padded, 'audio/amr')).toEqual([0x80, 0x01, 0x02])
  })

  it('is AAC of every rate and of the longest frame, and no other layer', async () => {
    const frame = (rate: number, length: number) => {
      const bytes = Buffer.alloc(length, 0x21)
      bytes.set([0xff, 0xf1, 0x40 | (rate << 2), 0x80 | (length >> 11)])
      bytes.set([(length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc], 4)
      return bytes
    }
    const rates = Array.from(
      { length: 13 },
      (_, rate) => [rate, times(frame(rate, 64), 9)] as const,
    )
    expect(await refused(rates, 'audio/aac')).toEqual([])
    expect(await refused([[8_191, times(frame(4, 8_191), 9)]], 'audio/aac')).toEqual([])
    expect(await refused([[8, times(frame(4, 8), 9)]], 'audio/aac')).toEqual([])
    const wrong = [
      ['rate 13', times(frame(13, 64), 9)],
      ['rate 15', times(frame(15, 64), 9)],
      ['a layer', times(changed(frame(4, 64), 1, 0xf3), 9)],
      ['a header alone', times(frame(4, 7), 9)],
    ] as const
    expect(await refused(wrong, 'audio/aac')).toHaveLength(wrong.length)
  })

  it('is Opus of two channels, of two pages, and of very many', async () => {
    const many = Array.from({ length: 300 }, (_, n) => oggPage(n + 2, Buffer.alloc(10)))
    const files = [
      ['two channels', changed(oggOpus(), 28 + 9, 2)],
      ['another version', changed(oggOpus(), 28 + 8, 0x0f)],
      ['two pages', oggOpus().subarray(0, 47 + 28 + 16)],
      ['many pages', joined(oggOpus(), ...many)],
    ] as const
    expect(await refused(files, 'audio/ogg')).toEqual([])
    const late = joined(oggOpus(), oggPage(5, Buffer.alloc(10)), latin1('no page'))
    expect(await holds(late, 'audio/ogg')).toBe(false)
  })
})
