import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import {
  createStatusBatches,
  type StatusBatches,
} from '../../capabilities/callbacks/callback-batches.ts'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import type { StatusUpdate } from '../../core/ports.ts'
import { type Sql, statement } from '../../core/sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15558880000'
type Status = StatusUpdate['status']

let service: TestService
let project: TestProject
let admin: pg.Client
let batches: StatusBatches
let sql: Sql
/** How many statuses each transaction wrote, and how many transactions ran at once. */
let sizes: number[]
let atOnce: number[]

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await service.customer(project, { phone: PHONE })
  admin = new pg.Client({ connectionString: service.databaseUrl })
  await admin.connect()
  await admin.query(`CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE numeric_value_out_of_range USING MESSAGE = 'broken for the test'; END $$`)
  await admin.query(`CREATE TRIGGER break BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NEW.wamid LIKE 'wamid.broken%') EXECUTE FUNCTION break()`)
})
afterAll(async () => {
  await admin.end()
  await service.stop()
})
beforeEach(() => {
  sizes = []
  atOnce = []
  let running = 0
  sql = service.ctx.sql
  service.ctx.sql = {
    ...sql,
    transaction: async (work) => {
      atOnce.push(++running)
      try {
        return await sql.transaction((tx) =>
          work({
            ...tx,
            rows: (one, values = []) => {
              if (one.name === 'lock-messages') sizes.push((values[1] as string[]).length)
              return tx.rows(one, values)
            },
          }),
        )
      } finally {
        running--
      }
    },
  }
  batches = createStatusBatches(service.ctx)
})
afterEach(() => {
  service.ctx.sql = sql
})

const insert = statement(
  'test-insert-sent-of',
  `INSERT INTO messages
     (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
   SELECT $1, c.id, c.contact_id, w, 'outbound', 'api', 'text', 'sent'
     FROM conversations c, unnest($2::text[]) w WHERE c.project_id = $1`,
)
/** Messages that the channel has taken and not yet reported on. */
async function sentMessages(count: number, prefix = '', { id } = project): Promise<string[]> {
  const wamids = Array.from({ length: count }, () => newWamid('1').replace('.', `.${prefix}`))
  await sql.rows(insert, [id, wamids])
  return wamids
}
const report = (wamid: string, status: Status = 'delivered'): StatusUpdate => ({
  wamid,
  status,
  at: service.ctx.now(),
  attemptId: null,
  waId: null,
  userId: null,
  error: null,
  refusal: null,
})
const statusesOf = statement(
  'test-statuses-of',
  'SELECT wamid, status FROM messages WHERE wamid = ANY ($1)',
)
async function statusOf(wamids: string[]): Promise<(string | null | undefined)[]> {
  const rows = await sql.rows(statusesOf, [wamids])
  const found = new Map(rows.map(([wamid, status]) => [wamid, status]))
  return wamids.map((wamid) => found.get(wamid))
}

