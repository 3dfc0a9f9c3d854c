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

type Member = { child: ChildProcess; url: string | null; wasReady: boolean; lastWords: string }

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
  options: FleetOptions = {},
): Promise<Fleet> {
  const { argsOf = () => AS_PEOPLE_DO, onOutput, isSupervised = false } = options
  const watch: Watch = { failure: null, isStopping: false, ended: 0 }
  const members = Array.from({ length: size }, (_, place) => begin(place))
  const alive = () => members.filter(({ url }) => url !== null)

  function begin(place: number): Member {
    const member = startServer(argsOf(place), env, onOutput && ((text) => onOutput(place, text)))
    member.child.once('exit', (code, signal) => {
      member.url = null
      if (watch.isStopping || signal === 'SIGKILL') return
      if (member.wasReady) tellOf(member, code ?? signal, watch)
      if (!isSupervised) watch.failure = new Error(`A server ended with ${code ?? signal}`)
      // Somebody else may have put another one in its place by then.
      else setTimeout(() => members[place] === member && again(place), RESTART_MS)
    })
    return member
  }

  function again(place: number): void {
    if (!watch.isStopping) members[place] = begin(place)
  }

  async function untilAlive(count: number): Promise<void> {
    const deadline = performance.now() + READY_LIMIT_MS
    while (alive().length < count) {
      if (watch.failure) throw watch.failure
      if (watch.isStopping) throw new Error('The servers have been stopped')
      if (performance.now() > deadline) throw new Error('The servers did not become ready')
      await pause(POLL_MS)
    }
  }

  const chosen = (random: Random) => alive()[random.between(0, alive().length - 1)]
  const fleet: Fleet = {
    untilAlive,
    async anyUrl(random) {
      await untilAlive(1)
      return chosen(random)?.url ?? ''
    },
    killOne(random) {
      const one = chosen(random)
      if (one) fleet.replace(members.indexOf(one))
    },
    replace(place) {
      const replaced = members[place]
      if (replaced) replaced.url = null
      replaced?.child.kill('SIGKILL')
      again(place)
    },
    async freezeOne(random, ms) {
      const one = chosen(random)
      one?.child.kill('SIGSTOP')
      await pause(ms)
      one?.child.kill('SIGCONT')
    },
    urls: () => alive().flatMap(({ url }) => url ?? []),
    ended: () => watch.ended,
    async stop() {
      watch.isStopping = true
      for (const { child } of members) await kill(child)
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

type Watch = { failure: Error | null; isStopping: boolean; ended: number }

/** Starts one, which has its address once it is ready; `hear` is told all that it writes. */
function startServer(
  args: string[],
  env: Record<string, string>,
  hear: ((text: string) => void) | undefined,
): Member {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', hear ? 'pipe' : 'inherit'],
  })
  const member: Member = { child, url: null, wasReady: false, lastWords: '' }
  let written = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    if (!member.wasReady) written += chunk.toString()
    member.url ??= member.wasReady ? null : (READY.exec(written)?.[1] ?? null)
    member.wasReady ||= member.url !== null
  })
  for (const stream of hear ? [child.stdout, child.stderr] : []) {
    stream?.on('data', (chunk: Buffer) => {
      member.lastWords = (member.lastWords + chunk.toString()).slice(-LAST_WORDS)
      hear?.(chunk.toString())
    })
  }
  return member
}

function tellOf({ lastWords }: Member, end: number | string | null, watch: Watch): void {
  watch.ended++
  console.error(`A server ended by itself with ${end}. Its last words:\n${lastWords}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
