import type { ProjectContext } from '../../core/context.ts'
import { oneOff } from '../../core/sql.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Connections of a service whose reads are counted: each is to tell of its own. */
export const COUNTED_CONNECTIONS = 3

/** Keeps autovacuum from the service's tables: it has statements planned anew at any moment. */
export const NO_AUTOVACUUM = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = false)', name);
  END LOOP;
END $$`

/**
 * How many entries of a table `work` reads, by its indexes or all in a row, in a service with so many
 * connections. What was obsolete before is not among them.
 */
export async function readsOf(
  service: TestService,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  await untilObsolete(service)
  const before = await readUntilNow(service, table)
  await work()
  return (await readUntilNow(service, table)) - before
}

/**
 * Resolves once PostgreSQL leaves out what has become obsolete until now. It does not while any transaction that is
 * older writes, in the databases of other test files too.
 */
async function untilObsolete({ ctx }: TestService): Promise<void> {
  const [now] = await ctx.sql.rows(oneOff('SELECT pg_current_xact_id()'))
  const isOver = oneOff('SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8')
  const xid = now?.[0] ?? null
  await until(
    async () => (await ctx.sql.rows(isOver, [xid]))[0]?.[0] === 't',
    'no older one writes',
  )
}

async function readUntilNow({ ctx }: TestService, table: string): Promise<number> {
  const flush = oneOff('SELECT pg_stat_force_next_flush() FROM pg_sleep(0.2)')
  // As many at once as there are connections, and each takes its time: every connection answers.
  await Promise.all(Array.from({ length: COUNTED_CONNECTIONS }, () => ctx.sql.rows(flush)))
  const count = oneOff(
    `SELECT sum(i.idx_tup_read) + max(t.seq_tup_read) FROM pg_stat_user_tables t
       JOIN pg_stat_user_indexes i USING (relid) WHERE t.relname = $1`,
  )
  const [row] = await ctx.sql.rows(count, [table])
  return Number(row?.[0])
}

/** How many pages of tables and indexes the statements look at that `work` asks in a project. */
export async function pagesOf(
  { ctx }: TestService,
  project: { id: string },
  work: (ctx: ProjectContext) => Promise<unknown>,
): Promise<number> {
  let pages = 0
  const rows: typeof ctx.sql.rows = async ({ text }, values) => {
    const [row] = await ctx.sql.rows(
      oneOff(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`),
      values,
    )
    const [hit, read] = ['Hit', 'Read'].map((which) =>
      Number(new RegExp(`"Shared ${which} Blocks": (\\d+)`).exec(row?.[0] ?? '')?.[1]),
    )
    pages += Number(hit) + Number(read)
    return ctx.sql.rows(oneOff(text), values)
  }
  await work({ ...ctx, project: { id: project.id }, sql: { ...ctx.sql, rows } } as never)
  return pages
}
