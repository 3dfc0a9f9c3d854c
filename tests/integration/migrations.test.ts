import { hash } from 'node:crypto'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { applyMigrations, pendingMigrations } from '../../database/migrations.ts'
import { MIGRATIONS } from '../../database/open.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const FIRST = '20260101000000_first'
const SECOND = '20260102000000_second'

let folder: string
let database: TestDatabase
let client: pg.Client

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n')
  await write(SECOND, 'INSERT INTO steps VALUES (2);')
  await write(FIRST, 'CREATE TABLE steps (n int); INSERT INTO steps VALUES (1);')
  database = await createEmptyDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'migration.sql'), sql)
}

function apply(): Promise<string[]> {
  return applyMigrations({ url: database.url, folder })
}

async function steps(): Promise<number[]> {
  return (await client.query<{ n: number }>('SELECT n FROM steps')).rows.map(({ n }) => n)
}

describe('applying migrations', () => {
  it('applies each once, in order, and says which', async () => {
    const told: string[] = []
    const onApply = (name: string) => told.push(name)
    expect(await pendingMigrations(client, folder)).toEqual([FIRST, SECOND])
    expect(await applyMigrations({ url: database.url, folder, onApply })).toEqual([FIRST, SECOND])
    expect(told).toEqual([FIRST, SECOND])
    expect(await apply()).toEqual([])
    expect(await steps()).toEqual([1, 2])
    expect(await pendingMigrations(client, folder)).toEqual([])
  })

  it('takes no heed of one that was given up by hand, as Prisma’s tools note it', async () => {
    await apply()
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, rolled_back_at)
       VALUES ('1', 'another', $1, now()), ('2', 'another', '20250101000000_gone', now())`,
      [FIRST],
    )
    expect(await apply()).toEqual([])
    expect(await pendingMigrations(client, folder)).toEqual([])
  })

  it('lets one of several processes apply them while the others wait for it', async () => {
    const all = await Promise.all([apply(), apply(), apply(), apply()])
    expect(all.map((names) => names.length).sort()).toEqual([0, 0, 0, 2])
    expect(await steps()).toEqual([1, 2])
  })

  it('takes the time that it needs, whatever limits the database has for statements', async () => {
    const { pathname } = new URL(database.url)
    await write('20260103000000_long', 'SELECT pg_sleep(0.5)')
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM pg_settings WHERE name IN
         ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
    )
    for (const { name } of rows)
      await client.query(`ALTER DATABASE ${pathname.slice(1)} SET ${name} = '200ms'`)
    const all = await Promise.all([apply(), apply()])
    expect(all.map((names) => names.length).sort()).toEqual([0, 3])
  })

  it('means by strings what it says, whatever the database is set to', async () => {
    const { pathname } = new URL(database.url)
    await write('20260103000000_words', String.raw`UPDATE steps SET n = length('\\')`)
    const setting = 'standard_conforming_strings = off'
    await client.query(`ALTER DATABASE ${pathname.slice(1)} SET ${setting}`)
    await apply()
    expect(await steps()).toEqual([2, 2])
  })

  it('creates the database when it is missing', async () => {
    const missing = new URL(database.url)
    missing.pathname += '_"missing"'
    try {
      expect(await applyMigrations({ url: missing.href, folder })).toEqual([FIRST, SECOND])
    } finally {
      const name = decodeURIComponent(missing.pathname.slice(1))
      await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)}`)
    }
  })

  it('keeps the records as Prisma does', async () => {
    await apply()
    const { rows } = await client.query(
      `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at
       FROM _prisma_migrations WHERE finished_at >= started_at ORDER BY 1`,
    )
    expect(rows).toEqual([
      {
        migration_name: FIRST,
        checksum: '591663ecdd8788dafb23e9867a1af1111a3df235b38af7c9c4ac8d657890c839',
        applied_steps_count: 1,
        logs: null,
        rolled_back_at: null,
      },
      expect.objectContaining({ migration_name: SECOND }),
    ])
  })
})

describe('a migration whose table somebody reads for long, as a backup does', () => {
  const THIRD = '20260103000000_third'
  const COUNT_WAITING = `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`

  it('holds up nobody else who uses the table, and is applied when that is over', async () => {
    await apply()
    await write(THIRD, 'ALTER TABLE steps ADD COLUMN said text;')
    const backup = new pg.Client({ connectionString: database.url })
    await backup.connect()
    await backup.query('BEGIN; LOCK TABLE steps IN ACCESS SHARE MODE')
    const applied = apply()
    await until(async () => (await client.query(COUNT_WAITING)).rowCount === 1, 'it waits')
    // As the service's own statements do.
    await client.query("SET lock_timeout = '5s'")
    expect(await steps()).toEqual([1, 2])
    await backup.query('COMMIT')
    await backup.end()
    expect(await applied).toEqual([THIRD])
  }, 30_000)

  it('is given up in the end, and nothing of it stays', async () => {
    await apply()
    await write(THIRD, 'INSERT INTO steps VALUES (3); ALTER TABLE steps ADD COLUMN said text;')
    await client.query('BEGIN; LOCK TABLE steps IN ACCESS SHARE MODE')
    await expect(applyMigrations({ url: database.url, folder, triesMs: 0 })).rejects.toThrow(
      `Migration ${THIRD} failed and was undone: canceling statement due to lock timeout`,
    )
    await client.query('COMMIT')
    expect(await steps()).toEqual([1, 2])
  })
})

