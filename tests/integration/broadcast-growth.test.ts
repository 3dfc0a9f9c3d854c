import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { oneOff } from '../../core/sql.ts'
import { broadcastOf, sendAll, startBroadcast } from '../support/broadcast-sending.ts'
import { startTestService, type TestService } from '../support/service.ts'

jest.setTimeout(60_000)

const CONNECTIONS = 3
const RECIPIENTS = 2_000
/** Some of its indexes once or twice at each step; by thousands where the table is gone through. */
const READS_EACH = 100

let service: TestService

beforeEach(async () => {
  service = await startTestService({
    env: { DATABASE_POOL_SIZE: String(CONNECTIONS), BROADCAST_MESSAGES_PER_SECOND: '100000' },
  })
  // PostgreSQL would note by itself what has come to the table, but only after a minute or two.
  await service.ctx.sql.rows(
    oneOff('ALTER TABLE broadcast_recipients SET (autovacuum_enabled = off)'),
  )
})
afterEach(() => service.stop())

/** How many entries of recipients were read until now, by their indexes or all in a row. */
async function readUntilNow(): Promise<number> {
  const flush = oneOff('SELECT pg_stat_force_next_flush() FROM pg_sleep(0.2)')
  await Promise.all(Array.from({ length: CONNECTIONS }, () => service.ctx.sql.rows(flush)))
  const [row] = await service.ctx.sql.rows(
    oneOff(
      `SELECT sum(i.idx_tup_read) + max(t.seq_tup_read) FROM pg_stat_user_tables t
         JOIN pg_stat_user_indexes i USING (relid) WHERE t.relname = 'broadcast_recipients'`,
    ),
  )
  return Number(row?.[0])
}

/** Sends to many, after a few; answers how many entries were read for that. */
async function readsOfMany(untilSent: (sent: Promise<unknown>) => Promise<unknown>) {
  const project = await service.project()
  await startBroadcast(service, project, { contacts: 100 })
  await sendAll(service.ctx)
  await service.ctx.sql.rows(oneOff('ANALYZE broadcast_recipients'))
  const other = await service.project()
  const { id } = await startBroadcast(service, other, { contacts: RECIPIENTS })

  const before = await readUntilNow()
  await untilSent(sendAll(service.ctx))
  await service.sandbox.idle()
  const reads = (await readUntilNow()) - before
  expect(await broadcastOf(service, other, id)).toMatchObject({ counts: { total: RECIPIENTS } })
  return reads
}

describe('each recipient is looked up by himself', () => {
  it('from the first on, though the table was small until now', async () => {
    expect(await readsOfMany((sent) => sent)).toBeLessThan(READS_EACH * RECIPIENTS)
  })

  it('whatever PostgreSQL learns of the messages meanwhile', async () => {
    const reads = await readsOfMany(async (sent) => {
      let isOver = false
      const end = sent.finally(() => (isOver = true))
      while (!isOver) await service.ctx.sql.rows(oneOff('ANALYZE messages'))
      await end
    })
    expect(reads).toBeLessThan(READS_EACH * RECIPIENTS)
  })
})
