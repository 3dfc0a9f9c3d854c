import pg from 'pg'
import { LIMITS } from '../core/limits.ts'
import type { TableAccess } from '../core/ports.ts'
import { sqlFaultOf } from '../core/sql.ts'
import { sessionOptions } from './connect.ts'
import { CHANGES_CHANNEL } from './listener.ts'
import { addressFor, roleName } from './table-roles.ts'

const CONNECT_LIMIT_MS = 5_000

type Script = {
  url: string
  access: TableAccess
  script: string
  stop: AbortSignal
  terminate: (pid: number) => Promise<void>
}

/** Runs a script as the owner of a schema in one transaction, and notifies all processes. */
export async function applyScript(options: Script): Promise<void> {
  const { url, access, script, stop, terminate } = options
  const client = clientOf(url, access)
  await client.connect()
  // Qualified: a project's function of the same name could choose which session is ended.
  const { rows } = await client.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid')
  // The end of a session rolls its transaction back, and no script can prevent that.
  const end = () => void (rows[0] && terminate(rows[0].pid))
  stop.addEventListener('abort', end)
  let isOver = false
  try {
    stop.throwIfAborted()
    await client.query('BEGIN')
    // EXECUTE runs several statements, and refuses COMMIT and the like.
    const block = `BEGIN EXECUTE ${pg.escapeLiteral(script)}; END`
    await client.query(`DO ${pg.escapeLiteral(block)}`)
    await client.query(`NOTIFY ${CHANGES_CHANNEL}`)
    stop.throwIfAborted()
    stop.removeEventListener('abort', end)
    isOver = true
    await client.query('COMMIT')
  } catch (error) {
    if (stop.aborted && !isOver) throw stop.reason
    // A script that PostgreSQL has not rejected may still be running there.
    const [row] = rows
    if (sqlFaultOf(error) === null && row) await terminate(row.pid)
    throw error
  } finally {
    stop.removeEventListener('abort', end)
    await client.end()
  }
}

function clientOf(url: string, { schema, password }: TableAccess): pg.Client {
  const settings = {
    search_path: `${schema},pg_catalog`,
    statement_timeout: LIMITS.tableScriptMs,
    lock_timeout: LIMITS.tableScriptMs / 2,
    client_min_messages: 'error',
    TimeZone: 'UTC',
  }
  const client = new pg.Client({
    connectionString: addressFor(url, roleName(schema, 'owner'), password),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: LIMITS.tableScriptMs + LIMITS.tableStatementMs,
    options: sessionOptions(settings),
  })
  client.on('error', () => {}) // It fails the statement under way, which tells.
  return client
}
