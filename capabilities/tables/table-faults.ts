import type { OwnContext } from '../../core/context.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlFault, sqlFaultOf } from '../../core/sql.ts'
import { hasState, SQL_STATES } from '../../core/sql-states.ts'
import { statementTooSlow } from '../../core/table-errors.ts'
import { type Column, describe, type Table, withoutSchema } from './table-catalog.ts'
import type { Selector } from './table-schemas.ts'

/** SQLSTATEs that mean that the table has changed since it was described. */
const OUTDATED = [
  SQL_STATES.undefinedTable,
  SQL_STATES.undefinedColumn,
  SQL_STATES.undefinedObject,
  SQL_STATES.undefinedFunction,
  SQL_STATES.datatypeMismatch,
  SQL_STATES.generatedAlways,
  SQL_STATES.invalidColumnReference,
  SQL_STATES.featureNotSupported,
  SQL_STATES.invalidSchemaName,
  SQL_STATES.internalError,
]
/** SQLSTATEs for which the caller cannot be at fault, but only PostgreSQL or its machine. */
const NOT_THEIRS = /^(08|26|28|40|53(?!400)|55P03|57|58|XX)/
const RAISED = 'exec_stmt_raise'

/** What a statement consists of, so that a fault can be reported in terms of the request. */
export type Asked = {
  text: string
  /** The column of each parameter, in order; null for a parameter without one. */
  parameters: (Column | null)[]
  values: readonly unknown[]
}

/** Each pooled session that has prepared the statement may hold a plan from before a change. */
const TRIES_MAX = LIMITS.tableReadersOfProject + 1

/**
 * Runs `work` on one of a project's tables, again when the table has changed since it was last described, and
 * translates PostgreSQL's refusals into the contract's errors.
 */
export async function onTable<T>(
  ctx: OwnContext,
  name: string,
  selector: Selector,
  work: (table: Table, asked: (statement: Asked) => void) => Promise<T>,
): Promise<T> {
  let table = await describe(ctx, name, selector)
  let last: Asked | null = null
  const note = (asked: Asked) => void (last = asked)
  for (let tries = 1; ; tries++) {
    try {
      return await work(table, note)
    } catch (error) {
      if (tries === TRIES_MAX || !isOutdated(error)) throw translate(error, table, last)
      const fresh = await describe(ctx, name, selector, { isFresh: true })
      if (fresh.signature !== table.signature) ctx.cache.clear()
      else if (!isStalePlan(error)) throw translate(error, table, last)
      table = fresh
    }
  }
}

function isOutdated(error: unknown): boolean {
  if (isServiceError(error)) return error.code === 'unknown_column'
  return hasState(error, ...OUTDATED)
}

/** Whether the statement is right, and only a session's cached plan is out of date. */
function isStalePlan(error: unknown): boolean {
  const { state, routine } = sqlFaultOf(error) ?? {}
  return state === SQL_STATES.featureNotSupported && routine === 'RevalidateCachedQuery'
}

function translate(error: unknown, table: Table, asked: Asked | null): unknown {
  const fault = sqlFaultOf(error)
  if (!fault) return error
  const { state, routine } = fault
  const isRaised = routine === RAISED
  const says = withoutSchema(fault.message, table.access.schema)
  if (state.startsWith('23')) return violation(fault, says, error)
  if (state === SQL_STATES.queryCanceled && !isRaised) return statementTooSlow(error)
  if (state === SQL_STATES.lockNotAvailable && !isRaised) {
    const message = 'Another transaction holds a lock on these rows; try again in a second.'
    return new ServiceError('server_error', message, { retryAfterS: 1, cause: error })
  }
  if (NOT_THEIRS.test(state) && !isRaised) return error
  const column = columnAtFault(fault, table, asked)
  return new ServiceError(
    'bad_request',
    `PostgreSQL refused this${column ? ` for the column ${column}` : ''}: ${says}.`,
    { details: { column, sqlstate: state }, cause: error },
  )
}

function violation({ constraint, column }: SqlFault, says: string, cause: unknown): ServiceError {
  return new ServiceError('constraint_violation', `The rows would break a rule: ${says}.`, {
    details: { constraint, column },
    cause,
  })
}

/**
 * Newer versions of PostgreSQL name the parameter, and for operators the position; older ones only the value.
 */
function columnAtFault(fault: SqlFault, table: Table, asked: Asked | null): string | null {
  if (fault.column !== null) return fault.column
  const [, named] = /column "([^"]+)"/.exec(fault.message) ?? []
  if (named !== undefined && table.columns.has(named)) return named
  if (!asked) return null
  const [, place] = /portal(?: "[^"]*")? parameter \$(\d+)/.exec(fault.where ?? '') ?? []
  const bound = place === undefined ? null : asked.parameters[Number(place) - 1]
  if (bound) return bound.name
  if (fault.position !== null) return columnBefore(asked.text, fault.position)
  // Computed once: there may be tens of thousands of parameters, and a message of any length from a trigger.
  const type = typeTold(fault)
  const fits = asked.parameters.filter((column, index) => {
    const value = asked.values[index]
    const isQuoted = typeof value === 'string' && fault.message.endsWith(`: "${value}"`)
    return column !== null && (isQuoted || type === column.type)
  })
  const names = new Set(fits.map((column) => column?.name))
  return names.size === 1 ? (fits[0]?.name ?? null) : null
}

/** The type for which a value was too long or too large. */
function typeTold({ message, detail }: SqlFault): string | null {
  const [, precision, scale] = /precision (\d+), scale (-?\d+)/.exec(detail ?? '') ?? []
  if (precision !== undefined) return `numeric(${precision},${scale})`
  return /type (.+)$/.exec(message)?.[1] ?? null
}

function columnBefore(text: string, position: number): string | null {
  const before = [...text.slice(0, position + 1).matchAll(/t\."((?:[^"]|"")+)"/g)].at(-1)
  // PostgreSQL reports the position of an operator, or of the value after a cast: both come after the column.
  const [, name] = before ?? /t\."((?:[^"]|"")+)"/.exec(text.slice(position - 1)) ?? []
  return name?.replaceAll('""', '"') ?? null
}
