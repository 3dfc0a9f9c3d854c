import { ServiceError } from '../../core/errors.ts'
import { isRecord, parseJson } from '../../core/json-values.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Column, Table } from './table-catalog.ts'
import { valueText } from './table-values.ts'

const OPERATORS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const PATTERNS = { like: '~~', ilike: '~~*' } as const
const IS = new Map<unknown, string>([
  [null, 'NULL'],
  [true, 'TRUE'],
  [false, 'FALSE'],
])

export type FilterOp = keyof typeof OPERATORS | keyof typeof PATTERNS | 'is'
export type Filter = { column: string; op: FilterOp; value: unknown }

/** A compiled filter: SQL from `condition`, with the value bound separately. */
export type Predicate = {
  column: Column
  /** Identifies the SQL: filters with equal shapes share a statement. */
  shape: string
  /** The condition; `place` is the placeholder of its value. */
  condition: (place: string) => string
  /** The value in PostgreSQL's text format; undefined when the condition takes none. */
  value: string | undefined
}

/**
 * Parses the filters of a query string. Throws `bad_request` for anything but a JSON array of at most twenty
 * `{column, op, value}`.
 */
export function parseFilters(text: string | undefined): Filter[] {
  if (text === undefined) return []
  const parsed = parseJson(text)
  if (parsed === undefined) throw badFilters('', 'is not valid JSON')
  if (!Array.isArray(parsed)) throw badFilters('', 'must be an array')
  if (parsed.length > LIMITS.tableFilters) {
    throw badFilters('', `holds more than ${LIMITS.tableFilters} filters`)
  }
  return parsed.map((one: unknown, index) => checkFilter(one, String(index)))
}

function checkFilter(filter: unknown, path: string): Filter {
  if (!isRecord(filter)) {
    throw badFilters(path, 'must be an object with column, op and value')
  }
  const { column, op, value, ...rest } = filter
  const [extra] = Object.keys(rest)
  if (extra !== undefined) throw badFilters(`${path}.${extra}`, 'is not known')
  if (typeof column !== 'string') throw badFilters(`${path}.column`, 'must be a column name')
  if (!isOp(op)) {
    throw badFilters(`${path}.op`, 'must be one of eq, neq, gt, gte, lt, lte, like, ilike, is')
  }
  if (!Object.hasOwn(filter, 'value')) throw badFilters(`${path}.value`, 'is required')
  if (op === 'is' && !IS.has(value)) {
    throw badFilters(`${path}.value`, 'must be null, true or false with is')
  }
  if (op !== 'is' && (value === null || value === 'null')) {
    throw new ServiceError(
      'null_filter_value',
      `The filter on ${column} compares with null, which nothing equals; use the op "is".`,
      { details: { errors: [{ path: `filters.${path}.value`, message: 'must not be null' }] } },
    )
  }
  return { column, op, value }
}

function isOp(op: unknown): op is FilterOp {
  return (
    typeof op === 'string' &&
    (op === 'is' || Object.hasOwn(OPERATORS, op) || Object.hasOwn(PATTERNS, op))
  )
}

/**
 * Compiles filters for a table's columns; throws `unknown_column`, and `bad_request` for a value or operator
 * that does not fit.
 */
export function predicatesOf(table: Table, filters: Filter[]): Predicate[] {
  return filters.map((filter) => predicateOf(columnOf(table, filter.column), filter))
}

/** A column of a table; throws `unknown_column`. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column) return column
  throw new ServiceError('unknown_column', `The table ${table.name} has no column ${name}.`, {
    details: { column: name },
  })
}

/** The column as an expression over the table alias `t`. */
export function placed({ quoted }: Column): string {
  return `t.${quoted}`
}

/** The same as an operand. It is cast only where needed, since a cast keeps PostgreSQL from using an index. */
export function compared(column: Column): string {
  return column.isEnumDomain ? `${placed(column)}::${column.castType}` : placed(column)
}

/** Whether the column is NULL. IS NULL is also true of a composite value whose fields are all null. */
export function isNull(column: Column): string {
  return `${placed(column)} ${column.isComposite ? 'IS NOT DISTINCT FROM NULL' : 'IS NULL'}`
}

/** The negation. */
export function isNotNull(column: Column): string {
  return `${placed(column)} ${column.isComposite ? 'IS DISTINCT FROM NULL' : 'IS NOT NULL'}`
}

function predicateOf(column: Column, { op, value }: Filter): Predicate {
  if (op === 'is') return truth(column, value)
  if (op === 'like' || op === 'ilike') return pattern(column, op, value)
  return {
    column,
    shape: `${column.name} ${op}`,
    condition: (place) =>
      `${compared(column)} OPERATOR(pg_catalog.${OPERATORS[op]}) ${place}::${column.castType}`,
    value: valueText(column, value) ?? undefined,
  }
}

function truth(column: Column, value: unknown): Predicate {
  const word = IS.get(value) ?? 'NULL'
  if (value !== null && column.kind !== 'boolean') {
    throw misfit(column, `is not boolean; "is" compares it with null alone`)
  }
  const condition = value === null ? isNull(column) : `${placed(column)} IS ${word}`
  return {
    column,
    shape: `${column.name} is ${word}`,
    condition: () => condition,
    value: undefined,
  }
}

function pattern(column: Column, op: 'like' | 'ilike', value: unknown): Predicate {
  if (typeof value !== 'string') throw misfit(column, `is compared by ${op} with texts alone`)
  if (value.includes('*')) {
    throw misfit(column, 'is compared with a "*"; the wildcards are "%" and "_"')
  }
  // PostgreSQL reports a trailing escape only when a row is compared that far.
  if (/(?<!\\)(\\\\)*\\$/.test(value)) {
    throw misfit(column, 'is compared with a pattern that ends in a lone backslash')
  }
  if (!column.isText) throw misfit(column, `is no text; ${op} does not apply`)
  return {
    column,
    shape: `${column.name} ${op}`,
    condition: (place) =>
      `${placed(column)} OPERATOR(pg_catalog.${PATTERNS[op]}) ${place}::pg_catalog.text`,
    value: valueText(column, value) ?? undefined,
  }
}

function misfit(column: Column, problem: string): ServiceError {
  return new ServiceError('bad_request', `The column ${column.name} ${problem}.`, {
    details: { column: column.name },
  })
}

function badFilters(path: string, problem: string): ServiceError {
  const place = path === '' ? 'filters' : `filters.${path}`
  return new ServiceError('bad_request', `The query parameter ${place} ${problem}.`, {
    details: { errors: [{ path: place, message: problem }] },
  })
}
