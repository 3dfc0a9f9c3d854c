import type { ErrorCode } from '../../core/errors.ts'
import { type DeclaredOperation, jsonOf } from './document.ts'

/** Where an operation shows no example though it should: of its success, or of a body's type. */
export function missingExamples({ responses, requestBody }: DeclaredOperation): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const unshown = successes.filter(
    ([, one]) => one.content?.['application/json'] && jsonOf(one).examples.length === 0,
  )
  const bodies = Object.entries(requestBody?.content ?? {}).filter(
    ([, { examples = {} }]) => Object.keys(examples).length === 0,
  )
  return [...unshown, ...bodies].map(([name]) => name)
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
