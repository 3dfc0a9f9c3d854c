import { cpuTimeUs, type Child } from './processes.ts'
import type { Load, Sample, Timing } from './timing.ts'

/** A participant: a server under the common load, or a process that makes its own calls. */
export type Contestant = { name: string; measure(load: Load): Promise<Sample> }

export type Rounds = { rounds: number; seconds: number; progress: (line: string) => void }

/** The samples of each contestant, one per round. */
export type Samples = Map<string, Sample[]>

const WARM_UP_SHARE = 0.5
const SHORT_TURNS = 5
/** A latency needs fewer requests than a rate. */
const LATENCY_SHARE = 0.25
const PATIENCE_MS = 30_000

/** A server; its `requests` are sent in turn, exactly as given. */
export function server(
  loader: Child,
  { name, pid, url, requests }: { name: string; pid: number; url: string; requests: string[] },
): Contestant {
  return {
    name,
    measure: (load) => timed(pid, loader, { ...load, url, kept: handOver(loader, requests) }),
  }
}

const kept = new WeakMap<string[], number>()
let lastKept = 0

/** Gives requests to the loader once, however many rounds and servers use them. */
function handOver({ process: loader }: Child, requests: string[]): number {
  const known = kept.get(requests)
  if (known !== undefined) return known
  const number = ++lastKept
  kept.set(requests, number)
  loader.send({ keep: { number, requests } })
  return number
}

/** A process that handles `run` messages itself. */
export function caller(name: string, child: Child, run: object): Contestant {
  return { name, measure: (load) => timed(child.pid, child, { ...run, ...load }) }
}

let lastId = 0

async function timed<Run extends Load>(pid: number, driver: Child, run: Run): Promise<Sample> {
  const before = cpuTimeUs(pid)
  const { count, elapsedS, p50Ms, p99Ms } = await ask(driver, run)
  const cpuUs = (cpuTimeUs(pid) - before) / count
  return { perSecond: count / elapsedS, p50Ms, p99Ms, cpuUs }
}

function ask({ process: child }: Child, run: Load): Promise<Timing> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const settle = (problem: string | null, timing?: Timing) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      if (timing) resolve(timing)
      else reject(new Error(problem ?? 'No timing came'))
    }
    const onMessage = (message: { id: number; timing?: Timing; problem?: string }) => {
      if (message.id === id) settle(message.problem ?? null, message.timing)
    }
    const onExit = () => settle('The process that measures has ended')
    const timer = setTimeout(() => settle('A round does not end'), run.seconds * 1000 + PATIENCE_MS)
    child.on('message', onMessage)
    child.on('exit', onExit)
    child.send({ id, run })
  })
}

/** Measures the contestants in turn; each round begins with a different one. */
export async function takeTurns(
  contestants: Contestant[],
  { rounds, seconds, progress }: Rounds,
  connections: number,
): Promise<Samples> {
  const samples: Samples = new Map(contestants.map(({ name }) => [name, []]))
  await warmUp(contestants, { connections, seconds })
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    const first = round % contestants.length
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      samples.get(contestant.name)?.push(await contestant.measure({ connections, seconds }))
    }
  }
  return samples
}

/**
 * The same for latencies of one request at a time, in several times as many turns that are shorter by the same
 * factor. Half a millisecond drifts by a tenth within seconds, so contestants that are compared with each other
 * should be neighbours in the list.
 */
export async function takeShortTurns(contestants: Contestant[], rounds: Rounds): Promise<Samples> {
  await warmUp(contestants, { connections: 1, seconds: rounds.seconds })
  const seconds = (rounds.seconds * LATENCY_SHARE) / SHORT_TURNS
  return takeTurns(contestants, { ...rounds, rounds: rounds.rounds * SHORT_TURNS, seconds }, 1)
}

/** The first run of anything takes longer than later ones. */
async function warmUp(contestants: Contestant[], { connections, seconds }: Load): Promise<void> {
  for (const contestant of contestants) {
    await contestant.measure({ connections, seconds: seconds * WARM_UP_SHARE })
  }
}
