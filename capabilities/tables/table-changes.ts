import type { OwnContext } from '../../core/context.ts'
import type { Data, OperationRequest } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { quoted, Rendered } from '../../core/rendered.ts'
import { oneOff, type Row } from '../../core/sql.ts'
import type { Column, Table } from './table-catalog.ts'
import type { Asked } from './table-fault-columns.ts'
import { onTable } from './table-faults.ts'
import { columnOf, type Filter, parseFilters, predicatesOf } from './table-filters.ts'
import { rowRenderer, selectOf } from './table-pages.ts'
import type { Selector } from './table-schemas.ts'
import { countWithin, search } from './table-searches.ts'
import { valueText } from './table-values.ts'

/** A row as JSON. */
export type Values = Record<string, unknown>

/** The rows that a change is for, and the most that it may reach. */
type Target = { selector: Selector; filters: Filter[]; maxRows: number; isDryRun: boolean }

/** How many rows matched the filters, and how many of them were changed. */
type Changed = { matched: number; changed: number }

type ChangeQuery = OperationRequest<'updateRows'>['query']

/**
 * Inserts rows, all or none, and answers with them as stored; omitted columns take their defaults. Throws
 * `constraint_violation`, `unknown_column`, and `bad_request` for values that do not fit their columns, and for
 * rows that exceed `charactersMax` as JSON.
 */
export function insert(
  ctx: OwnContext,
  name: string,
  selector: Selector,
  rows: readonly Values[],
  charactersMax = Infinity,
): Promise<Rendered> {
  return onTable(ctx, name, selector, async (table, asked) => {
    const inserted = insertion(table, rows)
    asked(inserted)
    const render = rowRenderer([...table.columns.values()])
    const items = await ctx.tables.write(table, async (tx) => {
      const stored = await tx.rows(oneOff(inserted.text), inserted.values)
      return mustFit(stored.map(render), charactersMax)
    })
    return new Rendered(
      `{"table":${quoted(name)},"schema":${quoted(selector)},"rows":[${items.join()}]}`,
    )
  })
}

function mustFit(items: string[], charactersMax: number): string[] {
  if (items.reduce((sum, { length }) => sum + length, 0) <= charactersMax) return items
  const problem = `The rows as stored are larger than ${charactersMax / 1024} KiB; insert fewer at a time.`
  throw new ServiceError('bad_request', problem)
}

function insertion(table: Table, rows: readonly Values[]): Asked {
  const given = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = given.map((name) => columnOf(table, name))
  // An INSERT of defaults alone still has to name a column.
  const [any] = table.columns.values()
  const named = columns.length > 0 || !any ? columns : [any]
  if (rows.length * named.length > LIMITS.statementParameters) {
    throw new ServiceError('bad_request', 'The rows hold too many values; insert fewer at a time.')
  }
  const list = parameterList()
  const tuples = rows.map((row) => {
    const items = named.map((column) =>
      Object.hasOwn(row, column.name) ? list.add(column, row[column.name]) : 'DEFAULT',
    )
    return `(${items.join(', ')})`
  })
  const into = `INSERT INTO ${table.target} AS t`
  const columnNames = named.map(({ quoted: name }) => name).join(', ')
  // A table without columns has empty rows, which no VALUES list can express.
  const what =
    named.length === 0
      ? `SELECT FROM pg_catalog.generate_series(1, ${rows.length})`
      : `(${columnNames}) VALUES ${tuples.join(', ')}`
  const back = [...table.columns.values()].map(selectOf).join(', ')
  return { ...list, text: `${into} ${what} RETURNING ${back === '' ? '1' : back}` }
}

/**
 * Sets columns in the rows that match the filters, all or none. Throws `filter_required` without a filter,
 * `bad_request` for a pattern filter, `too_many_rows` when more rows match than the query allows, and what
 * `insert` throws.
 */
export async function updateRows(
  ctx: OwnContext,
  name: string,
  query: ChangeQuery,
  values: Values,
): Promise<Data<'updateRows'>> {
  const target = targetOf(query)
  const { matched, changed } = await onTable(ctx, name, target.selector, (table, asked) =>
    change(ctx, { table, asked }, target, (list) => {
      const sets = Object.entries(values).map(([column, value]) => {
        const found = columnOf(table, column)
        return `${found.quoted} = ${list.add(found, value)}`
      })
      return `UPDATE ${table.source} AS t SET ${sets.join(', ')} FROM ${PICKED}`
    }),
  )
  return { table: name, schema: target.selector, matched, updated: changed }
}

