import type { OwnContext } from '../core/context.ts'
import type { OperationRequest } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { quoted, Rendered } from '../core/rendered.ts'
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
import type { Selector } from './table-schemas.ts'

export type RowsQuery = {
  selector: Selector
  /** Names of columns; null for all. */
  columns: string[] | null
  filters: Filter[]
  orderBy: string | null
  isDescending: boolean
  limit: number
  cursor: string | null
  /** Whether somebody may ask for what follows: a cursor takes room, and not all rows can have one. */
  mayGoOn: boolean
}

/**
 * A page of a table's rows, as the query of a request asks for it; `columns` by names that may have commas. With
 * no `mayGoOn` it has no cursor.
 */
export function list(
  ctx: OwnContext,
  table: string,
  query: OperationRequest<'listRows'>['query'],
  columns = parseColumns(query.columns),
  mayGoOn = true,
): Promise<Rendered> {
  return page(ctx, table, {
    selector: query.schema ?? 'public',
    columns,
    filters: parseFilters(query.filters),
    orderBy: query.order_by ?? null,
    isDescending: query.direction === 'desc',
    limit: query.limit ?? LIMITS.tableRowsDefault,
    cursor: query.cursor ?? null,
    mayGoOn,
  })
}

/**
 * A page of a table's rows, in the order of a column and the primary key; rows without a value in that
 * column come last. Throws `table_not_found`, `platform_table_forbidden`, `unknown_column`,
 * `invalid_cursor`, `query_timeout`, and `bad_request` for values that do not fit their columns.
 */
export function page(ctx: OwnContext, name: string, query: RowsQuery): Promise<Rendered> {
  return onTable(ctx, name, query.selector, async (table, asked) => {
    const columns = chosenColumns(table, query.columns)
    const predicates = predicatesOf(table, query.filters)
    const orderBy = query.orderBy === null ? null : columnOf(table, query.orderBy)
    const order = orderOf(table, orderBy, query.isDescending)
    const list = listName(ctx, table, query, order)
    const start =
      query.cursor === null
        ? { phase: 'first' as const, after: [] }
        : await decodePosition(ctx, list, query.cursor, order.keys.length)
    const asks: Page = { columns, predicates, order, phase: start.phase, limit: query.limit }
    const { statement, keyPlaces, render } = pageStatement(table, asks)
    const values = valuesOf(asks, start.after)
    asked({ text: statement.text, parameters: parametersOf(asks), values })
    const rows = await ctx.tables.read(table.access, statement, values)
    const last = rows.length > query.limit ? rows[query.limit - 1] : undefined
    const position = query.mayGoOn && last && keyPlaces.map((place) => last[place] ?? null)
    const next = position ? await encodePosition(ctx, list, position) : null
    const items = rows.slice(0, query.limit).map(render)
    return new Rendered(
      `{"table":${quoted(name)},"schema":${quoted(query.selector)},"rows":[${items.join()}],` +
        `"pagination":{"hasMore":${last !== undefined},"nextCursor":${quoted(next)}}}`,
    )
  })
}

/** What a cursor is bound to: with anything else in it, the rows would be others, or in another order. */
export function listName(
  { project }: OwnContext,
  { name, selector }: Table,
  { filters }: Pick<RowsQuery, 'filters'>,
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
