import { describe, expect, it } from '@jest/globals'
import { compileFilter, type ContactFilter } from '../../capabilities/segments/contact-filter.ts'
import type { ServiceError } from '../../core/errors.ts'

type Condition = { field: string; op: string; value: unknown }

function compile(conditions: Condition[], match: 'all' | 'any' = 'all') {
  const values: unknown[] = []
  const filter = { match, conditions } as ContactFilter
  const sql = compileFilter(filter, 'filter', (value) => `$${values.push(value)}`)
  return { sql, values }
}

function refused(...conditions: Condition[]) {
  try {
    compile(conditions)
  } catch (error) {
    const { code, details } = error as ServiceError
    return { code, errors: details?.errors as { path: string; message: string }[] }
  }
  throw new Error('The filter was taken')
}

const TEXTS = ['phone', 'name', 'state']
const INSTANTS = ['created_at', 'last_inbound_at']
const ALL = [...TEXTS, ...INSTANTS, 'opted_in', 'tags', 'attributes.plan']

describe('a filter', () => {
  it('holds for every contact without conditions, whatever they are to match', () => {
    expect(compile([])).toEqual({ sql: 'true', values: [] })
    expect(compile([], 'any')).toEqual({ sql: 'true', values: [] })
  })

  it('joins its conditions, each in brackets of its own', () => {
    const both = [
      { field: 'name', op: 'eq', value: 'Ana' },
      { field: 'opted_in', op: 'eq', value: true },
    ]
    const [name, optedIn] = [
      'coalesce(k.name, k.profile_name) = $1::text',
      'k.opted_in = $2::boolean',
    ]
    expect(compile(both).sql).toBe(`((${name}) AND (${optedIn}))`)
    expect(compile(both, 'any').sql).toBe(`((${name}) OR (${optedIn}))`)
  })

  it('orders texts by code point, and leaves the case of letters to the database', () => {
    const sqlOf = (field: string, op: string) => compile([{ field, op, value: 'b' }]).sql
    for (const op of ['gt', 'gte', 'lt', 'lte']) {
      expect(sqlOf('state', op)).toContain('c.state COLLATE "C" ')
      expect(sqlOf('attributes.plan', op)).toContain(') COLLATE "C" ')
    }
    for (const op of ['eq', 'neq', 'like', 'ilike']) {
      expect(sqlOf('state', op)).not.toContain('COLLATE')
    }
  })

  it('makes none of what it holds a part of the statement', () => {
    const hostile = `'); DROP TABLE contacts; --`
    const conditions = [
      ...TEXTS.slice(1).map((field) => ({ field, op: 'eq', value: hostile })),
      { field: 'phone', op: 'like', value: hostile },
      { field: 'tags', op: 'contains', value: hostile },
      { field: 'attributes.plan', op: 'eq', value: hostile },
      { field: 'attributes.plan', op: 'gt', value: hostile },
    ]
    const { sql, values } = compile(conditions)
    expect(sql).not.toMatch(/DROP|plan/)
    expect(JSON.stringify(values).split('DROP')).toHaveLength(conditions.length + 1)
  })

  it('compares a number by the digits that the channel may write otherwise', () => {
    const { sql, values } = compile([{ field: 'phone', op: 'eq', value: '+52 1 (55) 1234-5678' }])
    expect(sql).toBe('((k.match_key = $1::text))')
    expect(values).toEqual(['525512345678'])
  })

  it('takes instants in any zone, and days', () => {
    const values = ['2026-11-21T10:00:00+02:00', '2026-11-21t08:00:00.000z', '2026-11-21']
    const placed = values.map(
      (value) => compile([{ field: 'created_at', op: 'gte', value }]).values,
    )
    expect(placed).toEqual([
      [new Date('2026-11-21T08:00:00Z')],
      [new Date('2026-11-21T08:00:00Z')],
      [new Date('2026-11-21T00:00:00Z')],
    ])
  })
})

