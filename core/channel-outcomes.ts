import type { ChannelError } from './channel-account.ts'

/** Answers by a gateway in place of the server behind it. */
const GATEWAY_STATUSES: readonly number[] = [502, 504]

/**
 * Whether the channel may have done what it was asked to although it did not confirm it. An error is definite,
 * except a gateway's own, which may have forwarded the request; a success that cannot be read may be one.
 */
export function mayBeDone({ code, httpStatus }: ChannelError): boolean {
  if (httpStatus === null) return true
  const isSuccess = httpStatus >= 200 && httpStatus < 300
  return code === null && (isSuccess || GATEWAY_STATUSES.includes(httpStatus))
}

/** The channel's error in the form that messages and recipients store. */
export function messageErrorOf({ code, kind, title, details, retryable }: ChannelError) {
  return { code: code === null ? kind : String(code), title, details, retryable }
}
