import { hash } from 'node:crypto'
import type { OwnContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import type { Order, Phase } from './table-pages.ts'

/** The longest position that is stored; without a bound, a caller could fill the disk. */
const POSITION_CHARACTERS = 65_536

type Position = (string | null)[]

const keep = statement(
  'keep-row-cursor',
  `INSERT INTO row_cursors (id, project_id, position, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at`,
)

/**
 * A cursor of at most 200 characters to the rows after a position; a longer position is stored for a day under
 * an id. Throws `bad_request` when even that is too long.
 */
export async function encodePosition(
  ctx: OwnContext,
  list: readonly unknown[],
  position: Position,
): Promise<string> {
  const text = JSON.stringify(position)
  const cursor = ctx.cursors.encode(list, [text])
  if (cursor.length <= LIMITS.tableCursorCharacters) return cursor
  if (text.length > POSITION_CHARACTERS) {
    throw new ServiceError(
      'bad_request',
      'The values that these rows are ordered by are too long to page by; order them otherwise.',
    )
  }
  // The id is a hash of the position, so asking again stores nothing more.
  const id = uuidOf(JSON.stringify([list, position]))
  await ctx.sql.rows(keep, [id, ctx.project.id, text, ctx.now()])
  return ctx.cursors.encode(list, [id])
}

const find = statement(
  'find-row-cursor',
  'SELECT position FROM row_cursors WHERE id = $1 AND project_id = $2 AND created_at > $3',
)

/**
 * The position that a cursor of the list stands for. Throws `invalid_cursor`, also for a position among nulls in
 * a column that holds none any more.
 */
export async function decodePosition(
  ctx: OwnContext,
  list: readonly unknown[],
  cursor: string,
  { keys }: Order,
): Promise<{ phase: Phase; after: string[] }> {
  const [text = ''] = ctx.cursors.decode(list, cursor, 1)
  const position = text.startsWith('[') ? text : await kept(ctx, text)
  const parts = position === null ? [] : (JSON.parse(position) as Position)
  const [first, ...rest] = parts
  const after = first === null ? rest : parts
  const isPossible = first !== null || keys[0]?.column?.isNullable === true
  if (!isPossible || parts.length !== keys.length || !after.every((part) => part !== null)) {
    throw new ServiceError('invalid_cursor', 'The cursor has expired; start again without one.')
  }
  return { phase: first === null ? 'nulls' : 'after', after }
}

async function kept(ctx: OwnContext, id: string): Promise<string | null> {
  const since = new Date(ctx.now().getTime() - LIMITS.rowCursorsKeptMs)
  const [row] = await ctx.sql.rows(find, [id, ctx.project.id, since])
  return row?.[0] ?? null
}

function uuidOf(text: string): string {
  return hash('sha256', text)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
