import type { Context } from '../../core/context.ts'
import { must, statement } from '../../core/sql.ts'
import { placeOf } from './table-schemas.ts'

const findNames = statement('find-all-table-schemas', 'SELECT name FROM table_schemas')

// Locked, so that a project that is being purged does not get them back.
const hold = statement(
  'hold-table-schema',
  `SELECT s.password, p.status FROM table_schemas s JOIN projects p ON p.id = s.project_id
    WHERE s.name = $1 FOR UPDATE OF s`,
)

/**
 * Gives projects' tables back what the database lacks of them, as after a backup was restored, which holds no roles:
 * the roles, their rights, and what they own. What cannot be given back is told in the log.
 */
export async function restoreAll(ctx: Context): Promise<void> {
  const names = (await ctx.sql.rows(findNames)).map(([name]) => must(name))
  let sets = 0
  for (const schema of await incomplete(ctx, names)) {
    try {
      await restore(ctx, schema)
      sets++
    } catch (error) {
      ctx.log.error('tables.not_restored', { schema, error })
    }
  }
  if (sets > 0) ctx.log.warn('tables.restored', { sets })
}

/** The same for one schema; throws one sentence when the service's role may not give it back. */
export async function restoreOne(ctx: Context, schema: string): Promise<void> {
  for (const name of await incomplete(ctx, [schema])) await restore(ctx, name)
}

async function incomplete(ctx: Context, schemas: string[]): Promise<string[]> {
  return schemas.length === 0 ? [] : ctx.tables.incomplete(schemas)
}

async function restore(ctx: Context, schema: string): Promise<void> {
  const work = () =>
    ctx.sql.transaction(async (tx) => {
      const [row] = await tx.rows(hold, [schema])
      if (!row) return
      const password = ctx.vault.open(must(row[0]), placeOf(schema))
      await ctx.tables.create(tx, { schema, password })
      await ctx.tables.allowLogin(tx, schema, row[1] !== 'deleted')
    })
  await ctx.tables.creating(work)
}
