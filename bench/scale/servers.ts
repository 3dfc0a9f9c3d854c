import { once } from 'node:events'
import { freePort } from '../../scripts/free-port.ts'
import type { Bed } from '../bed.ts'
import { type Child, run, untilReady } from '../processes.ts'

/** Several of the balancer's looks, also on a busy machine. */
const STOP_DELAY_MS = 3_000

/** A server of its own, as `ROLE=api` runs it. */
export type ApiServer = {
  port: number
  pid(): number
  /** Stops it as an operator does, and starts it again when it has ended. */
  replace(): Promise<void>
}

/** Starts one more process that answers requests, on the database and the Redis of all. */
export async function startApi({ settings, keep }: Bed): Promise<ApiServer> {
  const port = await freePort()
  let child = await begin()
  keep({
    process: child.process,
    pid: child.pid,
    stop: () => child.stop(),
  })

  async function begin(): Promise<Child> {
    const env = {
      ...settings,
      ROLE: 'api',
      STOP_DELAY_MS: String(STOP_DELAY_MS),
      PORT: String(port),
    }
    const started = run(process.execPath, ['scripts/run.mjs', 'main'], env)
    await untilReady(started, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
    return started
  }

  return {
    port,
    pid: () => child.pid,
    async replace() {
      // Not by `stop`, which has little patience: how long a server takes to leave is its own affair.
      const exit = once(child.process, 'exit')
      child.process.kill('SIGTERM')
      await exit
      child = await begin()
    },
  }
}
