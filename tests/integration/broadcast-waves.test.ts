import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastAudits from '../../capabilities/broadcasts/broadcast-audits.ts'
import { holdBroadcast } from '../../capabilities/broadcasts/broadcast-counters.ts'
import * as broadcastWaves from '../../capabilities/broadcasts/broadcast-waves.ts'
import { type Row, type Sql, type Statement, statement } from '../../core/sql.ts'
import { broadcastOf } from '../support/broadcast-sending.ts'
import { createBroadcast, putRecipients } from '../support/broadcasts.ts'
import { through } from '../support/failing-sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const HELD = 4_401
const WAVE = 4_400

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const hold = statement(
  'test-hold-many',
  `WITH held AS (
     INSERT INTO broadcast_recipients (broadcast_id, seq, project_id, contact_id, phone, held)
     SELECT r.broadcast_id, r.seq + n, r.project_id, r.contact_id + n, r.phone, true
       FROM broadcast_recipients r, generate_series(1, $2::int) n WHERE r.broadcast_id = $1
   )
   UPDATE broadcasts SET held = $2::int, total = total + $2::int WHERE id = $1`,
)

/** A broadcast that is being sent, and holds many back. */
async function holding(): Promise<string> {
  const created = await createBroadcast(service, project)
  await broadcastApprovals.approve(service.ctx, created.id, { by: 'Olga' })
  await putRecipients(service, created, ['sent'])
  await service.ctx.sql.rows(hold, [created.id, HELD])
  return created.id
}

/** Tells what each statement of a name answers, by transactions. */
function told(sql: Sql, name: string, transactions: Row[][][]): Sql {
  const transaction: Sql['transaction'] = (work) =>
    sql.transaction((tx) => {
      const answers: Row[][] = []
      transactions.push(answers)
      const rows = async (asked: Statement, values?: readonly unknown[]) => {
        const found = await tx.rows(asked, values)
        if (asked.name === name) answers.push(found)
        return found
      }
      return work({ ...tx, rows })
    })
  return { ...sql, transaction }
}

const allReleased = {
  wave_scheduled_at: null,
  wave_scheduled_count: null,
  counts: { sent: 1, queued: WAVE, held: HELD - WAVE },
}

describe('a wave of many', () => {
  it('is released some at a time, between which callbacks about the broadcast have their turn', async () => {
    const id = await holding()
    const transactions: Row[][][] = []
    const watched = (sql: Sql) => told(sql, 'release-wave', transactions)
    const { released, broadcast } = await through(service.ctx, watched, () =>
      broadcastApprovals.release(service.ctx, id, { by: 'Olga', count: WAVE }),
    )
    const steps = transactions.filter(({ length }) => length > 0)
    expect(steps).toEqual([[[['2000']]], [[['2000']]], [[['400']]]])
    expect({ released, ...broadcast }).toMatchObject({ released: WAVE, ...allReleased })
    expect(await broadcastOf(service, project, id)).toEqual(broadcast)
    const acts = await broadcastAudits.list(service.ctx, id)
    expect(acts.slice(1)).toMatchObject([{ action: 'released', details: { count: WAVE } }])
  })

  it('is ended by whoever sends when its operator has died meanwhile', async () => {
    const id = await holding()
    const { sql, now } = service.ctx
    await sql.transaction(async (tx) => {
      await holdBroadcast(tx, id)
      await broadcastWaves.release(tx, id, WAVE, now())
    })
    expect(await broadcastOf(service, project, id)).toMatchObject({
      wave_scheduled_at: now().toISOString(),
      wave_scheduled_count: WAVE - 2_000,
      counts: { queued: 2_000 },
    })
    await Promise.all(Array.from({ length: 3 }, () => broadcastWaves.releaseDue(service.ctx)))
    expect(await broadcastOf(service, project, id)).toMatchObject(allReleased)
  })
})