describe('what is refused', () => {
  it('is a migration that was edited after it was applied', async () => {
    await apply()
    await appendFile(join(folder, FIRST, 'migration.sql'), '-- harmless')
    await write('20260103000000_third', 'INSERT INTO steps VALUES (3);')
    await expect(apply()).rejects.toThrow(`Migration ${FIRST} was edited after it was applied`)
    expect(await steps()).toEqual([1, 2])
  })

  it('is a database of a newer version', async () => {
    await apply()
    await rm(join(folder, SECOND), { recursive: true })
    await expect(apply()).rejects.toThrow(`has migration ${SECOND}, which this version does not`)
  })

  it('is a migration that fails: nothing of it stays, and it can be repaired', async () => {
    const third = '20260103000000_third'
    await write(third, 'INSERT INTO steps VALUES (3);\nINSERT INTO nowhere VALUES (1);')
    await expect(apply()).rejects.toThrow(
      `Migration ${third} failed and was undone: relation "nowhere" does not exist (line 2).`,
    )
    expect(await steps()).toEqual([1, 2])
    expect(await pendingMigrations(client, folder)).toEqual([third])

    await writeFile(join(folder, third, 'migration.sql'), 'INSERT INTO steps VALUES (3);')
    expect(await apply()).toEqual([third])
    expect(await steps()).toEqual([1, 2, 3])
  })

  it('is a migration that another tool left half-way', async () => {
    await apply()
    const halfWay = 'UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1'
    await client.query(halfWay, [SECOND])
    await expect(apply()).rejects.toThrow(`Migration ${SECOND} has failed half-way`)
    expect(await pendingMigrations(client, folder)).toEqual([SECOND])
  })
})

describe('what an earlier version has written', () => {
  /** Applies the service's own migrations: those before one, and all once `meanwhile` is done. */
  async function upgrade(name: string, meanwhile: () => Promise<void>): Promise<void> {
    const former = join(folder, 'former')
    await mkdir(former)
    for (const one of await readdir(MIGRATIONS)) {
      if (/^\d/.test(one) && one < name) {
        await cp(join(MIGRATIONS, one), join(former, one), { recursive: true })
      }
    }
    await applyMigrations({ url: database.url, folder: former })
    await meanwhile()
    expect(await applyMigrations({ url: database.url, folder: MIGRATIONS })).toContain(name)
  }
  async function message(direction: string, media: unknown, payload: unknown): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type,
         status, media, payload)
       SELECT project_id, id, contact_id, gen_random_uuid(), $1, 'customer', 'image', 'received', $2, $3
         FROM conversations RETURNING id`,
      [direction, media && JSON.stringify(media), payload && JSON.stringify(payload)],
    )
    return rows[0]!.id
  }
  async function messageOf(id: string) {
    const text = 'SELECT media, payload FROM messages WHERE id = $1'
    return (await client.query<{ media: unknown; payload: unknown }>(text, [id])).rows[0]
  }

  it('as digests of customers’ files in base64 is in hex from then on, and nothing else changes', async () => {
    const about = { media_id: '1', slug: null, mime_type: 'image/jpeg', filename: null }
    const as = (sha256: string | null) => ({ ...about, sha256 })
    const digests = ['a', 'b', 'c'].map((text) => {
      return { base64: hash('sha256', text, 'base64'), hex: hash('sha256', text, 'hex') }
    })
    const [a, b, c] = digests as [(typeof digests)[0], (typeof digests)[0], (typeof digests)[0]]
    const edits = (...media: unknown[]) => ({
      edits: media.map((one, n) => ({ wamid: `w${n}`, at: 'then', content: `${n}`, media: one })),
      forwarded: true,
    })
    const text = { direction: 'inbound', media: null, payload: null }
    const kept = [
      text,
      { ...text, media: as(a.hex) },
      { ...text, media: as(null) },
      { ...text, media: as('AAAA') },
      { ...text, media: as('a'.repeat(44)) },
      { ...text, media: { ...about, filename: a.base64 } },
      { ...text, payload: { edits: a.base64, text: b.base64 } },
      { ...text, payload: edits(null, as(a.hex), as('AAAA')) },
      { ...text, media: as(a.base64), direction: 'outbound' },
    ]
    const told: [string, unknown][] = []
    await upgrade('20261122120000_media_digests_in_hex', async () => {
      await client.query(`
        INSERT INTO projects (id, name) VALUES ('p', 'P');
        INSERT INTO contacts (project_id, phone) VALUES ('p', '+15550001234');
        INSERT INTO conversations (project_id, contact_id, last_activity_at)
        SELECT project_id, id, now() FROM contacts;`)
      for (const { direction, ...one } of kept) {
        told.push([await message(direction, one.media, one.payload), one])
      }
      const first = await message('inbound', as(a.base64), null)
      told.push([first, { media: as(a.hex), payload: null }])
      // Its last character says more bits than there are bytes.
      const odd = { base64: `${'a'.repeat(43)}=`, hex: `${'69a69a'.repeat(10)}69a6` }
      told.push([
        await message('inbound', as(odd.base64), null),
        { media: as(odd.hex), payload: null },
      ])
      const former = edits(as(b.base64), null, as(c.base64), as(a.hex))
      const payload = edits(as(b.hex), null, as(c.hex), as(a.hex))
      const edited = await message('inbound', as(c.base64), former)
      told.push([edited, { media: as(c.hex), payload }])
      const revoked = await message('inbound', null, former)
      told.push([revoked, { media: null, payload }])
    })
    for (const [id, expected] of told) expect(await messageOf(id)).toEqual(expected)
  })
})
