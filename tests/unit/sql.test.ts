import { describe, expect, it } from '@jest/globals'
import { isoFromSql, isoOrNull, must } from '../../core/sql.ts'

describe('an instant from PostgreSQL', () => {
  it.each([
    ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00.1+00', '2026-11-21T09:30:00.100Z'],
    ['2026-11-21 09:30:00.12+00', '2026-11-21T09:30:00.120Z'],
    ['2026-11-21 09:30:00.123+00', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21 09:30:00.001+00', '2026-11-21T09:30:00.001Z'],
    ['2024-02-29 23:59:59.999+00', '2024-02-29T23:59:59.999Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(isoFromSql(text)).toBe(iso)
    expect(new Date(iso).toISOString()).toBe(iso)
  })

  it('stays null where there is none', () => {
    expect([isoOrNull(null), isoOrNull(undefined)]).toEqual([null, null])
    expect(isoOrNull('2026-11-21 09:30:00+00')).toBe('2026-11-21T09:30:00.000Z')
  })
})

describe('a column that cannot be NULL', () => {
  it.each(['', '0', 'text'])('gives %j', (text) => {
    expect(must(text)).toBe(text)
  })

  it.each([null, undefined])('does not let %j pass', (nothing) => {
    expect(() => must(nothing)).toThrow('NULL')
  })
})
