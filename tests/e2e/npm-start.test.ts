import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, jest } from '@jest/globals'
import { createDatabase } from '../support/postgres.ts'
import { TEST_ENCRYPTION_KEY } from '../support/service.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const READY = /^Ready at (http:\/\/\S+) after /m

it('is stopped by the signal that its supervisor sends to npm', async () => {
  const database = await createDatabase()
  const child = spawn('npm', ['start'], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', HOST: '127.0.0.1' },
      ...{ DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, LOG_LEVEL: 'error' },
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, of which nothing is left behind.
    detached: true,
  })
  try {
    let written = ''
    for await (const chunk of child.stdout) {
      written += String(chunk)
      if (READY.test(written)) break
    }
    const url = READY.exec(written)?.[1] ?? written
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited

    const isServing = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
    expect({ isServing, code: child.exitCode }).toEqual({ isServing: false, code: 0 })
  } finally {
    if (isAlive(-child.pid!)) process.kill(-child.pid!, 'SIGKILL')
    await database.drop()
  }
})

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}
