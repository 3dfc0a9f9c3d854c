import { setTimeout as pause } from 'node:timers/promises'
import type { FaultyPostgres, Stop } from './fault-postgres.ts'
import { type FaultyRedis, REDIS_FAULTS } from './fault-redis.ts'
import type { Fleet } from './fleet.ts'
import { type Random, seededRandom } from './random.ts'

const POSTGRES_EVERY_MS = [2_500, 6_000] as const
const POSTGRES_AWAY_MS = [50, 1_800] as const
const STOPS: readonly Stop[] = ['immediate', 'immediate', 'fast']
const REDIS_EVERY_MS = [300, 1_500] as const
const REDIS_FAILS_MS = [300, 2_500] as const
const SERVERS_EVERY_MS = [1_500, 4_000] as const
const FREEZE_PERCENT = 40

export type Storm = {
  fleet: Fleet
  postgres: FaultyPostgres
  redis: FaultyRedis | null
  seed: number
  forMs: number
  /** How long servers are frozen: some shorter, some longer than what they hold. */
  freezesMs: readonly number[]
}

/** What was done to whom, and how often. */
export type Faults = { redis: number; kills: number; freezes: number }

/** Lets everything fail at once, each in its own turn; resolves when all of it works again. */
export async function rage(storm: Storm): Promise<Faults> {
  const { fleet, postgres, redis, seed, forMs, freezesMs } = storm
  let until = performance.now() + forMs
  const faults: Faults = { redis: 0, kills: 0, freezes: 0 }
  const lane = async (place: number, every: readonly [number, number], fail: Fail) => {
    const random = seededRandom(seed + place)
    while (performance.now() < until) {
      await pause(random.between(...every))
      // What one of them cannot mend ends all: nothing is to fail over what is being taken down.
      await fail(random).catch((error: unknown) => {
        until = 0
        throw error
      })
    }
  }
  const freezes = inTurns(freezesMs)
  const redisFaults = inTurns(seededRandom(seed).shuffled(REDIS_FAULTS))
  const ends = await Promise.allSettled([
    lane(1, POSTGRES_EVERY_MS, (random) =>
      postgres.restart(random.pick(STOPS), random.between(...POSTGRES_AWAY_MS)),
    ),
    lane(2, REDIS_EVERY_MS, async (random) => {
      await redis?.fail(redisFaults(), random.between(...REDIS_FAILS_MS))
      faults.redis += redis ? 1 : 0
    }),
    lane(3, SERVERS_EVERY_MS, async (random) => {
      if (random.between(1, 100) > FREEZE_PERCENT) {
        fleet.killOne(random)
        faults.kills++
      } else {
        await fleet.freezeOne(random, freezes())
        faults.freezes++
      }
    }),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return faults
}

type Fail = (random: Random) => Promise<void>

/** Each item before any comes again, in their order. */
function inTurns<T>(items: readonly T[]): () => T {
  let turn = 0
  return () => items[turn++ % items.length] as T
}
