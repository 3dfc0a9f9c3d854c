import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isoFromSql, must, statement } from '../../core/sql.ts'

type FileSummary = Schema<'FileSummary'>

// A column of type `json` keeps its text as it was given.
const SUMMARY = `octet_length(definition::text), encode(sha256(convert_to(definition::text, 'UTF8')), 'hex'),
  updated_at`
const listAll = statement(
  'list-flow-files',
  `SELECT id, ${SUMMARY} FROM flows WHERE project_id = $1 AND definition IS NOT NULL`,
)

/** The definitions of the project's flows as read-only files, each named after the flow's id. */
export async function list(ctx: ProjectContext): Promise<FileSummary[]> {
  const flows = await ctx.sql.rows(listAll, [ctx.project.id])
  return flows.map(([id, size, sha256, updatedAt]) => ({
    path: `flows/${id}.json`,
    size: Number(size),
    sha256: must(sha256),
    protected: true,
    updated_at: isoFromSql(must(updatedAt)),
  }))
}

const findOne = statement(
  'find-flow-file',
  `SELECT definition, updated_at FROM flows
    WHERE project_id = $1 AND id = $2 AND definition IS NOT NULL`,
)

/** The definition at a path; null when there is none. */
export async function find(
  ctx: ProjectContext,
  path: string,
): Promise<{ content: Buffer; updatedAt: string } | null> {
  const id = /^flows\/([^/]+)\.json$/.exec(path)?.[1]
  if (id === undefined) return null
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, id])
  if (!row) return null
  const [definition, updatedAt] = row
  return { content: Buffer.from(must(definition)), updatedAt: isoFromSql(must(updatedAt)) }
}
