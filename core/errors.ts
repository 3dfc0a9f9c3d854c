import type { components } from '../generated/openapi.ts'
import type { BuildFault } from './bots.ts'
import { LIMITS } from './limits.ts'

export type ErrorCode = components['schemas']['ErrorCode']

/** Every code of the contract with its status; a code missing on either side does not compile. */
export const STATUS = {
  BROADCAST_NOT_FOUND: 404,
  INVALID_STATE: 400,
  MEDIA_EXPIRED: 410,
  PROJECT_NOT_FOUND: 404,
  SEGMENT_NOT_FOUND: 404,
  api_key_required: 401,
  bad_request: 400,
  build_failed: 502,
  constraint_violation: 409,
  content_too_long: 400,
  empty_audience: 400,
  file_changed: 409,
  file_too_large: 413,
  filter_required: 400,
  flow_generation_failed: 502,
  flow_not_found: 404,
  flow_update_failed: 502,
  idempotency_in_progress: 409,
  idempotency_key_mismatch: 409,
  insufficient_scope: 403,
  invalid_api_key: 401,
  invalid_cursor: 400,
  invalid_id: 400,
  invalid_idempotency_key: 400,
  invalid_json: 400,
  invalid_phone: 400,
  invalid_project_header: 400,
  invalid_request: 400,
  invalid_template: 400,
  invalid_token: 401,
  media_not_found: 404,
  method_not_allowed: 405,
  missing_content: 400,
  missing_language: 400,
  missing_media: 400,
  missing_recipient: 400,
  missing_template_name: 400,
  no_project_access: 403,
  not_found: 404,
  null_filter_value: 400,
  out_of_credits: 402,
  outside_24h_window: 409,
  payload_too_large: 413,
  platform_table_forbidden: 403,
  project_inactive: 403,
  project_not_attached: 403,
  project_required: 400,
  protected_file: 403,
  query_timeout: 400,
  quota_exceeded: 429,
  rate_limited: 429,
  server_error: 500,
  table_not_found: 404,
  template_exists: 409,
  template_not_approved: 409,
  template_not_found: 404,
  template_variable_mismatch: 400,
  too_many_buttons: 400,
  too_many_rows: 409,
  unknown_column: 400,
  unsupported_media_type: 415,
  unsupported_message_type: 400,
  upstream_auth_error: 502,
  upstream_error: 502,
} as const satisfies Record<ErrorCode, number>

/** One fault in a request: where it is (`state`, `attributes.plan`, `limit`) and what is wrong. */
export type RequestFault = { path: string; message: string }

/** A budget that is used up, and when it will be available again. */
type SpentBudget = { limit_name: string; limit: number; remaining: number; resetAt: string }

/** Codes whose `details` callers rely on: throwing one without them does not compile. */
type Details = {
  INVALID_STATE: { known_states: string[] }
  build_failed: { errors: BuildFault[] }
  constraint_violation: { constraint: string | null; column: string | null }
  file_changed: { expected_sha256: string; sha256: string | null }
  insufficient_scope: { required: string[]; held: string[]; project_id: string }
  invalid_template: { channel_code: number | null }
  null_filter_value: { errors: RequestFault[] }
  outside_24h_window: { last_inbound_at: string | null; window_expired_at: string | null }
  quota_exceeded: SpentBudget
  rate_limited: SpentBudget
  payload_too_large: { limit_bytes: number }
  file_too_large: { limit_bytes: number }
  template_variable_mismatch: {
    component: string | null
    expected: string[]
    missing: string[]
    unexpected: string[]
    channel_code?: number | null
  }
  too_many_buttons: { errors: RequestFault[] } | { limit: number; given: number }
  too_many_rows: { max_rows: number }
  unknown_column: { column: string }
  unsupported_media_type: {
    declared: string | null
    detected: string | null
    accepted: string[]
  }
  upstream_error: {
    outcome: 'refused' | 'unknown'
    channel_code: number | null
    retryable: boolean
  }
  upstream_auth_error: { outcome: 'refused'; channel_code: number | null; retryable: boolean }
}

type Extras = {
  /** Overrides the status of the code for the channel's callbacks, which are outside the contract. */
  status?: number
  retryAfterS?: number
  headers?: Record<string, string>
  cause?: unknown
}
type ExtrasOf<C extends ErrorCode> = C extends keyof Details
  ? [extras: Extras & { details: Details[C] }]
  : [extras?: Extras & { details?: Record<string, unknown> }]

/**
 * The one error that any layer throws on purpose. `message` is for the caller; `cause` is for the log
 * and never leaves the service.
 */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError'
  readonly code: C
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterS: number | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: C, message: string, ...[extras]: ExtrasOf<C>) {
    super(message, { cause: extras?.cause })
    this.code = code
    this.status = extras?.status ?? STATUS[code]
    this.details = extras?.details
    this.retryAfterS = extras?.retryAfterS
    this.headers = extras?.headers
  }
}

/**
 * The error for a body with at least one fault: the message tells the first, and `details.errors` as many as
 * are listed.
 */
export function wrongBody(
  faults: RequestFault[],
  code: ErrorCode = 'invalid_request',
): ServiceError {
  const { path = '', message = '' } = faults[0] ?? {}
  const what = `${path === '' ? 'it' : path} ${message}`
  return new ServiceError(
    code as 'invalid_request',
    `The body does not match the schema: ${what}.`,
    { details: { errors: faults.slice(0, LIMITS.faultsTold) } },
  )
}

/** The error for a body that its schema accepts but that breaks a rule which a schema cannot express. */
export function unfitBody(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `The body's ${path} ${message}.`, {
    details: { errors: [{ path, message }] },
  })
}

/** The 429 for a limit that is reached, with its name and the seconds until a retry can succeed. */
export function rateLimited(
  what: string,
  waitS: number,
  { limit_name, limit, remaining, resetAt }: Omit<SpentBudget, 'resetAt'> & { resetAt: Date },
): ServiceError {
  return new ServiceError('rate_limited', `${what}; wait ${waitS} seconds.`, {
    details: { limit_name, limit, remaining, resetAt: resetAt.toISOString() },
    retryAfterS: waitS,
  })
}

/** The 429 for work of which too much is under way at `now`, and for which room is likely after `waitS` seconds. */
export function tooManyAtOnce(
  now: Date,
  what: string,
  { waitS, ...spent }: { limit_name: string; limit: number; waitS: number },
): ServiceError {
  const resetAt = new Date(now.getTime() + waitS * 1000)
  return rateLimited(what, waitS, { ...spent, remaining: 0, resetAt })
}

/** Whether an error is a ServiceError with any code; `instanceof` alone would leave the code's type open. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError
}
