import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as headerSamples from '../../capabilities/templates/header-samples.ts'
import { reseal as resealAll } from '../../capabilities/projects/sealed-secrets.ts'
import { openSecret } from '../../capabilities/webhooks/webhooks.ts'
import type { ProjectContext } from '../../core/context.ts'
import { LOCKS } from '../../core/locks.ts'
import { jobs } from '../../jobs/index.ts'
import { deliver, deliveriesOf, happen, register } from '../support/deliveries.ts'
import { inTheWay } from '../support/locks.ts'
import { operate } from '../support/operator.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { png } from '../support/sample-files.ts'
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'
import { createClient } from '../support/client.ts'
import { until } from '../support/until.ts'

const LISTENING = `pid IN (SELECT pid FROM pg_locks WHERE objid = ${LOCKS.listening} AND granted)`
const NEW_KEY = 'fedcba9876543210'.repeat(4)

let database: TestDatabase
let folder: string
let keyFile: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'secrets-'))
  keyFile = path.join(folder, 'new.key')
  await writeFile(keyFile, `${NEW_KEY}\n`)
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

const start = (key = TEST_ENCRYPTION_KEY, databaseUrl = database.url) =>
  startTestService({ databaseUrl, env: { ENCRYPTION_KEY: key } })

function reseal(file = keyFile, { key = TEST_ENCRYPTION_KEY, stdin = '' } = {}) {
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, ENCRYPTION_KEY: key }
  const argv = ['secrets', 'reseal', '--new-key-file', file]
  return operate(env, argv, false, Readable.from([stdin]))
}

/** One of everything that is sealed, as a running service makes it. */
async function secretsOf(service: TestService) {
  const project = await service.project()
  const account = await channelAccounts.find(service.ctx, project.id)
  const body = { url: 'https://example.com/hook', events: ['message.received'] }
  const { webhook, secret } = await project.client.ok('createWebhook', { body })
  await applySql(service, project, 'CREATE TABLE a (id integer PRIMARY KEY)')
  const sample = await project.client.ok('uploadHeaderSample', {
    body: { format: 'IMAGE', data: png().toString('base64'), filename: 'a.png', mime: 'image/png' },
  })
  return { project, account, webhookId: webhook.id, secret, handle: sample.handle }
}

/** Every text of the database that looks sealed, wherever it stands. */
async function sealedTexts({ ctx }: TestService): Promise<string[]> {
  const columns = await ctx.sql.rows({
    name: '',
    text: `SELECT quote_ident(table_name), quote_ident(column_name) FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type = 'text'`,
  })
  const texts = columns.map(async ([table, column]) => {
    const text = `SELECT ${column} FROM ${table} WHERE ${column} ~ '^v1[.][A-Za-z0-9+/=]{16}[.]'`
    return (await ctx.sql.rows({ name: '', text })).map(([value]) => value ?? '')
  })
  return (await Promise.all(texts)).flat()
}

