import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { loadConfig } from '../../core/config.ts'
import { MIGRATIONS, openDatabase } from '../../database/open.ts'
import { findPostmaster, stopPostmaster } from '../../database/postgres-process.ts'

// PostgreSQL prepares its data and starts, perhaps on a busy machine.
jest.setTimeout(120_000)

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'open-'))
})

afterEach(async () => {
  jest.restoreAllMocks()
  await stopPostmaster(postgres())
  await rm(dataDir, { recursive: true, force: true })
})

const postgres = () => join(dataDir, 'postgres')
const open = (migrations = MIGRATIONS) =>
  openDatabase(loadConfig({ DATA_DIR: dataDir }), migrations, () => {})

/** Does `meanwhile` once, right before the first statement that holds `text`. */
function rightBefore(text: string, meanwhile: () => Promise<void>): void {
  const original = pg.Client.prototype.query
  let isDone = false
  const query = jest.spyOn(pg.Client.prototype, 'query')
  query.mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
    if (!isDone && String(args[0]).includes(text)) {
      isDone = true
      await meanwhile()
    }
    return Reflect.apply(original, this, args)
  })
}

describe('the end of the last processes on an embedded database', () => {
  it('fails for none of those that end at the same moment', async () => {
    const database = await open()
    rightBefore('pg_try_advisory_lock', () => stopPostmaster(postgres()))
    await database.close()
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('fails for none when the server stops while one looks for others', async () => {
    const database = await open()
    rightBefore('pg_stat_activity', () => stopPostmaster(postgres()))
    await database.close()
    expect(await findPostmaster(postgres())).toBeUndefined()
  })
})

describe('a process that begins on an embedded database', () => {
  it('has it started again when the last one that used it stops it at this very moment', async () => {
    rightBefore('pg_advisory_lock_shared', () => stopPostmaster(postgres()))
    const database = await open()
    expect(await findPostmaster(postgres())).toMatchObject({ ready: true })
    await database.close()
  })

  it('leaves none running when it cannot bring it up to date', async () => {
    const migrations = join(dataDir, 'migrations')
    await mkdir(join(migrations, '20260101000000_wrong'), { recursive: true })
    await writeFile(join(migrations, '20260101000000_wrong', 'migration.sql'), 'NONSENSE')
    await expect(open(migrations)).rejects.toThrow('20260101000000_wrong failed and was undone')
    expect(await findPostmaster(postgres())).toBeUndefined()
  })

  it('leaves it to who is connected at its end, unless it is the server whose own it is', async () => {
    const first = await open()
    const address = new URL(first.url)
    address.searchParams.set('application_name', 'somebody')
    const somebody = new pg.Client({ connectionString: address.href })
    somebody.on('error', () => {})
    await somebody.connect()
    await first.close()
    expect((await somebody.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])

    const server = await open()
    await server.close({ isOwner: true })
    expect(await findPostmaster(postgres())).toBeUndefined()
    await somebody.end()
  })
})
