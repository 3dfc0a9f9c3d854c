import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { operate } from '../support/operator.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts'
import { TEST_ENCRYPTION_KEY } from '../support/service.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

const list = (more = {}) =>
  operate({ DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ...more }, [
    'project',
    'list',
  ])
const NOTHING = '{\n  "projects": []\n}\n'

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** A command on a server that does `meet` with each connection; the server answers with its end. */
async function listAt(meet: (socket: Socket) => void) {
  const server = createServer((socket) => meet(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const told = await list({ DATABASE_URL: `postgresql://somebody@127.0.0.1:${port}/x` })
  return { told, closed: once(server.close(), 'close') }
}

describe('a command on a database', () => {
  it('that another version has left says that it brings it up to date, once', async () => {
    await database.drop()
    database = await createEmptyDatabase()
    const says = 'Bringing the database up to this version of the service.\n'
    expect(await list()).toEqual({ code: 0, out: NOTHING, err: says })
    expect(await list()).toEqual({ code: 0, out: NOTHING, err: '' })
  })

  it('of a newer version changes nothing and says so', async () => {
    await query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ('x', 'x', '29990101000000_later', now())`,
    )
    expect(await list()).toEqual({
      code: 1,
      out: '',
      err:
        'The database has migration 29990101000000_later, which this version does not know: ' +
        'it belongs to a newer version of the service.\n',
    })
  })

  it('that takes no writes says why it cannot be used', async () => {
    const { pathname } = new URL(database.url)
    await query(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`)
    const { code, out, err } = await list()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^The database of DATABASE_URL cannot be used: .* read-only transaction\.\n$/,
    )
  })

  it.each(['u:hunter2%e9@localhost:1/x', 'u:hunter2@localhost:1/%e9'])(
    'whose address %s cannot be read names the setting, and no secret',
    async (address) => {
      const { code, out, err } = await list({ DATABASE_URL: `postgresql://${address}` })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toBe('The database of DATABASE_URL cannot be used: URI malformed.\n')
    },
  )

  it('that hangs up says whose connection ended', async () => {
    const { told } = await listAt((socket) => socket.once('data', () => socket.destroy()))
    const err = 'The database of DATABASE_URL cannot be used: Connection terminated unexpectedly.\n'
    expect(told).toEqual({ code: 1, out: '', err })
  })

  it('that asks for a password is left at once where its address has none', async () => {
    // Authentication by SASL with the mechanism SCRAM-SHA-256, and the challenge of its second step.
    const steps = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0b\0\0\0\x0br=x']
    const { told, closed } = await listAt((socket) => {
      socket.on('data', () => socket.write(steps.shift() ?? '', 'latin1'))
    })
    expect(told.code).toBe(1)
    expect(told.err).toMatch(/^The database of DATABASE_URL cannot be used: .*password/)
    await closed
  })

  it('whose secrets another key has sealed names the setting, and neither of the keys', async () => {
    await list()
    const ENCRYPTION_KEY = 'fedcba9876543210'.repeat(4)
    const { code, out, err } = await list({ ENCRYPTION_KEY })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^The secrets in this database are sealed with another key: set ENCRYPTION_KEY /,
    )
    expect(err).not.toMatch(/[0-9a-f]{32}/)
  })
})
