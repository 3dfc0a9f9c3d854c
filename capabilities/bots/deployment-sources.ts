import type { BuildFault, BuiltBot } from '../../core/bots.ts'
import type { ProjectContext } from '../../core/context.ts'
import { ServiceError, tooManyAtOnce } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, type SqlClient, statement } from '../../core/sql.ts'
import * as codeRows from './code-rows.ts'
import type { Tree } from './deployment-rows.ts'

/** What a deployment is made from. `snapshot` rises with each reading of the project's files. */
export type Source = { snapshot: string; tree: Tree; built: () => Promise<BuiltBot> }

const nextSnapshot = statement(
  'next-code-snapshot',
  'UPDATE bots SET snapshots = snapshots + 1 WHERE project_id = $1 RETURNING snapshots',
)

async function snapshotOf(ctx: ProjectContext, tx: SqlClient): Promise<string> {
  const [row] = await tx.rows(nextSnapshot, [ctx.project.id])
  return must(row?.[0])
}

type CodeFile = { path: string; content: Buffer }

/** Only files that an import can name are read. */
const IMPORTABLE = '\\.(ts|js|mjs|json|txt)$'
const readTree = statement(
  'read-code-tree',
  `SELECT f.path, encode(f.sha256, 'hex'), CASE WHEN f.path ~ $2 THEN octet_length(b.content) END
     FROM ${codeRows.FILES} WHERE f.project_id = $1`,
)
const readSources = statement(
  'read-code-sources',
  `SELECT f.path, b.content FROM ${codeRows.FILES} WHERE f.project_id = $1 AND f.path ~ $2`,
)

/**
 * The files of the sandbox in one consistent state; building them throws `build_failed`, and `rate_limited`
 * when there is no capacity at the moment.
 */
export function fromSandbox(ctx: ProjectContext): Promise<Source> {
  const values = [ctx.project.id, IMPORTABLE]
  return ctx.sql.transaction(async (tx) => {
    // Writers wait for this transaction, so it sees one state of all files.
    const snapshot = await snapshotOf(ctx, tx)
    const listed = await tx.rows(readTree, values)
    const tree = new Map(listed.map(([path, sha256]) => [must(path), must(sha256)]))
    const bytes = listed.reduce((sum, [, , size]) => sum + Number(size ?? 0), 0)
    if (bytes > LIMITS.botSourceBytes) {
      const text = `The code has ${bytes} bytes; at most ${LIMITS.botSourceBytes} can be built.`
      const fault = { file: null, line: null, column: null, text }
      return { snapshot, tree, built: () => Promise.reject(buildFailed([fault])) }
    }
    const rows = await tx.rows(readSources, values)
    const sources = rows.map(([path, content]) => ({
      path: must(path),
      content: codeRows.bytesFromSql(must(content)),
    }))
    return { snapshot, tree, built: () => build(ctx, sources) }
  })
}

async function build(ctx: ProjectContext, own: CodeFile[]): Promise<BuiltBot> {
  const files = [...codeRows.platformFiles(ctx), ...own]
  const outcome = await ctx.botCode.build(
    new Map(files.map(({ path, content }) => [path, content])),
    ctx.project.id,
  )
  if (!outcome) throw tooBusy(ctx)
  if (!outcome.ok) throw buildFailed(outcome.errors)
  return { bundle: outcome.bundle, sourceMap: outcome.sourceMap }
}

const findEarlier = statement(
  'find-earlier-deployment',
  `SELECT id, bundle, source_map FROM deployments
    WHERE project_id = $1 AND (version = $2::integer OR id = $3::uuid)`,
)
const readEarlierTree = statement(
  'read-earlier-tree',
  `SELECT path, encode(sha256, 'hex') FROM deployment_files WHERE project_id = $1 AND deployment_id = $2`,
)

/**
 * The files of an earlier deployment, by its version or id, built in the same way. Throws `not_found`, also
 * when its code is no longer kept.
 */
export function fromDeployment(ctx: ProjectContext, named: number | string): Promise<Source> {
  const [version, id] = typeof named === 'number' ? [named, null] : [null, named]
  return ctx.sql.transaction(async (tx) => {
    const [found] = await tx.rows(findEarlier, [ctx.project.id, version, id])
    const what = version === null ? `deployment ${id}` : `version ${version}`
    if (!found) throw new ServiceError('not_found', `There is no ${what} to go back to.`)
    const [deploymentId, bundle, sourceMap] = found
    if (bundle == null) throw shedLongAgo(what)
    const rows = await tx.rows(readEarlierTree, [ctx.project.id, deploymentId])
    const tree = new Map(rows.map(([path, sha256]) => [must(path), must(sha256)]))
    const built = { bundle, sourceMap: must(sourceMap) }
    return { snapshot: await snapshotOf(ctx, tx), tree, built: () => Promise.resolve(built) }
  })
}

function shedLongAgo(what: string): ServiceError {
  const kept = `one can go back to the newest ${LIMITS.deploymentsKept} versions, and to the one in production`
  return new ServiceError('not_found', `The code of ${what} is no longer kept: ${kept}.`)
}

/** The 502 for code that does not build or load, with its faults. */
export function buildFailed(errors: BuildFault[]): ServiceError {
  const [first] = errors
  const place = [first?.file, first?.line, first?.column].filter((part) => part != null).join(':')
  const what = place === '' ? first?.text : `${place}: ${first?.text}`
  return new ServiceError('build_failed', `The code cannot be deployed: ${what}`, {
    details: { errors },
  })
}

/** The 429 for lack of capacity to build or load code; it says nothing about the code. */
export function tooBusy(ctx: ProjectContext): ServiceError {
  return tooManyAtOnce(ctx.now(), 'Too many bots are built at once', {
    limit_name: 'builds-at-once',
    limit: LIMITS.buildsAtOnce,
    waitS: LIMITS.buildTimeoutMs / 1000,
  })
}
