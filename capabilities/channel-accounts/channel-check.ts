import type { ChannelNumber, ChannelToken } from '../../core/channel-numbers.ts'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import * as accountSecrets from './account-secrets.ts'
import * as channelAccounts from './channel-accounts.ts'
import type { OpenAccount } from './channel-accounts.ts'
import { valueOf, wordsOf } from './channel-answers.ts'

const PAGES_MAX = 100
/** What the token of a project must allow. */
const PERMISSIONS = ['whatsapp_business_messaging', 'whatsapp_business_management']
/** Time to make another one, also over a holiday. */
const EXPIRES_SOON_MS = 7 * 24 * 60 * 60 * 1000
/** How the channel refuses an app's id with a secret that is not the app's. */
const UNKNOWN_APP: ReadonlySet<number | null> = new Set([101, 190])

export type ChannelCheck = {
  number: ChannelNumber
  /** Whether the app is subscribed to the business account's webhooks. */
  isSubscribed: boolean
  /** Null where the channel tells nothing of it. */
  token: ChannelToken | null
  /** What keeps the project from sending or hearing, or will within days, each in one sentence. */
  problems: string[]
}

/**
 * Reads from the channel what a project's account names, and changes nothing. Throws `upstream_auth_error` when
 * the access token is refused, `upstream_error` when there is no answer, or when the number does not belong to
 * the business account.
 */
export async function check(ctx: Context, projectId: string): Promise<ChannelCheck> {
  const own = await channelAccounts.mustFind(ctx, projectId)
  const account = channelAccounts.addressOf(ctx, own)
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
  const isSubscribed = apps.includes(account.appId)
  const { token, problems } = await inspect(ctx, own)
  if (!isSubscribed) problems.push(unsubscribed(account))
  return { number, isSubscribed, token, problems }
}

/**
 * Has the channel tell a project's app what happens in its business account; again changes nothing. Throws
 * `upstream_auth_error` when the access token is refused, `upstream_error` when it is not done.
 */
export async function subscribe(ctx: Context, projectId: string): Promise<void> {
  const account = channelAccounts.addressOf(ctx, await channelAccounts.mustFind(ctx, projectId))
  valueOf(await ctx.channel.subscribeApp(account))
}

/**
 * Examines the token as the app itself, which also shows whether the app's secret is the right one. An API of the
 * project's own, such as a gateway, is not told the secret.
 */
async function inspect(ctx: Context, own: OpenAccount) {
  if (own.apiUrl !== null) return { token: null, problems: [] }
  const { appId, appSecret, accessToken } = own
  const appToken = `${appId}|${appSecret}`
  const proof = accountSecrets.proofOf({ accessToken: appToken, appSecret })
  const app = {
    ...channelAccounts.addressOf(ctx, own),
    accessToken: appToken,
    appSecretProof: own.appSecretProof === null ? null : proof,
  }
  const answer = await ctx.channel.inspectToken(app, accessToken)
  if (answer.ok)
    return {
      token: answer.value,
      problems: problemsOf(answer.value, { ours: appId, now: ctx.now() }),
    }
  const { error } = answer
  const problems = UNKNOWN_APP.has(error.code)
    ? [
        `Meta does not know the app ${appId} with this secret, by which callbacks are recognised. It said: ${wordsOf(error)}`,
      ]
    : []
  return { token: null, problems }
}

function problemsOf(token: ChannelToken, { ours, now }: { ours: string; now: Date }): string[] {
  const { appId, isValid, expiresAt, permissions } = token
  const problems: string[] = []
  if (!isValid) problems.push('The access token is not valid.')
  if (expiresAt && expiresAt.getTime() - now.getTime() < EXPIRES_SOON_MS) {
    problems.push(`The access token expires at ${expiresAt.toISOString()}.`)
  }
  if (appId !== null && appId !== ours) {
    problems.push(`The access token was made for the app ${appId}, not for ${ours}.`)
  }
  const missing = PERMISSIONS.filter((one) => permissions !== null && !permissions.includes(one))
  if (missing.length > 0) problems.push(`The access token lacks ${missing.join(' and ')}.`)
  return problems
}

function unsubscribed({ appId, businessAccountId }: ChannelAccount): string {
  return (
    `The app ${appId} is not subscribed to the business account ${businessAccountId}: ` +
    'the project can send, but hears of nothing. ' +
    'operator channel subscribe subscribes the app that its token was made for.'
  )
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
