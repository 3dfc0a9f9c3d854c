import { hash } from 'node:crypto'
import type { Context, Credential, ProjectGrant, ProjectStatus } from '../../core/context.ts'
import type { Scope } from '../../core/contract.ts'
import { hashSecret, isWellFormedSecret } from '../../core/crypto.ts'
import { must, type Row, statement } from '../../core/sql.ts'

const findKey = statement(
  'find-key',
  `SELECT k.id, p.id, p.name, p.status, array_to_string(k.scopes, ' '), p.daily_send_quota
     FROM api_keys k JOIN projects p ON p.id = k.project_id
    WHERE k.secret_hash = $1 AND k.revoked_at IS NULL`,
)

const findToken = statement(
  'find-token',
  `SELECT c.id, extract(epoch FROM c.expires_at) * 1000, c.default_project_id,
          p.id, p.name, p.status, array_to_string(g.scopes, ' '), p.daily_send_quota
     FROM connections c
     LEFT JOIN connection_grants g ON g.connection_id = c.id
     LEFT JOIN projects p ON p.id = g.project_id
    WHERE c.token_hash = $1 AND c.revoked_at IS NULL
    ORDER BY g.created_at, g.project_id`,
)

type Found = { credential: Credential; expiresAtMs: number | null }

/**
 * The credential of a key or token; null when it is unknown, revoked, rotated or expired. A change counts in
 * every process from its commit on.
 */
export async function find(ctx: Context, secret: string): Promise<Credential | null> {
  const digest = hash('sha256', secret, 'base64')
  if (ctx.cache.get(digest) === undefined && !isWellFormedSecret(secret)) return null
  // Not `cache.get`, which may answer from before a change that another process has committed.
  const found = await ctx.cache.loadGuess(digest, () => read(ctx, secret))
  const expiresAtMs = found?.expiresAtMs
  if (expiresAtMs != null && expiresAtMs <= ctx.now().getTime()) return null
  return found?.credential ?? null
}

async function read(ctx: Context, secret: string): Promise<Found | null> {
  const digest = Buffer.from(hashSecret(secret))
  return secret.startsWith('pk_')
    ? readKey(await ctx.sql.rows(findKey, [digest]))
    : readToken(await ctx.sql.rows(findToken, [digest]))
}

function readKey([row]: Row[]): Found | null {
  if (!row) return null
  const [id, ...project] = row
  const grants = [readGrant(project)]
  return {
    credential: { id: must(id), kind: 'key', grants, defaultProjectId: must(project[0]) },
    expiresAtMs: null,
  }
}

function readToken(rows: Row[]): Found | null {
  const [first] = rows
  if (!first) return null
  const [id, expiresAtMs, defaultProjectId] = first
  const grants = rows.filter((row) => row[3] !== null).map((row) => readGrant(row.slice(3)))
  return {
    credential: {
      id: must(id),
      kind: 'token',
      grants,
      defaultProjectId: defaultProjectId ?? grants[0]?.id ?? null,
    },
    expiresAtMs: expiresAtMs == null ? null : Number(expiresAtMs),
  }
}

function readGrant([id, name, status, scopes, quota]: Row): ProjectGrant {
  return {
    id: must(id),
    name: must(name),
    status: must(status) as ProjectStatus,
    scopes: must(scopes).split(' ').filter(Boolean) as Scope[],
    dailySendQuota: quota == null ? null : Number(quota),
  }
}
