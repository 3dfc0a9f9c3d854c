import { type SqlClient, statement } from '../core/sql.ts'

const findOne = statement('read-setting', 'SELECT value FROM service_settings WHERE name = $1')
const put = statement(
  'write-setting',
  `INSERT INTO service_settings (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
)

/** What the processes of an installation have stored under a name, or null. */
export async function read(sql: SqlClient, name: string): Promise<string | null> {
  const [row] = await sql.rows(findOne, [name])
  return row?.[0] ?? null
}

/** Stores a value for all processes of the installation. */
export async function write(sql: SqlClient, name: string, value: string): Promise<void> {
  await sql.rows(put, [name, value])
}
