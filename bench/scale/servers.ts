import { once } from 'node:events'
import { freePort } from '../../scripts/free-port.ts'
import type { Bed } from '../bed.ts'
import { type Child, run, untilReady } from '../processes.ts'

/** Several checks of the balancer, also on a busy machine. */
const STOP_DELAY_MS = 3_000

/** A server in a process of its own, with `ROLE=api`. */
export type ApiServer = {
  port: number
  pid(): number
  /** Stops the server as an operator would, and starts it again when it has ended. */
  replace(): Promise<void>
}

/** Starts one more process that answers requests, on the common database and Redis. */
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
      // Not `stop`, which waits only briefly: a server may take as long as it needs to end.
      const exit = once(child.process, 'exit')
      child.process.kill('SIGTERM')
      await exit
      child = await begin()
    },
  }
}
