import type { ProjectContext } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { must, oneOff, type Row, statement } from '../core/sql.ts'

/** A list that is read page by page, each from after the last row of the one before. */
export type PagedList = {
  /** The operation, the project and what else chooses the rows: a cursor is good for no other list. */
  name: readonly [operation: string, projectId: string, ...choice: unknown[]]
  /** SQL of all its rows, which ends in a condition; `values` are those of its placeholders. */
  rows: string
  values: readonly unknown[]
  /** More conditions, each with `$?` for its value; one whose value is null or undefined is left out. */
  filters?: readonly (readonly [condition: string, value: unknown])[]
  /** What the rows are ordered by, the largest first, with its place in a row; together it names one row. */
  keys: readonly (readonly [sql: string, place: number])[]
  /** What the order begins with though it is the same in all rows, as the index does that has them. */
  orderedWithin?: string
  /**
   * `once` for rows that one index holds in this order, `anew` where the best plan depends on a value. All
   * others are left to PostgreSQL, which weighs it.
   */
  planned?: 'once' | 'anew' | undefined
  /** SQL of what is shown of the rows that the page has found, in the same order; else they are shown themselves. */
  shown?: (page: string) => string
}

type Asked = { cursor?: string | undefined; limit?: number | undefined }

/** A page of a list, and the cursor of the next one, null when this is the last; throws `invalid_cursor`. */
export async function readPage(
  { sql, cursors }: ProjectContext,
  { cursor, limit = LIMITS.pageItemsDefault }: Asked,
  { name, filters = [], keys, orderedWithin, planned, shown, ...list }: PagedList,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const after = cursor === undefined ? [] : cursors.decode(name, cursor, keys.length)
  const values = [...list.values, limit + 1]
  const limitAt = `$${values.length}`
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions = filters.flatMap(([condition, value]) =>
    value == null ? [] : condition.replace('$?', () => place(value)),
  )
  const columns = keys.map(([column]) => column)
  // A comparison of whole rows is one range of the index, however deep the page.
  if (cursor !== undefined) conditions.push(`(${columns.join()}) < (${after.map(place).join()})`)
  const order = columns.map((column) => `${column} DESC`)
  if (orderedWithin !== undefined) order.unshift(orderedWithin)
  const ordered = `${[list.rows, ...conditions].join(' AND ')} ORDER BY ${order.join()}`
  const own = planned === 'once' ? boundedPage(ordered, limitAt) : `${ordered} LIMIT ${limitAt}`
  const text = shown ? shown(own) : own
  const used = [...filters.map(([, value]) => value), cursor].map((value) => Number(value != null))
  const page = planned === 'anew' ? oneOff(text) : statement(`${name[0]}-${used.join('')}`, text)
  const found = await sql.rows(page, values)
  const last = found.length > limit ? found[limit - 1] : undefined
  const position = last && keys.map(([, at]) => must(last[at]))
  return {
    rows: found.slice(0, limit),
    nextCursor: position ? cursors.encode(name, position) : null,
  }
}

/**
 * SQL of as many rows as the placeholder says, one page and one more at the most. PostgreSQL takes an unknown
 * number for a tenth of all rows, and plans anew for each that it is told; below a bound that it knows, it
 * plans once. Where rows are left out on the way, the best plan depends on how many.
 */
function boundedPage(ordered: string, limitAt: string): string {
  return `SELECT * FROM (${ordered} LIMIT ${LIMITS.pageItemsMax + 1}) AS page LIMIT ${limitAt}`
}
