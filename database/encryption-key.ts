import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, ifThere } from '../core/caught-errors.ts'
import type { Config } from '../core/config.ts'
import { createVault } from '../core/crypto.ts'
import { KEPT_NAMES } from '../core/kept-names.ts'
import { inDataFolder, makeFolder } from '../core/make-folder.ts'
import { key as readSetting } from '../core/setting-readers.ts'
import { type Sql, statement } from '../core/sql.ts'

const FILE = 'encryption.key'

// The first process stores the fingerprint of its key, and all others compare theirs. The update changes
// nothing: it makes the statement return the existing row, even one committed while it was running.
const fingerprint = statement(
  'encryption-key-fingerprint',
  `INSERT INTO service_settings AS s (name, value) VALUES ('${KEPT_NAMES.keyFingerprint}', $1)
   ON CONFLICT (name) DO UPDATE SET value = s.value RETURNING value`,
)

/**
 * The key that encrypts secrets: `ENCRYPTION_KEY`, or one that is created once and stored in the data folder.
 * Throws when the database's secrets were encrypted with another key, unless any is taken.
 */
export async function encryptionKeyFor(
  config: Config,
  sql: Sql,
  takesAnyKey = false,
): Promise<Buffer> {
  const { dataDir } = config
  const key = config.encryptionKey ?? (await inDataFolder(dataDir, () => keptKey(dataDir)))
  const [row] = await sql.rows(fingerprint, [createVault(key).fingerprint])
  if (takesAnyKey || row?.[0] === createVault(key).fingerprint) return key
  throw new Error(
    'The secrets in this database are sealed with another key: set ENCRYPTION_KEY to the one that ' +
      `they were sealed with last${config.encryptionKey ? '' : ` (${path.join(dataDir, FILE)} holds a different one)`}, ` +
      'or, if it is lost for good, see "Secrets" in docs/OPERATING.md.',
  )
}

/** The key file appears complete, and the first one wins, even if other processes start or this one dies. */
async function keptKey(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, FILE)
  await makeFolder(dataDir)
  const known = await readKey(file)
  if (known) return known
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    await flush(draft)
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await flush(dataDir)
  } finally {
    await rm(draft, { force: true })
  }
  return keptKey(dataDir)
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await ifThere(readFile(file, 'utf8'))
  if (text === undefined) return null
  try {
    return readSetting(text.trim())
  } catch (cause) {
    throw new Error(`${file} holds no key; restore it from a backup.`, { cause })
  }
}

/** Data encrypted with a key may be on the database's disk at once, so the key must be flushed before. */
async function flush(place: string): Promise<void> {
  const handle = await open(place)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
