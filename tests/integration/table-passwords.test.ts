import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Context } from '../../core/context.ts'
import { oneOff, type Sql } from '../../core/sql.ts'
import { ensure } from '../../capabilities/tables/table-schemas.ts'
import { createTableStore } from '../../database/table-store.ts'
import { roleName } from '../../database/table-roles.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

/** What Neon and those who run its software say of a password that is hashed already, as it commits. */
const REFUSAL =
  'Received HTTP code 400 from control plane: {"error":"Neon only supports being given plaintext passwords"}'
const HASHED = 'SCRAM-SHA-256$'

let service: TestService
let project: TestProject
let ctx: Context
let commits: { isHashed: boolean }[]

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  commits = []
  project = await service.project()
  const { sql, databaseUrl: url } = { ...service, sql: hashingItself(service.ctx.sql) }
  const nothing = () => {}
  ctx = {
    ...service.ctx,
    sql,
    tables: createTableStore({ url, size: 13, sql, onLogin: nothing, onError: nothing }),
  }
})
afterEach(() => ctx.tables.close())

/** A database whose provider keeps the roles' passwords, and hashes them itself. */
function hashingItself(sql: Sql): Sql {
  const transaction: Sql['transaction'] = (work) =>
    sql.transaction(async (tx) => {
      const told: string[] = []
      const result = await work({
        ...tx,
        rows(asked, values) {
          told.push(asked.text)
          return tx.rows(asked, values)
        },
      })
      if (!told.some((text) => text.includes(' PASSWORD '))) return result
      const isHashed = told.some((text) => text.includes(HASHED))
      commits.push({ isHashed })
      if (isHashed) throw new Error(REFUSAL)
      return result
    })
  return { ...sql, transaction }
}

describe('a provider that takes no hashed passwords', () => {
  it('is given those of tables as they are, once it has said so', async () => {
    const access = await ensure(ctx, project.id, 'public')
    await ctx.tables.apply(access, 'CREATE TABLE t (id integer)')
    await ensure(ctx, project.id, 'preview')

    expect(commits).toEqual([{ isHashed: true }, { isHashed: false }, { isHashed: false }])
  })

  it('is given them so also when one is set again', async () => {
    const access = await ensure(service.ctx, project.id, 'public')
    const owner = roleName(access.schema, 'owner')
    await service.ctx.sql.rows(oneOff(`ALTER ROLE ${owner} PASSWORD 'another'`))
    await ctx.tables.apply(access, 'CREATE TABLE t (id integer)')

    expect(commits).toEqual([{ isHashed: true }, { isHashed: false }])
  })
})
