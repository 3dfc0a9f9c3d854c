import type { OwnContext } from '../../core/context.ts'
import type { OperationRequest } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { quoted, Rendered } from '../../core/rendered.ts'
import type { Column, Table } from './table-catalog.ts'
import { decodePosition, encodePosition } from './table-cursors.ts'
import { onTable } from './table-faults.ts'
import { columnOf, type Filter, parseFilters, predicatesOf } from './table-filters.ts'
import {
  type Order,
  orderOf,
  type Page,
  pageStatement,
  parametersOf,
  valuesOf,
} from './table-pages.ts'

/** Options for callers that are not requests, such as bots. */
type Asking = {
  /** Names of columns, which may contain commas, in place of the query's list. */
  columns?: string[] | undefined
  /** Whether a next page may be asked for; a cursor may take storage, and not every row can have one. */
  mayGoOn?: boolean
}

/**
 * A page of a table's rows, ordered by a column and the primary key; NULLs come last. Throws `table_not_found`,
 * `platform_table_forbidden`, `unknown_column`, `invalid_cursor`, `query_timeout`, and `bad_request` for a
 * malformed query and for values that do not fit their columns.
 */
export function list(
  ctx: OwnContext,
  name: string,
  query: OperationRequest<'listRows'>['query'],
  { columns: named, mayGoOn = true }: Asking = {},
): Promise<Rendered> {
  const names = named ?? parseColumns(query.columns)
  const filters = parseFilters(query.filters)
  const { schema: selector = 'public', limit = LIMITS.tableRowsDefault, cursor } = query
  return onTable(ctx, name, selector, async (table, asked) => {
    const columns = chosenColumns(table, names)
    const predicates = predicatesOf(table, filters)
    const orderBy = query.order_by === undefined ? null : columnOf(table, query.order_by)
    const order = orderOf(table, orderBy, query.direction === 'desc')
    const list = listName(ctx, table, filters, order)
    const start =
      cursor === undefined
        ? { phase: 'first' as const, after: [] }
        : await decodePosition(ctx, list, cursor, order)
    const page: Page = { columns, predicates, order, phase: start.phase, limit }
    const { statement, keyPlaces, render } = pageStatement(table, page)
    const values = valuesOf(page, start.after)
    asked({ text: statement.text, parameters: parametersOf(page), values })
    const rows = await ctx.tables.read(table, statement, values)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const position = mayGoOn && last && keyPlaces.map((place) => last[place] ?? null)
    const next = position ? await encodePosition(ctx, list, position) : null
    const items = rows.slice(0, limit).map(render)
    return new Rendered(
      `{"table":${quoted(name)},"schema":${quoted(selector)},"rows":[${items.join()}],` +
        `"pagination":{"hasMore":${last !== undefined},"nextCursor":${quoted(next)}}}`,
    )
  })
}

/** What a cursor is bound to: everything that selects the rows and their order. */
export function listName(
  { project }: OwnContext,
  { name, selector }: Table,
  filters: Filter[],
  { keys, isDescending }: Order,
): unknown[] {
  const order = keys.map(({ sql, castType }) => [sql, castType])
  return ['listRows', project.id, selector, name, order, isDescending, filters]
}

function chosenColumns(table: Table, names: string[] | null): Column[] {
  if (names === null) return [...table.columns.values()]
  return [...new Set(names)].map((name) => columnOf(table, name))
}

function parseColumns(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const names = text.split(',')
  if (!names.includes('')) return names
  throw new ServiceError('bad_request', 'The query parameter columns names a column by nothing.', {
    details: { errors: [{ path: 'columns', message: 'must be names, separated by commas' }] },
  })
}
