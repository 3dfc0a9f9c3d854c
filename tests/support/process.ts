import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TEST_ENCRYPTION_KEY } from './service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_LIMIT_MS = 60_000
const READY = /^Ready at (http:\/\/\S+) after /m

export type ServiceProcess = {
  url: string
  child: ChildProcess
  /** Everything that it has written so far. */
  output: () => string
  /** Ends it at once, if it still runs. */
  kill(): Promise<void>
}

/** The service as people run it, in a process of its own; resolves when it says that it is ready. */
export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  const kill = async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  }
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${written}`))
    const timer = setTimeout(() => fail('The service did not become ready'), READY_LIMIT_MS)
    child.once('exit', () => fail('The service ended'))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        written += chunk.toString()
        const found = READY.exec(written)?.[1]
        if (found === undefined) return
        clearTimeout(timer)
        resolve(found)
      })
    }
  }).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  return { url, child, output: () => written, kill }
}

/** The key that the first run prints; throws when it printed none. */
export function printedKey({ output }: ServiceProcess): string {
  const key = /Bearer (pk_test_\w+)/.exec(output())?.[1]
  if (!key) throw new Error(`There is no key in:\n${output()}`)
  return key
}
