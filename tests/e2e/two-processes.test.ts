import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { hashSecret, mintSecret } from '../../core/crypto.ts'
import { type Client, createClient } from '../support/client.ts'
import { startFaultRedis } from '../support/fault-redis.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { redisUrl, roomInMinute, untilCounted } from '../support/redis.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const LIMIT = 60
const REQUESTS = 1_000
const describeRedis = redisUrl ? describe : describe.skip

let database: TestDatabase
let processes: ServiceProcess[]

describeRedis('two processes over one database and one Redis', () => {
  beforeEach(async () => {
    database = await createDatabase()
    processes = []
  })
  afterEach(async () => {
    for (const { kill } of processes) await kill()
    await database.drop()
  })

  /** Starts both, and answers with a client of each once they count in Redis. */
  async function start(url: string): Promise<Client[]> {
    const env = { DATABASE_URL: database.url, REDIS_URL: url, ROLE: 'api', LOG_LEVEL: 'error' }
    const first = await startProcess(env)
    processes.push(first)
    processes.push(await startProcess(env))
    const clients = processes.map((each) => createClient(each.url, printedKey(first)))
    for (const client of clients) await untilCounted(client)
    return clients
  }

  /** Another key of the first run's project: the first one was used to look out. */
  async function addKey(): Promise<string> {
    const secret = mintSecret('pk_test_')
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(
      `INSERT INTO api_keys (id, project_id, name, prefix, secret_hash, scopes)
       SELECT 'unused', project_id, 'Unused', $1, $2, scopes FROM api_keys`,
      [secret.slice(0, 12), Buffer.from(hashSecret(secret))],
    )
    await client.end()
    return secret
  }

  async function burst(clients: Client[]): Promise<number[]> {
    const asked = Array.from({ length: REQUESTS }, (_, index) =>
      clients[index % clients.length]!.send('ping'),
    )
    return (await Promise.all(asked)).map(({ status }) => status)
  }

  it('let exactly 60 of 1,000 concurrent requests of one key pass in a minute', async () => {
    const clients = await start(redisUrl!)
    const unused = await addKey()
    await roomInMinute(20)
    const statuses = await burst(clients.map((client) => client.as(unused)))

    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(REQUESTS - LIMIT)
  })

  it('let all of them pass when Redis is gone', async () => {
    const redis = await startFaultRedis('pass', redisUrl)
    const clients = await start(redis.url)
    redis.become('gone')
    const statuses = await burst(clients)
    await redis.stop()

    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })
})
