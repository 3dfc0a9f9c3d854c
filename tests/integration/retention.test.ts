import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { pruneExpired } from '../../capabilities/retention.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { subscribe } from '../support/events.ts'
import { failing } from '../support/failing-sql.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { storedMedium, storeMedium } from '../support/media.ts'
import { png } from '../support/sample-files.ts'
import { ahead, startTestService, type TestService } from '../support/service.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const countKept = statement(
  'test-count-kept',
  `SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending'), (SELECT count(*) FROM events),
          (SELECT count(*) FROM parked_statuses)`,
)

it('a worker whose clock is days ahead deletes nothing that is young by the clock of the database', async () => {
  const project = await service.project()
  await subscribe(project, ['message.received'])
  await service.customer(project)
  const at = service.ctx.now()
  const account = await service.account(project.id)
  const told = { account, wamid: newWamid('1'), to: { phone: '+15550001234' }, at }
  await service.callback(project.id, statusCallback({ ...told, status: 'delivered' }))
  await jobs['prune-expired'].run(ahead(service.ctx, 9 * DAY_MS))
  expect(await service.ctx.sql.rows(countKept)).toEqual([['1', '1', '1']])
})

it('a table that cannot be cleared keeps no other from being, and the job says that it failed', async () => {
  const { ctx } = service
  const old = statement(
    'test-add-expired',
    `WITH call AS (
       INSERT INTO bot_calls (run_id, call, answer, created_at)
       VALUES (1, 'send 1', 'null', now() - interval '1 year')
     )
     INSERT INTO unread_callbacks (project_id, reason, body, received_at)
     VALUES ('p', 'test', '', now() - interval '1 year')`,
  )
  const countOld = statement(
    'test-count-expired',
    'SELECT (SELECT count(*) FROM bot_calls), (SELECT count(*) FROM unread_callbacks)',
  )
  await ctx.sql.rows(old)
  const { sql, failed } = failing(ctx.sql, { 'prune-send_attempts': 1, 'prune-deliveries': 1 })
  await expect(jobs['prune-expired'].run({ ...ctx, sql })).rejects.toThrow(
    'What is past its time could not all be deleted: prune-send_attempts, prune-deliveries',
  )
  expect([failed('prune-send_attempts'), failed('prune-deliveries')]).toEqual([1, 1])
  expect(await ctx.sql.rows(countOld)).toEqual([['0', '0']])
})

/** How long what is kept, and a row of it named `$1` whose time begins at `$2`. */
const KEPT: [table: string, days: number, name: string, row: string][] = [
  [
    'send_attempts',
    31,
    'message',
    `(id, project_id, conversation_id, contact_id, message, created_at)
     VALUES (gen_random_uuid(), 'p', 1, 1, to_jsonb($1::text), $2)`,
  ],
  [
    'parked_statuses',
    8,
    'wamid',
    `(project_id, wamid, status, at, received_at) VALUES ('p', $1, 'read', now(), $2)`,
  ],
  ['heard_template_news', 8, 'digest', `(project_id, digest, received_at) VALUES ('p', $1, $2)`],
  ['events', 7, 'name', `(project_id, name, data, created_at) VALUES ('p', $1, '{}', $2)`],
  ['media_leases', 0, 'name', `(project_id, name, locked_until) VALUES ('p', $1, $2)`],
  ['bot_calls', 7, 'call', `(run_id, call, answer, created_at) VALUES (1, $1, 'null', $2)`],
  [
    'bot_log_lines',
    7,
    'text',
    `(project_id, run_id, conversation_id, level, text, at) VALUES ('p', 1, 1, 'info', $1, $2)`,
  ],
  [
    'unread_callbacks',
    30,
    'reason',
    `(project_id, reason, body, received_at) VALUES ('p', $1, '', $2)`,
  ],
]

