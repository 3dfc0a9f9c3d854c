import type { Context, OwnContext, ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isoFromSql, must, type SqlClient, statement } from '../../core/sql.ts'
import { isProtected } from './code-paths.ts'

export type Encoding = Schema<'FileEncoding'>
type NewFile = { path: string; content: Buffer; encoding: Encoding }

/** SQL of the files `f` of all projects, each with its content `b`. */
export const FILES = `code_files f JOIN code_blobs b ON b.project_id = f.project_id AND b.sha256 = f.sha256`

const findBot = statement('find-bot', 'SELECT created_at FROM bots WHERE project_id = $1')
const insertBot = statement(
  'insert-bot',
  `INSERT INTO bots (project_id, created_at) VALUES ($1, $2)
   ON CONFLICT (project_id) DO NOTHING RETURNING 1`,
)

/** When the project's code was created; the first access creates it from the starter. */
export async function begunAt(ctx: OwnContext): Promise<string> {
  const [begun] = await ctx.sql.rows(findBot, [ctx.project.id])
  if (begun) return isoFromSql(must(begun[0]))
  return ctx.sql.transaction(async (tx) => {
    const [mine] = await tx.rows(insertBot, [ctx.project.id, ctx.now()])
    if (mine) await writeFiles(ctx, tx, ownStarter(ctx))
    const [row] = await tx.rows(findBot, [ctx.project.id])
    return isoFromSql(must(row?.[0]))
  })
}

function ownStarter({ starter }: Context): NewFile[] {
  return [...starter]
    .filter(([path]) => !isProtected(path))
    .map(([path, content]) => ({ path, content, encoding: 'utf-8' }))
}

/** The files that the platform keeps, as of this release. */
export function platformFiles({ starter }: Context): { path: string; content: Buffer }[] {
  return [...starter]
    .filter(([path]) => isProtected(path))
    .map(([path, content]) => ({ path, content }))
}

// Taken by whoever changes files or production; readers and foreign keys do not wait for it.
const lock = statement('lock-bot', 'SELECT 1 FROM bots WHERE project_id = $1 FOR NO KEY UPDATE')

/** Locks the project's code against changes until the transaction ends. */
export async function lockBot(tx: SqlClient, projectId: string): Promise<void> {
  await tx.rows(lock, [projectId])
}

// Unreferenced content is kept for a while, since somebody may be building it.
const letGo = statement(
  'let-go-code-blob',
  `UPDATE code_blobs b SET used_at = $3 FROM code_files f
    WHERE f.project_id = $1 AND f.path = ANY ($2::text[])
      AND b.project_id = f.project_id AND b.sha256 = f.sha256`,
)
const upsert = statement(
  'upsert-code-files',
  `WITH given AS (
     SELECT path, content, sha256(content) AS sha256, encoding
       FROM unnest($2::text[], $3::bytea[], $4::text[]) AS t (path, content, encoding)
   ), blobs AS (
     INSERT INTO code_blobs (project_id, sha256, content, used_at)
     SELECT DISTINCT ON (sha256) $1, sha256, content, $5::timestamptz FROM given
     ON CONFLICT (project_id, sha256) DO UPDATE SET used_at = EXCLUDED.used_at
   )
   INSERT INTO code_files (project_id, path, sha256, encoding, updated_at)
   SELECT $1, path, sha256, encoding, $5::timestamptz FROM given
   ON CONFLICT (project_id, path) DO UPDATE
     SET sha256 = EXCLUDED.sha256, encoding = EXCLUDED.encoding, updated_at = EXCLUDED.updated_at`,
)

/** Writes files, replacing their content; answers with their new modification time. */
export async function writeFiles(ctx: OwnContext, tx: SqlClient, files: NewFile[]): Promise<Date> {
  const paths = files.map(({ path }) => path)
  const at = ctx.now()
  await tx.rows(letGo, [ctx.project.id, paths, at])
  const contents = files.map(({ content }) => content)
  const encodings = files.map(({ encoding }) => encoding)
  await tx.rows(upsert, [ctx.project.id, paths, contents, encodings, at])
  return at
}

const drop = statement(
  'delete-code-file',
  'DELETE FROM code_files WHERE project_id = $1 AND path = $2 RETURNING 1',
)

/** Removes a file; answers whether it existed. */
export async function dropFile(ctx: ProjectContext, tx: SqlClient, path: string): Promise<boolean> {
  await tx.rows(letGo, [ctx.project.id, [path], ctx.now()])
  const dropped = await tx.rows(drop, [ctx.project.id, path])
  return dropped.length > 0
}

/** The bytes in PostgreSQL's text of a `bytea`. */
export function bytesFromSql(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}
