import { hash } from 'node:crypto'
import { type Row, type Statement, statement } from '../../core/sql.ts'
import type { Column, Table } from './table-catalog.ts'
import { compared, isNotNull, isNull, placed, type Predicate } from './table-filters.ts'
import { RENDERERS } from './table-values.ts'

/** A sort key; `column` is null for the position of a row in its table. */
export type Key = { sql: string; castType: string; column: Column | null }

/** The order of the rows: the first key may be nullable, and all keys together identify a row. */
export type Order = { keys: Key[]; isDescending: boolean }

/** Where a page begins: at the top, after a row, or after a row whose first key is null; those come last. */
export type Phase = 'first' | 'after' | 'nulls'

export type Page = {
  columns: Column[]
  predicates: Predicate[]
  order: Order
  phase: Phase
  limit: number
}

/** A page's statement, the positions of the keys in its rows, and how rows become JSON. */
export type PageStatement = {
  statement: Statement
  keyPlaces: number[]
  render: (row: Row) => string
}

const STATEMENTS_MAX = 200
/** The bound over all statements of a table, if each names every column: a wide table has fewer statements. */
const COLUMNS_NAMED_MAX = 10_000

/** The order by a column, if any, and then by what identifies rows. */
export function orderOf(table: Table, column: Column | null, isDescending: boolean): Order {
  const others = table.primaryKey.filter((one) => one !== column)
  const named = (column ? [column, ...others] : others).map(keyOf)
  return {
    keys: table.primaryKey.length > 0 ? named : [...named, ...placesOf(table)],
    isDescending,
  }
}

function keyOf(column: Column): Key {
  return { sql: compared(column), castType: column.castType, column }
}

/** Without a primary key, the ctid identifies a row for as long as nobody changes it. */
function placesOf({ isPartitioned }: Table): Key[] {
  const place = { sql: 't.ctid', castType: 'pg_catalog.tid', column: null }
  if (!isPartitioned) return [place]
  return [{ sql: 't.tableoid', castType: 'pg_catalog.oid', column: null }, place]
}

/** The values for a page's statement: those of the filters, then the keys of the row before the page. */
export function valuesOf({ predicates }: Page, after: readonly string[]): string[] {
  const values = predicates.flatMap(({ value }) => (value === undefined ? [] : [value]))
  return [...values, ...after]
}

/** The column of each of those values. */
export function parametersOf({ predicates, order, phase }: Page): (Column | null)[] {
  const filtered = predicates.flatMap(({ value, column }) => (value === undefined ? [] : [column]))
  const keys = phase === 'first' ? [] : order.keys.slice(phase === 'nulls' ? 1 : 0)
  return [...filtered, ...keys.map(({ column }) => column)]
}

/**
 * The statement of a page, which reads one row more than the page has; compiled once for pages of one shape.
 */
export function pageStatement(table: Table, page: Page): PageStatement {
  const { columns, predicates, order, phase, limit } = page
  const shape = JSON.stringify([
    ...[columns.map(({ name }) => name), predicates.map((one) => one.shape)],
    ...[order.keys.map(({ sql }) => sql), order.isDescending, phase, limit],
  ])
  const known = table.statements.get(shape) as PageStatement | undefined
  if (known) return known
  const { text, keyPlaces } = write(table, page)
  // A session keeps the plan of a named statement, which fails after the types of columns have changed.
  const name = `rows-${hash('sha1', `${table.signature}\n${text}`)}`
  const made = { statement: statement(name, text), keyPlaces, render: rowRenderer(columns) }
  const most = Math.min(STATEMENTS_MAX, COLUMNS_NAMED_MAX / table.columns.size)
  if (table.statements.size >= most) table.statements.clear()
  table.statements.set(shape, made)
  return made
}

function write(table: Table, { columns, predicates, order, phase, limit }: Page) {
  const selected = columns.map(selectOf)
  const keyPlaces = order.keys.map(({ sql }) => {
    const place = selected.indexOf(sql)
    return place < 0 ? selected.push(sql) - 1 : place
  })
  let places = 0
  const filters = predicates.map(({ condition, value }) =>
    condition(value === undefined ? '' : `$${++places}`),
  )
  const select = (conditions: string[], keys: Key[]) => {
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const by = keys.map(({ sql }) => `${sql} USING ${ordering(order)}`).join(', ')
    // The list may be empty: a table without columns has rows as well.
    return `SELECT ${selected.join(', ')} FROM ${table.source} AS t${where} ORDER BY ${by} LIMIT ${limit + 1}`
  }
  const follows = (keys: Key[]) => {
    const values = keys.map(({ castType }) => `$${++places}::${castType}`)
    const sqls = keys.map(({ sql }) => sql)
    if (keys.length === 1) return `${sqls[0]} ${operator(order)} ${values[0]}`
    return `ROW(${sqls.join(', ')}) ${operator(order)} ROW(${values.join(', ')})`
  }
  const [first, ...rest] = order.keys
  const nullable = first?.column?.isNullable ? first.column : null
  const after = (keys: Key[]) => (phase === 'first' ? [] : [follows(keys)])
  if (!nullable) return { text: select([...filters, ...after(order.keys)], order.keys), keyPlaces }
  if (phase === 'nulls') {
    return { text: select([...filters, isNull(nullable), ...after(rest)], rest), keyPlaces }
  }
  // Two index ranges instead of a sort of all rows; the second is read only when the first is exhausted.
  const filled = select([...filters, isNotNull(nullable), ...after(order.keys)], order.keys)
  const empty = select([...filters, isNull(nullable)], rest)
  return { text: `(${filled}) UNION ALL (${empty}) LIMIT ${limit + 1}`, keyPlaces }
}

/** Qualified with its schema, so that an operator of the project's own is never chosen. */
function operator({ isDescending }: Order): string {
  return `OPERATOR(pg_catalog.${isDescending ? '<' : '>'})`
}

function ordering({ isDescending }: Order): string {
  return `OPERATOR(pg_catalog.${isDescending ? '>' : '<'})`
}

/**
 * A column in a SELECT list. Arrays and composite values become JSON in PostgreSQL, which knows their parts.
 */
export function selectOf(column: Column): string {
  return column.kind === 'nested' ? `pg_catalog.to_jsonb(${placed(column)})` : placed(column)
}

/** Renders rows as JSON objects; the first columns of each row are the given ones. */
export function rowRenderer(columns: Column[]): (row: Row) => string {
  const members = columns.map(({ name, kind, isArray, holdsJson, holdsFloats }, place) => ({
    name: `${place > 0 ? ',' : '{'}${JSON.stringify(name)}:`,
    render: RENDERERS[isArray && (holdsJson || holdsFloats) ? 'json' : kind],
  }))
  if (members.length === 0) return () => '{}'
  return (row) => {
    let json = ''
    for (let place = 0; place < members.length; place++) {
      const member = members[place]
      const text = row[place]
      if (member) json += member.name + (text == null ? 'null' : member.render(text))
    }
    return `${json}}`
  }
}
