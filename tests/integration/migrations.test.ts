import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { applyMigrations, pendingMigrations } from '../../database/migrations.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts'

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

  it('lets one of several processes apply them while the others wait for it', async () => {
    const all = await Promise.all([apply(), apply(), apply(), apply()])
    expect(all.map((names) => names.length).sort()).toEqual([0, 0, 0, 2])
    expect(await steps()).toEqual([1, 2])
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
