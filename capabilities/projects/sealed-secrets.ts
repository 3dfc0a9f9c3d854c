import { randomBytes } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { createVault, type Vault } from '../../core/crypto.ts'
import { KEPT_NAMES } from '../../core/kept-names.ts'
import { LOCKS } from '../../core/locks.ts'
import { must, type Row, type SqlClient, statement } from '../../core/sql.ts'
import * as accountSecrets from '../channel-accounts/account-secrets.ts'
import * as headerSamples from '../templates/header-samples.ts'
import * as tableSchemas from '../tables/table-schemas.ts'
import * as webhooks from '../webhooks/webhooks.ts'

const RESEALED_AT_ONCE = 1_000

/** Where secrets are stored: the column, the row's key, and the context that the secret is bound to. */
const ACCOUNTS = ['access_token', 'app_secret', 'verify_token'].map((column) =>
  sealed('channel_accounts', column, 'project_id', (id) => accountSecrets.placeOf(column, id)),
)
const WEBHOOKS = sealed('webhooks', 'secret', 'id', webhooks.placeOf)
const TABLES = sealed('table_schemas', 'password', 'name', tableSchemas.placeOf)
const SAMPLES = sealed(
  'header_samples',
  'channel_handle',
  "encode(handle_hash, 'hex')",
  headerSamples.placeOf,
)
const SEALED = [...ACCOUNTS, WEBHOOKS, TABLES, SAMPLES]
type Sealed = (typeof SEALED)[number]

function sealed(
  table: string,
  column: string,
  key: string,
  placeOf: (key: string, projectId: string) => string,
) {
  return {
    placeOf,
    find: statement(
      `find-sealed-${table}-${column}`,
      `SELECT ${key}, project_id, ${column} FROM ${table}`,
    ),
    replace: statement(
      `replace-sealed-${table}-${column}`,
      `UPDATE ${table} SET ${column} = anew.sealed
         FROM unnest($1::text[], $2::text[]) AS anew (key, sealed) WHERE ${key} = anew.key`,
    ),
  }
}

const takeOver = statement(
  'take-encryption-key-over',
  `UPDATE service_settings SET value = $2
    WHERE name = '${KEPT_NAMES.keyFingerprint}' AND value = $1 RETURNING 1`,
)

// A process that starts from now on waits for this transaction and then meets the new fingerprint; one that
// started before is counted here, because a process listens for changes before it compares its key.
const countProcesses = statement(
  'count-processes',
  `SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND objid = ${LOCKS.listening} AND granted
      AND d.datname = current_database()`,
)

/**
 * Encrypts every secret with another key of 32 bytes, all or none, and answers how many there were. Throws a
 * sentence while another process uses the database, which would go on with the former key, and for a secret
 * that the former key cannot decrypt.
 */
export async function reseal(ctx: Context, key: Buffer): Promise<number> {
  const next = createVault(key)
  return ctx.sql.transaction(async (tx) => {
    const [isOurs] = await tx.rows(takeOver, [ctx.vault.fingerprint, next.fingerprint])
    if (!isOurs) throw new Error('The encryption key was exchanged by somebody else just now.')
    await mustBeAlone(tx)
    let count = 0
    for (const place of SEALED) count += await resealOne(tx, place, ctx.vault, next)
    return count
  })
}

async function mustBeAlone(tx: SqlClient): Promise<void> {
  const [processes] = await tx.rows(countProcesses)
  const others = Number(processes?.[0]) - 1
  if (others === 0) return
  throw new Error(
    `Nothing was changed: ${others} other ${others === 1 ? 'process uses' : 'processes use'} this database. ` +
      'Stop all servers and workers, and try again.',
  )
}

async function resealOne(tx: SqlClient, place: Sealed, former: Vault, next: Vault) {
  const all = await tx.rows(place.find)
  return put(tx, place, next, all, (text, at) => open(former, text, at))
}

/** Seals a secret for each of these rows, and answers how many there were. */
async function put(
  tx: SqlClient,
  { replace, placeOf }: Sealed,
  vault: Vault,
  rows: Row[],
  secretOf: (sealed: string, place: string, key: string) => string,
): Promise<number> {
  const anew = rows.map(([key, projectId, text]) => {
    const place = placeOf(must(key), must(projectId))
    return { key, text: vault.seal(secretOf(must(text), place, must(key)), place) }
  })
  for (let i = 0; i < anew.length; i += RESEALED_AT_ONCE) {
    const some = anew.slice(i, i + RESEALED_AT_ONCE)
    await tx.rows(replace, [some.map(({ key }) => key), some.map(({ text }) => text)])
  }
  return anew.length
}

const changeKey = statement(
  'change-encryption-key',
  `UPDATE service_settings SET value = $1
    WHERE name = '${KEPT_NAMES.keyFingerprint}' AND value <> $1 RETURNING 1`,
)
const dropSamples = statement('drop-header-samples', 'DELETE FROM header_samples')
const findChannels = statement(
  'find-real-channels',
  "SELECT project_id FROM channel_accounts WHERE kind <> 'sandbox' ORDER BY project_id",
)
const findWebhooks = statement(
  'find-webhooks-of-all',
  'SELECT id, project_id, url FROM webhooks ORDER BY project_id, id',
)

/**
 * Puts new secrets in the place of all that a lost key has sealed, all or none. Answers what is left to people: the
 * projects whose channels need their own secrets again, and the webhooks with the secrets that their receivers need.
 * Throws a sentence while another process uses the database, which may still have the key, and when the key of this
 * process is not another one.
 */
export async function forget(ctx: Context) {
  return ctx.sql.transaction(async (tx) => {
    const [isOther] = await tx.rows(changeKey, [ctx.vault.fingerprint])
    if (!isOther)
      throw new Error('Nothing was changed: the key opens the secrets of this database.')
    await mustBeAlone(tx)
    const secrets = new Map<string, string>()
    const random = () => randomBytes(32).toString('base64url')
    const ofWebhook = (_sealed: string, _place: string, id: string) => {
      const secret = webhooks.newSecret()
      secrets.set(id, secret)
      return secret
    }
    await tx.rows(dropSamples)
    for (const place of [...ACCOUNTS, TABLES]) {
      await put(tx, place, ctx.vault, await tx.rows(place.find), random)
    }
    await put(tx, WEBHOOKS, ctx.vault, await tx.rows(WEBHOOKS.find), ofWebhook)
    const channels = await tx.rows(findChannels)
    const hooks = await tx.rows(findWebhooks)
    return {
      channels: channels.map(([project]) => ({ project: must(project) })),
      webhooks: hooks.map(([id, project, url]) => ({
        project: must(project),
        id: must(id),
        url: must(url),
        secret: must(secrets.get(must(id))),
      })),
    }
  })
}

function open(vault: Vault, text: string, place: string): string {
  try {
    return vault.open(text, place)
  } catch (cause) {
    throw new Error(`Nothing was changed: the key does not open ${place}.`, { cause })
  }
}