describe('a condition that does not fit', () => {
  it.each(ALL.filter((field) => field !== 'tags'))('compares %s with null by is alone', (field) => {
    for (const value of [null, 'null']) {
      expect(refused({ field, op: 'eq', value })).toEqual({
        code: 'null_filter_value',
        errors: [{ path: 'filter.conditions.0.value', message: expect.stringContaining('is') }],
      })
    }
    expect(compile([{ field, op: 'is', value: null }]).values).toEqual(
      field.startsWith('attributes.') ? ['plan'] : [],
    )
  })

  it('looks for no null among tags', () => {
    const { code } = refused({ field: 'tags', op: 'contains', value: null })
    expect(code).toBe('null_filter_value')
  })

  it.each<[string, string, unknown]>([
    ['name', 'is', 'null'],
    ['name', 'is', true],
    ['created_at', 'is', false],
    ['opted_in', 'is', 1],
    ['opted_in', 'eq', 'true'],
    ['name', 'eq', 5],
    ['state', 'gt', true],
    ['phone', 'eq', 'Ana'],
    ['phone', 'eq', 15550001234],
    ['created_at', 'gt', 'yesterday'],
    ['created_at', 'gt', '2026-11-21T10:00:00'],
    ['created_at', 'gt', '2026-13-01'],
    ['created_at', 'gt', '2026-02-30T10:00:00Z'],
    ['created_at', 'gt', '2026-02-30'],
    ['created_at', 'gt', '0000-12-31'],
    ['created_at', 'lt', '9999-12-31T23:59:59-12:00'],
    ['last_inbound_at', 'lt', 1700000000],
    ['name', 'like', 'An*'],
    ['name', 'ilike', 'An\\'],
    ['phone', 'like', 'An\\\\\\'],
    ['name', 'like', 5],
    ['tags', 'contains', 5],
    ['attributes.plan', 'gt', true],
    ['attributes.plan', 'like', 4],
    ['attributes.plan', 'eq', Infinity],
    ['attributes.plan', 'is', 'gold'],
  ])('is told where its value is wrong: %s %s %j', (field, op, value) => {
    const good = { field: 'name', op: 'eq', value: 'Ana' }
    expect(refused(good, { field, op, value })).toEqual({
      code: 'invalid_request',
      errors: [{ path: 'filter.conditions.1.value', message: expect.stringContaining('must be') }],
    })
  })

  it.each<[string, string]>([
    ['opted_in', 'gt'],
    ['opted_in', 'contains'],
    ['tags', 'eq'],
    ['tags', 'neq'],
    ['tags', 'not_like'],
    ['name', 'contains'],
    ['attributes.plan', 'not_contains'],
  ])('is told which ops there are: %s %s', (field, op) => {
    const { code, errors } = refused({ field, op, value: 'x' })
    expect({ code, path: errors[0]?.path }).toEqual({
      code: 'invalid_request',
      path: 'filter.conditions.0.op',
    })
    expect(errors[0]?.message).toMatch(/must be one of \w/)
  })

  it.each(['created_at', 'last_inbound_at'])('takes no pattern for %s', (field) => {
    const { errors } = refused({ field, op: 'like', value: '2026%' })
    expect(errors).toMatchObject([{ path: 'filter.conditions.0.op' }])
  })

  it.each(['email', 'constructor', '__proto__', 'k.phone', ''])('names no field: %j', (field) => {
    expect(refused({ field, op: 'eq', value: 'x' }).errors).toEqual([
      { path: 'filter.conditions.0.field', message: 'is not known' },
    ])
  })

  it('is told with all the others', () => {
    const wrong = { field: 'name', op: 'eq', value: 1 }
    const { errors } = refused(wrong, { field: 'name', op: 'eq', value: 'Ana' }, wrong)
    expect(errors.map(({ path }) => path)).toEqual([
      'filter.conditions.0.value',
      'filter.conditions.2.value',
    ])
  })

  it('takes a pattern that ends in an escaped backslash', () => {
    expect(compile([{ field: 'name', op: 'like', value: 'An\\\\' }]).values).toEqual(['An\\\\'])
  })
})