describe('callbacks of statuses that come in one turn', () => {
  it('share a transaction, and each is answered', async () => {
    const wamids = await sentMessages(20)
    await Promise.all(wamids.map((wamid) => batches.take(project.id, [report(wamid)])))
    expect(sizes).toEqual([20])
    expect(new Set(await statusOf(wamids))).toEqual(new Set(['delivered']))
  })

  it('share no transaction with those of another project', async () => {
    const other = await service.project()
    await service.customer(other, { phone: PHONE })
    const own = await sentMessages(3)
    const foreign = await sentMessages(2, '', other)
    sizes = []
    await Promise.all([
      ...own.map((wamid) => batches.take(project.id, [report(wamid)])),
      ...foreign.map((wamid) => batches.take(other.id, [report(wamid, 'read')])),
    ])
    expect(sizes.toSorted()).toEqual([2, 3])
    expect(new Set(await statusOf(own))).toEqual(new Set(['delivered']))
    expect(new Set(await statusOf(foreign))).toEqual(new Set(['read']))
  })

  it('count in their order for one message', async () => {
    for (const [first, second] of [
      ['delivered', 'failed'],
      ['failed', 'delivered'],
    ] as const) {
      const wamids = await sentMessages(5)
      await Promise.all(
        wamids.flatMap((wamid) => [
          batches.take(project.id, [report(wamid, first)]),
          batches.take(project.id, [report(wamid, second)]),
        ]),
      )
      expect(new Set(await statusOf(wamids))).toEqual(new Set([first]))
    }
  })

  it('make batches of a bounded size, one at a time for a project, in their order', async () => {
    const wamids = await sentMessages(1_100)
    const taken = wamids.map((wamid) => batches.take(project.id, [report(wamid, 'failed')]))
    const later = wamids.map((wamid) => batches.take(project.id, [report(wamid, 'delivered')]))
    await Promise.all([...taken, ...later])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.statusBatchUpdates)
    expect(sizes.length).toBeLessThanOrEqual(6)
    expect(Math.max(...atOnce)).toBe(1)
    expect(new Set(await statusOf(wamids))).toEqual(new Set(['failed']))
  })

  it('hold no more connections than that, however many projects there are', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => service.project()))
    atOnce = []
    await Promise.all(others.map(({ id }) => batches.take(id, [report(newWamid('2'))])))
    expect(Math.max(...atOnce)).toBe(LIMITS.statusBatchesAtOnce)
  })

  it('are taken alone when one holds more than a batch may', async () => {
    const wamids = await sentMessages(LIMITS.statusBatchUpdates + 1)
    const [small = ''] = await sentMessages(1)
    await Promise.all([
      batches.take(
        project.id,
        wamids.map((wamid) => report(wamid)),
      ),
      batches.take(project.id, [report(small)]),
    ])
    expect(sizes).toEqual([wamids.length, 1])
    expect(new Set(await statusOf([...wamids, small]))).toEqual(new Set(['delivered']))
  })
})

describe('a callback of statuses that PostgreSQL refuses', () => {
  it('fails alone: its neighbours are committed and answered', async () => {
    const [broken = ''] = await sentMessages(1, 'broken')
    const wamids = await sentMessages(10)
    const all = wamids.toSpliced(5, 0, broken)
    const answers = await Promise.allSettled(
      all.map((wamid) => batches.take(project.id, [report(wamid)])),
    )
    expect(answers.map(({ status }) => status)).toEqual(
      all.map((wamid) => (wamid === broken ? 'rejected' : 'fulfilled')),
    )
    expect(new Set(await statusOf(wamids))).toEqual(new Set(['delivered']))
    expect(await statusOf([broken])).toEqual(['sent'])
  })

  it('is answered 500, so that the channel sends it again, and its neighbours 200', async () => {
    const account = await service.account(project.id)
    const [broken = ''] = await sentMessages(1, 'broken')
    const wamids = await sentMessages(10)
    const at = service.ctx.now()
    const answers = await Promise.all(
      [...wamids, broken].map((wamid) =>
        service.callback(
          project.id,
          statusCallback({ account, wamid, status: 'read', to: { phone: PHONE }, at }),
        ),
      ),
    )
    expect(answers).toEqual([...wamids.map(() => 200), 500])
    expect(new Set(await statusOf(wamids))).toEqual(new Set(['read']))
  })
})

describe('the answer to a callback of statuses', () => {
  it('comes when they are committed, and not before', async () => {
    const [wamid = ''] = await sentMessages(1)
    const other = await service.project()
    await admin.query('BEGIN')
    await admin.query('SELECT 1 FROM messages WHERE wamid = $1 FOR UPDATE', [wamid])
    let isAnswered = false
    const answer = batches.take(project.id, [report(wamid)]).then(() => (isAnswered = true))
    // These come and go meanwhile, so the first one had its chance.
    for (let i = 0; i < 5; i++) await batches.take(other.id, [report(newWamid('3'))])
    expect(isAnswered).toBe(false)
    expect(await statusOf([wamid])).toEqual(['sent'])
    await admin.query('COMMIT')
    await answer
    expect(await statusOf([wamid])).toEqual(['delivered'])
  })
})
