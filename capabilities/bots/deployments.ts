import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSlots, withSlot } from '../../core/slots.ts'
import { begunAt } from './code-rows.ts'
import * as rows from './deployment-rows.ts'
import { buildFailed, fromDeployment, fromSandbox, tooBusy } from './deployment-sources.ts'
import { readPage } from '../list-pages.ts'

type Deployment = Schema<'Deployment'>

/**
 * Builds and loads the files of the sandbox, or of an earlier deployment, and makes them production; a dry run
 * stores nothing. Throws `build_failed` with every fault, which leaves production unchanged; `rate_limited`
 * when there is no capacity to build; `not_found` for an unknown earlier deployment.
 */
export async function create(
  ctx: ProjectContext,
  body: Schema<'CreateDeploymentRequest'>,
): Promise<Schema<'DeploymentResult'>> {
  const { message = null, rollback_to: named, dry_run: isDry = false } = body
  await begunAt(ctx)
  const { snapshot, tree, built } = await inTurn(ctx, () =>
    named === undefined ? fromSandbox(ctx) : fromDeployment(ctx, named),
  )
  const bot = await built()
  const checked = await ctx.botCode.check(bot, ctx.project.id)
  if (!checked) throw tooBusy(ctx)
  if (!checked.ok) throw buildFailed(checked.errors)
  if (isDry) {
    const changes = await rows.changesTo(ctx.sql, ctx.project.id, tree)
    const at = ctx.now().toISOString()
    return { id: null, version: null, status: 'dry_run', message, changes, created_at: at }
  }
  const { handlers } = checked
  const id = randomUUID()
  const made = await rows.record(ctx, { id, snapshot, message, tree, handlers, ...bot })
  const { version, status } = made
  ctx.log.info('deployment.made', { project: ctx.project.id, deployment: id, version, status })
  return made
}

const readings = createSlots({
  atOnce: LIMITS.buildsAtOnce,
  atOnceEach: LIMITS.buildsAtOnceEach,
  waitingMax: LIMITS.buildsWaiting,
  waitMs: LIMITS.buildWaitMs,
})

/** Reads of a project's code take turns, so that they leave connections to everyone else. */
function inTurn<T>(ctx: ProjectContext, read: () => Promise<T>): Promise<T> {
  return withSlot(readings, ctx.project.id, read, () => tooBusy(ctx))
}

/** A page of all versions, the newest first; throws `invalid_cursor`. */
export async function list(
  ctx: ProjectContext,
  query: OperationRequest<'listDeployments'>['query'],
): Promise<Data<'listDeployments'>> {
  const { rows: found, nextCursor } = await readPage(ctx, query, {
    name: ['listDeployments', ctx.project.id],
    rows: `SELECT ${rows.DEPLOYMENT_COLUMNS} FROM ${rows.FROM_DEPLOYMENTS} WHERE d.project_id = $1`,
    values: [ctx.project.id],
    keys: [['d.version', 1]],
  })
  return { deployments: found.map(rows.present), nextCursor }
}

/** One deployment; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Deployment> {
  const found = await rows.find(ctx, id)
  if (!found) throw new ServiceError('not_found', `There is no deployment ${id}.`)
  return found
}
