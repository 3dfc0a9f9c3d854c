import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as sandboxTemplates from '../../capabilities/templates/sandbox-templates.ts'
import { startSandbox } from '../../channel/sandbox.ts'
import type { Context } from '../../core/context.ts'

/**
 * Does work that asks the channel of a project. The sandbox lives in the servers' processes, so a project that
 * is on it gets one of its own for the while; what the sandbox keeps is in the database, for all of them.
 */
export async function withChannel<T>(
  ctx: Context,
  projectId: string,
  work: (inside: Context) => Promise<T>,
): Promise<T> {
  const account = await channelAccounts.find(ctx, projectId)
  if (!account?.isSandbox) return work(ctx)
  const sandbox = await startSandbox({
    findAccount: async (by, id) => {
      const account = await channelAccounts.findSandboxAccount(ctx, by, id)
      return account && { ...account, callbackUrl: '' }
    },
    templates: sandboxTemplates.storeOf(ctx),
    callbacks: false,
    now: ctx.now,
  })
  try {
    return await work({ ...ctx, sandboxUrl: () => sandbox.url })
  } finally {
    await sandbox.close()
  }
}
