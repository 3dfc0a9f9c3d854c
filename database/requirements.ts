import { messageOf } from '../core/caught-errors.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { connectOrCreate, endConnection, SESSION, withSettings } from './connect.ts'

/** What PostgreSQL says about a database and a session of the service's in it. */
export type Facts = {
  version: string
  versionNumber: number
  isStandby: boolean
  encoding: string
  /** One of the settings that each session asks for as it begins. */
  idleTimeout: string
}

/** As `server_version_num` has it. */
const VERSION_MIN = 150_000
const ENCODING = 'UTF8'

const FACTS = `
  SELECT current_setting('server_version') AS version,
         current_setting('server_version_num')::int AS "versionNumber",
         pg_is_in_recovery() AS "isStandby",
         pg_encoding_to_char(encoding) AS encoding,
         current_setting('idle_in_transaction_session_timeout') AS "idleTimeout"
    FROM pg_database WHERE datname = current_database()`

/** What PgBouncer and Amazon's RDS Proxy answer. */
const NO_SETTINGS = /unsupported startup parameter|command-line options/
const POOLER =
  'the connection pooler in front of it does not pass on the settings of sessions; ' +
  'name PostgreSQL itself (each process pools its own connections)'

/** Of a server from before PostgreSQL 14, which refuses a session that asks for settings it does not know. */
const TOO_OLD = 'it lacks settings that PostgreSQL 15 has, and 15 or newer is needed'

/**
 * Creates a database that is missing. Throws one sentence if the service cannot run on it, rather than have it
 * fail at the first message with an emoji, or write after a crash what it has already sent.
 */
export async function requireSuitable(url: string): Promise<void> {
  const client = await connectOrCreate(withSettings(url, SESSION)).catch((error: unknown) => {
    if (NO_SETTINGS.test(messageOf(error))) throw new Error(POOLER, { cause: error })
    throw hasState(error, SQL_STATES.undefinedObject) ? new Error(TOO_OLD, { cause: error }) : error
  })
  try {
    const { rows } = await client.query<Facts>(FACTS)
    const fault = rows[0] && faultOf(rows[0])
    if (fault) throw new Error(fault)
  } finally {
    await endConnection(client)
  }
}

/** What makes a database unfit for the service, and what to do about it; null if nothing does. */
export function faultOf(facts: Facts): string | null {
  const { version, versionNumber, isStandby, encoding, idleTimeout } = facts
  if (versionNumber < VERSION_MIN) return `it is PostgreSQL ${version}, and 15 or newer is needed`
  if (isStandby) return 'it is a standby, which only reads; name the primary'
  if (encoding !== ENCODING) {
    return `its encoding is ${encoding}; create one with ENCODING '${ENCODING}' TEMPLATE template0`
  }
  return idleTimeout === `${SESSION.idle_in_transaction_session_timeout / 1000}s` ? null : POOLER
}
