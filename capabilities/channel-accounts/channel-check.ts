import type { ChannelNumber } from '../../core/channel-numbers.ts'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import * as channelAccounts from './channel-accounts.ts'
import { valueOf } from './channel-answers.ts'

const PAGES_MAX = 100

export type ChannelCheck = {
  number: ChannelNumber
  /** Whether the app is subscribed to the business account's webhooks. */
  isSubscribed: boolean
}

/**
 * Reads from the channel what a project's account names, and changes nothing. Throws `upstream_auth_error` when
 * the access token is refused, `upstream_error` when there is no answer, or when the number does not belong to
 * the business account.
 */
export async function check(ctx: Context, projectId: string): Promise<ChannelCheck> {
  const account = channelAccounts.addressOf(ctx, await channelAccounts.mustFind(ctx, projectId))
  const numbers = await listAll(ctx, account)
  const number = numbers.find(({ id }) => id === account.phoneNumberId)
  if (!number) {
    const others = numbers.map(({ id, phone }) => (phone === null ? id : `${id} (${phone})`))
    throw new ServiceError(
      'upstream_error',
      `The business account ${account.businessAccountId} has no phone number ` +
        `${account.phoneNumberId}. It has: ${others.join(', ') || 'none'}.`,
      { details: { outcome: 'refused', channel_code: null, retryable: false } },
    )
  }
  const apps = valueOf(await ctx.channel.listSubscribedApps(account))
  return { number, isSubscribed: apps.includes(account.appId) }
}

/**
 * Has the channel tell a project's app what happens in its business account; again changes nothing. Throws
 * `upstream_auth_error` when the access token is refused, `upstream_error` when it is not done.
 */
export async function subscribe(ctx: Context, projectId: string): Promise<void> {
  const account = channelAccounts.addressOf(ctx, await channelAccounts.mustFind(ctx, projectId))
  valueOf(await ctx.channel.subscribeApp(account))
}

async function listAll({ channel }: Context, account: ChannelAccount): Promise<ChannelNumber[]> {
  const numbers: ChannelNumber[] = []
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await channel.listNumbers(account, after)
    numbers.push(...valueOf(answer).numbers)
    after = valueOf(answer).after
    if (after === null) break
  }
  return numbers
}
