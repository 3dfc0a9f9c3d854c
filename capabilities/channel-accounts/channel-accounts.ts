import { randomBytes, randomInt } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelAccount as Account } from '../../core/channel-account.ts'
import type { ChannelAccount, Prisma } from '../../generated/prisma/client.ts'
import * as accountSecrets from './account-secrets.ts'
import type { Secrets } from './account-secrets.ts'
import * as serverAddress from './server-address.ts'

/** A project's account with its secrets decrypted; for the channel client and callbacks only. */
export type OpenAccount = Secrets & {
  projectId: string
  isSandbox: boolean
  phoneNumberId: string
  businessAccountId: string
  appId: string
  displayPhoneNumber: string
  apiUrl: string | null
  /** What proves to the channel that the token's sender has the app's secret, if this is to be proven. */
  appSecretProof: string | null
}

/** The account of a project, or null when there is no such project. */
export function find(ctx: Context, projectId: string): Promise<OpenAccount | null> {
  const { loadGuess } = ctx.cache
  return cached(ctx, `channel-account ${projectId}`, () => ({ projectId }), loadGuess)
}

/** The sandbox account that has this phone number, business account or app, or null. */
export function findSandboxAccount(
  ctx: Context,
  by: 'phoneNumberId' | 'businessAccountId' | 'appId',
  id: string,
): Promise<OpenAccount | null> {
  const where = () => ({ [by]: id, kind: 'sandbox' as const })
  return cached(ctx, `sandbox-account ${by} ${id}`, where, ctx.cache.loadGuess)
}

/** The account of an existing project; each has one from its creation on. */
export async function mustFind(ctx: Context, projectId: string): Promise<OpenAccount> {
  const { load } = ctx.cache
  const account = await cached(ctx, `channel-account ${projectId}`, () => ({ projectId }), load)
  if (!account) throw new Error(`Project ${projectId} has no channel account`)
  return account
}

/** A change of account counts some milliseconds later in other processes, when its notice arrives. */
async function cached(
  ctx: Context,
  key: string,
  where: () => Prisma.ChannelAccountWhereInput,
  load: Context['cache']['load'],
): Promise<OpenAccount | null> {
  const known = ctx.cache.get<OpenAccount>(key)
  if (known) return known
  return load(key, async () => {
    const row = await ctx.db.channelAccount.findFirst({ where: where() })
    return row && open(ctx, row)
  })
}

/**
 * The address to send a project's messages to. Throws `upstream_error` when the project is on the sandbox and
 * this process runs none.
 */
export function addressOf(ctx: Context, account: OpenAccount): Account {
  const { projectId, phoneNumberId, businessAccountId, appId, accessToken, appSecretProof } =
    account
  const apiUrl = account.isSandbox ? ctx.sandboxUrl() : (account.apiUrl ?? ctx.config.channelApiUrl)
  if (apiUrl === null) {
    throw new ServiceError('upstream_error', 'The channel sandbox does not run in this process.', {
      details: { outcome: 'refused', channel_code: null, retryable: true },
    })
  }
  const apiVersion = ctx.config.channelApiVersion
  const ids = { phoneNumberId, businessAccountId, appId }
  return { projectId, apiUrl, apiVersion, ...ids, accessToken, appSecretProof }
}

export type Connection = Secrets & {
  phoneNumberId: string
  businessAccountId: string
  appId: string
  apiUrl?: string | undefined
  /** Whether each request to the channel is to prove that its sender has the app's secret. */
  provesAppSecret?: boolean
}

/**
 * Connects a project to a Cloud API account, replacing its current one; secrets are encrypted and never
 * answered. Throws `PROJECT_NOT_FOUND`.
 */
export async function connect(ctx: Context, projectId: string, connection: Connection) {
  const { phoneNumberId, businessAccountId, appId, apiUrl, provesAppSecret = false } = connection
  // Every project has an account from the start: the sandbox's.
  const [account] = await ctx.db.channelAccount.updateManyAndReturn({
    where: { projectId, project: { status: { not: 'deleted' } } },
    data: {
      kind: 'cloud',
      phoneNumberId,
      businessAccountId,
      appId,
      displayPhoneNumber: '',
      apiUrl: apiUrl?.replace(/\/+$/, '') ?? null,
      provesAppSecret,
      updatedAt: ctx.now(),
      ...accountSecrets.seal(ctx, projectId, connection),
    },
  })
  if (!account) throw unknownProject(projectId)
  return { ...present(account), callback_url: await callbackUrl(ctx, projectId) }
}

