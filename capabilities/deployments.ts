import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../core/context.ts'
import type { Data, OperationRequest, Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { statement } from '../core/sql.ts'
import { begunAt } from './code-rows.ts'
import * as rows from './deployment-rows.ts'
import { buildFailed, fromDeployment, fromSandbox, tooBusy } from './deployment-sources.ts'

type Deployment = Schema<'Deployment'>

/**
 * Builds and loads the files of the sandbox, or those of an earlier deployment, and makes them
 * production; a dry run keeps nothing. Throws `build_failed` with every fault, and production stays as
 * it is; `rate_limited` when there is no room to build; `not_found` for an earlier deployment that never was.
 */
export async function create(
  ctx: ProjectContext,
  body: Schema<'CreateDeploymentRequest'>,
): Promise<Schema<'DeploymentResult'>> {
  const { message = null, rollback_to: named, dry_run: isDry = false } = body
  await begunAt(ctx)
  const { snapshot, tree, built } =
    named === undefined ? await fromSandbox(ctx) : await fromDeployment(ctx, named)
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

const page = (isFirst: boolean) =>
  statement(
    `list-deployments-${isFirst ? 0 : 1}`,
    `SELECT ${rows.DEPLOYMENT_COLUMNS} FROM ${rows.FROM_DEPLOYMENTS}
      WHERE d.project_id = $1 ${isFirst ? '' : 'AND d.version < $3'}
      ORDER BY d.version DESC LIMIT $2`,
  )
const firstPage = page(true)
const nextPage = page(false)

/** A page of every version, the newest first; throws `invalid_cursor`. */
export async function list(
  ctx: ProjectContext,
  { cursor, limit = LIMITS.pageItemsDefault }: OperationRequest<'listDeployments'>['query'],
): Promise<Data<'listDeployments'>> {
  const name = ['listDeployments', ctx.project.id]
  const after = cursor === undefined ? [] : ctx.cursors.decode(name, cursor, 1)
  const values = [ctx.project.id, limit + 1, ...after]
  const found = await ctx.sql.rows(after.length === 0 ? firstPage : nextPage, values)
  const deployments = found.slice(0, limit).map(rows.present)
  const last = found.length > limit ? deployments.at(-1) : undefined
  return {
    deployments,
    nextCursor: last ? ctx.cursors.encode(name, [String(last.version)]) : null,
  }
}

/** One deployment; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Deployment> {
  const found = await rows.find(ctx, id)
  if (!found) throw new ServiceError('not_found', `There is no deployment ${id}.`)
  return found
}
