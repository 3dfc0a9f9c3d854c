import { createHash } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Data, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoFromSql, must, type Row, type SqlClient, statement } from '../../core/sql.ts'
import { foldersOf, isProtected, requirePath, requireUnprotected } from './code-paths.ts'
import * as rows from './code-rows.ts'
import * as flowFiles from '../flows/flow-files.ts'
import { decodeBase64 } from '../media/inline-data.ts'

type CodeFile = Schema<'CodeFile'>
type FileSummary = Schema<'FileSummary'>

const COLUMNS = `f.path, octet_length(b.content), encode(f.sha256, 'hex'), f.updated_at`
const listAll = statement(
  'list-code-files',
  `SELECT ${COLUMNS} FROM ${rows.FILES} WHERE f.project_id = $1 LIMIT ${LIMITS.codeFiles}`,
)

/** Every file of the project's sandbox by path, including the platform's own files and its flows. */
export async function list(ctx: ProjectContext): Promise<FileSummary[]> {
  const begunAt = await rows.begunAt(ctx)
  const [own, flows] = await Promise.all([
    ctx.sql.rows(listAll, [ctx.project.id]),
    flowFiles.list(ctx),
  ])
  const platform = rows.platformFiles(ctx).map(({ path, content }) => ({
    path,
    size: content.length,
    sha256: sha256(content),
    protected: true,
    updated_at: begunAt,
  }))
  return [...platform, ...flows, ...own.map(summarize)].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const findOne = statement(
  'find-code-file',
  `SELECT ${COLUMNS}, f.encoding, b.content FROM ${rows.FILES} WHERE f.project_id = $1 AND f.path = $2`,
)

/** One file with its content; throws `invalid_id`, `not_found`. */
export async function get(ctx: ProjectContext, path: string): Promise<CodeFile> {
  requirePath(path)
  const begunAt = await rows.begunAt(ctx)
  const platform = rows.platformFiles(ctx).find((file) => file.path === path)
  if (platform) {
    return present({ ...platform, encoding: 'utf-8', updatedAt: begunAt })
  }
  const flow = await flowFiles.find(ctx, path)
  if (flow) return present({ path, encoding: 'utf-8', ...flow })
  const [row] = await ctx.sql.rows(findOne, [ctx.project.id, path])
  if (!row) throw unknownFile(path)
  const [, , , updatedAt, encoding, content] = row
  return present({
    path,
    content: rows.bytesFromSql(must(content)),
    encoding: must(encoding) as rows.Encoding,
    updatedAt: isoFromSql(must(updatedAt)),
  })
}

/**
 * Writes a file, replacing its content. Throws `invalid_id`, `protected_file`, `invalid_request` for malformed
 * base64, `payload_too_large`, `file_changed` when the current content is not the expected one, and
 * `bad_request` when there are too many files or the path would have to be a file and a folder at once.
 */
export async function put(
  ctx: ProjectContext,
  path: string,
  { content: text, encoding = 'utf-8', expected_sha256: expected }: Schema<'PutFileRequest'>,
): Promise<CodeFile> {
  requirePath(path)
  requireUnprotected(path)
  const content = encoding === 'base64' ? decodeBase64(text, 'content') : Buffer.from(text)
  if (content.length > LIMITS.codeFileBytes) throw tooLarge()
  await rows.begunAt(ctx)
  const updatedAt = await ctx.sql.transaction(async (tx) => {
    await rows.lockBot(tx, ctx.project.id)
    const held = await shaOf(ctx, tx, path)
    if (expected !== undefined && expected !== held) throw changed(path, expected, held)
    if (held === null) await requireRoom(ctx, tx, path)
    return rows.writeFiles(ctx, tx, [{ path, content, encoding }])
  })
  return present({ path, content, encoding, updatedAt: updatedAt.toISOString() })
}

/** Deletes a file; throws `invalid_id`, `protected_file`, `not_found`. */
export async function remove(ctx: ProjectContext, path: string): Promise<Data<'deleteFile'>> {
  requirePath(path)
  requireUnprotected(path)
  await rows.begunAt(ctx)
  const isDropped = await ctx.sql.transaction(async (tx) => {
    await rows.lockBot(tx, ctx.project.id)
    return rows.dropFile(ctx, tx, path)
  })
  if (!isDropped) throw unknownFile(path)
  return { deleted: true, id: path }
}

const findSha = statement(
  'find-code-file-sha',
  `SELECT encode(sha256, 'hex') FROM code_files WHERE project_id = $1 AND path = $2`,
)

async function shaOf(ctx: ProjectContext, tx: SqlClient, path: string): Promise<string | null> {
  const [row] = await tx.rows(findSha, [ctx.project.id, path])
  return row?.[0] ?? null
}

const count = statement('count-code-files', 'SELECT count(*) FROM code_files WHERE project_id = $1')
// Paths sort bytewise, so everything under a folder is one range of the key.
const findClash = statement(
  'find-code-file-clash',
  `(SELECT path FROM code_files WHERE project_id = $1 AND path = ANY ($2::text[]) LIMIT 1)
   UNION ALL
   (SELECT path FROM code_files WHERE project_id = $1 AND path > $3 || '/' AND path < $3 || '0' LIMIT 1)`,
)

async function requireRoom(ctx: ProjectContext, tx: SqlClient, path: string): Promise<void> {
  const [held] = await tx.rows(count, [ctx.project.id])
  const room = LIMITS.codeFiles - rows.platformFiles(ctx).length
  if (Number(held?.[0]) >= room) {
    throw new ServiceError('bad_request', `A project has at most ${LIMITS.codeFiles} code files.`)
  }
  const below = rows.platformFiles(ctx).find((file) => foldersOf(file.path).includes(path))
  const [own] = await tx.rows(findClash, [ctx.project.id, foldersOf(path), path])
  const clash = below?.path ?? own?.[0]
  if (clash == null) return
  const problem = `One of ${path} and ${clash} would have to be a file and a folder at once.`
  throw new ServiceError('bad_request', problem)
}

function summarize([path, size, sha, updatedAt]: Row): FileSummary {
  return {
    path: must(path),
    size: Number(size),
    sha256: must(sha),
    protected: false,
    updated_at: isoFromSql(must(updatedAt)),
  }
}

type Held = { path: string; content: Buffer; encoding: rows.Encoding; updatedAt: string }

function present({ path, content, encoding, updatedAt }: Held): CodeFile {
  return {
    path,
    size: content.length,
    sha256: sha256(content),
    protected: isProtected(path),
    updated_at: updatedAt,
    content: content.toString(encoding),
    encoding,
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function tooLarge(): ServiceError {
  const limit = LIMITS.codeFileBytes
  return new ServiceError('payload_too_large', `A code file has at most ${limit} bytes.`, {
    details: { limit_bytes: limit },
  })
}

function changed(path: string, expected: string, held: string | null): ServiceError {
  const what = held === null ? 'is not there any more' : 'has been changed by somebody else'
  return new ServiceError('file_changed', `${path} ${what}; read it again.`, {
    details: { expected_sha256: expected, sha256: held },
  })
}

function unknownFile(path: string): ServiceError {
  return new ServiceError('not_found', `There is no file ${path}.`)
}
