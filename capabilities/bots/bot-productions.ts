import { BOT_HANDLERS, type BotHandler, type BuiltBot } from '../../core/bots.ts'
import type { Context, ProjectGrant, ProjectStatus } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, mustJson, plannedOnce, type Row, statement } from '../../core/sql.ts'

/** What is in production for a project. */
export type Production = {
  deploymentId: string
  version: number
  handlers: BotHandler[]
  project: ProjectGrant
}

const findProduction = plannedOnce(
  'find-bots-in-production',
  `SELECT p.id, d.id, d.version, to_json(b.handlers), p.name, p.status, p.daily_send_quota
     FROM bots b JOIN deployments d ON d.id = b.production_id JOIN projects p ON p.id = b.project_id
    WHERE b.project_id = ANY ($1::text[])`,
)

/** The production deployment of each of the projects that has one. */
export async function productionOf(
  ctx: Context,
  projectIds: string[],
): Promise<Map<string, Production>> {
  const rows = await ctx.sql.rows(findProduction, [projectIds])
  return new Map(rows.map((row) => [must(row[0]), readProduction(row)]))
}

function readProduction(row: Row): Production {
  const [id, deploymentId, version, handlers, name, status, quota] = row
  const found = mustJson<string[]>(handlers)
  return {
    deploymentId: must(deploymentId),
    version: Number(version),
    handlers: BOT_HANDLERS.filter((handler) => found.includes(handler)),
    project: {
      id: must(id),
      name: must(name),
      status: must(status) as ProjectStatus,
      scopes: [],
      dailySendQuota: quota == null ? null : Number(quota),
    },
  }
}

const findCode = statement(
  'find-code-of-deployment',
  'SELECT bundle, source_map FROM deployments WHERE id = $1',
)

/**
 * Reads the code of deployments, which never changes, and caches what was read lately. Runs that need the same
 * code at the same moment, as after a start, share one read.
 */
export function createCodeReader(ctx: Context): (deploymentId: string) => Promise<BuiltBot> {
  const known = new Map<string, BuiltBot>()
  const reads = new Map<string, Promise<BuiltBot>>()
  let bytes = 0

  async function read(deploymentId: string): Promise<BuiltBot> {
    const [row] = await ctx.sql.rows(findCode, [deploymentId])
    const code = { bundle: must(row?.[0]), sourceMap: must(row?.[1]) }
    bytes += sizeOf(code)
    known.set(deploymentId, code)
    for (const [oldest, other] of known) {
      if (bytes <= LIMITS.botCodeKeptBytes || known.size === 1) break
      known.delete(oldest)
      bytes -= sizeOf(other)
    }
    return code
  }
  return async (deploymentId) => {
    const kept = known.get(deploymentId)
    if (kept) {
      known.delete(deploymentId)
      known.set(deploymentId, kept)
      return kept
    }
    const underWay = reads.get(deploymentId)
    if (underWay) return underWay
    const begun = read(deploymentId).finally(() => reads.delete(deploymentId))
    reads.set(deploymentId, begun)
    return begun
  }
}

function sizeOf({ bundle, sourceMap }: BuiltBot): number {
  return bundle.length + sourceMap.length
}
