import { randomUUID } from 'node:crypto'
import type { Context, Credential, ProjectStatus } from '../../core/context.ts'
import type { Data } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { statement } from '../../core/sql.ts'
import type { Prisma, Project, SendBudget } from '../../generated/prisma/client.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'
import * as tableSchemas from '../tables/table-schemas.ts'
import * as webhooks from '../webhooks/webhooks.ts'

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/**
 * The projects that a credential reaches, including paused ones but not deleted ones. Throws `project_inactive`
 * for a key whose only project is deleted.
 */
export function listReachable(credential: Credential): Data<'listProjects'> {
  const reachable = credential.grants.filter((grant) => grant.status !== 'deleted')
  if (credential.kind === 'key' && reachable.length === 0) {
    throw new ServiceError('project_inactive', 'The project of this key is deleted.')
  }
  return {
    projects: reachable.map(({ id, name, scopes }) => ({
      id,
      name,
      scopes,
      is_default: id === credential.defaultProjectId,
    })),
  }
}

/**
 * Creates a project on the built-in sandbox channel, with its first key if one is wanted; the id defaults to a
 * UUID. Throws `bad_request` for an id that is malformed or, ignoring case, taken.
 */
export async function create(
  ctx: Context,
  { id = randomUUID(), name, quota, credits, key }: NewProject,
) {
  if (!ID.test(id)) {
    throw new ServiceError(
      'bad_request',
      'A project id has 1 to 64 letters, digits, _ and -, and begins with a letter or digit.',
    )
  }
  await mustBeFree(ctx, id)
  const now = ctx.now()
  const creation = ctx.db.project.create({
    data: {
      id,
      name,
      dailySendQuota: quota ?? null,
      createdAt: now,
      updatedAt: now,
      budget: { create: { credits: credits ?? null } },
      channel: { create: channelAccounts.newSandboxAccount(ctx, id) },
      ...(key ? { keys: { create: key } } : {}),
    },
    include: WITH_BUDGET,
  })
  const project = await creation.catch(async (error: unknown) => {
    // Another process has created it at this moment.
    await mustBeFree(ctx, id)
    throw error
  })
  return present(project)
}

async function mustBeFree(ctx: Context, id: string): Promise<void> {
  const taken = await findId(ctx, id)
  if (taken) throw new ServiceError('bad_request', `There is a project ${taken} already.`)
}

const WITH_BUDGET = { budget: true } as const

/** A null quota means the default of the settings; null credits mean that credits are not counted. */
type ProjectSettings = { quota?: number | null | undefined; credits?: number | null | undefined }
type NewProject = ProjectSettings & {
  id?: string | undefined
  name: string
  key?: Prisma.ApiKeyCreateWithoutProjectInput
}
type ProjectChange = ProjectSettings & { name?: string | undefined }

/** All projects, the newest last; deleted ones are listed with that status. */
export async function list(ctx: Context) {
  const projects = await ctx.db.project.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: WITH_BUDGET,
  })
  return projects.map(present)
}

/** Changes a project's name, quota or credits; throws `PROJECT_NOT_FOUND`. */
export async function update(ctx: Context, id: string, change: ProjectChange) {
  const { name, quota, credits } = change
  return write(ctx, id, {
    ...(name === undefined ? {} : { name }),
    ...(quota === undefined ? {} : { dailySendQuota: quota }),
    ...(credits === undefined ? {} : { budget: { update: { credits } } }),
  })
}

/**
 * Pauses, resumes or deletes a project, effective at once for its credentials. A deleted project keeps its rows
 * and its id; it can be resumed, but not paused. Deletion turns its webhooks off, and resuming leaves them off.
 * Throws `PROJECT_NOT_FOUND`, also for one that a purge has begun to remove.
 */
export async function setStatus(ctx: Context, id: string, status: ProjectStatus) {
  // Another operator may be deleting or purging it at the same time.
  const from = status === 'paused' ? { status: { not: 'deleted' } } : {}
  const data = { status, updatedAt: ctx.now() }
  const where = { id, channel: { isNot: null }, ...from }
  const { count } = await ctx.db.project.updateMany({ where, data })
  if (count === 0) throw unknownProject(id)
  await ctx.cache.changed()
  // No key could turn them off any more.
  if (status === 'deleted') await webhooks.turnOffAll(ctx, id)
  await tableSchemas.setLogin(ctx, id)
  return present(await ctx.db.project.findUniqueOrThrow({ where: { id }, include: WITH_BUDGET }))
}

/** The stored id of a project, deleted ones included, for an id in any case. Throws `PROJECT_NOT_FOUND`. */
export async function resolveId(ctx: Context, id: string): Promise<string> {
  const stored = await findId(ctx, id)
  if (stored === null) throw unknownProject(id)
  return stored
}

/** The stored id of a project that is not deleted, for an id in any case. Throws `PROJECT_NOT_FOUND`. */
export async function requireId(ctx: Context, id: string): Promise<string> {
  const project = await require(ctx, await resolveId(ctx, id))
  return project.id
}

/** Throws `PROJECT_NOT_FOUND` unless the project exists and, by default, is not deleted. */
export async function require(
  ctx: Context,
  id: string,
  { deletedToo = false } = {},
): Promise<Project> {
  const project = await ctx.db.project.findUnique({ where: { id } })
  if (!project || (project.status === 'deleted' && !deletedToo)) throw unknownProject(id)
  return project
}

// Prisma's case-insensitive comparison is ILIKE, in which the _ of an id matches any character.
const findFolded = statement(
  'find-project-id',
  'SELECT id FROM projects WHERE lower(id) = lower($1)',
)

async function findId(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.sql.rows(findFolded, [id])
  return row?.[0] ?? null
}

async function write(ctx: Context, id: string, data: Prisma.ProjectUpdateInput) {
  await require(ctx, id, { deletedToo: true })
  const project = await ctx.db.project.update({
    where: { id },
    data: { ...data, updatedAt: ctx.now() },
    include: WITH_BUDGET,
  })
  await ctx.cache.changed()
  return present(project)
}

function unknownProject(id: string): ServiceError {
  return new ServiceError('PROJECT_NOT_FOUND', `There is no project ${id}.`)
}

function present(project: Project & { budget: SendBudget | null }) {
  return {
    id: project.id,
    name: project.name,
    status: project.status,
    daily_send_quota: project.dailySendQuota,
    credits: project.budget?.credits ?? null,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  }
}
