import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../core/config.ts'
import { createVault } from '../core/crypto.ts'
import { type Sql, statement } from '../core/sql.ts'

const FILE = 'encryption.key'

// The first process to come writes its key's fingerprint; all others compare. The update changes nothing:
// it answers with the row that is there, also when it was committed only while this statement ran.
const fingerprint = statement(
  'encryption-key-fingerprint',
  `INSERT INTO service_settings AS s (name, value) VALUES ('encryption_key_fingerprint', $1)
   ON CONFLICT (name) DO UPDATE SET value = s.value RETURNING value`,
)

/**
 * The key that seals secrets: `ENCRYPTION_KEY`, or one that is made once and kept under the data
 * folder. Throws when the database's secrets were sealed with another key.
 */
export async function encryptionKeyFor(config: Config, sql: Sql): Promise<Buffer> {
  const key = config.encryptionKey ?? (await keptKey(config.dataDir))
  const [row] = await sql.rows(fingerprint, [createVault(key).fingerprint])
  if (row?.[0] === createVault(key).fingerprint) return key
  throw new Error(
    'The secrets in this database are sealed with another key: set ENCRYPTION_KEY to the one that ' +
      `it was created with${config.encryptionKey ? '' : ` (${path.join(config.dataDir, FILE)} holds a different one)`}.`,
  )
}

async function keptKey(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, FILE)
  await mkdir(dataDir, { recursive: true })
  try {
    const made = randomBytes(32)
    await writeFile(file, `${made.toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    if (!isThere(error)) throw error
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} holds no key; restore it from a backup.`)
  return key
}

function isThere(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST'
}
