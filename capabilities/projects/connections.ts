import { randomUUID } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { hashSecret, mintSecret } from '../../core/crypto.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { SHOWN_CHARACTERS } from './keys.ts'
import * as projects from './projects.ts'
import { parseScopes } from './scopes.ts'

/** A project that a connection may reach, its id in any case, and the scopes for it. */
export type Grant = { projectId: string; scopes: string[] }

type NewConnection = {
  name: string
  /** In the order of attachment. */
  grants: Grant[]
  defaultProjectId?: string | undefined
  /** Seconds from now; without it the connection does not expire. */
  expiresInS?: number | undefined
}

/**
 * Creates a connection of an agent; the token is shown in this answer only. Throws `PROJECT_NOT_FOUND`, and
 * `bad_request` for bad scopes, a project that is granted twice, or a default project without a grant.
 */
export async function create(
  ctx: Context,
  { name, grants, defaultProjectId, expiresInS }: NewConnection,
) {
  const checked = await checkGrants(ctx, grants)
  const attached = checked.map(({ projectId }) => projectId)
  const token = mintSecret('mcp_at_')
  const now = ctx.now()
  const connection = await ctx.db.connection.create({
    data: {
      id: randomUUID(),
      name,
      prefix: token.slice(0, SHOWN_CHARACTERS),
      tokenHash: hashSecret(token),
      defaultProjectId: await chooseDefault(ctx, defaultProjectId, attached),
      expiresAt: expiresInS === undefined ? null : new Date(now.getTime() + expiresInS * 1000),
      createdAt: now,
      grants: { create: inOrder(checked, now) },
    },
    include: WITH_GRANTS,
  })
  return { connection: present(connection), token }
}

/** All connections, including revoked ones, the oldest first. */
export async function list(ctx: Context) {
  const connections = await ctx.db.connection.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: WITH_GRANTS,
  })
  return connections.map(present)
}

/**
 * Grants a connection more projects; a project that it has already gets these scopes instead of its old ones.
 * Throws what `create` throws, and `not_found`.
 */
export async function attach(
  ctx: Context,
  id: string,
  { grants, defaultProjectId }: Pick<NewConnection, 'grants' | 'defaultProjectId'>,
) {
  const checked = await checkGrants(ctx, grants)
  return change(ctx, id, async (tx, before) => {
    for (const { projectId, scopes, createdAt } of inOrder(checked, ctx.now())) {
      await tx.connectionGrant.upsert({
        where: { connectionId_projectId: { connectionId: id, projectId } },
        create: { connectionId: id, projectId, scopes, createdAt },
        update: { scopes },
      })
    }
    if (defaultProjectId === undefined) return
    const attached = [...before, ...checked.map(({ projectId }) => projectId)]
    const chosen = await chooseDefault(ctx, defaultProjectId, attached)
    await tx.connection.update({ where: { id }, data: { defaultProjectId: chosen } })
  })
}

/**
 * Takes a project from a connection, effective at once. When it was the default, the first of the others
 * becomes the default. Throws `not_found`.
 */
export async function detach(ctx: Context, id: string, projectId: string) {
  const detached = await projects.resolveId(ctx, projectId)
  return change(ctx, id, async (tx, before) => {
    if (!before.includes(detached)) {
      throw new ServiceError(
        'not_found',
        `Project ${detached} is not attached to connection ${id}.`,
      )
    }
    await tx.connectionGrant.delete({
      where: { connectionId_projectId: { connectionId: id, projectId: detached } },
    })
    await tx.connection.updateMany({
      where: { id, defaultProjectId: detached },
      data: { defaultProjectId: null },
    })
  })
}

/** Revokes a connection, effective at once. Throws `not_found`. */
export async function revoke(ctx: Context, id: string) {
  return change(ctx, id, async (tx) => {
    await tx.connection.update({ where: { id }, data: { revokedAt: ctx.now() } })
  })
}

type Transaction = Prisma.TransactionClient
type Work = (tx: Transaction, attached: string[]) => Promise<void>

/** Changes a connection that is not revoked, under a lock. */
async function change(ctx: Context, id: string, work: Work) {
  const changed = await ctx.db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<unknown[]>`
      SELECT id FROM connections WHERE id = ${id} AND revoked_at IS NULL FOR UPDATE`
    if (!row) throw new ServiceError('not_found', `There is no connection ${id} in use.`)
    const attached = await tx.connectionGrant.findMany({ where: { connectionId: id } })
    await work(
      tx,
      attached.map(({ projectId }) => projectId),
    )
    return tx.connection.findUniqueOrThrow({ where: { id }, include: WITH_GRANTS })
  })
  await ctx.cache.changed()
  return present(changed)
}

async function checkGrants(ctx: Context, grants: Grant[]): Promise<Grant[]> {
  const checked: Grant[] = []
  for (const { projectId, scopes } of grants) {
    const id = await projects.requireId(ctx, projectId)
    if (checked.some((grant) => grant.projectId === id)) {
      throw new ServiceError('bad_request', `Project ${id} is granted twice.`)
    }
    checked.push({ projectId: id, scopes: parseScopes(scopes) })
  }
  return checked
}

async function chooseDefault(ctx: Context, wanted: string | undefined, attached: string[]) {
  if (wanted === undefined) return null
  const id = await projects.resolveId(ctx, wanted)
  if (attached.includes(id)) return id
  throw new ServiceError(
    'bad_request',
    `The default project ${id} is not one of the attached ones.`,
  )
}

/** Grants are ordered by their instants, so each gets an instant of its own. */
function inOrder(grants: Grant[], now: Date) {
  return grants.map(({ projectId, scopes }, index) => ({
    projectId,
    scopes,
    createdAt: new Date(now.getTime() + index),
  }))
}

const WITH_GRANTS = {
  grants: { orderBy: [{ createdAt: 'asc' }, { projectId: 'asc' }] },
} satisfies Prisma.ConnectionInclude

function present(connection: Prisma.ConnectionGetPayload<{ include: typeof WITH_GRANTS }>) {
  return {
    id: connection.id,
    name: connection.name,
    prefix: connection.prefix,
    default_project_id: connection.defaultProjectId,
    grants: connection.grants.map(({ projectId, scopes }) => ({ project_id: projectId, scopes })),
    created_at: connection.createdAt.toISOString(),
    expires_at: connection.expiresAt?.toISOString() ?? null,
    revoked_at: connection.revokedAt?.toISOString() ?? null,
  }
}
