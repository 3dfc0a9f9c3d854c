import type { BotHandler, BuiltBot } from '../../core/bots.ts'
import type { OwnContext, ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoFromSql, must, mustJson, type Row, type SqlClient, statement } from '../../core/sql.ts'
import { lockBot } from './code-rows.ts'

type Deployment = Schema<'Deployment'>
export type Change = Schema<'FileChange'>

/** Files by path, each as the SHA-256 of its content in hex. */
export type Tree = ReadonlyMap<string, string>

/** The columns that `present` reads, in its order. */
export const DEPLOYMENT_COLUMNS = `d.id, d.version, d.message, d.changes, d.created_at,
  d.id = b.production_id`
/** Their FROM clause: the deployment `d` and the project's bot `b`. */
export const FROM_DEPLOYMENTS = 'deployments d JOIN bots b ON b.project_id = d.project_id'

/** A row of `DEPLOYMENT_COLUMNS`. */
export function present([id, version, message, changes, createdAt, isLive]: Row): Deployment {
  return {
    id: must(id),
    version: Number(version),
    status: isLive === 't' ? 'production' : 'superseded',
    message: message ?? null,
    changes: mustJson<Change[]>(changes),
    created_at: isoFromSql(must(createdAt)),
  }
}

const findLive = statement(
  'find-live-tree',
  `SELECT f.path, encode(f.sha256, 'hex')
     FROM bots b JOIN deployment_files f
       ON f.project_id = b.project_id AND f.deployment_id = b.production_id
    WHERE b.project_id = $1`,
)

/** What would change if these files became production. */
export async function changesTo(sql: SqlClient, projectId: string, tree: Tree): Promise<Change[]> {
  const rows = await sql.rows(findLive, [projectId])
  const live = new Map(rows.map(([path, sha256]) => [must(path), must(sha256)]))
  const paths = [...new Set([...live.keys(), ...tree.keys()])].sort()
  return paths.flatMap((path): Change[] => {
    const [before, after] = [live.get(path), tree.get(path)]
    if (before === after) return []
    if (before === undefined) return [{ path, change: 'added' }]
    return [{ path, change: after === undefined ? 'removed' : 'modified' }]
  })
}

const nextVersion = statement(
  'next-deployment-version',
  `UPDATE bots SET last_version = last_version + 1 WHERE project_id = $1 RETURNING last_version`,
)
const insert = statement(
  'insert-deployment',
  `INSERT INTO deployments
     (id, project_id, version, snapshot, message, changes, bundle, source_map, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const insertFiles = statement(
  'insert-deployment-files',
  `INSERT INTO deployment_files (deployment_id, project_id, path, sha256)
   SELECT $1, $2, path, decode(sha256, 'hex') FROM unnest($3::text[], $4::text[]) AS t (path, sha256)`,
)
// A deployment whose files were read before those of the current production does not replace it.
const promote = statement(
  'promote-deployment',
  `UPDATE bots b SET production_id = $2, handlers = $3
    WHERE b.project_id = $1 AND NOT EXISTS (
      SELECT 1 FROM deployments d
       WHERE d.project_id = b.project_id AND d.id = b.production_id AND d.snapshot > $4)`,
)
/** Far more than the one that each deployment adds, yet quick to delete. */
const SHED_AT_ONCE = 20
// Deletes what was built for old deployments; content that nobody references any more starts its retention. An
// earlier version of the service may have left any number of them; the oldest are deleted first, the rest by
// later deployments.
const shed = statement(
  'shed-code-of-deployments',
  `WITH due AS (
     SELECT d.id FROM bots b JOIN deployments d ON d.project_id = b.project_id
      WHERE b.project_id = $1 AND d.bundle IS NOT NULL
        AND d.version <= b.last_version - ${LIMITS.deploymentsKept} AND d.id <> b.production_id
      ORDER BY d.version LIMIT ${SHED_AT_ONCE}
   ), old AS (
     UPDATE deployments d SET bundle = NULL, source_map = NULL FROM due WHERE d.id = due.id
      RETURNING d.id
   ), let_go AS (
     UPDATE code_blobs c SET used_at = $2 FROM deployment_files f JOIN old ON f.deployment_id = old.id
      WHERE c.project_id = f.project_id AND c.sha256 = f.sha256
   )
   DELETE FROM deployment_files f USING old WHERE f.deployment_id = old.id`,
)
const findOne = statement(
  'find-deployment',
  `SELECT ${DEPLOYMENT_COLUMNS} FROM ${FROM_DEPLOYMENTS} WHERE d.project_id = $1 AND d.id = $2`,
)

export type NewDeployment = BuiltBot & {
  id: string
  snapshot: string
  message: string | null
  tree: Tree
  handlers: BotHandler[]
}

/**
 * Stores a deployment as the next version, and makes it production unless files that were read later are. What
 * was built is kept for the newest versions and for production only.
 */
export function record(ctx: OwnContext, made: NewDeployment): Promise<Deployment> {
  const { id, snapshot, message, tree, handlers, bundle, sourceMap } = made
  const project = ctx.project.id
  return ctx.sql.transaction(async (tx) => {
    await lockBot(tx, project)
    const changes = await changesTo(tx, project, tree)
    const [numbered] = await tx.rows(nextVersion, [project])
    await tx.rows(insert, [
      ...[id, project, Number(must(numbered?.[0])), snapshot, message, JSON.stringify(changes)],
      ...[bundle, sourceMap, ctx.now()],
    ])
    await tx.rows(insertFiles, [id, project, [...tree.keys()], [...tree.values()]])
    await tx.rows(promote, [project, id, handlers, snapshot])
    await tx.rows(shed, [project, ctx.now()])
    const [row] = await tx.rows(findOne, [project, id])
    if (!row) throw new Error('A deployment that was written is not there')
    return present(row)
  })
}

/** One deployment; null when the project has none with this id. */
export async function find(ctx: ProjectContext, id: string): Promise<Deployment | null> {
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  return row ? present(row) : null
}
