import type { Context, OwnContext } from '../../core/context.ts'
import type { Data, Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { describe } from './table-catalog.ts'
import { look } from './table-looks.ts'
import * as schemas from './table-schemas.ts'
import type { Selector } from './table-schemas.ts'

const SELECTORS: readonly Selector[] = ['public', 'preview']

const COUNT = (table: string) =>
  `greatest(${table}.reltuples, pg_stat_get_live_tuples(${table}.oid), 0)`
// Row counts that PostgreSQL keeps, or estimates since the last ANALYZE. What is in a schema depends on it, of which
// there is an index; that of tables begins with their names. Each table and partition is looked up by key: a plan for
// many would scan the whole catalog.
const listTables = statement(
  'list-project-tables',
  `SELECT c.relname, CASE WHEN c.relkind = 'r' THEN ${COUNT('c')}::bigint ELSE (
       SELECT sum(part.count)::bigint FROM pg_partition_tree(c.oid) AS leaf
        CROSS JOIN LATERAL (
          SELECT ${COUNT('p')} AS count FROM pg_class p
           WHERE p.oid = leaf.relid AND p.relkind = 'r' LIMIT 1) AS part) END
     FROM pg_namespace n
     JOIN pg_depend d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n.oid
          AND d.classid = 'pg_class'::regclass
    CROSS JOIN LATERAL (SELECT * FROM pg_class WHERE oid = d.objid LIMIT 1) AS c
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

/** The tables of one of a project's schemas by name. */
export async function tablesOf(
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