/** Deletes the rows that match the filters, all or none. Throws what `updateRows` throws. */
export async function deleteRows(
  ctx: OwnContext,
  name: string,
  query: ChangeQuery,
): Promise<Data<'deleteRows'>> {
  const target = targetOf(query)
  const { matched, changed } = await onTable(ctx, name, target.selector, (table, asked) => {
    const isGuarded = table.hasPolicies && !target.isDryRun
    if (isGuarded) return deleteGuarded(ctx, table, target, asked)
    const write = () => `DELETE FROM ${table.source} AS t USING ${PICKED}`
    return change(ctx, { table, asked }, target, write)
  })
  return { table: name, schema: target.selector, matched, deleted: changed }
}

/**
 * Deletes by the filters themselves: locking the rows beforehand would take a policy that lets them be updated,
 * and find none otherwise.
 */
function deleteGuarded(
  ctx: OwnContext,
  table: Table,
  target: Target,
  asked: (statement: Asked) => void,
): Promise<Changed> {
  const { maxRows } = target
  const predicates = predicatesOf(table, target.filters)
  const found = search(table, predicates, { maxRows, isLocked: false })
  const text = `DELETE FROM ${table.source} AS t WHERE ${found.where} RETURNING 1`
  return ctx.tables.write(table, async (tx) => {
    asked(found)
    const matched = countWithin(await tx.rows(oneOff(found.text), found.values), maxRows)
    asked({ ...found, text })
    const changed = countWithin(await tx.rows(oneOff(text), found.values), maxRows)
    // Others may have made more rows match meanwhile.
    return { matched: Math.max(matched, changed), changed }
  })
}

/** A change must have filters, and must not select rows by a pattern. */
function targetOf(query: ChangeQuery): Target {
  const { schema: selector = 'public', max_rows: maxRows = LIMITS.rowsChanged } = query
  const filters = parseFilters(query.filters)
  if (filters.length === 0) {
    throw new ServiceError('filter_required', 'Name the rows to change in the parameter filters.')
  }
  const pattern = filters.find(({ op }) => op === 'like' || op === 'ilike')
  if (!pattern) return { selector, filters, maxRows, isDryRun: query.dry_run === true }
  const message = `The filter on ${pattern.column} is ${pattern.op}, which changes do not take.`
  throw new ServiceError('bad_request', message, { details: { column: pattern.column } })
}

/** Rows by ctid, which is stable while they are locked: $1 the tables, $2 the places in them. */
const PICKED = `ROWS FROM (
  pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.tid[])
) AS picked (relation, place)
WHERE t.tableoid OPERATOR(pg_catalog.=) picked.relation
  AND t.ctid OPERATOR(pg_catalog.=) picked.place
RETURNING 1`

/** Finds and locks the rows, then changes exactly those, whatever else matches by then. */
async function change(
  ctx: OwnContext,
  { table, asked }: { table: Table; asked: (statement: Asked) => void },
  { filters, maxRows, isDryRun }: Target,
  write: (list: ParameterList) => string,
): Promise<Changed> {
  const found = search(table, predicatesOf(table, filters), { maxRows, isLocked: !isDryRun })
  const list = parameterList([null, null])
  const text = write(list)
  const pick = oneOff(found.text)
  asked(found)
  if (isDryRun) {
    const rows = await ctx.tables.read(table, pick, found.values)
    return { matched: countWithin(rows, maxRows), changed: 0 }
  }
  return ctx.tables.write(table, async (tx) => {
    const rows = await tx.rows(pick, found.values)
    const matched = countWithin(rows, maxRows)
    if (matched === 0) return { matched, changed: 0 }
    asked({ text, parameters: list.parameters, values: [null, null, ...list.values] })
    const changed = await tx.rows(oneOff(text), [...placesOf(rows), ...list.values])
    return { matched, changed: changed.length }
  })
}

function placesOf(rows: Row[]): [relations: string, places: string] {
  const relations = rows.map(([relation]) => relation).join()
  const places = rows.map(([, place]) => `"${place}"`).join()
  return [`{${relations}}`, `{${places}}`]
}

type ParameterList = {
  parameters: (Column | null)[]
  values: (string | null)[]
  /** Adds the value of a column; answers with its placeholder. */
  add(column: Column, value: unknown): string
}

/** Parameters of a statement, after those that it has already. */
function parameterList(before: null[] = []): ParameterList {
  const parameters: (Column | null)[] = [...before]
  const values: (string | null)[] = []
  return {
    parameters,
    values,
    add(column, value) {
      values.push(valueText(column, value))
      return `$${parameters.push(column)}::${column.castType}`
    },
  }
}
