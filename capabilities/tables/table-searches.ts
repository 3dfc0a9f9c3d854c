import { ServiceError } from '../../core/errors.ts'
import type { Row } from '../../core/sql.ts'
import type { Table } from './table-catalog.ts'
import type { Asked } from './table-fault-columns.ts'
import type { Predicate } from './table-filters.ts'

/** A statement and its condition alone. */
type Search = Asked & { where: string }

/** The statement that finds the rows of a change, and one more than allowed. */
export function search(
  table: Table,
  predicates: Predicate[],
  { maxRows, isLocked }: { maxRows: number; isLocked: boolean },
): Search {
  const bound = predicates.filter(({ value }) => value !== undefined)
  const conditions = predicates.map((one) => one.condition(`$${bound.indexOf(one) + 1}`))
  const where = conditions.join(' AND ')
  const lock = isLocked ? ' FOR UPDATE OF t' : ''
  return {
    text: `SELECT t.tableoid, t.ctid FROM ${table.source} AS t WHERE ${where} LIMIT ${maxRows + 1}${lock}`,
    where,
    parameters: bound.map(({ column }) => column),
    values: bound.map(({ value }) => value),
  }
}

/** How many rows there are; throws `too_many_rows` when there are more than allowed. */
export function countWithin(rows: Row[], maxRows: number): number {
  if (rows.length <= maxRows) return rows.length
  throw new ServiceError('too_many_rows', `The filters match more than ${maxRows} rows.`, {
    details: { max_rows: maxRows },
  })
}
