import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import * as broadcastLeases from '../../capabilities/broadcasts/broadcast-leases.ts'
import { oneOff } from '../../core/sql.ts'
import { broadcastOf, sendAll, startBroadcast } from '../support/broadcast-sending.ts'
import { COUNTED_CONNECTIONS, readsOf } from '../support/reads.ts'
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
  // PostgreSQL would note by itself what has come to the table, but only after a minute or two.
  await service.ctx.sql.rows(
    oneOff('ALTER TABLE broadcast_recipients SET (autovacuum_enabled = off)'),
  )
})
afterEach(() => service.stop())

/** Sends to many, after a few; answers how many entries were read for that. */
async function readsOfMany(untilSent: (sent: Promise<unknown>) => Promise<unknown>) {
  const project = await service.project()
  await startBroadcast(service, project, { contacts: 100 })
  // What is done for these few is done by plans for a small table, all of it before anything is counted.
  await service.ctx.sql.rows(oneOff('ANALYZE broadcast_recipients'))
  await sendAll(service.ctx)
  await service.sandbox.idle()
  const other = await service.project()
  const { id } = await startBroadcast(service, other, { contacts: RECIPIENTS })

  const reads = await readsOf(service, 'broadcast_recipients', async () => {
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

it.each(['broadcast_recipients', 'contacts'])(
  'a lease looks up those whom it takes, however many %s there are',
  async (table) => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 10 * RECIPIENTS })
    const sending = { id, projectId: project.id, phoneNumberId: 'any' }
    await service.ctx.sql.rows(oneOff(`ANALYZE ${table}`))
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
