import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import { must } from '../../core/sql.ts'
import type { TestProject, TestService } from './service.ts'

export type TableRow = Record<string, unknown>
export type FilterInput = { column: string; op: string; value: unknown }

/** Runs SQL in a schema of a project, as its operator would. */
export function applySql(
  { ctx }: TestService,
  { id }: TestProject,
  sql: string,
  selector: 'public' | 'preview' = 'public',
) {
  return tableScripts.apply(ctx, id, selector, sql)
}

/** The name in PostgreSQL of a project's schema `public`. */
export async function schemaOf({ ctx }: TestService, { id }: TestProject): Promise<string> {
  const text = "SELECT name FROM table_schemas WHERE project_id = $1 AND selector = 'public'"
  const [row] = await ctx.sql.rows({ name: '', text }, [id])
  return must(row?.[0])
}

/** Filters as the query carries them. */
export function filtersOf(...filters: FilterInput[]): string {
  return JSON.stringify(filters)
}

/** The filter of one column's equality. */
export function eq(column: string, value: unknown): string {
  return filtersOf({ column, op: 'eq', value })
}

/** Follows the cursors of a table to its end; `between` runs ahead of every page but the first. */
export async function allRows(
  { client }: TestProject,
  table: string,
  query: Record<string, string | number | undefined> = {},
  between: (page: number, seen: TableRow[]) => Promise<void> = async () => {},
): Promise<TableRow[]> {
  const seen: TableRow[] = []
  let cursor: string | undefined
  for (let page = 1; page <= 1_000; page++) {
    const answer = await client.ok('listRows', {
      path: { table },
      query: { ...query, cursor } as never,
    })
    const { hasMore, nextCursor } = answer.pagination
    if (hasMore !== (nextCursor !== null)) throw new Error('hasMore and nextCursor disagree')
    seen.push(...answer.rows)
    if (nextCursor === null) return seen
    cursor = nextCursor
    await between(page, seen)
  }
  throw new Error('The pages do not end')
}
