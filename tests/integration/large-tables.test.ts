import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { erase } from '../../capabilities/conversations/contact-erasure.ts'
import * as contacts from '../../capabilities/conversations/contacts.ts'
import * as conversations from '../../capabilities/conversations/conversations.ts'
import * as tables from '../../capabilities/tables/tables.ts'
import * as toldRecipients from '../../capabilities/statuses/told-recipients.ts'
import { readDueDeliveries } from '../../capabilities/webhooks/delivery-rows.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, oneOff } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { register } from '../support/deliveries.ts'
import { COUNTED_CONNECTIONS, NO_AUTOVACUUM, pagesOf, readsOf } from '../support/reads.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

jest.setTimeout(60_000)

const MANY = 20_000
/** So many tables that their names fill some hundred pages of the catalog. */
const OTHERS = 3_000
/** PostgreSQL makes five plans for values before it considers one for all. */
const TIMES = 8

let service: TestService
let project: TestProject
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startTestService({ env: { DATABASE_POOL_SIZE: String(COUNTED_CONNECTIONS) } })
  project = await service.project()
  await run(NO_AUTOVACUUM)
})
afterAll(async () => {
  await service.stop()
  await receiver.close()
})

function run(text: string, ...values: unknown[]) {
  return service.ctx.sql.rows(oneOff(text), values)
}

async function often(work: () => Promise<unknown>): Promise<void> {
  // Each connection makes plans of its own.
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(Array.from({ length: COUNTED_CONNECTIONS }, work))
  }
}

describe('a new project, webhook or broadcast', () => {
  it('is noticed by PostgreSQL once a thousandth of a table has changed, where it could mistake indexes', async () => {
    const late = await run(
      `SELECT DISTINCT c.relname FROM pg_index x
         JOIN pg_class c ON c.oid = x.indrelid AND c.relnamespace = 'public'::regnamespace
        WHERE c.relname NOT LIKE 'sandbox%'
          AND c.reloptions @> ARRAY['autovacuum_analyze_scale_factor=0.001', 'autovacuum_analyze_threshold=1000']
              IS NOT TRUE
        GROUP BY c.relname, x.indkey[0] HAVING count(*) > 1`,
    )
    expect(late).toEqual([])
  })

  it('costs no reading of all its contacts for the names that statuses tell of some', async () => {
    await run(
      `INSERT INTO contacts (project_id, phone, match_key)
       SELECT $1, '+' || n, n FROM generate_series(15595000001, 15595000000 + $2::bigint) n`,
      ...[project.id, MANY],
    )
    await run('VACUUM (ANALYZE) contacts')
    const own = await service.project()
    const made = await run(
      `INSERT INTO contacts (project_id, phone, match_key)
       SELECT $1, '+' || n, n FROM generate_series(15596000001, 15596000000 + $2::bigint) n RETURNING id`,
      ...[own.id, MANY],
    )
    const told = made.slice(0, 100).map(([id = null]) => {
      return { contactId: must(id), waId: null, matchKey: null, userId: `US.${id}` }
    })
    const pages = await pagesOf(service, own, ({ sql }) =>
      toldRecipients.note(sql, own.id, told, service.ctx.now()),
    )
    expect(pages).toBeLessThan(5_000)
  })
})

