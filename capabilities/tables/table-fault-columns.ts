import type { SqlFault } from '../../core/sql.ts'
import { SQL_STATES } from '../../core/sql-states.ts'
import type { Column, Table } from './table-catalog.ts'

/** What a statement consists of, so that a fault can be reported in terms of the request. */
export type Asked = {
  text: string
  /** The column of each parameter, in order; null for a parameter without one. */
  parameters: (Column | null)[]
  values: readonly unknown[]
}

/** SQLSTATEs whose message names a column. */
const NAMING: string[] = [SQL_STATES.undefinedColumn, SQL_STATES.generatedAlways]
/** SQLSTATEs whose message names a type; in any other the word may be somebody's own. */
const TYPED: string[] = [SQL_STATES.stringTooLong, SQL_STATES.numericOutOfRange]
const QUOTED = /["«»„]\s?([^"«»„“]+?)\s?["«»“]/g
/** Stands before anything that is quoted, such as a function's own statement. */
const PARAMETER = /^[^"«»„\n]*\$(\d+)/

/**
 * The column at which PostgreSQL took offence, null if it cannot be told. PostgreSQL may speak any language:
 * only what all of them have in common is read.
 */
export function columnAtFault(fault: SqlFault, table: Table, asked: Asked | null): string | null {
  if (fault.column !== null) return fault.column
  if (NAMING.includes(fault.state)) {
    const quoted = [...fault.message.matchAll(QUOTED)].map(([, name = '']) => name)
    const named = quoted.find((name) => table.columns.has(name))
    if (named !== undefined) return named
  }
  if (!asked) return null
  const [, place] = PARAMETER.exec(fault.where ?? '') ?? []
  const bound = place === undefined ? null : asked.parameters[Number(place) - 1]
  if (bound) return bound.name
  if (fault.position !== null) return columnBefore(asked.text, fault.position)
  const type = typeTold(fault, asked.parameters)
  const names = new Set(
    asked.parameters.filter((one) => one?.type === type).map((one) => one?.name),
  )
  return names.size === 1 ? ([...names][0] ?? null) : null
}

/** The type for which a value was too long or too large. */
function typeTold({ message, detail, state }: SqlFault, parameters: Asked['parameters']) {
  if (!TYPED.includes(state)) return undefined
  const [, precision, scale] = /(\d+)\D+?(-?\d+)/.exec(detail ?? '') ?? []
  if (state === SQL_STATES.numericOutOfRange && scale !== undefined) {
    return `numeric(${precision},${scale})`
  }
  // There may be tens of thousands of parameters, but only a few types.
  const types = new Set(parameters.flatMap((column) => column?.type ?? []))
  const told = [...types].filter((type) => message.includes(type))
  // That of `timestamp` has the text of `time` in it, too.
  return told.sort((one, other) => other.length - one.length)[0]
}

function columnBefore(text: string, position: number): string | null {
  const before = [...text.slice(0, position + 1).matchAll(/t\."((?:[^"]|"")+)"/g)].at(-1)
  // PostgreSQL reports the position of an operator, or of the value after a cast: both come after the column.
  const [, name] = before ?? /t\."((?:[^"]|"")+)"/.exec(text.slice(position - 1)) ?? []
  return name?.replaceAll('""', '"') ?? null
}
