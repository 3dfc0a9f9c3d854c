import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import * as broadcastLeases from '../../capabilities/broadcasts/broadcast-leases.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { oneOff, type SqlClient } from '../../core/sql.ts'
import { broadcastOf, sendAll, startBroadcast } from '../support/broadcast-sending.ts'
import { COUNTED_CONNECTIONS, NO_AUTOVACUUM, readsOf } from '../support/reads.ts'
import { startTestService, type TestService } from '../support/service.ts'

jest.setTimeout(60_000)

const RECIPIENTS = 2_000
/** Some of its indexes once or twice at each step; by thousands where the table is gone through. */
const READS_EACH = 100

let service: TestService

beforeEach(async () => {
  service = await startTestService({
    env: {
      DATABASE_POOL_SIZE: String(COUNTED_CONNECTIONS),
      BROADCAST_MESSAGES_PER_SECOND: '100000',
    },
  })
  // PostgreSQL would note by itself what has come to the tables, but only after a minute or two.
  await service.ctx.sql.rows(oneOff(NO_AUTOVACUUM))
})
afterEach(() => service.stop())

/** Sends to many, after a few; answers how many entries were read for that. */
async function readsOfMany(
  untilSent: (sent: Promise<unknown>) => Promise<unknown>,
  table = 'broadcast_recipients',
) {
  const project = await service.project()
  await startBroadcast(service, project, { contacts: 100 })
  // What is done for these few is done by plans for a small table, all of it before anything is counted.
  await service.ctx.sql.rows(oneOff('ANALYZE broadcast_recipients'))
  await sendAll(service.ctx)
  await service.sandbox.idle()
  // Of a table with no more than those who are sent to, PostgreSQL may well read all for a lease of many.
  const paused = await service.project()
  await startBroadcast(service, paused, { contacts: 10 * RECIPIENTS })
  await projects.setStatus(service.ctx, paused.id, 'paused')
  const other = await service.project()
  const { id } = await startBroadcast(service, other, { contacts: RECIPIENTS })
  // As an import of so many contacts does.
  await service.ctx.sql.rows(oneOff('ANALYZE contacts'))

  const reads = await readsOf(service, table, async () => {
    await untilSent(sendAll(service.ctx))
    await service.sandbox.idle()
  })
  expect(await broadcastOf(service, other, id)).toMatchObject({ counts: { total: RECIPIENTS } })
  return reads
}

describe('each recipient is looked up by himself', () => {
  it('from the first on, though the table was small until now', async () => {
    expect(await readsOfMany((sent) => sent)).toBeLessThan(READS_EACH * RECIPIENTS)
  })

  it.each([
    ['the messages', 'messages', 'broadcast_recipients'],
    ['the recipients', 'broadcast_recipients', 'broadcast_recipients'],
    ['the customers', 'contacts, conversations', 'contacts'],
  ])('whatever PostgreSQL learns of %s meanwhile', async (_what, learned, read) => {
    const untilSent = async (sent: Promise<unknown>) => {
      let isOver = false
      const end = sent.finally(() => (isOver = true))
      while (!isOver) await service.ctx.sql.rows(oneOff(`ANALYZE ${learned}`))
      await end
    }
    expect(await readsOfMany(untilSent, read)).toBeLessThan(READS_EACH * RECIPIENTS)
  })
})

describe('those who have been sent to are not gone through', () => {
  const COUNT = 10 * RECIPIENTS

  /** Has the first half of them sent to, with an index as large as it gets where broadcasts come and go. */
  async function sendToHalf(index: string, table = 'broadcast_recipients') {
    for (const change of [
      `ALTER INDEX ${index} SET (fillfactor = 30)`,
      `REINDEX INDEX ${index}`,
      `ANALYZE ${table}`,
      `UPDATE broadcast_recipients SET status = 'sent', held = false WHERE seq <= ${COUNT / 2}`,
    ]) {
      await service.ctx.sql.rows(oneOff(change))
    }
  }

  it.each(['broadcast_recipients', 'contacts'])(
    'by a lease, however many %s there are',
    async (table) => {
      const project = await service.project()
      const { id } = await startBroadcast(service, project, { contacts: COUNT })
      const sending = { id, projectId: project.id, phoneNumberId: 'any' }
      await sendToHalf('broadcast_recipients_queue_idx', table)
      // So often that the connections have settled on their plans.
      const leases = 10 * COUNTED_CONNECTIONS

      const reads = await readsOf(service, table, async () => {
        for (let lease = 1; lease <= leases; lease++) {
          expect(await broadcastLeases.lease(service.ctx, sending, 10)).toHaveLength(10)
        }
      })
      // An entry for each recipient, and those behind whom earlier leases have left in the index.
      expect(reads / leases).toBeLessThan(RECIPIENTS)
    },
  )

  it('by a look for what can be sent', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: COUNT })
    await sendToHalf('broadcast_recipients_queue_idx')
    const looks = 10 * COUNTED_CONNECTIONS

    const reads = await readsOf(service, 'broadcast_recipients', async () => {
      for (let look = 1; look <= looks; look++) {
        expect(await broadcastLeases.sendable(service.ctx, [])).toMatchObject([{ id }])
      }
    })
    expect(reads / looks).toBeLessThan(RECIPIENTS)
  })

  it('by a wave', async () => {
    const project = await service.project()
    const plan = { contacts: COUNT, approve: { waveSize: 10 } }
    const { id } = await startBroadcast(service, project, plan)
    await sendToHalf('broadcast_recipients_held_queue_idx')
    const waves = 10 * COUNTED_CONNECTIONS

    const reads = await readsOf(service, 'broadcast_recipients', async () => {
      for (let wave = 1; wave <= waves; wave++) {
        const next = (tx: SqlClient) => broadcastWaves.release(tx, id, 10, service.ctx.now())
        expect(await service.ctx.sql.transaction(next)).toBe(10)
      }
    })
    expect(reads / waves).toBeLessThan(RECIPIENTS)
  })
})