describe('operator secrets reseal', () => {
  it('seals every secret of the database with the new key, and all of them go on working', async () => {
    const before = await start()
    const made = await secretsOf(before)
    const formerly = await sealedTexts(before)
    await before.stop()

    const { code, out, err } = await reseal()
    expect([code, JSON.parse(out)]).toEqual([0, { resealed: formerly.length }])
    expect(err).toContain('set ENCRYPTION_KEY to it everywhere before anything starts')

    const after = await start(NEW_KEY)
    try {
      const { ctx } = after
      const now = await sealedTexts(after)
      expect(now).toHaveLength(formerly.length)
      expect(now.filter((text) => formerly.includes(text))).toEqual([])
      expect(await channelAccounts.find(ctx, made.project.id)).toEqual(made.account)
      const [row] = await ctx.sql.rows(
        { name: '', text: 'SELECT secret FROM webhooks WHERE id = $1' },
        [made.webhookId],
      )
      expect(openSecret(ctx, made.webhookId, row?.[0] ?? '')).toBe(made.secret)
      await applySql(after, made.project, 'INSERT INTO a VALUES (1)')
      const inProject = { ...ctx, project: { id: made.project.id } } as ProjectContext
      expect(await headerSamples.redeem(inProject, made.handle, 'IMAGE')).not.toBe('')
    } finally {
      await after.stop()
    }
    await expect(start()).rejects.toThrow('sealed with another key')
  })

  it.each(['', '?application_name=named'])(
    'changes nothing while a server or a worker runs, at an address with "%s"',
    async (named) => {
      const running = await start(TEST_ENCRYPTION_KEY, database.url + named)
      try {
        const before = await sealedTexts(running)
        const { code, err } = await reseal()
        expect([code, err]).toEqual([
          1,
          'Nothing was changed: 1 other process uses this database. Stop all servers and workers, and try again.\n',
        ])
        expect(await sealedTexts(running)).toEqual(before)
      } finally {
        await running.stop()
      }
      await (await start()).stop()
    },
  )

  it('changes nothing when one secret does not open, and names it', async () => {
    const service = await start()
    const { webhookId } = await secretsOf(service)
    const foreign = service.ctx.vault.seal('x', 'elsewhere')
    const text = 'UPDATE webhooks SET secret = $2 WHERE id = $1'
    await service.ctx.sql.rows({ name: '', text }, [webhookId, foreign])
    const before = await sealedTexts(service)
    await service.stop()

    const { code, err } = await reseal()
    const place = `webhooks.secret.${webhookId}`
    expect([code, err]).toEqual([1, `Nothing was changed: the key does not open ${place}.\n`])
    const after = await start()
    expect(await sealedTexts(after)).toEqual(before)
    await after.stop()
  })

  it('leaves none out, however many there are', async () => {
    const service = await start()
    const { ctx } = service
    const { id } = await service.project()
    const hashes = Array.from({ length: 1_001 }, (_, n) => n.toString(16).padStart(64, '0'))
    const sealed = hashes.map((hash) =>
      ctx.vault.seal(hash, `header_samples.channel_handle.${id}.${hash}`),
    )
    const text = `INSERT INTO header_samples (handle_hash, project_id, format, channel_handle, expires_at)
       SELECT decode(hash, 'hex'), $1, 'IMAGE', sealed, now()
         FROM unnest($2::text[], $3::text[]) AS given (hash, sealed)`
    await ctx.sql.rows({ name: '', text }, [id, hashes, sealed])
    await service.stop()

    expect(await reseal()).toMatchObject({ code: 0 })
    const after = await start(NEW_KEY)
    expect((await sealedTexts(after)).filter((one) => sealed.includes(one))).toEqual([])
    await after.stop()
  })

  it('changes nothing when somebody else has just exchanged the key', async () => {
    const service = await start()
    const text = `UPDATE service_settings SET value = 'x' WHERE name = 'encryption_key_fingerprint'`
    await service.ctx.sql.rows({ name: '', text })
    await expect(resealAll(service.ctx, Buffer.from(NEW_KEY, 'hex'))).rejects.toThrow(
      'The encryption key was exchanged by somebody else just now.',
    )
    await service.stop()
  })

  it('takes the new key from standard input, and refuses what is none', async () => {
    await (await start()).stop()
    const wrong = await reseal('-', { stdin: NEW_KEY.slice(2) })
    expect([wrong.code, wrong.err]).toEqual([
      1,
      'Standard input holds no key: 32 bytes in base64 or hex.\n',
    ])
    const base64 = Buffer.from(NEW_KEY, 'hex').toString('base64')
    expect(await reseal('-', { stdin: base64 })).toMatchObject({ code: 0 })
    expect(await reseal(keyFile, { key: NEW_KEY })).toMatchObject({ code: 0 })
    await (await start(NEW_KEY)).stop()
  })

  it('is met by whoever starts meanwhile, and has been seen before it compares its key', async () => {
    await (await start()).stop()
    const pool = new pg.Pool({ connectionString: database.url })
    const count = async (where: string) => {
      const { rows } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${where}`,
      )
      return rows.length
    }
    let starting: Promise<unknown> | undefined
    await inTheWay(database.url, async (query) => {
      await query(
        `UPDATE service_settings SET value = $1 WHERE name = 'encryption_key_fingerprint'`,
        ['of another key'],
      )
      starting = start().catch(String)
      await until(
        async () => (await count("wait_event_type = 'Lock'")) === 1,
        'waiting for the key',
      )
      expect(await count(LISTENING)).toBe(1)
    })
    expect(await starting).toContain('sealed with another key')
    await pool.end()
  })
})

describe('operator secrets forget', () => {
  const forget = (key = NEW_KEY, flags = ['--for-good']) => {
    const env = { DATABASE_URL: database.url, DATA_DIR: folder, ENCRYPTION_KEY: key }
    return operate(env, ['secrets', 'forget', ...flags])
  }

  it('wants to be told that it is meant', async () => {
    expect(await forget(NEW_KEY, [])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nothing brings back what is forgotten: add --for-good /),
    })
  })

  it('lets a service whose key is lost start with another, which opens all that it seals anew', async () => {
    const before = await start()
    const made = await secretsOf(before)
    await channelAccounts.connect(before.ctx, made.project.id, {
      phoneNumberId: '1',
      businessAccountId: '2',
      appId: '3',
      accessToken: 'a token',
      appSecret: 'a secret',
      verifyToken: 'a word',
    })
    const other = await before.project()
    const formerly = await sealedTexts(before)
    await before.stop()
    await expect(start(NEW_KEY)).rejects.toThrow(/, or, if it is lost for good, see "Secrets" in /)

    const { code, out, err } = await forget()
    expect(code).toBe(0)
    expect(err).toBe(
      'The channels of these projects need their own secrets again: operator channel update --access-token, --app-secret and --verify-token.\n' +
        'The receivers of these webhooks need the new secrets.\n',
    )
    const told = JSON.parse(out)
    expect(told.channels).toEqual([{ project: made.project.id }])
    expect(told.webhooks).toEqual([
      {
        project: made.project.id,
        id: made.webhookId,
        url: 'https://example.com/hook',
        secret: expect.stringMatching(/^whsec_/),
      },
    ])

    const after = await start(NEW_KEY)
    try {
      const { ctx } = after
      const now = await sealedTexts(after)
      expect(now).toHaveLength(formerly.length - 1)
      expect(now.filter((text) => formerly.includes(text))).toEqual([])
      const find = { name: '', text: 'SELECT secret FROM webhooks WHERE id = $1' }
      const [row] = await ctx.sql.rows(find, [made.webhookId])
      expect(openSecret(ctx, made.webhookId, row?.[0] ?? '')).toBe(told.webhooks[0].secret)
      expect(await channelAccounts.find(ctx, made.project.id)).not.toMatchObject({
        accessToken: 'a token',
      })
      await after.customer({ ...other, client: createClient(after.url, other.key) })
      await applySql(after, made.project, 'INSERT INTO a VALUES (1)')
      const client = createClient(after.url, made.project.key)
      expect(await client.ok('listRows', { path: { table: 'a' } })).toMatchObject({
        rows: [{ id: 1 }],
      })
      const inProject = { ...ctx, project: { id: made.project.id } } as ProjectContext
      await expect(headerSamples.redeem(inProject, made.handle, 'IMAGE')).rejects.toThrow('handle')
    } finally {
      await after.stop()
    }
  })

  it('leaves a copy for tests, whose webhooks are turned off then, that tells no receiver what waits', async () => {
    const receiver = await startReceiver()
    const before = await start()
    const project = await before.project()
    const webhook = await register(project, receiver.url)
    await happen(before, project, [{}])
    await before.stop()

    expect(await forget()).toMatchObject({ code: 0 })
    const copy = await start(NEW_KEY)
    await copy.ctx.sql.rows({ name: '', text: 'UPDATE webhooks SET is_active = false' })
    const delivering = deliver(copy.ctx)
    try {
      await delivering.look()
      await jobs['sweep-deliveries'].run(copy.ctx)
      expect(await deliveriesOf(copy.ctx, webhook.id)).toMatchObject([
        { status: 'canceled', attempts: 0 },
      ])
      expect(receiver.received).toEqual([])
    } finally {
      await delivering.stop()
      await copy.stop()
      await receiver.close()
    }
  })

  it('says nothing of what there is none', async () => {
    const service = await start()
    await service.project()
    await service.stop()
    expect(await forget()).toEqual({
      code: 0,
      out: `${JSON.stringify({ channels: [], webhooks: [] }, null, 2)}\n`,
      err: '',
    })
  })

  it('forgets nothing that the key opens', async () => {
    const service = await start()
    const before = await sealedTexts(service)
    await service.stop()
    const { code, err } = await forget(TEST_ENCRYPTION_KEY)
    expect([code, err]).toEqual([
      1,
      'Nothing was changed: the key opens the secrets of this database.\n',
    ])
    const after = await start()
    expect(await sealedTexts(after)).toEqual(before)
    await after.stop()
  })

  it('forgets nothing while a process runs, which still has the key', async () => {
    const running = await start()
    const before = await sealedTexts(running)
    const { code, err } = await forget()
    expect([code, err]).toEqual([
      1,
      'Nothing was changed: 1 other process uses this database. Stop all servers and workers, and try again.\n',
    ])
    expect(await sealedTexts(running)).toEqual(before)
    await running.stop()
    await (await start()).stop()
  })
})