it.each(KEPT)(
  'of %s, what is older than %i days goes, and nothing else',
  async (table, days, name, row) => {
    const { ctx } = service
    const insert = statement(`test-keep-${table}`, `INSERT INTO ${table} ${row}`)
    const keptSince = ctx.now().getTime() - days * DAY_MS
    await ctx.sql.rows(insert, ['old', new Date(keptSince - HOUR_MS)])
    await ctx.sql.rows(insert, ['young', new Date(keptSince + HOUR_MS)])
    await jobs['prune-expired'].run(ctx)
    const found = statement(
      `test-find-${table}`,
      `SELECT trim(both '"' from ${name}::text) AS found FROM ${table}
      WHERE trim(both '"' from ${name}::text) IN ('old', 'young')`,
    )
    expect(await ctx.sql.rows(found)).toEqual([['young']])
  },
)

describe('messages', () => {
  const add = statement(
    'test-add-messages',
    `INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type, status, media, created_at)
     SELECT project_id, id, contact_id, $2 || n, 'inbound', 'customer', 'image', 'received',
            $5::jsonb || jsonb_build_object('media_id', $2 || n), $3
       FROM conversations, generate_series(1, $4::int) n WHERE project_id = $1`,
  )
  const days = (kept: number, more = 0) =>
    new Date(service.ctx.now().getTime() - kept * DAY_MS + more)

  it('stay for ever, or for MESSAGES_KEPT_DAYS, with the files of customers', async () => {
    const { ctx } = service
    const project = await service.project()
    const { id } = await service.customer(project)
    await ctx.sql.rows(add, [project.id, 'old', days(40, -HOUR_MS), 5_001, storedMedium])
    await ctx.sql.rows(add, [project.id, 'young', days(40, HOUR_MS), 1, storedMedium])
    await ctx.sql.rows(add, [project.id, 'late', days(41), 1, storedMedium])
    for (const inboundMediaId of ['old1', 'young1']) {
      await storeMedium(service, project, { slug: inboundMediaId, inboundMediaId, bytes: png() })
    }
    const path = { id }
    const read = () =>
      project.client.ok('listConversationMessages', { path, query: { limit: 100 } })

    await jobs['prune-expired'].run(ctx)
    expect((await read()).messages).toHaveLength(100)
    const keeping = { ...ctx, config: { ...ctx.config, messagesKeptDays: 40 } }
    await jobs['prune-expired'].run(keeping)
    const { messages } = await read()
    expect(messages.map(({ wamid }) => wamid)).toEqual(['young1', expect.any(String)])
    const { media } = await project.client.ok('listMedia')
    expect(media).toMatchObject([{ slug: 'young1' }])
    await ctx.db.message.deleteMany({ where: { projectId: project.id } })
    const { conversation } = await project.client.ok('getConversation', { path })
    expect(conversation).toMatchObject({ id, last_message: null, window: { open: true } })
  })
})

it('what is renewed while its deletion waits for it stays', async () => {
  const { ctx, databaseUrl } = service
  const lease = statement(
    'test-add-lease',
    `INSERT INTO media_leases (project_id, name, locked_until)
     VALUES ('p', 'renewed', now() - interval '1 day')`,
  )
  const find = statement('test-find-lease', `SELECT 1 FROM media_leases WHERE name = 'renewed'`)
  await ctx.sql.rows(lease)
  let pruning: Promise<void> | undefined
  await inTheWay(databaseUrl, async (query) => {
    const renew = `UPDATE media_leases SET locked_until = now() + interval '1 day'
                    WHERE name = 'renewed'`
    await query(renew, [])
    pruning = jobs['prune-expired'].run(ctx)
    await untilWaiting(ctx)
  })
  await pruning
  expect(await ctx.sql.rows(find)).toEqual([['1']])
})

it('however much is past its time goes in one run', async () => {
  const { ctx } = service
  const many = statement(
    'test-add-many',
    `INSERT INTO unread_callbacks (project_id, reason, body, received_at)
     SELECT 'p', 'many', '', now() - interval '1 year' FROM generate_series(1, 10001)`,
  )
  const left = statement(
    'test-count-many',
    `SELECT count(*) FROM unread_callbacks WHERE reason = 'many'`,
  )
  await ctx.sql.rows(many)
  await jobs['prune-expired'].run(ctx)
  expect(await ctx.sql.rows(left)).toEqual([['0']])
})

