import { describe, expect, it } from '@jest/globals'
import {
  extensionOf,
  kindOf,
  MEDIA_KINDS,
  normaliseMimeType,
  SAMPLE_FORMATS,
} from '../../filetypes/kinds.ts'
import { verify } from '../../filetypes/verify.ts'
import { ACCEPTED, isWhole, verdictOf } from '../support/byte-files.ts'
import { animatedWebp, SAMPLES, webp, WEBP_PIXEL, webpExtended } from '../support/sample-files.ts'

const STILL_STICKER_BYTES_MAX = 102_400

describe('a file of an accepted type', () => {
  it.each(ACCEPTED)('is taken for what it is: %s', async (mimeType) => {
    const bytesMax = mimeType === 'image/webp' ? STILL_STICKER_BYTES_MAX : null
    const verdict = await verdictOf(SAMPLES[mimeType]!, mimeType)
    expect(verdict).toEqual({ ok: true, mimeType, bytesMax })
  })

  it.each(ACCEPTED)('is taken for nothing else: %s', async (mimeType) => {
    const others = ACCEPTED.filter((other) => other !== mimeType)
    const verdicts = await Promise.all(
      others.map(async (other) => [other, (await verdictOf(SAMPLES[mimeType]!, other)).ok]),
    )
    expect(verdicts.filter(([, ok]) => ok)).toEqual([])
  })

  it('is refused with the type that it begins like', async () => {
    const verdict = await verdictOf(SAMPLES['image/png']!, 'image/jpeg')
    expect(verdict).toEqual({ ok: false, detected: 'image/png' })
  })

  it('is refused with no type once it is cut', async () => {
    const verdict = await verdictOf(SAMPLES['image/png']!.subarray(0, -1), 'image/png')
    expect(verdict).toEqual({ ok: false, detected: null })
  })

  it('has a lower ceiling as a sticker that stands still', async () => {
    const extended = webp(webpExtended(0), WEBP_PIXEL)
    const still = { ...isWhole('image/webp'), bytesMax: STILL_STICKER_BYTES_MAX }
    expect(await verdictOf(extended, 'image/webp')).toEqual(still)
    expect(await verdictOf(animatedWebp(), 'image/webp')).toEqual(isWhole('image/webp'))
  })
})

describe('a declared type', () => {
  it.each([
    ['IMAGE/PNG', 'image/png'],
    [' image/jpg ', 'image/jpeg'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['audio/ogg;codecs=opus', 'audio/ogg'],
    ['audio/mp3', 'audio/mpeg'],
    ['audio/x-m4a', 'audio/mp4'],
  ])('is understood as it is usually written: %s', async (declared, mimeType) => {
    expect(await verdictOf(SAMPLES[mimeType]!, declared)).toEqual(isWhole(mimeType))
  })

  it('that is not accepted is refused before the file is opened', async () => {
    const file = { path: '/nowhere/at/all', sizeBytes: 1 }
    const refused = { ok: false, detected: null }
    expect(await verify(file, 'image/gif', ACCEPTED)).toEqual(refused)
    expect(await verify(file, 'image/webp', SAMPLE_FORMATS.IMAGE.mimeTypes)).toEqual(refused)
    await expect(verify(file, 'image/png', ACCEPTED)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each(['', ';', '/', '__proto__', 'constructor', 'image/png/x', '\0', 'image/*'])(
    'that is none is refused, even when it is listed: %j',
    async (declared) => {
      const name = normaliseMimeType(declared)
      expect(await verdictOf(SAMPLES['image/png']!, declared)).toMatchObject({ ok: false })
      expect(await verdictOf(SAMPLES['image/png']!, declared, [name])).toMatchObject({ ok: false })
      expect(kindOf(name)).toBeNull()
      expect(extensionOf(name)).toBeNull()
    },
  )
})

describe('the kinds', () => {
  it('each have types of their own, with an extension for each', () => {
    expect(new Set(ACCEPTED).size).toBe(ACCEPTED.length)
    expect([...ACCEPTED].sort()).toEqual(Object.keys(SAMPLES).sort())
    for (const [kind, { mimeTypes }] of Object.entries(MEDIA_KINDS)) {
      expect(new Set(mimeTypes.map(kindOf))).toEqual(new Set([kind]))
      for (const type of mimeTypes) expect(extensionOf(type)).toMatch(/^[a-z0-9]{3,4}$/)
    }
    expect(new Set(ACCEPTED.map(extensionOf)).size).toBe(ACCEPTED.length)
  })

  it('and the formats of samples have the ceilings that are documented', () => {
    const ceilings = (rules: Record<string, { bytesMax: number }>) =>
      Object.fromEntries(Object.entries(rules).map(([name, { bytesMax }]) => [name, bytesMax]))
    expect(ceilings(SAMPLE_FORMATS)).toEqual({
      IMAGE: 5_242_880,
      VIDEO: 16_777_216,
      DOCUMENT: 104_857_600,
    })
    expect(ceilings(MEDIA_KINDS)).toEqual({
      image: 5_242_880,
      video: 16_777_216,
      audio: 16_777_216,
      document: 104_857_600,
      sticker: 512_000,
    })
  })
})
