import type { Statement } from '../../core/sql.ts'

/** A statement as the service executed it once, with marks at the values that differ between requests. */
export type Template = { statement: Statement; values: readonly unknown[] }

/** The values of one request. */
export type Actual = { matchKey: string; attemptId: string; wamid: string; key: string; now: Date }

/** The marks used while a statement is recorded. */
export const MARKS: Actual = {
  matchKey: 'mark:match-key',
  attemptId: '00000000-0000-4000-8000-000000000000',
  wamid: 'mark:wamid',
  key: 'mark:key',
  now: new Date('2000-01-01T00:00:00Z'),
}
const NAMES = ['matchKey', 'attemptId', 'wamid', 'key'] as const

/** Makes the values of a request from recorded ones; timestamps keep their distance from the present. */
export function filler(values: readonly unknown[]): (actual: Actual) => unknown[] {
  const makers = values.map(makerOf)
  return (actual) => makers.map((make) => make(actual))
}

function makerOf(value: unknown): (actual: Actual) => unknown {
  if (Array.isArray(value)) return filler(value)
  if (value instanceof Date) {
    const distanceMs = value.getTime() - MARKS.now.getTime()
    return ({ now }) => new Date(now.getTime() + distanceMs)
  }
  if (typeof value !== 'string') return () => value
  const marks = NAMES.filter((name) => value.includes(MARKS[name]))
  if (marks.length === 0) return () => value
  return (actual) => marks.reduce((text, name) => text.replaceAll(MARKS[name], actual[name]), value)
}
