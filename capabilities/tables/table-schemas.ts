import { randomBytes } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import type { TableAccess } from '../../core/ports.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'

/** Which of a project's two sets of tables: production, or the developers' sandbox. */
export type Selector = Schema<'TableSelector'>

const LEGIBLE_CHARACTERS = 20

const findOne = statement(
  'find-table-schema',
  'SELECT name, password FROM table_schemas WHERE project_id = $1 AND selector = $2',
)

/** The schema of a project's tables; null before the first use. */
export async function find(
  ctx: Context,
  projectId: string,
  selector: Selector,
): Promise<TableAccess | null> {
  const key = `table-schema ${selector} ${projectId}`
  const known = ctx.cache.get<TableAccess>(key)
  if (known) return known
  return ctx.cache.load(key, () => read(ctx, ctx.sql, projectId, selector))
}

async function read(
  { vault }: Context,
  sql: SqlClient,
  projectId: string,
  selector: Selector,
): Promise<TableAccess | null> {
  const [row] = await sql.rows(findOne, [projectId, selector])
  const [schema, password] = row ?? []
  if (schema == null || password == null) return null
  return { schema, password: vault.open(password, placeOf(schema)) }
}

// A second process waits here until the first has committed, and then finds its row.
const claim = statement(
  'claim-table-schema',
  `INSERT INTO table_schemas (project_id, selector, name, password, created_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (project_id, selector) DO NOTHING RETURNING 1`,
)

/**
 * The schema of a project's tables, created on first use. Any number of processes may ask at once. Throws one
 * sentence when the service's database role may not create roles or schemas.
 */
export async function ensure(
  ctx: Context,
  projectId: string,
  selector: Selector,
): Promise<TableAccess> {
  const known = await find(ctx, projectId, selector)
  if (known) return known
  const access = newAccess(projectId, selector)
  const sealed = ctx.vault.seal(access.password, placeOf(access.schema))
  const claimOrRead = async (tx: SqlClient) => {
    const values = [projectId, selector, access.schema, sealed, ctx.now()]
    const [claimed] = await tx.rows(claim, values)
    if (claimed) {
      await ctx.tables.create(tx, access)
      return access
    }
    const found = await read(ctx, tx, projectId, selector)
    if (!found) throw new Error(`The schema ${selector} of ${projectId} is gone`)
    return found
  }
  return ctx.tables.creating(() => ctx.sql.transaction(claimOrRead))
}

const findNames = statement(
  'find-table-schema-names',
  'SELECT name FROM table_schemas WHERE project_id = $1',
)

// Locked until the commit, so that of two concurrent changes of the status the last one also decides on the
// roles.
const holdStatus = statement(
  'hold-project-status',
  'SELECT status FROM projects WHERE id = $1 FOR NO KEY UPDATE',
)

/** Allows a project's roles to log in, or forbids it when the project is deleted. */
export async function setLogin(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql.transaction(async (tx) => {
    const [held] = await tx.rows(holdStatus, [projectId])
    const isAllowed = held?.[0] !== 'deleted'
    for (const [name] of await tx.rows(findNames, [projectId])) {
      if (name != null) await ctx.tables.allowLogin(tx, name, isAllowed)
    }
  })
}

const forget = statement('forget-table-schema', 'DELETE FROM table_schemas WHERE name = $1')

/** Drops a project's tables, with their roles; answers how many sets there were. */
export async function dropAll(ctx: Context, projectId: string): Promise<number> {
  const names = await ctx.sql.rows(findNames, [projectId])
  for (const [name] of names) {
    await ctx.sql.transaction(async (tx) => {
      await ctx.tables.drop(tx, must(name))
      await tx.rows(forget, [name])
    })
  }
  return names.length
}

/**
 * The name ends with random characters, because roles are global to a PostgreSQL server, where other databases
 * may hold a project of the same id; the beginning is for people.
 */
function newAccess(projectId: string, selector: Selector): TableAccess {
  const legible = projectId.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const random = randomBytes(8).toString('hex')
  return {
    schema: `tables_${legible.slice(0, LEGIBLE_CHARACTERS)}_${selector}_${random}`,
    password: randomBytes(32).toString('base64url'),
  }
}

/** The context that the sealed password of a schema's roles is bound to. */
export function placeOf(schema: string): string {
  return `table_schemas.password ${schema}`
}
