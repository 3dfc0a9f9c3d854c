import type { ProjectContext } from '../core/context.ts'
import { LIMITS } from '../core/limits.ts'
import { must, type Row, type Statement } from '../core/sql.ts'

type List = {
  /** The operation, the project and what else chooses the rows: a cursor is good for no other list. */
  name: readonly [operation: string, projectId: string, ...choice: unknown[]]
  /** SQL of all its rows, which ends in a condition; `values` are those of its placeholders. */
  rows: string
  values: readonly unknown[]
  /** More conditions, each with `$?` for its value; one whose value is null or undefined is left out. */
  filters?: readonly (readonly [condition: string, value: unknown])[]
  /**
   * What the rows are ordered by, descending, and the column of each in a row; all keys together are unique.
   */
  keys: readonly (readonly [sql: string, place: number])[]
  /** A leading column of the index whose value is the same in all rows of the list. */
  orderedWithin?: string
}

/** A list that is read page by page, each from after the last row of the one before. */
export type PagedList = List & {
  /**
   * `once` when one index holds the rows in this order. For all other lists PostgreSQL picks a plan per call.
   */
  planned?: 'once' | undefined
}

/** A list of the rows, few or many, that meet a condition which the index of the order cannot answer. */
export type SparseList = Omit<List, 'rows'> & {
  /** SQL of all its rows from FROM on, which ends in a condition. */
  from: string
  /**
   * The condition with `$?` for its value: `met` tests one row, `found` finds rows by an index of its own. Past
   * the rows of `dense`, when those come first, only few rows can meet it.
   */
  condition: { met: string; found: string; dense?: string; value: unknown }
  /** SQL that reads what is shown of the rows, in their order, for the keys that the given SQL finds. */
  shown: (keys: string) => string
}

type Asked = { cursor?: string | undefined; limit?: number | undefined }
type Page = { rows: Row[]; nextCursor: string | null }

/** A page of a list, and the cursor of the next one, null when this is the last; throws `invalid_cursor`. */
export async function readPage(ctx: ProjectContext, asked: Asked, list: PagedList): Promise<Page> {
  const { values, limitAt, where, order } = compose(ctx, asked, list)
  const ordered = `${[list.rows, ...where].join(' AND ')} ORDER BY ${order.join()}`
  const text =
    list.planned === 'once' ? boundedPage(ordered, limitAt) : `${ordered} LIMIT ${limitAt}`
  const given = [...(list.filters ?? []).map(([, value]) => value), asked.cursor]
  const used = given.map((value) => Number(value != null)).join('')
  const page = pageStatement(`${list.name[0]}-${used}`, text)
  return pageOf(ctx, asked, list, await ctx.sql.rows(page, values))
}

/**
 * Reads a page of a list whose condition may hold for nearly all rows or for next to none, which PostgreSQL
 * cannot estimate. It first scans a bounded number of rows in the order of the list, which fills the page where
 * many match. If that falls short, it finds all matching rows by the index of the condition and sorts them.
 */
export async function readSparsePage(
  ctx: ProjectContext,
  asked: Asked,
  list: SparseList,
): Promise<Page> {
  const { values, limitAt, where, order, place } = compose(ctx, asked, list)
  const { met, found, dense = 'true', value } = list.condition
  const valueAt = place(value)
  const withValue = (condition: string) => condition.replaceAll('$?', () => valueAt)
  const { orderedWithin } = list
  const columns = list.keys.map(([column], at) => `${column} AS key${at}`)
  const sorting = list.keys.map((_, at) => `key${at} DESC`)
  // The ORDER BY must name all columns of the index, or PostgreSQL would read and sort all rows.
  if (orderedWithin !== undefined) {
    columns.unshift(`${orderedWithin} AS within`)
    sorting.unshift('within')
  }
  const keys = columns.join()
  const inOrder = sorting.join()
  const from = [list.from, ...where].join(' AND ')
  const read = (rows: string) => {
    const last = `key${list.keys.length - 1}`
    const page = `SELECT ${last} FROM (${rows}) AS found ORDER BY ${inOrder} LIMIT ${limitAt}`
    return ctx.sql.rows(pageStatement('', list.shown(page)), values)
  }
  const first = asked.cursor === undefined ? ` AND ${withValue(dense)}` : ''
  const next = `SELECT ${keys}, ${withValue(met)} AS is_met ${from}${first} ORDER BY ${order.join()}
    LIMIT ${LIMITS.rowsLookedThrough}`
  const near = pageOf(ctx, asked, list, await read(`SELECT * FROM (${next}) AS next WHERE is_met`))
  if (near.nextCursor !== null) return near
  // OFFSET 0 is an optimisation fence: without it PostgreSQL would scan the other index in order after all.
  const all = `SELECT ${keys} ${from} AND ${withValue(found)} OFFSET 0`
  return pageOf(ctx, asked, list, await read(all))
}

/** The conditions and the order of a page, its values, and where the number of its rows is among these. */
function compose(
  { cursors }: ProjectContext,
  { cursor, limit = LIMITS.pageItemsDefault }: Asked,
  { name, filters = [], keys, orderedWithin, values: given }: Omit<List, 'rows'>,
) {
  const after = cursor === undefined ? [] : cursors.decode(name, cursor, keys.length)
  const values = [...given, limit + 1]
  const limitAt = `$${values.length}`
  const place = (value: unknown) => `$${values.push(value)}`
  const where = filters.flatMap(([condition, value]) =>
    value == null ? [] : condition.replace('$?', () => place(value)),
  )
  const columns = keys.map(([column]) => column)
  // A row-value comparison is one range of the index, however deep the page is.
  if (cursor !== undefined) where.push(`(${columns.join()}) < (${after.map(place).join()})`)
  const order = columns.map((column) => `${column} DESC`)
  if (orderedWithin !== undefined) order.unshift(orderedWithin)
  return { values, limitAt, where, order, place }
}

/** The page of one row more than it shows, if there are as many. */
function pageOf(
  { cursors }: ProjectContext,
  { limit = LIMITS.pageItemsDefault }: Asked,
  { name, keys }: Pick<List, 'name' | 'keys'>,
  found: Row[],
): Page {
  const rows = found.slice(0, Math.min(limit, fittingOf(found)))
  const last = found.length > rows.length ? rows.at(-1) : undefined
  const position = last && keys.map(([, at]) => must(last[at]))
  return { rows, nextCursor: position ? cursors.encode(name, position) : null }
}

/** A statement whose rows are no more than fits into a page; without a name it is not kept. */
function pageStatement(name: string, text: string): Statement {
  return { name, text, bytesMax: LIMITS.pageBytes }
}

/** How many of the rows fit into a page. */
function fittingOf(rows: Row[]): number {
  const isWhole = rows.at(-1)?.length !== 0
  return isWhole ? rows.length : rows.findIndex(({ length }) => length === 0)
}

/**
 * SQL of LIMIT by a placeholder, with an upper bound of one page and one row. For an unknown limit PostgreSQL
 * assumes a tenth of all rows, and for a known one it would plan at each call; with a bound it can plan once.
 * Queries that filter rows out depend on the limit for their best plan and do not use this.
 */
function boundedPage(ordered: string, limitAt: string): string {
  return `SELECT * FROM (${ordered} LIMIT ${LIMITS.pageItemsMax + 1}) AS page LIMIT ${limitAt}`
}
