import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import { upstreamRefusal, wordsOf } from '../channel-accounts/channel-answers.ts'

/** Subcode: the template's name and language are taken. */
const EXISTS = 2388024
const NOT_FOUND = 2593002
const { invalidParameter, noSuchObject } = CHANNEL_CODES

/** The 409 for a name and language that the project has already. */
export function templateExists(name: string, language: string): ServiceError {
  return new ServiceError(
    'template_exists',
    `There is already a template ${name} in ${language}; choose another name, or delete that one.`,
  )
}

/** The error for the channel's refusal to create a template. */
export function creationRefusal(
  error: ChannelError,
  { name, language }: { name: string; language: string },
): ServiceError {
  return error.subcode === EXISTS ? templateExists(name, language) : templateRefusal(error)
}

/**
 * The error for what the channel refused to do with a template: `invalid_template` when the template is at
 * fault (also for one that is being deleted, and for the account's limit of templates), otherwise
 * `upstream_auth_error` or `upstream_error`.
 */
export function templateRefusal(error: ChannelError): ServiceError {
  if (!isOfTemplate(error)) return upstreamRefusal(error)
  const details = { channel_code: error.code }
  const message = `The channel refused the template: ${wordsOf(error)}`
  return new ServiceError('invalid_template', message, { details })
}

/** Whether a deletion was refused because there is nothing to delete. */
export function isUnknownTemplate({ code, subcode }: ChannelError): boolean {
  if (code !== invalidParameter) return false
  return subcode === null || subcode === noSuchObject || subcode === NOT_FOUND
}

/** A missing object in the path, or one without access, is the account's fault and not the template's. */
function isOfTemplate({ kind, code, subcode, httpStatus }: ChannelError): boolean {
  const isRefused = httpStatus !== null && httpStatus >= 400 && httpStatus < 500
  const isPayload = ['parameter', 'template', 'media', 'flow', 'unknown'].includes(kind)
  return isRefused && isPayload && code !== null && subcode !== noSuchObject
}
