import { mkdtemp, rm } from 'node:fs/promises'
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
const open = () => openDatabase(loadConfig({ DATA_DIR: dataDir }), MIGRATIONS, () => {})

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
