import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'
import type { Client } from './client.ts'

/** The suite's Redis; absent where none could be started. */
export const redisUrl = process.env.TEST_REDIS_URL

const WINDOW_S = 60
const POLL_MS = 50
const POLLS = 100

/** Runs with a connection of its own. */
export async function withRedis<T>(work: (redis: RedisClient) => Promise<T>): Promise<T> {
  const redis: RedisClient = createClient({ url: redisUrl ?? '' })
  redis.on('error', () => {})
  await redis.connect()
  try {
    return await work(redis)
  } finally {
    redis.destroy()
  }
}

type RedisClient = ReturnType<typeof createClient>

/** Resolves when Redis's own minute lasts for so many seconds more: at once, or at the next minute. */
export function roomInMinute(seconds: number): Promise<void> {
  return withRedis(async (redis) => {
    const [now] = await redis.sendCommand<[string, string]>(['TIME'])
    const left = WINDOW_S - (Number(now) % WINDOW_S)
    if (left <= seconds) await pause(left * 1_000)
  })
}

/** Resolves when the service counts in Redis, as the client's answers tell. */
export async function untilCounted(client: Client): Promise<void> {
  for (let poll = 0; poll < POLLS; poll++) {
    const { headers } = await client.send('ping')
    if (headers.has('ratelimit-limit')) return
    await pause(POLL_MS)
  }
  throw new Error('The service does not reach Redis')
}
