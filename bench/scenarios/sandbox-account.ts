import { randomUUID } from 'node:crypto'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { Bed } from '../bed.ts'
import { startServer } from '../processes.ts'

/** Connects a project to a channel in a process of its own, which answers at once and sends no callbacks. */
export async function connectToSandbox(bed: Bed, projectId: string): Promise<ChannelAccount> {
  const { ctx } = bed.opened
  const phoneNumberId = '100000000000001'
  const accessToken = `bench-${randomUUID()}`
  const options = { phoneNumberId, accessToken }
  const { url } = bed.keep(await startServer('contestants/sandbox', options))
  await channelAccounts.connect(ctx, projectId, {
    phoneNumberId,
    businessAccountId: '100000000000002',
    appId: '100000000000003',
    accessToken,
    appSecret: 'bench',
    verifyToken: 'bench',
    apiUrl: url,
  })
  const account = await channelAccounts.find(ctx, projectId)
  if (!account) throw new Error('The channel account was not kept')
  return channelAccounts.addressOf(ctx, account)
}
