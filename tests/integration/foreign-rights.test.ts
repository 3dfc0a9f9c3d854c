import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestService } from '../support/service.ts'

let database: TestDatabase
let admin: pg.Client
let guest: string
beforeEach(async () => {
  database = await createDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  guest = `guest_${randomUUID().slice(0, 8)}`
  await admin.query(`CREATE ROLE ${guest}`)
})
afterEach(async () => {
  await admin.query(`DROP OWNED BY ${guest}; DROP ROLE ${guest}`)
  await admin.end()
  await database.drop()
})

/** What a start of the service on this database logs of rights. */
async function told(): Promise<unknown[]> {
  const service = await startTestService({ databaseUrl: database.url })
  await service.stop()
  const lines = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines.flatMap(({ event, roles }) => (event === 'database.open_to_others' ? [roles] : []))
}

/** As Supabase does by default, whose roles everybody can use who has the public key. */
describe('a database that gives others rights to the tables of the service', () => {
  it('is warned of at the start, with the names of those who could make keys', async () => {
    await admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${guest}`)
    expect(await told()).toEqual([[guest]])
    await admin.query('GRANT UPDATE ON api_keys TO PUBLIC')
    expect(await told()).toEqual([['PUBLIC', guest]])
  })

  it('is not warned of where they can only read, or are superusers', async () => {
    await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${guest}`)
    expect(await told()).toEqual([])
    await admin.query(
      `ALTER ROLE ${guest} SUPERUSER; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${guest}`,
    )
    expect(await told()).toEqual([])
  })

  it('is not warned of its own role, which owns the tables and need not be a superuser', async () => {
    await admin.query(`ALTER TABLE api_keys OWNER TO ${guest}; GRANT SELECT ON api_keys TO PUBLIC`)
    expect(await told()).toEqual([])
    await admin.query('ALTER TABLE api_keys OWNER TO CURRENT_USER')
  })
})
