import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import * as broadcastLeases from '../../capabilities/broadcasts/broadcast-leases.ts'
import { oneOff, plannedOnce } from '../../core/sql.ts'
import { deployHandlers, runBots, untilRun } from '../support/bots.ts'
import { startBroadcast } from '../support/broadcast-sending.ts'
import { deliver, register } from '../support/deliveries.ts'
import { NO_AUTOVACUUM } from '../support/reads.ts'
import { startReceiver } from '../support/receiver.ts'
import { sendAs } from '../support/sending.ts'
import { startTestService, type TestService } from '../support/service.ts'

jest.setTimeout(60_000)

/**
 * PostgreSQL makes five plans for values before it considers one for all; and some more where the
 * tables that the first were made for were smaller.
 */
const TRIES = 5
const ROUNDS = 48
const CONNECTIONS = 2

let service: TestService
let bots: Awaited<ReturnType<typeof runBots>>

beforeAll(async () => {
  // The same few connections run everything, again and again.
  service = await startTestService({ env: { DATABASE_POOL_SIZE: String(CONNECTIONS) } })
  const { id } = await service.project()
  await fill(id, 20_000)
  bots = await runBots(service.ctx)
})
afterAll(async () => {
  await bots.stop()
  await service.stop()
})

/** Gives a project so much that what is rare, or short, looks far cheaper than the average. */
async function fill(projectId: string, customers: number): Promise<void> {
  const db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
  await db.query(
    `WITH customer AS (
       INSERT INTO contacts (project_id, phone, wa_id, match_key, tags)
       SELECT $1, '+' || n, n, n, '{}' FROM generate_series(15550000001, 15550000000 + $2::bigint) n
       RETURNING id
     ), conversation AS (
       INSERT INTO conversations (project_id, contact_id, last_activity_at)
       SELECT $1, id, now() - id * interval '1 s' FROM customer RETURNING id, contact_id
     )
     INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
     SELECT $1, id, contact_id, 'wamid.' || id, 'inbound', 'customer', 'text', 'received' FROM conversation`,
    [projectId, customers],
  )
  await db.query(NO_AUTOVACUUM)
  await db.query('ANALYZE')
  await db.end()
}

it('what a message, its statuses, its bot and its webhook run is planned once in each connection', async () => {
  const receiver = await startReceiver()
  const deliveries = deliver(service.ctx)
  const project = await service.project()
  await register(project, receiver.url, ['message.received', 'message.status'])
  await deployHandlers(service, project, {
    onMessage: `async (ctx) => {
      await ctx.send({ type: 'text', content: 'You wrote ' + ctx.message.content })
    }`,
    onStatus: `async (ctx) => ctx.log.info(ctx.status.status)`,
  })
  for (let round = 0; round < ROUNDS; round++) {
    const phone = `+1555100${1_000 + (round % 4)}`
    const { id } = await service.customer(project, { phone, text: 'Hello' })
    const body = { type: 'text', phone, content: 'Hello yourself' }
    await sendAs(service, project.key, body, { 'idempotency-key': `key-${round}` })
    await project.client.ok('listConversations')
    await project.client.ok('listContacts')
    await project.client.ok('listConversationMessages', { path: { id } })
    await service.sandbox.idle()
    await untilRun(service, project)
  }
  await deliveries.stop()
  await receiver.close()

  const plans = await plansMade()
  const often = plans.filter(({ runs }) => runs > 3 * TRIES)
  expect([...new Set(often.map(({ name }) => name))].sort()).toEqual([
    'begin-sends',
    'emit-message-steps',
    'enqueue-bot-runs',
    'find-bots-in-production',
    'find-contacts-of-bot-runs',
    'find-conversations-of-bot-runs',
    'find-customers',
    'find-messages-of-bot-runs',
    'find-received-messages',
    'find-recorded',
    'find-their-conversations',
    'lease-bot-runs',
    'lease-webhooks',
    'listContacts-00',
    'listConversations-000',
    'listConversations-010',
    'lock-messages',
    'read-due-deliveries',
    'record-sends',
    'write-statuses',
  ])
  expect(often.filter(({ custom, runs }) => custom > TRIES + runs / 4)).toEqual([])
})

it('what leases the recipients of a broadcast is planned once in each connection', async () => {
  const project = await service.project()
  const { id } = await startBroadcast(service, project, { contacts: ROUNDS })
  const sending = { id, projectId: project.id, phoneNumberId: 'any' }
  for (let round = 1; round <= ROUNDS; round++) {
    const [leased] = await broadcastLeases.lease(service.ctx, sending, 1)
    expect(leased?.seq).toBe(round)
  }
  const plans = (await plansMade()).filter(({ name }) => name === 'lease-recipients')
  expect(plans.reduce((sum, { runs }) => sum + runs, 0)).toBe(ROUNDS)
  expect(plans.filter(({ custom, runs }) => custom > TRIES + runs / 4)).toEqual([])
})

it('a list of many values has a plan of its own in what is planned once for all others', async () => {
  const wanted = plannedOnce(
    'test-wanted',
    'EXPLAIN SELECT 1 FROM contacts WHERE match_key = ANY ($1::text[])',
  )
  const planFor = async (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => `key-${index}`)
    return (await service.ctx.sql.rows(wanted, [keys])).join()
  }
  expect(await planFor(500)).not.toContain('key-0')
  expect(await planFor(501)).toContain('{key-0,key-1,')
})

it('nothing is made machine code of, however much PostgreSQL expects to do', async () => {
  expect(await service.ctx.sql.rows(oneOff('SHOW jit'))).toEqual([['off']])
})

/** How often what is to be planned once was planned for its values, and run, in each connection. */
async function plansMade() {
  const list = oneOff(
    `SELECT name, custom_plans, custom_plans + generic_plans
       FROM pg_prepared_statements, pg_sleep(0.2)
      WHERE statement LIKE '%(SELECT $%' OR statement LIKE '%AS page LIMIT%'`,
  )
  // As many at once as there are connections, and each takes its time: every connection answers.
  const answers = Array.from({ length: CONNECTIONS }, () => service.ctx.sql.rows(list))
  return (await Promise.all(answers))
    .flat()
    .map(([name, custom, runs]) => ({ name, custom: Number(custom), runs: Number(runs) }))
}
