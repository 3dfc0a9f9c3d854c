import pg from 'pg'
import { KEPT_NAMES } from '../core/kept-names.ts'
import { LOCKS } from '../core/locks.ts'
import { endConnection } from './connect.ts'

/**
 * Makes sure that one server at a time runs on an embedded database; the claim ends with the process,
 * however it ends. Throws a sentence that says where the other one answers.
 */
export async function claimDataFolder(url: string, dataDir: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'server claim' })
  client.on('error', () => {}) // The database stops together with this process.
  await client.connect()
  const { rows } = await client.query<{ mine: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS mine',
    [LOCKS.claim],
  )
  if (rows[0]?.mine) return () => endConnection(client)
  const other = await client.query<{ value: string }>(
    `SELECT value FROM service_settings WHERE name = '${KEPT_NAMES.serverUrl}'`,
  )
  await endConnection(client)
  throw new Error(
    `A server already runs on ${dataDir}, at ${other.rows[0]?.value ?? 'an unknown address'}. ` +
      'Stop it, or give this one a DATA_DIR and a PORT of its own.',
  )
}
