import { LIMITS } from '../../core/limits.ts'

/** What the gates need to know of a registration. */
type Passing = {
  host: string
  isFailing: boolean
  /** How many of its attempts are slow: they occupy no shared place any more. */
  slow: number
}

/** At most `most` attempts at once; lanes that find it full are put into `blocked`. */
type Gate<Lane> = { underWay: number; most: number; blocked: Set<Lane> }

type Host<Lane> = { all: Gate<Lane>; doubtful: Gate<Lane> }

/** The places that an attempt occupies until it has finished or counts as slow. */
export type Pass<Lane> = { lane: Lane; begunAt: number; gates: Gate<Lane>[] }

/**
 * Limits concurrent attempts per host and per process. An attempt that takes long gives up its shared places
 * and counts against its own registration alone, so that a hanging receiver blocks nobody else. Doubtful
 * registrations, whose last attempt failed or which have a slow attempt under way, get at most half of the
 * places. `wake` is called for a lane that may have become able to begin an attempt.
 */
export function createGates<Lane extends Passing>(wake: (lane: Lane) => void) {
  const hosts = new Map<string, Host<Lane>>()
  const doubtful = gate<Lane>(LIMITS.attemptsAtOnceDoubtful)
  /** All attempts under way, slow ones included; only doubtful lanes wait for this gate. */
  const everything = gate<Lane>(LIMITS.attemptsUnderWayDoubtful)
  /** Attempts that are not slow, the oldest first. */
  const young = new Set<Pass<Lane>>()

  function leave(gates: Gate<Lane>[]): void {
    for (const each of gates) {
      each.underWay--
      if (each.underWay >= each.most) continue
      for (const blocked of each.blocked) wake(blocked)
      each.blocked.clear()
    }
  }

  /** Gives back the shared places. */
  function makeRoom(pass: Pass<Lane>): void {
    young.delete(pass)
    leave(pass.gates)
    pass.gates = []
    if (hosts.get(pass.lane.host)?.all.underWay === 0) hosts.delete(pass.lane.host)
  }

  return {
    underWay: () => everything.underWay,

    /** Whether the whole process has no place left. */
    areFull: () =>
      young.size >= LIMITS.attemptsAtOnce || everything.underWay >= LIMITS.attemptsUnderWay,

    /** Whether an attempt may begin. If not, the lane is woken when asking again may succeed. */
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

    /** Takes the shared places from attempts that began more than `attemptSlowMs` before `now`. */
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
