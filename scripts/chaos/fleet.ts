import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT_ROOT } from '../../core/root.ts'
import type { Random } from './random.ts'

const READY = /^Ready at (http:\/\/\S+) after /m
const READY_LIMIT_MS = 60_000
const POLL_MS = 5

/** Servers on one database, each a process that may be killed at any moment and comes back. */
export type Fleet = {
  /** The address of one that was alive a moment ago; waits while there is none. */
  anyUrl(random: Random): Promise<string>
  /** Kills one with SIGKILL and starts another in its place, without waiting for it. */
  killOne(random: Random): void
  /** Resolves when so many are alive; rejects when one cannot start. */
  untilAlive(count: number): Promise<void>
  stop(): Promise<void>
}

type Member = { child: ChildProcess; url: string | null }

/** Starts so many servers, as people run them; resolves when all are ready. */
export async function startFleet(size: number, env: Record<string, string>): Promise<Fleet> {
  let failure: Error | null = null
  let stopping = false
  const members = Array.from({ length: size }, () => begin())
  const alive = () => members.filter(({ url }) => url !== null)

  function begin(): Member {
    const child = spawn(process.execPath, ['scripts/run.mjs', 'main'], {
      cwd: PROJECT_ROOT,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const member: Member = { child, url: null }
    let written = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (member.url !== null) return
      written += chunk.toString()
      member.url = READY.exec(written)?.[1] ?? null
    })
    child.once('exit', (code, signal) => {
      member.url = null
      if (stopping || signal === 'SIGKILL') return
      failure = new Error(`A server ended with ${code ?? signal}`)
    })
    return member
  }

  async function untilAlive(count: number): Promise<void> {
    const deadline = performance.now() + READY_LIMIT_MS
    while (alive().length < count) {
      if (failure) throw failure
      if (performance.now() > deadline) throw new Error('The servers did not become ready')
      await pause(POLL_MS)
    }
  }

  const fleet: Fleet = {
    untilAlive,
    async anyUrl(random) {
      await untilAlive(1)
      const urls = alive().flatMap(({ url }) => url ?? [])
      return urls[random.between(0, urls.length - 1)] ?? ''
    },
    killOne(random) {
      const chosen = alive()[random.between(0, alive().length - 1)]
      if (!chosen) return
      chosen.url = null
      chosen.child.kill('SIGKILL')
      members[members.indexOf(chosen)] = begin()
    },
    async stop() {
      stopping = true
      for (const { child } of members) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
      }
    },
  }
  try {
    await untilAlive(size)
  } catch (error) {
    await fleet.stop()
    throw error
  }
  return fleet
}
