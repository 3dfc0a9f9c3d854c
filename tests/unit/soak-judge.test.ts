import { describe, expect, it } from '@jest/globals'
import { judgeFigures, judgeTables } from '../../bench/soak/judge.ts'

const MINUTES = 60
const SAMPLES = 360
const BYTES_PER_ROW = 500

/** What a run of an hour saw of one figure, every ten seconds. */
function seen(name: string, valueAt: (share: number, n: number) => number) {
  return Array.from({ length: SAMPLES }, (_, n) => {
    const figures = { [name]: valueAt(n / SAMPLES, n) }
    return { atMs: n * 10_000, figures, tables: new Map() }
  })
}

const verdictOn = (samples: ReturnType<typeof seen>, minutes = MINUTES) =>
  judgeFigures(samples, minutes).at(-1)?.verdict

describe('memory', () => {
  it('is flat when it goes up and down between collections', () => {
    expect(verdictOn(seen('server 1: RSS, MB', (_, n) => 200 + (n % 7) * 10))).toBe('flat')
    expect(verdictOn(seen('server 1: heap, MB', (_, n) => 60 + (n % 11) * 9))).toBe('flat')
  })

  it('grows when a fifth is added in an hour, whatever the collections hide', () => {
    const leak = (share: number, n: number) => 400 + share * 80 + (n % 7) * 10
    expect(verdictOn(seen('server 1: RSS, MB', leak))).toBe('grows')
    const small = (share: number, n: number) => 60 + share * 15 + (n % 11) * 9
    expect(verdictOn(seen('server 1: heap, MB', small))).toBe('grows')
  })

  it('is explained by the threads of bots, as far as these settle', () => {
    const settling = (share: number) => 250 + share * 50
    expect(verdictOn(seen('server 1: RSS, MB', settling))).toBe('explained')
  })

  it('is not judged in a run that is too short for it to settle', () => {
    expect(
      verdictOn(
        seen('server 1: RSS, MB', (share) => 100 + share * 100),
        5,
      ),
    ).toBe('not judged')
  })
})

describe('what is counted', () => {
  it('is flat when it comes and goes, and grows when it only comes', () => {
    expect(verdictOn(seen('server 1: open files', (_, n) => 90 + (n % 15)))).toBe('flat')
    const burst = (_: number, n: number) => (n % 50 === 49 ? 90 + n : 90)
    expect(verdictOn(seen('server 1: active resources', burst))).toBe('flat')
    expect(verdictOn(seen('server 1: open files', (share) => 90 + share * 60))).toBe('grows')
  })
})

describe('a table', () => {
  type Size = { rows: number; bytes: number; dead?: number }
  const verdictOf = (sizeAt: (share: number) => Size, minutes = 60) => {
    const samples = Array.from({ length: SAMPLES }, (_, n) => {
      const size = { dead: 0, indexBytes: 0, ...sizeAt(n / SAMPLES) }
      return { atMs: n * 10_000, figures: {}, tables: new Map([['messages', size]]) }
    })
    return judgeTables(samples, minutes)[0]?.verdict
  }

  it('is explained when its rows make it grow', () => {
    const rowsAt = (share: number) => 10_000 + share * 200_000
    const sizeAt = (share: number) => ({
      rows: rowsAt(share),
      bytes: rowsAt(share) * BYTES_PER_ROW,
    })
    expect(verdictOf(sizeAt)).toBe('explained')
  })

  it('bloats when it grows and its rows do not', () => {
    const sizeAt = (share: number) => ({
      rows: 10_000,
      bytes: 10_000 * BYTES_PER_ROW * (1 + share),
    })
    expect(verdictOf(sizeAt)).toBe('bloats')
    expect(verdictOf(sizeAt, 10)).toBe('not judged')
  })

  it('is told of when the dead are more than half of its rows', () => {
    const sizeAt = () => ({ rows: 100_000, bytes: 1, dead: 70_000 })
    expect([verdictOf(sizeAt), verdictOf(sizeAt, 10)]).toEqual(['dead rows', 'dead rows'])
  })
})
