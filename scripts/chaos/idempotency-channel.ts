import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import { type SandboxRequest, startSandbox } from '../../channel/sandbox.ts'
import type { Bed } from './bed.ts'

const TIMING = { sentMs: 0, deliveredMs: 20, readMs: 40 }
/** Often enough that a callback finds a living server long before a lock is over. */
const RETRY_DELAYS_MS = [...Array<number>(40).fill(25), ...Array<number>(60).fill(250)]
/** The sandbox keeps its latest 1,000 requests; this looks long before as many more have come. */
const LOOK_MS = 20

/** What the channel saw of one send. */
export type ChannelSend = {
  to: string
  content: string
  attemptId: string
  wamid: string | null
}

/** Connects the project to a channel of its own, outside all servers, which keeps every send. */
export async function connectChannel({ ctx, atEnd }: Bed, projectId: string, relayUrl: string) {
  const ids = { phoneNumberId: '106540352242922', businessAccountId: '102290129340398', appId: '1' }
  const secrets = { accessToken: 'EAAchaos', appSecret: 'secret', verifyToken: 'verify' }
  const account = {
    ...ids,
    displayPhoneNumber: '15550783881',
    ...secrets,
    callbackUrl: `${relayUrl}/channel/${projectId}/webhook`,
  }
  const problems: string[] = []
  const sandbox = await startSandbox({
    findAccount: async () => account,
    timing: TIMING,
    retryDelaysMs: RETRY_DELAYS_MS,
    onProblem: (message) => void problems.push(message),
  })
  const seen = new Set<SandboxRequest>()
  const look = () => sandbox.requests.forEach((request) => seen.add(request))
  const timer = setInterval(look, LOOK_MS)
  atEnd(async () => {
    clearInterval(timer)
    await sandbox.close()
  })
  await channelAccounts.connect(ctx, projectId, { ...ids, ...secrets, apiUrl: sandbox.url })
  return {
    account,
    problems,
    idle: () => sandbox.idle(),
    /** Every send so far, oldest first. */
    sends(): ChannelSend[] {
      look()
      return [...seen].map(({ body, wamid }) => ({
        to: String(body.to),
        content: contentOf(body),
        attemptId: String(body.biz_opaque_callback_data),
        wamid,
      }))
    },
  }
}

function contentOf({ text }: Record<string, unknown>): string {
  return typeof text === 'object' && text !== null && 'body' in text ? String(text.body) : ''
}
