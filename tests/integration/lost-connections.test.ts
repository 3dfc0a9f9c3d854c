import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { must, statement } from '../../core/sql.ts'
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
})
