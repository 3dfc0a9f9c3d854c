import { LIMITS } from '../../core/limits.ts'

/** What the gates go by of a registration. */
type Passing = {
  host: string
  isFailing: boolean
  /** Of its attempts under way, those that have waited too long to count for anyone but itself. */
  slow: number
}

/** Lets so many attempts through at once; whoever finds it full waits beside it. */
type Gate<Lane> = { underWay: number; most: number; blocked: Set<Lane> }

type Host<Lane> = { all: Gate<Lane>; doubtful: Gate<Lane> }

/** An attempt's places, which it has until it is finished or slow. */
export type Pass<Lane> = { lane: Lane; begunAt: number; gates: Gate<Lane>[] }

/**
 * Shares out places for attempts. Only those that have not waited long take a place of their host and of
 * the process: one that hangs makes room for the others, and counts for its registration alone. Doubtful
 * registrations, which failed last or have a slow attempt under way, have half of the places at most, so
 * that those that answer find one. `wake` is told of whom a place may have become free for.
 */
export function createGates<Lane extends Passing>(wake: (lane: Lane) => void) {
  const hosts = new Map<string, Host<Lane>>()
  const doubtful = gate<Lane>(LIMITS.attemptsAtOnceDoubtful)
  /** All under way, slow ones too; doubtful lanes alone wait here. */
  const everything = gate<Lane>(LIMITS.attemptsUnderWayDoubtful)
  /** Those that are not slow, the oldest first. */
  const young = new Set<Pass<Lane>>()

  function leave(gates: Gate<Lane>[]): void {
    for (const each of gates) {
      each.underWay--
      if (each.underWay >= each.most) continue
      for (const blocked of each.blocked) wake(blocked)
      each.blocked.clear()
    }
  }

  /** Gives back the places that others wait for. */
  function makeRoom(pass: Pass<Lane>): void {
    young.delete(pass)
    leave(pass.gates)
    pass.gates = []
    if (hosts.get(pass.lane.host)?.all.underWay === 0) hosts.delete(pass.lane.host)
  }

  return {
    underWay: () => everything.underWay,

    /** Whether there is no place for anyone. */
    areFull: () =>
      young.size >= LIMITS.attemptsAtOnce || everything.underWay >= LIMITS.attemptsUnderWay,

    /** Whether an attempt may begin; if not, its lane is woken when it may be worth to ask again. */
    mayPass(lane: Lane): boolean {
      const host = hosts.get(lane.host)
      const asked = isDoubtful(lane)
        ? [host?.all, host?.doubtful, doubtful, everything]
        : [host?.all]
      const full = asked.find((each) => each && each.underWay >= each.most)
      full?.blocked.add(lane)
      return !full
    },

    /** Takes the places of an attempt that may pass, until `leave`. */
    enter(lane: Lane, begunAt: number): Pass<Lane> {
      const host = hosts.get(lane.host) ?? newHost<Lane>()
      hosts.set(lane.host, host)
      const gates = isDoubtful(lane) ? [host.all, host.doubtful, doubtful] : [host.all]
      for (const each of gates) each.underWay++
      everything.underWay++
      const pass = { lane, begunAt, gates }
      young.add(pass)
      return pass
    },

    leave(pass: Pass<Lane>): void {
      if (young.has(pass)) makeRoom(pass)
      else pass.lane.slow--
      leave([everything])
    },

    /** Has those make room that began more than `attemptSlowMs` before `now`. */
    letGo(now: number): void {
      for (const pass of young) {
        if (now - pass.begunAt < LIMITS.attemptSlowMs) return
        pass.lane.slow++
        makeRoom(pass)
      }
    },
  }
}

function isDoubtful({ isFailing, slow }: Passing): boolean {
  return isFailing || slow > 0
}

function newHost<Lane>(): Host<Lane> {
  return {
    all: gate(LIMITS.attemptsAtOncePerHost),
    doubtful: gate(LIMITS.attemptsAtOncePerHostDoubtful),
  }
}

function gate<Lane>(most: number): Gate<Lane> {
  return { underWay: 0, most, blocked: new Set() }
}
