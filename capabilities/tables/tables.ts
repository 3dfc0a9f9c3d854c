import type { Context, OwnContext } from '../../core/context.ts'
import type { Data, Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlFault, sqlFaultOf, statement } from '../../core/sql.ts'
import { SQL_STATES } from '../../core/sql-states.ts'
import { describe, withoutSchema } from './table-catalog.ts'
import { look } from './table-looks.ts'
import * as schemas from './table-schemas.ts'
import type { Selector } from './table-schemas.ts'

const SELECTORS: readonly Selector[] = ['public', 'preview']

const COUNT = (table: string) =>
  `greatest(${table}.reltuples, pg_stat_get_live_tuples(${table}.oid), 0)`
// Row counts that PostgreSQL keeps, or estimates since the last ANALYZE. Each partition is looked up by key: a
// plan for many would scan the whole catalog for each table.
const listTables = statement(
  'list-project-tables',
  `SELECT c.relname, CASE WHEN c.relkind = 'r' THEN ${COUNT('c')}::bigint ELSE (
       SELECT sum(part.count)::bigint FROM pg_partition_tree(c.oid) AS leaf
        CROSS JOIN LATERAL (
          SELECT ${COUNT('p')} AS count FROM pg_class p
           WHERE p.oid = leaf.relid AND p.relkind = 'r' LIMIT 1) AS part) END
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname ~ '^[a-z_][a-z0-9_]{0,62}$'
    ORDER BY c.relname LIMIT ${LIMITS.tablesListed}`,
)

/** The project's tables by name, of both schemas unless one is named. */
export async function list(
  ctx: OwnContext,
  selector: Selector | null,
): Promise<Data<'listTables'>> {
  const tables = []
  for (const schema of selector === null ? SELECTORS : [selector]) {
    tables.push(...(await tablesOf(ctx, ctx.project.id, schema)))
  }
  return { tables }
}

async function tablesOf(
  ctx: Context,
  projectId: string,
  schema: Selector,
): Promise<Schema<'TableSummary'>[]> {
  const access = await schemas.find(ctx, projectId, schema)
  if (!access) return []
  const rows = await look(ctx, projectId, listTables, [access.schema])
  return rows.map(([table, count]) => ({ table: table ?? '', schema, row_estimate: Number(count) }))
}

/** The columns of a table, in order; throws `table_not_found` and `platform_table_forbidden`. */
export async function columns(
  ctx: OwnContext,
  name: string,
  selector: Selector,
): Promise<Data<'getTableSchema'>> {
  const table = await describe(ctx, name, selector)
  return {
    table: name,
    schema: selector,
    columns: [...table.columns.values()].map((column) => ({
      name: column.name,
      type: column.type,
      nullable: column.takesNull,
      default_value: column.defaultValue,
      is_primary_key: column.keyPlace !== null,
    })),
  }
}

/**
 * Runs an SQL script as the project's own role in one of its schemas, all or nothing. Throws a sentence with
 * PostgreSQL's message, and the line if PostgreSQL reports a position; throws the reason of `stop`, which rolls
 * the script back.
 */
export async function apply(
  ctx: Context,
  projectId: string,
  selector: Selector,
  script: string,
  stop?: AbortSignal,
) {
  const access = await schemas.ensure(ctx, projectId, selector)
  try {
    await ctx.tables.apply(access, script, stop)
  } catch (error) {
    const fault = sqlFaultOf(error)
    if (!fault) throw error
    throw new Error(withoutSchema(sentenceOf(fault, script), access.schema), { cause: error })
  }
  await ctx.cache.changed()
  return { tables: await tablesOf(ctx, projectId, selector) }
}

function sentenceOf({ state, message, detail, ...fault }: SqlFault, script: string): string {
  if (state === SQL_STATES.featureNotSupported && /\btransaction commands\b/.test(message)) {
    return `Nothing was applied: the script runs in one transaction of its own; leave BEGIN, COMMIT and the like out (SQLSTATE ${state}).`
  }
  const { internalPosition, internalQuery } = fault
  const more = detail === null ? '' : ` (${detail})`
  // A position within the script itself; a function that the script called has a text of its own.
  const isInScript = internalPosition !== null && internalQuery === script
  const before = isInScript ? [...script].slice(0, internalPosition - 1).join('') : ''
  const lines = before.split('\n')
  const column = [...(lines.at(-1) ?? '')].length + 1
  const where = isInScript ? ` at line ${lines.length}, column ${column}` : ''
  return `Nothing was applied: ${message}${more}${where} (SQLSTATE ${state}).`
}