describe('much that is past its time in one table', () => {
  const many = statement(
    'test-add-many-attempts',
    `INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message, created_at)
     SELECT gen_random_uuid(), 'many', 1, 1, '{}', now() - interval '1 year'
       FROM generate_series(1, 10001)`,
  )
  const left = statement(
    'test-count-attempts',
    `SELECT count(*) FROM send_attempts WHERE project_id = 'many'`,
  )

  it('keeps no other from being cleared', async () => {
    const { ctx } = service
    await ctx.sql.rows(many)
    const asked: string[] = []
    const rows: typeof ctx.sql.rows = (one, values) => {
      asked.push(one.name)
      return ctx.sql.rows(one, values)
    }
    await jobs['prune-expired'].run({ ...ctx, sql: { ...ctx.sql, rows } })
    const first = (name: string) => asked.indexOf(`prune-${name}`)
    const again = asked.indexOf('prune-send_attempts', first('send_attempts') + 1)
    expect(again).toBeGreaterThan(first('unread_callbacks'))
    expect(first('unread_callbacks')).toBeGreaterThan(first('send_attempts'))
  })

  it('is deleted for a while, and on in the next minute', async () => {
    const { ctx } = service
    await ctx.sql.rows(many)
    await pruneExpired(ctx, 0)
    expect(await ctx.sql.rows(left)).toEqual([['5001']])
    await pruneExpired(ctx, 0)
    expect(await ctx.sql.rows(left)).toEqual([['1']])
    expect(jobs['prune-expired'].every).toBe('1 minute')
  })
})

it('an event stays until all deliveries are gone that are as old', async () => {
  const { ctx } = service
  const old = statement(
    'test-add-old-deliveries',
    `WITH event AS (
       INSERT INTO events (id, project_id, name, data, created_at)
       VALUES (1000000, 'p', 'much.told', 'null', now() - interval '1 year')
     )
     INSERT INTO deliveries (webhook_id, event_id, epoch, status, created_at, finished_at)
     SELECT n, 1000000, 1, 'delivered', now() - interval '1 year', now() FROM generate_series(1, 5001) n`,
  )
  const kept = statement(
    'test-count-told',
    `SELECT (SELECT count(*) FROM deliveries WHERE event_id = 1000000),
            (SELECT count(*) FROM events WHERE id = 1000000)`,
  )
  await ctx.sql.rows(old)
  await pruneExpired(ctx, 0)
  expect(await ctx.sql.rows(kept)).toEqual([['1', '1']])
  await pruneExpired(ctx, 0)
  expect(await ctx.sql.rows(kept)).toEqual([['0', '0']])
})

it('a delivery that still waits stays, and its event, however old they are', async () => {
  const { ctx } = service
  const old = statement(
    'test-add-old-waiting',
    `WITH event AS (
       INSERT INTO events (id, project_id, name, data, created_at)
       SELECT n, 'p', 'told.late', 'null', now() - interval '8 days' FROM generate_series(2000000, 2000001) n
     )
     INSERT INTO deliveries (webhook_id, event_id, epoch, status, created_at, finished_at)
     VALUES ('w', 2000000, 1, 'pending', now() - interval '8 days', NULL),
            ('w', 2000001, 1, 'delivered', now() - interval '8 days', now())`,
  )
  const settle = statement(
    'test-settle-old-waiting',
    "UPDATE deliveries SET status = 'delivered', finished_at = now() WHERE event_id = 2000000 RETURNING 1",
  )
  const kept = statement(
    'test-list-old-waiting',
    `SELECT (SELECT array_agg(event_id) FROM deliveries WHERE event_id >= 2000000),
            EXISTS (SELECT FROM events WHERE id = 2000000)`,
  )
  await ctx.sql.rows(old)
  await pruneExpired(ctx)
  expect(await ctx.sql.rows(kept)).toEqual([['{2000000}', 't']])

  await ctx.sql.rows(settle)
  await pruneExpired(ctx)
  expect(await ctx.sql.rows(kept)).toEqual([[null, 'f']])
})
