import type { Context } from '../../core/context.ts'
import * as channelAccounts from './channel-accounts.ts'
import type { OpenAccount } from './channel-accounts.ts'

/** The projects of an app, the oldest first, by their phone numbers and by their business accounts. */
type AppProjects = { byNumber: Map<string, string[]>; byBusinessAccount: Map<string, string[]> }

const empty = (): AppProjects => ({ byNumber: new Map(), byBusinessAccount: new Map() })

/**
 * The accounts of other projects that a change in a callback to this one's URL is for. They are connected with the same
 * app and its secret, so that the signature is as good as one to their own URL: an app has one URL for all of its
 * numbers. What is for a number counts for one project, the oldest if several have it.
 */
export async function concernedBy(
  ctx: Context,
  account: OpenAccount,
  to: { phoneNumberId: string | null; businessAccountId: string },
): Promise<OpenAccount[]> {
  const { phoneNumberId, businessAccountId } = to
  if (account.isSandbox || phoneNumberId === account.phoneNumberId) return []
  const { byNumber, byBusinessAccount } = await projectsOf(ctx, account.appId)
  const ids =
    phoneNumberId === null ? byBusinessAccount.get(businessAccountId) : byNumber.get(phoneNumberId)
  const others = (ids ?? []).filter((id) => id !== account.projectId)
  const trusting = await withSecretOf(ctx, account, others)
  return phoneNumberId === null ? trusting : trusting.slice(0, 1)
}

/** Ids of the other projects that are connected with a project's app: the app's callback URL may be any one's. */
export async function sharers(ctx: Context, projectId: string): Promise<string[]> {
  const account = await channelAccounts.mustFind(ctx, projectId)
  if (account.isSandbox) return []
  const { byBusinessAccount } = await projectsOf(ctx, account.appId)
  return [...byBusinessAccount.values()].flat().filter((id) => id !== projectId)
}

/**
 * Gives the other projects that are connected with a project's app and secret the app's new secret, before the project
 * itself has it, so that no callback finds them with the former one. Answers with their ids. Throws
 * `PROJECT_NOT_FOUND`.
 */
export async function replaceSecret(
  ctx: Context,
  projectId: string,
  appSecret: string,
): Promise<string[]> {
  await channelAccounts.show(ctx, projectId)
  const account = await channelAccounts.mustFind(ctx, projectId)
  const others = await sharers(ctx, projectId)
  const ids = (await withSecretOf(ctx, account, others)).map((other) => other.projectId)
  await Promise.all(ids.map((id) => channelAccounts.update(ctx, id, { appSecret })))
  return ids
}

async function withSecretOf(ctx: Context, { appSecret }: OpenAccount, ids: string[]) {
  const found = await Promise.all(ids.map((id) => channelAccounts.find(ctx, id)))
  return found.flatMap((other) => (other?.appSecret === appSecret ? other : []))
}

async function projectsOf(ctx: Context, appId: string): Promise<AppProjects> {
  const key = `projects-of-app ${appId}`
  const known = ctx.cache.get<AppProjects>(key)
  const weigh = ({ byNumber }: AppProjects) => 1 + byNumber.size
  return known ?? (await ctx.cache.load(key, () => read(ctx, appId), weigh)) ?? empty()
}

async function read(ctx: Context, appId: string): Promise<AppProjects> {
  const accounts = await ctx.db.channelAccount.findMany({
    where: { appId, kind: 'cloud', project: { status: { not: 'deleted' } } },
    select: { projectId: true, phoneNumberId: true, businessAccountId: true },
    orderBy: [{ createdAt: 'asc' }, { projectId: 'asc' }],
  })
  const { byNumber, byBusinessAccount } = empty()
  for (const { projectId, phoneNumberId, businessAccountId } of accounts) {
    add(byNumber, phoneNumberId, projectId)
    add(byBusinessAccount, businessAccountId, projectId)
  }
  return { byNumber, byBusinessAccount }
}

function add(lists: Map<string, string[]>, key: string, projectId: string): void {
  const list = lists.get(key)
  if (list) list.push(projectId)
  else lists.set(key, [projectId])
}
