import type { Context } from '../../core/context.ts'
import { type SqlFault, sqlFaultOf, statement } from '../../core/sql.ts'
import { SQL_STATES } from '../../core/sql-states.ts'
import { withoutSchema } from './table-catalog.ts'
import { restoreOne } from './table-restores.ts'
import * as schemas from './table-schemas.ts'
import type { Selector } from './table-schemas.ts'
import { tablesOf } from './tables.ts'

/**
 * Runs an SQL script as the project's own role in one of its schemas, all or nothing. Answers all tables that are
 * there now, and up to twenty functions that requests over the API cannot call. Throws a sentence with
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
  await restoreOne(ctx, access.schema)
  try {
    await ctx.tables.apply(access, script, stop)
  } catch (error) {
    const fault = sqlFaultOf(error)
    if (!fault) throw error
    throw new Error(withoutSchema(sentenceOf(fault, script), access.schema), { cause: error })
  }
  await ctx.cache.changed()
  const unbound = await ctx.sql.rows(findUnbound, [access.schema])
  return {
    tables: await tablesOf(ctx, projectId, selector),
    unbound: unbound.map(([name]) => name ?? ''),
  }
}

// The body of a function is a text, read when it is called, but for those that are written as SQL's own.
const findUnbound = statement(
  'find-unbound-functions',
  `SELECT p.proname FROM pg_proc p
     JOIN pg_namespace n ON n.oid = p.pronamespace
     JOIN pg_language l ON l.oid = p.prolang AND l.lanname IN ('sql', 'plpgsql')
    WHERE n.nspname = $1 AND p.prosqlbody IS NULL
      AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
      AND EXISTS (SELECT FROM pg_class c
        WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
          AND c.relname ~ '^\\w+$' AND p.prosrc ~* ('\\m' || c.relname || '\\M'))
    ORDER BY p.proname LIMIT 20`,
)

function sentenceOf(fault: SqlFault, script: string): string {
  const { state, message, detail, internalPosition, internalQuery } = fault
  if (state === SQL_STATES.featureNotSupported && /\btransaction commands\b/.test(message)) {
    return `Nothing was applied: the script runs in one transaction of its own; leave BEGIN, COMMIT and the like out (SQLSTATE ${state}).`
  }
  const more = detail === null ? '' : ` (${detail})`
  // A position within the script itself; a function that the script called has a text of its own.
  const isInScript = internalPosition !== null && internalQuery === script
  const before = isInScript ? [...script].slice(0, internalPosition - 1).join('') : ''
  const lines = before.split('\n')
  const column = [...(lines.at(-1) ?? '')].length + 1
  const where = isInScript ? ` at line ${lines.length}, column ${column}` : ''
  const advice = adviceOn(fault, script)
  return `Nothing was applied: ${message}${more}${where} (SQLSTATE ${state}).${advice}`
}

const NAMES = 'Write names without a schema; the script runs in that of its set.'
const OWNER =
  'The role of the script owns what it makes, and knows no other one; leave OWNER TO and GRANT out.'
const COPY = /^\s*COPY\b[^;]*\bFROM\s+stdin\b/im
const COPIED = 'Write INSERT, as pg_dump --inserts does: COPY … FROM stdin works in psql alone.'

/** What scripts that were written for a database of one's own, and dumps of one, stumble over here. */
const ADVICE: [state: string, message: RegExp, advice: string][] = [
  [SQL_STATES.insufficientPrivilege, /schema (public|preview)\b/, NAMES],
  [SQL_STATES.invalidSchemaName, /schema "(public|preview)"/, NAMES],
  [SQL_STATES.undefinedTable, /"(public|preview)\./, NAMES],
  [
    SQL_STATES.invalidSchemaName,
    /no schema has been selected/,
    'Leave out what changes search_path.',
  ],
  [
    SQL_STATES.insufficientPrivilege,
    /for database/,
    'A project has its two sets of tables alone; leave CREATE SCHEMA out.',
  ],
  [
    SQL_STATES.insufficientPrivilege,
    /create extension/,
    'A script has the types and functions of PostgreSQL itself, such as gen_random_uuid().',
  ],
  [
    SQL_STATES.activeTransaction,
    /CONCURRENTLY/,
    'The script runs in one transaction; leave CONCURRENTLY out.',
  ],
  [
    SQL_STATES.syntaxError,
    /at or near "\\"/,
    'Leave out what begins with a backslash: commands of psql are no SQL.',
  ],
  [SQL_STATES.undefinedObject, /^role "/, OWNER],
  [SQL_STATES.insufficientPrivilege, /SET ROLE|member of role/, OWNER],
]

function adviceOn({ state, message }: SqlFault, script: string): string {
  if (state === SQL_STATES.syntaxError && COPY.test(script)) return ` ${COPIED}`
  const [, , advice] = ADVICE.find(([code, says]) => code === state && says.test(message)) ?? []
  return advice === undefined ? '' : ` ${advice}`
}
