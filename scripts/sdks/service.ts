import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_ROOT } from '../../core/root.ts'

const READY_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 20_000

/** A service of its own, and a folder for what is made from it. */
export type Bed = {
  url: string
  key: string
  folder: string
  /** The contract, as the service serves it. */
  document: string
}

/** Starts the service over a database of its own, calls `use`, and removes both again. */
export async function withService<T>(use: (bed: Bed) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'generated-clients-'))
  const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
    cwd: PROJECT_ROOT,
    env: {
      // Empty rather than absent, so that a developer's own .env does not fill it in.
      DATABASE_URL: '',
      REDIS_URL: '',
      PUBLIC_URL: '',
      ENCRYPTION_KEY: '',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: path.join(folder, 'data'),
      RATE_LIMIT_PER_MINUTE: '1000000',
      DAILY_SEND_QUOTA: '1000000',
      EGRESS_ALLOW: '127.0.0.1:9',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const { url, key } = await readyOf(child)
    const document = path.join(folder, 'openapi.json')
    const response = await fetch(`${url}/v1/openapi.json`)
    await writeFile(document, await response.text())
    return await use({ url, key, folder, document })
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await ended
      clearTimeout(timer)
    }
    await rm(folder, { recursive: true, force: true })
  }
}

type Child = ReturnType<typeof spawn>

/** Where the service is, and the key of its demo project; rejects when it does not start. */
function readyOf(child: Child): Promise<{ url: string; key: string }> {
  let written = ''
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${written}`))
    const timer = setTimeout(() => fail('The service did not become ready'), READY_LIMIT_MS)
    child.once('exit', () => fail('The service ended'))
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        written += chunk.toString()
        const url = /^Ready at (http:\/\/\S+) after /m.exec(written)?.[1]
        const key = /Bearer (pk_test_\w+)'/.exec(written)?.[1]
        if (url === undefined || key === undefined) return
        clearTimeout(timer)
        resolve({ url, key })
      })
    }
  })
}
