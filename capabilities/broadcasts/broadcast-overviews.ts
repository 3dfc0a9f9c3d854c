import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { statement } from '../../core/sql.ts'
import {
  BROADCAST_COLUMNS,
  mustBeUuid,
  readBroadcast,
  type StoredBroadcast,
  unknownBroadcast,
  withCounts,
} from './broadcast-rows.ts'

const findOne = statement(
  'show-broadcast',
  `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b WHERE b.id = $1`,
)

/** A stored broadcast of any project; throws `BROADCAST_NOT_FOUND`. */
export async function find(ctx: Context, id: string): Promise<StoredBroadcast> {
  mustBeUuid(id)
  const [row] = await ctx.sql.rows(findOne, [id])
  if (!row) throw unknownBroadcast(id)
  return readBroadcast(row)
}

/** The same with its live count, which reads the whole audience. */
export async function show(ctx: Context, id: string): Promise<Schema<'Broadcast'>> {
  const stored = await find(ctx, id)
  const [broadcast] = await withCounts(ctx, stored.project_id, [stored])
  return { ...stored, recipient_count: broadcast?.recipient_count ?? null }
}

const findNewest = statement(
  'list-newest-broadcasts',
  `SELECT ${BROADCAST_COLUMNS} FROM broadcasts b WHERE b.project_id = $1
    ORDER BY b.created_at DESC, b.id DESC LIMIT $2`,
)

/** A project's broadcasts for its operator, the newest first, and whether there are more. */
export async function listNewest(
  ctx: Context,
  projectId: string,
  limit: number,
): Promise<{ broadcasts: Schema<'Broadcast'>[]; hasMore: boolean }> {
  const rows = await ctx.sql.rows(findNewest, [projectId, limit + 1])
  const stored = rows.slice(0, limit).map(readBroadcast)
  return {
    broadcasts: await withCounts(ctx, projectId, stored),
    hasMore: rows.length > limit,
  }
}