describe('of many rows, only few are read', () => {
  it('of the messages for a medium, whether or not one has brought it', async () => {
    const { id, contact } = await service.customer(project)
    await run(
      `INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type, status,
         media)
       SELECT $1, $2::bigint, $3::bigint, 'wamid.' || n, 'inbound', 'customer', 'image', 'received',
              jsonb_build_object('media_id', n::text)
         FROM generate_series(1, $4::int) n`,
      ...[project.id, id, contact.id, MANY],
    )
    await run('ANALYZE messages')
    const reads = await readsOf(service, 'messages', async () => {
      await project.client.refused('getMedia', 'not_found', { path: { slug: 'never' } })
      await project.client.refused('getMedia', 'MEDIA_EXPIRED', { path: { slug: String(MANY) } })
    })
    expect(reads).toBeLessThan(100)
  })

  it('of the media for those of a kind that is rare', async () => {
    await run(
      `INSERT INTO media (project_id, slug, kind, filename, mime_type, size, sha256)
       SELECT $1, n::text, 'image', n::text, 'image/png', 1, '' FROM generate_series(1, $2::int) n`,
      ...[project.id, MANY],
    )
    await run('ANALYZE media')
    const reads = await readsOf(service, 'media', () =>
      project.client.ok('listMedia', { query: { kind: 'audio' } }),
    )
    expect(reads).toBeLessThan(100)
  })

  it('of the conversations for those that have changed just now, however often it was asked', async () => {
    const own = await service.project()
    const at = service.ctx.now()
    await run(
      `WITH customer AS (
         INSERT INTO contacts (project_id, phone, match_key)
         SELECT $1, '+' || n, n FROM generate_series(15570000001, 15570000000 + $2::bigint) n
         RETURNING id, phone::bigint - 15570000000 AS place
       )
       INSERT INTO conversations (project_id, contact_id, state, last_activity_at, updated_at)
       SELECT $1, id, 'done', $3::timestamptz - place * interval '10 s',
              $3::timestamptz - place * interval '10 s' FROM customer`,
      ...[own.id, MANY, at],
    )
    await run('ANALYZE contacts, conversations')
    const ask = async (ms: number) => {
      const since = new Date(at.getTime() - ms).toISOString()
      const query = { state: 'done', updated_since: since, limit: 100 }
      return (await own.client.ok('listConversations', { query })).conversations.length
    }
    await often(async () => expect(await ask(3_600_000)).toBe(100))
    const reads = await readsOf(service, 'conversations', async () => {
      for (let time = 0; time < TIMES; time++) expect(await ask(25_000)).toBe(2)
    })
    expect(reads).toBeLessThan(100 * TIMES)
  })

  it('of the conversations that nothing has happened to since, behind the last that has changed', async () => {
    const own = await service.project()
    const at = service.ctx.now()
    // In an order of their own, as they lie about in life.
    await run(
      `WITH customer AS (
         INSERT INTO contacts (project_id, phone, match_key)
         SELECT $1, '+' || n, n FROM generate_series(15580000001, 15580000000 + $2::bigint) n
         RETURNING id, (phone::bigint * 7919) % 20011 AS place
       )
       INSERT INTO conversations (project_id, contact_id, state, last_activity_at, updated_at)
       SELECT $1, id, 'done', $3::timestamptz - place * interval '10 s',
              $3::timestamptz - place * interval '10 s' FROM customer`,
      ...[own.id, MANY, at],
    )
    await run('VACUUM (ANALYZE) conversations')
    const since = new Date(at.getTime() - 10 * (MANY / 2) * 1_000)
    const cursor = service.ctx.cursors.encode(
      ['listConversations', own.id, null, null, since],
      [since.toISOString(), '0'],
    )
    const query = { updated_since: since.toISOString(), cursor }
    const pages = await pagesOf(service, own, async (ctx) => {
      expect(await conversations.list(ctx, query)).toMatchObject({
        json: '{"conversations":[],"nextCursor":null}',
      })
    })
    expect(pages).toBeLessThan(4_000)
  })

  it('of the contacts of others for those of a tag that is common there, and rare or unknown here', async () => {
    const [own, other] = [await service.project(), await service.project()]
    for (const { id } of [own, other]) {
      await run(
        `INSERT INTO contacts (project_id, phone, match_key, tags)
         SELECT $1, '+' || n, n, CASE WHEN $3 = n % 15590000000 OR $3 = 0 THEN '{vip}'::text[] ELSE '{}' END
           FROM generate_series(15590000001, 15590000000 + $2::bigint) n`,
        ...[id, MANY, id === own.id ? 7 : 0],
      )
    }
    await run('VACUUM (ANALYZE) contacts')
    const countOf = async (tag: string) => {
      let count = 0
      const pages = await pagesOf(service, own, async (ctx) => {
        count = (await contacts.list(ctx, { tag })).contacts.length
      })
      expect(pages).toBeLessThan(150)
      return count
    }
    expect([await countOf('vip'), await countOf('never')]).toEqual([1, 0])
  })

  it('of the events of others for what a webhook was told', async () => {
    const { id } = await register(project, receiver.url)
    for (const webhookId of [id, 'another']) {
      await run(
        `WITH event AS (
           INSERT INTO events (project_id, name, data, created_at)
           SELECT $1, 'order.paid', to_json(repeat('.', 300)), $3::timestamptz
             FROM generate_series(1, $2::int) RETURNING id
         )
         INSERT INTO deliveries (webhook_id, event_id, epoch, status, created_at, finished_at)
         SELECT $4, id, 1, 'delivered', $3::timestamptz, $3::timestamptz FROM event`,
        ...[project.id, MANY, service.ctx.now(), webhookId],
      )
    }
    await run('ANALYZE events, deliveries')
    const reads = await readsOf(service, 'events', async () => {
      const path = { id }
      const { nextCursor } = await project.client.ok('listWebhookDeliveries', { path })
      await project.client.ok('listWebhookDeliveries', { path, query: { cursor: nextCursor! } })
    })
    expect(reads).toBeLessThan(1_000)
  })

  it('of the events, only those of the deliveries that are passed over to find other conversations', async () => {
    const { id: webhookId } = await register(project, receiver.url)
    await run(
      `WITH event AS (
         INSERT INTO events (project_id, name, subject, data, created_at)
         SELECT $1, 'order.paid', 'conversation ' || CASE WHEN n % 1000 = 0 THEN n ELSE 1 END, 'null',
                $3::timestamptz
           FROM generate_series(1, $2::int) n RETURNING id
       )
       INSERT INTO deliveries (webhook_id, event_id, epoch, created_at)
       SELECT $4, id, 1, $3::timestamptz FROM event`,
      ...[project.id, MANY, service.ctx.now(), webhookId],
    )
    await run('ANALYZE events, deliveries')
    const room = { webhookId, epoch: 1, room: 10, bytes: 1_000, heldEventIds: [] }
    const reads = await readsOf(service, 'events', async () => {
      const found = await readDueDeliveries(service.ctx, [{ ...room, past: ['conversation 1'] }])
      expect(found.map(({ subject }) => subject)).toEqual(
        [1, 2, 3, 4, 5].map((n) => `conversation ${n * 1_000}`),
      )
    })
    expect(reads).toBeLessThan(LIMITS.deliveriesPassed + 100)
  })

  it('of the deliveries where one registration changes, or all are swept', async () => {
    const busy = await register(project, receiver.url)
    const quiet = await register(project, receiver.url)
    await run(
      `INSERT INTO deliveries (webhook_id, event_id, epoch, status, created_at, finished_at)
       SELECT $1, n, 1, CASE WHEN n % 2 = 0 THEN 'pending' ELSE 'delivered' END, $3::timestamptz,
              CASE WHEN n % 2 = 1 THEN $3::timestamptz END
         FROM generate_series(1, 2 * $2::int) n`,
      ...[busy.id, MANY, service.ctx.now()],
    )
    await run('ANALYZE deliveries, webhooks')
    const reads = await readsOf(service, 'deliveries', async () => {
      await often(() => jobs['sweep-deliveries'].run(service.ctx))
      const [path, body] = [{ id: quiet.id }, { events: ['order.lost'] }]
      await often(() => project.client.ok('updateWebhook', { path, body }))
    })
    expect(reads).toBeLessThan(TIMES * COUNTED_CONNECTIONS * 2_500)
  })

  it('of what is past its time, each once', async () => {
    await run(
      `INSERT INTO idempotency_records (project_id, key, fingerprint, attempt_id, request_id,
         locked_until, expires_at)
       SELECT $1, n, '', gen_random_uuid(), '', now(), now() - interval '1 day' - n * interval '1 s'
         FROM generate_series(1, 2 * $2::int) n`,
      ...[project.id, MANY],
    )
    await run('ANALYZE idempotency_records')
    const reads = await readsOf(service, 'idempotency_records', () =>
      jobs['prune-expired'].run(service.ctx),
    )
    expect(await run('SELECT count(*) FROM idempotency_records')).toEqual([['0']])
    expect(reads).toBeLessThan(3 * MANY)
  })

  it('of the media for those of messages that are past their time', async () => {
    const own = await service.project()
    const { id, contact } = await service.customer(own)
    await run(
      `WITH file AS (
         INSERT INTO media (project_id, slug, kind, filename, mime_type, size, sha256, inbound_media_id)
         SELECT $1, 'a' || n, 'image', n::text, 'image/png', 1, '', n::text
           FROM generate_series(1, $4::int) n
       )
       INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type, status,
         media, created_at)
       SELECT $1, $2::bigint, $3::bigint, 'old.' || n, 'inbound', 'customer', 'image', 'received',
              jsonb_build_object('media_id', n::text), now() - interval '1 year'
         FROM generate_series(1, 100) n`,
      ...[own.id, id, contact.id, MANY],
    )
    // Those that were stored before are older, but for what this file has made.
    await run('DELETE FROM messages WHERE project_id <> $1', own.id)
    const config = { ...service.ctx.config, messagesKeptDays: 31 }
    const keeping = { ...service.ctx, config }
    const reads = await readsOf(service, 'media', () => jobs['prune-expired'].run(keeping))
    const left = 'SELECT count(*) FROM media WHERE project_id = $1'
    expect(await run(left, own.id)).toEqual([[String(MANY - 100)]])
    expect(reads).toBeLessThan(1_000)
  })

  it('of the recipients of all broadcasts for those of a contact that is erased', async () => {
    const own = await service.project()
    const { contact } = await service.customer(own)
    await run(
      `WITH made AS (
         INSERT INTO broadcasts (id, project_id, name, template_name, template_language, category, filter,
           template_variables, created_by, creator_name)
         SELECT gen_random_uuid(), $1, 'b', 't', 'en', 'UTILITY', '{}', '{}', 'k', 'k'
           FROM generate_series(1, 20) RETURNING id
       )
       INSERT INTO broadcast_recipients (broadcast_id, seq, project_id, contact_id, phone, status)
       SELECT id, n, $1, $2::bigint + n, '+1', 'sent' FROM made, generate_series(0, $3::int / 20) n`,
      ...[own.id, contact.id, MANY],
    )
    const erasing = { onProgress: () => {}, stop: new AbortController().signal }
    const reads = await readsOf(service, 'broadcast_recipients', async () => {
      const erased = await erase(service.ctx, own.id, String(contact.id), erasing)
      expect(erased.recipients).toBe(20)
    })
    expect(reads).toBeLessThan(1_000)
  })

  it('of the code that files have, but for the first time', async () => {
    await run(
      `WITH bot AS (INSERT INTO bots (project_id) VALUES ($1)), blob AS (
         INSERT INTO code_blobs (project_id, sha256, content, used_at)
         SELECT $1, sha256(n::text::bytea), '', now() - interval '1 day' - n * interval '1 s'
           FROM generate_series(1, $2::int) n
       )
       INSERT INTO code_files (project_id, path, sha256, encoding, updated_at)
       SELECT $1, n, sha256(n::text::bytea), 'utf-8', now() FROM generate_series(2, $2::int) n`,
      ...[project.id, MANY],
    )
    await run('ANALYZE code_blobs, code_files, deployment_files')
    await jobs['prune-expired'].run(service.ctx)
    expect(await run('SELECT count(*) FROM code_blobs')).toEqual([[String(MANY - 1)]])
    await run('VACUUM code_blobs')
    const reads = await readsOf(service, 'code_blobs', () => jobs['prune-expired'].run(service.ctx))
    expect(reads).toBeLessThan(1_000)
  })

  it('of the recipients for those whose message was lost, however many wait', async () => {
    await run(
      `INSERT INTO broadcast_recipients (broadcast_id, seq, project_id, contact_id, phone, status,
         dispatched_at)
       SELECT lpad(CASE WHEN n <= $2::int THEN n % 400 ELSE 400 END::text, 32, '0')::uuid, n, $1,
              n::bigint * 7919 % 100003, '+1',
              CASE WHEN n <= $2::int THEN 'sent' ELSE 'queued' END,
              CASE WHEN n <= $2::int THEN now() - interval '1 hour' END
         FROM generate_series(1, 2 * $2::int) n`,
      ...[project.id, MANY],
    )
    await run('ANALYZE broadcast_recipients')
    const reads = await readsOf(service, 'broadcast_recipients', () =>
      jobs['give-up-lost-recipients'].run(service.ctx),
    )
    expect(reads).toBeLessThan(100)
  })
})

describe('the tables of a project', () => {
  it('are listed without going through those of all others', async () => {
    const [own, other] = [await service.project(), await service.project()]
    await applySql(service, own, 'CREATE TABLE orders (id int); CREATE TABLE items (id int)')
    const list = () => pagesOf(service, own, (ctx) => tables.tablesOf(ctx, own.id, 'public'))
    const before = await list()
    await applySql(
      service,
      other,
      `DO $$ BEGIN FOR n IN 1..${OTHERS} LOOP EXECUTE format('CREATE TABLE t%s (id int)', n); END LOOP; END $$`,
    )
    await run('VACUUM ANALYZE pg_class, pg_depend, pg_namespace')
    expect(await list()).toBeLessThan(before + 10)
  })
})
