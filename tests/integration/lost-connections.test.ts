import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { ServiceError } from '../../core/errors.ts'
import { must, type Sql, statement } from '../../core/sql.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { startRelay } from '../support/relay.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let admin: pg.Client

beforeAll(async () => {
  service = await startTestService()
  admin = new pg.Client({ connectionString: service.databaseUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await service.stop()
})

/** Resolves when the connection has ended there, and its end has arrived here. */
async function isGone(pid: string): Promise<void> {
  const asked = 'SELECT FROM pg_stat_activity WHERE pid = $1'
  while ((await admin.query(asked, [pid])).rowCount !== 0);
  for (let i = 0; i < 10; i++) await admin.query('SELECT 1')
}

const ownPid = statement('own-pid', 'SELECT pg_backend_pid()')
const anything = statement('anything', 'SELECT 1')

describe('a connection that is lost', () => {
  it('between two statements of a transaction fails the transaction, and nothing else', async () => {
    const { sql } = service.ctx
    const broken = sql.transaction(async (tx) => {
      const [row = []] = await tx.rows(ownPid)
      await admin.query('SELECT pg_terminate_backend($1)', [must(row[0])])
      await isGone(must(row[0]))
      return tx.rows(anything)
    })

    await expect(broken).rejects.toThrow(/connection|terminat/i)
    expect(await sql.rows(anything)).toEqual([['1']])
    expect(await sql.transaction((tx) => tx.rows(anything))).toEqual([['1']])
  })

  it('is not one whose transaction was given up for another reason', async () => {
    const pool = createPool(service.databaseUrl, 1, () => {})
    try {
      const sql = createSql(pool)
      const before = await sql.rows(ownPid)
      const refused = sql.transaction(async (tx) => {
        await tx.rows(anything)
        throw new ServiceError('not_found', 'There is no such thing.')
      })
      await expect(refused).rejects.toThrow('no such thing')
      expect(await sql.rows(ownPid)).toEqual(before)
    } finally {
      await pool.end()
    }
  })

  it('as soon as it is made, while PostgreSQL is being stopped, fails what wanted it, and nothing else', async () => {
    const dismissal = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')
    const server = createServer((socket) => {
      socket.once('data', () => {
        const welcome = [message('R', '\0\0\0\0'), message('Z', 'I')]
        socket.end(Buffer.concat([...welcome, dismissal]))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const pool = createPool(`postgresql://service@127.0.0.1:${port}/service`, 1, () => {})
    try {
      const sql = createSql(pool)
      for (let n = 0; n < 3; n++) {
        const refused = sql.transaction((tx) => tx.rows(anything))
        await expect(refused).rejects.toThrow(/connection/i)
      }
    } finally {
      await pool.end()
      server.close()
    }
  })
})

describe('a connection whose host has vanished without a word', () => {
  const SILENCE_MS = 1_000
  const slow = statement('slow', 'SELECT pg_sleep(1.5)')
  const allowLonger = { ...statement('allow-longer', 'SELECT 1'), allowsMs: 1_000 }

  let relay: Awaited<ReturnType<typeof startRelay>>
  let pool: pg.Pool
  let sql: Sql
  beforeEach(async () => {
    relay = await startRelay(service.databaseUrl)
    pool = createPool(relay.url, 2, () => {}, SILENCE_MS)
    sql = createSql(pool, SILENCE_MS)
  })
  afterEach(async () => {
    await pool.end()
    await relay.stop()
  })

  it('is given up after a while, and the next statement goes over another one', async () => {
    await Promise.all([sql.rows(anything), sql.rows(anything)])
    relay.vanish()
    const failed = await Promise.allSettled([sql.rows(anything), sql.rows(anything)])
    expect(failed.map((one) => 'reason' in one && String(one.reason))).toEqual(
      Array(2).fill('Error: The database has not answered for 1 s'),
    )
    expect(await sql.rows(anything)).toEqual([['1']])
  })

  it('fails the transaction under way at once, and is not lent out again', async () => {
    const broken = sql.transaction(async (tx) => {
      await tx.rows(anything)
      relay.vanish()
      return tx.rows(anything)
    })
    await expect(broken).rejects.toThrow('has not answered')
    expect(await sql.transaction((tx) => tx.rows(anything))).toEqual([['1']])
  })

  it('is not lent out again by who gives it back as if nothing were wrong', async () => {
    const client = await pool.connect()
    relay.vanish()
    await expect(client.query('SELECT 1')).rejects.toThrow('has not answered')
    await expect(client.query('ROLLBACK')).rejects.toThrow()
    client.release()
    expect(pool.totalCount).toBe(0)
  })

  it('is not one that nobody asks anything', async () => {
    const before = await sql.rows(ownPid)
    await admin.query('SELECT pg_sleep(1.5)')
    expect(await sql.rows(ownPid)).toEqual(before)
  })

  it('is not one whose transaction may have longer statements, but only that', async () => {
    const long = sql.transaction(async (tx) => {
      await tx.rows(allowLonger)
      return tx.rows(slow)
    })
    expect(await long).toEqual([['']])
    await expect(sql.rows(slow)).rejects.toThrow('has not answered')
  })

  it('is given up no later than a while after what its transaction allows', async () => {
    const broken = sql.transaction(async (tx) => {
      await tx.rows(allowLonger)
      relay.vanish()
      return tx.rows(anything)
    })
    await expect(broken).rejects.toThrow('The database has not answered for 2 s')
    expect(await sql.transaction((tx) => tx.rows(anything))).toEqual([['1']])
  })
})

it('PostgreSQL misses a host that has vanished within half a minute, even in the middle of statements', async () => {
  const secondsOf = async (setting: string) => {
    const name = `tcp_keepalives_${setting}`
    const [row] = await service.ctx.sql.rows(statement(name, `SHOW ${name}`))
    return Number(row?.[0])
  }
  const [idle, interval, count] = [
    await secondsOf('idle'),
    await secondsOf('interval'),
    await secondsOf('count'),
  ]
  // 0 stands for what the system does by default.
  expect(Math.min(idle, interval, count)).toBeGreaterThan(0)
  expect(idle + interval * count).toBeLessThanOrEqual(30)
})

/** A message as PostgreSQL sends it: its kind, its length, and what it says. */
function message(kind: string, text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + text.length)
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(text, 'latin1')])
}
