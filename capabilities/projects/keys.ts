import { randomUUID } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { hashSecret, mintSecret } from '../../core/crypto.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ApiKey } from '../../generated/prisma/client.ts'
import * as projects from './projects.ts'
import { parseScopes } from './scopes.ts'

/** How many characters of a secret are shown later, to tell keys apart. */
export const SHOWN_CHARACTERS = 12

/**
 * Creates a key of a project; the secret is shown in this answer only. Throws `PROJECT_NOT_FOUND`, and
 * `bad_request` for no scope or an unknown one.
 */
export async function create(
  ctx: Context,
  { projectId, ...wanted }: NewKey & { projectId: string },
) {
  const project = await projects.require(ctx, projectId)
  const { secret, row } = mint(ctx, wanted)
  const key = await ctx.db.apiKey.create({ data: { ...row, projectId: project.id } })
  return { key: present(key), secret }
}

type NewKey = { name: string; scopes: string[]; isTest: boolean }

/** A key yet to be stored, and its secret. Throws `bad_request` for no scope or an unknown one. */
export function mint(ctx: Context, { name, scopes, isTest }: NewKey) {
  const secret = mintSecret(isTest ? 'pk_test_' : 'pk_live_')
  const made = { id: randomUUID(), name, scopes: parseScopes(scopes), createdAt: ctx.now() }
  return { secret, row: { ...made, ...stored(secret) } }
}

/** A project's keys, including revoked ones, the oldest first. */
export async function list(ctx: Context, projectId: string) {
  const keys = await ctx.db.apiKey.findMany({ where: { projectId }, orderBy: { createdAt: 'asc' } })
  return keys.map(present)
}

/** Gives a key a new secret; the old one stops working at once. Throws `not_found`. */
export async function rotate(ctx: Context, id: string) {
  const { prefix } = await find(ctx, id)
  const secret = mintSecret(prefix.startsWith('pk_test_') ? 'pk_test_' : 'pk_live_')
  const key = await write(ctx, id, { ...stored(secret), rotatedAt: ctx.now() })
  return { key, secret }
}

/** Revokes a key, effective at once. Throws `not_found`. */
export async function revoke(ctx: Context, id: string) {
  return write(ctx, id, { revokedAt: ctx.now() })
}

/** Replaces the scopes of a key, effective at once; its secret stays. Throws `not_found` and `bad_request`. */
export async function setScopes(ctx: Context, id: string, scopes: string[]) {
  return write(ctx, id, { scopes: parseScopes(scopes) })
}

async function find(ctx: Context, id: string): Promise<ApiKey> {
  const key = await ctx.db.apiKey.findUnique({ where: { id } })
  if (!key || key.revokedAt) throw unknownKey(id)
  return key
}

async function write(ctx: Context, id: string, data: Partial<ReturnType<typeof stored> & ApiKey>) {
  const [key] = await ctx.db.apiKey.updateManyAndReturn({ where: { id, revokedAt: null }, data })
  await ctx.cache.changed()
  if (!key) throw unknownKey(id)
  return present(key)
}

function stored(secret: string) {
  return { secretHash: hashSecret(secret), prefix: secret.slice(0, SHOWN_CHARACTERS) }
}

function unknownKey(id: string): ServiceError {
  return new ServiceError('not_found', `There is no key ${id} in use.`)
}

function present(key: ApiKey) {
  return {
    id: key.id,
    project_id: key.projectId,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    rotated_at: key.rotatedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
