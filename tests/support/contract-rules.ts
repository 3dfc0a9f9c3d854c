import { type ErrorCode, STATUS } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type DeclaredOperation, followed, jsonOf, type Schema } from './document.ts'

/** Where an operation shows no example though it should: its success, a body's type, a kind of body. */
export function missingExamples({ responses, requestBody }: DeclaredOperation): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const unshown = successes.filter(
    ([, one]) => one.content?.['application/json'] && jsonOf(one).examples.length === 0,
  )
  const bodies = Object.entries(requestBody?.content ?? {}).flatMap(
    ([name, { schema, examples }]) => {
      const values = Object.values(examples ?? {}).map(({ value }) => value)
      return values.length === 0 ? [name] : missingKinds(schema, values)
    },
  )
  return [...unshown.map(([name]) => name), ...bodies]
}

/** The kinds of a body that none of its examples is of. */
function missingKinds(schema: Schema, examples: unknown[]): string[] {
  const { propertyName = '', mapping = {} } = followed(schema).schema.discriminator ?? {}
  const shown = examples.map((example) => (example as Record<string, unknown>)[propertyName])
  return Object.keys(mapping).filter((kind) => !shown.includes(kind))
}

/** The codes of the checks that every request of a guarded operation goes through. */
export function dueCodes(operation: DeclaredOperation): ErrorCode[] {
  const due: ErrorCode[] = ['api_key_required', 'invalid_api_key', 'invalid_token']
  due.push('rate_limited', 'bad_request', 'project_inactive', 'server_error')
  if (operation['x-project'] !== 'ignored') {
    due.push('invalid_project_header', 'project_not_attached', 'no_project_access')
    due.push('PROJECT_NOT_FOUND')
    if (operation.method !== 'get') due.push('project_required')
  }
  if (operation['x-required-scopes'].length > 0) due.push('insufficient_scope')
  if (operation.parameters.some((parameter) => parameter.in === 'path')) due.push('invalid_id')
  if (operation.parameters.some(({ name }) => name === 'cursor')) due.push('invalid_cursor')
  if (operation.parameters.some(({ name }) => name === 'Idempotency-Key')) {
    due.push('invalid_idempotency_key', 'idempotency_key_mismatch', 'idempotency_in_progress')
  }
  if (operation.requestBody) {
    due.push('invalid_request', operation['x-body-limit']?.code ?? 'payload_too_large')
    due.push('unsupported_media_type')
    if (operation.requestBody.content['application/json']) due.push('invalid_json')
  }
  return due
}

/** Of these codes, the ones that an operation does not declare. */
export function missingCodes(operation: DeclaredOperation): ErrorCode[] {
  return dueCodes(operation).filter((code) => !operation['x-error-codes'].includes(code))
}

/** What a code is answered with in place of its own status, where an operation is known to meet that. */
export const OTHER_STATUS: Partial<Record<ErrorCode, number>> = { bad_request: 431 }

/** Of one character in a query: four bytes of UTF-8, percent-encoded. */
const ENCODED_BYTES_MAX = 12

/** The statuses of failures that an operation is to document, in order. */
export function dueStatuses(operation: DeclaredOperation): string[] {
  const due = operation['x-error-codes'].map((code) => String(STATUS[code]))
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
  const lengths = queries.map(({ schema }) => followed(schema).schema.maxLength ?? 0)
  const longest = lengths.reduce((sum, length) => sum + length, 0) * ENCODED_BYTES_MAX
  if (longest > LIMITS.headerBytes) due.push('431')
  return [...new Set(due)].sort()
}