/** What is to be changed of an account; what is undefined stays. */
export type AccountChange = Partial<Secrets> & { provesAppSecret?: boolean | undefined }

/**
 * Replaces secrets of a project's Cloud API account. Throws `PROJECT_NOT_FOUND`; answers null for a project that is on
 * the sandbox.
 */
export async function update(ctx: Context, projectId: string, change: AccountChange) {
  const { provesAppSecret, ...secrets } = change
  const { count } = await ctx.db.channelAccount.updateMany({
    where: { projectId, kind: 'cloud', project: { status: { not: 'deleted' } } },
    data: {
      ...accountSecrets.sealSome(ctx, projectId, secrets),
      ...(provesAppSecret === undefined ? {} : { provesAppSecret }),
      updatedAt: ctx.now(),
    },
  })
  const shown = await show(ctx, projectId)
  return count === 0 ? null : shown
}

/**
 * A project's account without its secrets, and the URL for the channel's callbacks. Throws `PROJECT_NOT_FOUND`.
 */
export async function show(ctx: Context, projectId: string) {
  const account = await ctx.db.channelAccount.findUnique({
    where: { projectId, project: { status: { not: 'deleted' } } },
  })
  if (!account) throw unknownProject(projectId)
  const shown = present(account)
  return { ...shown, callback_url: await callbackUrl(ctx, projectId) }
}

/** Ids of other projects connected to the same number; the channel's callbacks reach only one of them. */
export async function sharers(ctx: Context, projectId: string, phoneNumberId: string) {
  const accounts = await ctx.db.channelAccount.findMany({
    where: {
      phoneNumberId,
      kind: 'cloud',
      projectId: { not: projectId },
      project: { status: { not: 'deleted' } },
    },
    select: { projectId: true },
    orderBy: { projectId: 'asc' },
  })
  return accounts.map((account) => account.projectId)
}

function unknownProject(projectId: string): ServiceError {
  return new ServiceError('PROJECT_NOT_FOUND', `There is no project ${projectId}.`)
}

/**
 * The URL for the channel's callbacks: under `PUBLIC_URL`, else where a server answered last; null when neither
 * is known.
 */
async function callbackUrl(ctx: Context, projectId: string): Promise<string | null> {
  const url = ctx.config.publicUrl ?? (await serverAddress.last(ctx))
  return url && callbackUrlAt(url, projectId)
}

/** The URL for a project's callbacks at one server. */
export function callbackUrlAt(server: string, projectId: string): string {
  return `${server}/channel/${projectId}/webhook`
}

/** The account of a new project: random, and served by the built-in sandbox. */
export function newSandboxAccount(ctx: Context, projectId: string) {
  const digits = (length: number) => Array.from({ length }, () => randomInt(1, 10)).join('')
  return {
    kind: 'sandbox',
    phoneNumberId: digits(15),
    businessAccountId: digits(15),
    appId: digits(15),
    displayPhoneNumber: `1555${digits(7)}`,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
    ...accountSecrets.seal(ctx, projectId, {
      accessToken: `EAA${randomBytes(24).toString('hex')}`,
      appSecret: randomBytes(16).toString('hex'),
      verifyToken: randomBytes(16).toString('hex'),
    }),
  }
}

function open(ctx: Context, row: ChannelAccount): OpenAccount {
  const { projectId, kind, phoneNumberId, businessAccountId, appId } = row
  const { displayPhoneNumber, apiUrl } = row
  const secrets = accountSecrets.open(ctx, row)
  return {
    projectId,
    phoneNumberId,
    businessAccountId,
    appId,
    displayPhoneNumber,
    apiUrl,
    isSandbox: kind === 'sandbox',
    ...secrets,
    appSecretProof: row.provesAppSecret ? accountSecrets.proofOf(secrets) : null,
  }
}

function present(account: ChannelAccount) {
  return {
    project_id: account.projectId,
    kind: account.kind,
    phone_number_id: account.phoneNumberId,
    business_account_id: account.businessAccountId,
    app_id: account.appId,
    api_url: account.apiUrl,
    app_secret_proof: account.provesAppSecret,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  }
}
