import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import pg from 'pg'
import { oneOff } from '../../core/sql.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../database/embedded.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { stopPostmaster } from '../../database/postgres-process.ts'
import { openSession } from '../../database/table-session.ts'
import { createSchema, roleName } from '../../database/table-roles.ts'

// PostgreSQL is started twice, perhaps on a busy machine.
jest.setTimeout(120_000)

const SCHEMA = 'standby_tables'
const PASSWORD = 'secret'
const REFUSAL = 'This PostgreSQL is a standby, which only reads'

let dataDir: string
let server: EmbeddedPostgres
let pool: pg.Pool

const start = () => openEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })

async function promote(): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('SELECT pg_promote()')
  await client.end()
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'standby-'))
  const primary = await start()
  const ofPrimary = createPool(primary.url, 1, () => {})
  await createSql(ofPrimary).transaction((tx) => createSchema(tx, SCHEMA, PASSWORD, 'hashed'))
  await ofPrimary.end()
  await primary.stop()
})
beforeEach(async () => {
  await writeFile(join(dataDir, 'postgres', 'standby.signal'), '')
  server = await start()
  pool = createPool(server.url, 2, () => {})
})
afterEach(async () => {
  await pool.end()
  await server.stop()
})
afterAll(async () => {
  await stopPostmaster(join(dataDir, 'postgres'))
  await rm(dataDir, { recursive: true, force: true })
})

/** What is committed on a standby's primary arrives later, so a read would miss what was just written. */
describe('a primary that has become a standby', () => {
  it('is not read from, and is taken again once it is promoted', async () => {
    const read = () => createSql(pool).rows(oneOff('SELECT 1'))
    await expect(read()).rejects.toThrow(REFUSAL)
    expect(pool.totalCount).toBe(0)
    await promote()
    expect(await read()).toHaveLength(1)
  })

  it('has no sessions for tables', async () => {
    const open = async (role: 'reader' | 'writer') => {
      const session = await openSession({
        url: server.url,
        role: roleName(SCHEMA, role),
        password: PASSWORD,
        isReadOnly: role === 'reader',
        terminate: async () => {},
        onTimed: () => {},
      })
      await session.close()
    }
    await expect(open('reader')).rejects.toThrow(REFUSAL)
    await expect(open('writer')).rejects.toThrow(REFUSAL)
    await promote()
    await open('writer')
  })
})
