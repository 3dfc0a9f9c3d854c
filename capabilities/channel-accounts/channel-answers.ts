import { mayBeDone } from '../../core/channel-outcomes.ts'
import type { ProjectContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelAccount, ChannelAnswer, ChannelError } from '../../core/channel-account.ts'
import * as channelAccounts from './channel-accounts.ts'

/** The project's channel account. Throws `upstream_error` when this process cannot reach its channel. */
export async function channelOf(ctx: ProjectContext): Promise<ChannelAccount> {
  return channelAccounts.addressOf(ctx, await channelAccounts.mustFind(ctx, ctx.project.id))
}

/**
 * The value of a channel's answer to anything but a send. Throws `upstream_auth_error` when the channel refuses
 * the project's credentials, `upstream_error` otherwise; no message has left in either case.
 */
export function valueOf<T>(answer: ChannelAnswer<T>): T {
  if (answer.ok) return answer.value
  const { code, retryable } = answer.error
  const details = { outcome: 'refused', channel_code: code, retryable } as const
  const message = `The channel did not do it. It said: ${wordsOf(answer.error)}`
  throw credentialsRefusal(answer.error) ?? new ServiceError('upstream_error', message, { details })
}

/**
 * The error for a change that may have happened despite it: `upstream_auth_error`, or `upstream_error` whose
 * `outcome` is `unknown` then.
 */
export function upstreamRefusal(error: ChannelError): ServiceError {
  const { code, retryable } = error
  const outcome = mayBeDone(error) ? 'unknown' : 'refused'
  const said = wordsOf(error)
  const message =
    outcome === 'unknown'
      ? `The channel gave no usable answer and may have done it: ${said}`
      : `The channel could not do it. It said: ${said}`
  const details = { outcome, channel_code: code, retryable } as const
  return credentialsRefusal(error) ?? new ServiceError('upstream_error', message, { details })
}

/** `upstream_auth_error` when the channel refuses the project's credentials; null for any other error. */
export function credentialsRefusal(error: ChannelError): ServiceError | null {
  const { kind, code, retryable } = error
  if (kind !== 'auth' && kind !== 'permission') return null
  return new ServiceError(
    'upstream_auth_error',
    `The channel rejected the project's credentials; connect the channel again. It said: ${wordsOf(error)}`,
    { details: { outcome: 'refused', channel_code: code, retryable } },
  )
}

/** The channel's error in its own words. */
export function wordsOf({ title, details }: ChannelError): string {
  return details === null || details === title ? title : `${title}: ${details}`
}
