import { setTimeout as pause } from 'node:timers/promises'
import { postCallback, type SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'

const TRY_LIMIT_MS = 5_000
const TRIES_MAX = 1_000
const RETRY_MS = [30, 250] as const

type Callback = {
  fleet: Fleet
  random: Random
  account: SandboxAccount & { projectId: string }
  payload: unknown
  signal?: AbortSignal
}

/** Calls one of the servers back, and again until one has said 200, as the channel does. */
export async function callBack(callback: Callback): Promise<void> {
  const { fleet, random, account, payload, signal } = callback
  for (let tries = 0; tries < TRIES_MAX && !signal?.aborted; tries++) {
    const callbackUrl = `${await fleet.anyUrl(random)}/channel/${account.projectId}/webhook`
    const limit = AbortSignal.timeout(TRY_LIMIT_MS)
    const { status } = await postCallback({ ...account, callbackUrl }, payload, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    }).catch(() => ({ status: 0 }))
    if (status === 200) return
    await pause(random.between(...RETRY_MS))
  }
  throw new Error('Nobody took a callback')
}
