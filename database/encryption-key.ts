import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../core/config.ts'
import { createVault } from '../core/crypto.ts'
import { inDataFolder, makeFolder } from '../core/make-folder.ts'
import { key as readSetting } from '../core/setting-readers.ts'
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
  const { dataDir } = config
  const key = config.encryptionKey ?? (await inDataFolder(dataDir, () => keptKey(dataDir)))
  const [row] = await sql.rows(fingerprint, [createVault(key).fingerprint])
  if (row?.[0] === createVault(key).fingerprint) return key
  throw new Error(
    'The secrets in this database are sealed with another key: set ENCRYPTION_KEY to the one that ' +
      `they were sealed with last${config.encryptionKey ? '' : ` (${path.join(dataDir, FILE)} holds a different one)`}.`,
  )
}

/** A key appears whole and the first one stays, though others may be starting and this process may die. */
async function keptKey(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, FILE)
  await makeFolder(dataDir)
  const known = await readKey(file)
  if (known) return known
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    await flush(draft)
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await flush(dataDir)
  } finally {
    await rm(draft, { force: true })
  }
  return keptKey(dataDir)
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return readSetting(text.trim())
  } catch (cause) {
    throw new Error(`${file} holds no key; restore it from a backup.`, { cause })
  }
}

/** What is sealed with a key may reach the database's disk at once; the key must be on its own by then. */
async function flush(place: string): Promise<void> {
  const handle = await open(place)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
