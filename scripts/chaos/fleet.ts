import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT_ROOT } from '../../core/root.ts'
import type { Random } from './random.ts'

const READY = /^Ready at (http:\/\/\S+) after /m
const READY_LIMIT_MS = 60_000
const POLL_MS = 5
/** Characters of a server's output that are shown when it ends by itself. */
const LAST_WORDS = 4_000
const AS_PEOPLE_DO = ['scripts/run.mjs', 'main']

/** Servers on one database, each a process that may be killed at any moment and comes back. */
export type Fleet = {
  /** The address of one that was alive a moment ago; waits while there is none. */
  anyUrl(random: Random): Promise<string>
  /** Kills one with SIGKILL and starts another in its place, without waiting for it. */
  killOne(random: Random): void
  /** Kills the one at a place in the fleet, whatever it does, and starts another there. */
  replace(place: number): void
  /** Stops one for so long, as a machine does that swaps; nobody is told, and then it goes on. */
  freezeOne(random: Random, ms: number): Promise<void>
  /** Resolves when so many are alive; rejects when one cannot start. */
  untilAlive(count: number): Promise<void>
  /** The addresses of those that are alive now. */
  urls(): string[]
  /** How many ended by themselves after they had become ready. */
  ended(): number
  stop(): Promise<void>
}

type Member = { child: ChildProcess; url: string | null; wasReady: boolean }

export type FleetOptions = {
  /** What Node is started with; the service as people run it unless given. */
  argsOf?: (place: number) => string[]
  /** Hears everything that a server writes; else its errors are shown. */
  onOutput?: (place: number, text: string) => void
  /** Starts a server again that has ended by itself, as a supervisor does. */
  isSupervised?: boolean
}

const RESTART_MS = 200

/** Starts so many servers, as people run them; resolves when all are ready. */
export async function startFleet(
  size: number,
  env: Record<string, string>,
  { argsOf = () => AS_PEOPLE_DO, onOutput, isSupervised = false }: FleetOptions = {},
): Promise<Fleet> {
  let failure: Error | null = null
  let stopping = false
  let ended = 0
  const members = Array.from({ length: size }, (_, place) => begin(place))
  const alive = () => members.filter(({ url }) => url !== null)

  function begin(place: number): Member {
    const child = spawn(process.execPath, argsOf(place), {
      cwd: PROJECT_ROOT,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', onOutput ? 'pipe' : 'inherit'],
    })
    const member: Member = { child, url: null, wasReady: false }
    let written = ''
    let lastWords = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!member.wasReady) written += chunk.toString()
      member.url ??= member.wasReady ? null : (READY.exec(written)?.[1] ?? null)
      member.wasReady ||= member.url !== null
    })
    for (const stream of onOutput ? [child.stdout, child.stderr] : []) {
      stream?.on('data', (chunk: Buffer) => {
        lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS)
        onOutput?.(place, chunk.toString())
      })
    }
    child.once('exit', (code, signal) => {
      member.url = null
      if (stopping || signal === 'SIGKILL') return
      if (member.wasReady) {
        ended++
        console.error(
          `A server ended by itself with ${code ?? signal}. Its last words:\n${lastWords}`,
        )
      }
      if (isSupervised) setTimeout(() => again(place), RESTART_MS)
      else failure = new Error(`A server ended with ${code ?? signal}`)
    })
    return member
  }

  function again(place: number): void {
    if (!stopping) members[place] = begin(place)
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
      const urls = fleet.urls()
      return urls[random.between(0, urls.length - 1)] ?? ''
    },
    killOne(random) {
      const chosen = alive()[random.between(0, alive().length - 1)]
      if (chosen) fleet.replace(members.indexOf(chosen))
    },
    replace(place) {
      const replaced = members[place]
      if (replaced) replaced.url = null
      replaced?.child.kill('SIGKILL')
      again(place)
    },
    async freezeOne(random, ms) {
      const chosen = alive()[random.between(0, alive().length - 1)]
      chosen?.child.kill('SIGSTOP')
      await pause(ms)
      chosen?.child.kill('SIGCONT')
    },
    urls: () => alive().flatMap(({ url }) => url ?? []),
    ended: () => ended,
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
