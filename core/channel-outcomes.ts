import type { ChannelError } from './ports.ts'

/** What a gateway answers in place of a server that it has asked. */
const GATEWAY_STATUSES: readonly number[] = [502, 504]

/**
 * Whether the channel may have done what it was asked for, though it did not say so. An error answer is
 * definite, but for a gateway's own: that may have passed the request on before it gave up. And a success
 * that cannot be read may be one.
 */
export function mayBeDone({ code, httpStatus }: ChannelError): boolean {
  if (httpStatus === null) return true
  const isSuccess = httpStatus >= 200 && httpStatus < 300
  return code === null && (isSuccess || GATEWAY_STATUSES.includes(httpStatus))
}
