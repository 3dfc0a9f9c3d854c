import { setTimeout as pause } from 'node:timers/promises'
import { remember } from '../../core/under-way.ts'
import type { FaultyPostgres } from './fault-postgres.ts'
import type { Fleet } from './fleet.ts'
import { seededRandom } from './random.ts'

const EVERY_MS = 60
const LIMIT_MS = 4_000

type Look = { from: number; to: number; status: number }

/** Asks servers whether they are ready, again and again, until told to stop. */
export function watchReadiness(fleet: Fleet, seed: number) {
  const random = seededRandom(seed)
  const looks: Look[] = []
  const asking = new Set<Promise<void>>()
  let isOver = false
  async function look(): Promise<void> {
    const url = await fleet.anyUrl(random)
    const from = performance.now()
    const status = await statusOf(`${url}/readyz`)
    looks.push({ from, to: performance.now(), status })
  }
  async function watch(): Promise<void> {
    while (!isOver) {
      remember(
        asking,
        look().catch(() => {}),
      )
      await pause(EVERY_MS)
    }
    await Promise.all(asking)
  }
  const watching = watch()
  const end = () => void (isOver = true)
  return {
    /** Looks no more. */
    end,
    /** The same; resolves when all looks have been answered. */
    async stop() {
      end()
      await watching
    },
    /** What was said while PostgreSQL was away from the question to the answer. */
    saidWhileAway({ away }: FaultyPostgres) {
      const within = looks.filter(
        ({ from, to, status }) =>
          status > 0 && away.some((one) => one.from <= from && to <= one.to),
      )
      const isRight = ({ status }: Look) => status === 503
      return {
        notReady: within.filter(isRight).length,
        otherwise: within.filter((one) => !isRight(one)).length,
      }
    },
  }
}

/** 0 when nobody answers. */
export async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
