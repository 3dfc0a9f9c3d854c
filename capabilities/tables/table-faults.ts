import type { OwnContext } from '../../core/context.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlFault, sqlFaultOf } from '../../core/sql.ts'
import { type Column, describe, type Table, withoutSchema } from './table-catalog.ts'
import type { Selector } from './table-schemas.ts'

/** The statement says something else than the table by now. */
const OUTDATED = /^(42P01|42703|42704|42883|42804|428C9|42P10|0A000|3F000|XX000)$/
/** Nobody but PostgreSQL and the machine that it runs on can be at fault. */
const NOT_THEIRS = /^(08|26|28|40|53(?!400)|55P03|57|58|XX)/
const RAISED = 'exec_stmt_raise'

/** What a statement was made of, so that a fault can be told in its terms. */
export type Asked = {
  text: string
  /** The column of each parameter, in their order; null where it has none. */
  parameters: (Column | null)[]
  values: readonly unknown[]
}

/** Each session that has prepared the statement may hold a plan from before a change. */
const TRIES_MAX = LIMITS.tableReadersOfProject + 1

/**
 * Does `work` on one of a project's tables, anew when the table has changed since it was last read, and
 * tells PostgreSQL's refusals in the words of the contract.
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
  return OUTDATED.test(sqlFaultOf(error)?.state ?? '')
}

/** Whether the statement fits the table, and only its session knew it in another form. */
function isStalePlan(error: unknown): boolean {
  const { state, routine } = sqlFaultOf(error) ?? {}
  return state === '0A000' && routine === 'RevalidateCachedQuery'
}

function translate(error: unknown, table: Table, asked: Asked | null): unknown {
  const fault = sqlFaultOf(error)
  if (!fault) return error
  const { state, routine } = fault
  const isRaised = routine === RAISED
  const says = withoutSchema(fault.message, table.access.schema)
  if (state.startsWith('23')) return violation(fault, says, error)
  if (state === '57014' && !isRaised) {
    const seconds = LIMITS.tableStatementMs / 1000
    const message = `The statement took longer than ${seconds} seconds.`
    return new ServiceError('query_timeout', message, { cause: error })
  }
  if (state === '55P03' && !isRaised) {
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

/** Newer PostgreSQL tells the parameter, and for operators the place; older ones the value alone. */
function columnAtFault(fault: SqlFault, table: Table, asked: Asked | null): string | null {
  if (fault.column !== null) return fault.column
  const [, named] = /column "([^"]+)"/.exec(fault.message) ?? []
  if (named !== undefined && table.columns.has(named)) return named
  if (!asked) return null
  const [, place] = /portal(?: "[^"]*")? parameter \$(\d+)/.exec(fault.where ?? '') ?? []
  const bound = place === undefined ? null : asked.parameters[Number(place) - 1]
  if (bound) return bound.name
  if (fault.position !== null) return columnBefore(asked.text, fault.position)
  // Found out once: there may be tens of thousands of parameters, and the words are whatever a trigger raised.
  const type = typeTold(fault)
  const fits = asked.parameters.filter((column, index) => {
    const value = asked.values[index]
    const isQuoted = typeof value === 'string' && fault.message.endsWith(`: "${value}"`)
    return column !== null && (isQuoted || type === column.type)
  })
  const names = new Set(fits.map((column) => column?.name))
  return names.size === 1 ? (fits[0]?.name ?? null) : null
}

/** The type that a value was too long or too large for. */
function typeTold({ message, detail }: SqlFault): string | null {
  const [, precision, scale] = /precision (\d+), scale (-?\d+)/.exec(detail ?? '') ?? []
  if (precision !== undefined) return `numeric(${precision},${scale})`
  return /type (.+)$/.exec(message)?.[1] ?? null
}

function columnBefore(text: string, position: number): string | null {
  const before = [...text.slice(0, position + 1).matchAll(/t\."((?:[^"]|"")+)"/g)].at(-1)
  // An operator's place is its own, a cast's that of the value after it: both follow the column.
  const [, name] = before ?? /t\."((?:[^"]|"")+)"/.exec(text.slice(position - 1)) ?? []
  return name?.replaceAll('""', '"') ?? null
}
