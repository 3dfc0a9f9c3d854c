import { ServiceError } from './errors.ts'
import { LIMITS } from './limits.ts'

/** The error for a statement on a project's tables that PostgreSQL, or this process, ended for its duration. */
export function statementTooSlow(cause?: unknown): ServiceError {
  const seconds = LIMITS.tableStatementMs / 1000
  const message = `The statement took longer than ${seconds} seconds.`
  return new ServiceError('query_timeout', message, { cause })
}

/** The error for a statement on a project's tables that found no room. */
export function tablesBusy(): ServiceError {
  return new ServiceError(
    'server_error',
    "The project's tables are busy at this moment; try again in a second.",
    { retryAfterS: 1 },
  )
}
