import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Client, createClient } from '../support/client.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { redisUrl, roomInMinute, untilCounted } from '../support/redis.ts'
import { startFaultRedis } from '../support/fault-redis.ts'

const LIMIT = 60
const REQUESTS = 1_000
const describeRedis = redisUrl ? describe : describe.skip

let database: TestDatabase
let redis: Awaited<ReturnType<typeof startFaultRedis>>
let processes: ServiceProcess[] = []
let clients: Client[]

describeRedis('two processes over one database and one Redis', () => {
  beforeAll(async () => {
    database = await createDatabase()
    redis = await startFaultRedis('pass', redisUrl)
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, ROLE: 'api', LOG_LEVEL: 'error' }
    const first = await startProcess(env)
    processes = [first, await startProcess(env)]
    clients = processes.map(({ url }) => createClient(url, printedKey(first)))
  }, 40_000)
  afterAll(async () => {
    for (const { kill } of processes) await kill()
    await redis?.stop()
    await database?.drop()
  })

  const burst = async () => {
    const asked = Array.from({ length: REQUESTS }, (_, index) => clients[index % 2]!.send('ping'))
    return (await Promise.all(asked)).map(({ status }) => status)
  }

  it('let exactly 60 of 1,000 concurrent requests of one key pass in a minute', async () => {
    for (const client of clients) await untilCounted(client)
    // What the look-out used up is over with its minute.
    await roomInMinute(60)
    const statuses = await burst()

    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(REQUESTS - LIMIT)
  }, 90_000)

  it('let all of them pass when Redis is gone', async () => {
    redis.become('gone')
    const statuses = await burst()

    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 40_000)
})
