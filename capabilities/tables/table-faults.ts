import type { OwnContext } from '../../core/context.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlFault, sqlFaultOf } from '../../core/sql.ts'
import { hasState, SQL_STATES } from '../../core/sql-states.ts'
import { statementTooSlow } from '../../core/table-errors.ts'
import { describe, type Table, withoutSchema } from './table-catalog.ts'
import { type Asked, columnAtFault } from './table-fault-columns.ts'
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
