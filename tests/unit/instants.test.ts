import { describe, expect, it } from '@jest/globals'
import { endOfMinute, readInstant, startOfSecond } from '../../core/instants.ts'

describe('an instant that somebody writes', () => {
  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21t08:00:00.5z', '2026-11-21T08:00:00.500Z'],
    ['2026-11-21T08:00Z', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T10:00:00.123456789+02:00', '2026-11-21T08:00:00.123Z'],
    ['2024-02-29T00:00:00-00:30', '2024-02-29T00:30:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00-12:00', '0001-01-01T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, iso) => {
    expect(readInstant(text)?.toISOString()).toBe(iso)
  })

  it.each(['9999-12-31T23:59:59-12:00', '0001-01-01T00:00:00+12:00', '0000-01-01T00:00:00Z'])(
    'is none outside the years 1 to 9999 in UTC: %s',
    (text) => {
      expect(readInstant(text)).toBeNull()
    },
  )

  it.each([
    ...['', 'yesterday', '1700000000', '2026-11-21', '2026-11-21T08:00:00'],
    ...['2026-02-30T08:00:00Z', '2026-13-01T08:00:00Z', '2026-11-21T25:00:00Z'],
    ...['2016-12-31T23:59:60Z', '0001-01-01 00:00:00Z', '+010000-01-01T00:00:00Z'],
    ...['2026-11-21T08:00:00Z, or so', ' 2026-11-21T08:00:00Z'],
  ])('is not %j', (text) => {
    expect(readInstant(text)).toBeNull()
  })
})

describe('the end of a minute', () => {
  const end = (at: string, inS: number) => endOfMinute(new Date(`2026-11-21T08:00:${at}Z`), inS)

  it.each([
    ['00.000', 60],
    ['00.001', 60],
    ['20.400', 40],
    ['59.999', 1],
    // Another clock's, some seconds ahead or behind.
    ['20.000', 35],
    ['20.000', 45],
    ['59.000', 20],
  ])('is that of the clock, at %s in %i seconds', (at, inS) => {
    expect(end(at, inS).toISOString()).toBe('2026-11-21T08:01:00.000Z')
  })
})

it('an instant within a second is told as its beginning', () => {
  expect(startOfSecond(new Date('2026-11-21T08:00:59.999Z'))).toBe('2026-11-21T08:00:59.000Z')
})
