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
  /** What the rows are ordered by, the largest first, with its place in a row; together it names one row. */
  keys: readonly (readonly [sql: string, place: number])[]
  /** What the order begins with though it is the same in all rows, as the index does that has them. */
  orderedWithin?: string
}

/** A list that is read page by page, each from after the last row of the one before. */
export type PagedList = List & {
  /** `once` for rows that one index holds in this order. All others are left to PostgreSQL, which weighs it. */
  planned?: 'once' | undefined
}

/** One of those rows alone, few or many, that meet a condition of which the order's index knows nothing. */
export type SparseList = Omit<List, 'rows'> & {
  /** SQL of all its rows from FROM on, which ends in a condition. */
  from: string
  /**
   * The condition with `$?` for its value: as it is looked at in a row, and as rows are found by it. Behind the rows
   * of `dense`, if those are the first, only few can meet it.
   */
  condition: { met: string; found: string; dense?: string; value: unknown }
  /** SQL of what is shown of the rows, in their order, whose last keys the SQL finds. */
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
 * The same of a list that may be all of the rows or next to none: which, PostgreSQL does not know. So the next
 * of all rows are looked through first, which nearly always have the page where many meet the condition. Where they
 * have not, all that meet it are found, and put in order.
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
  // The page is ordered by all that the rows come in order of: else they would be sorted, for which all must be there.
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
  // OFFSET 0 keeps PostgreSQL from going through the others in their order after all, for the first of these.
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
  // A comparison of whole rows is one range of the index, however deep the page.
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
 * SQL of as many rows as the placeholder says, one page and one more at the most. PostgreSQL takes an unknown
 * number for a tenth of all rows, and plans anew for each that it is told; below a bound that it knows, it
 * plans once. Where rows are left out on the way, the best plan depends on how many.
 */
function boundedPage(ordered: string, limitAt: string): string {
  return `SELECT * FROM (${ordered} LIMIT ${LIMITS.pageItemsMax + 1}) AS page LIMIT ${limitAt}`
}
