import * as conversations from '../../capabilities/conversations/conversations.ts'
import type { Bed } from '../bed.ts'
import { type Filled, type Recorded, recordStatements } from '../projects.ts'
import { seedMessages, settleTables } from '../seed.ts'

const LIMIT = 50

/** Reads a list page by page; a share of 0.5 is the page behind the first half of the list. */
export type DeepList = {
  items: number
  secret: string
  targetOf(share: number): Promise<string>
  /** The service's statement for that page. */
  byKey(share: number): Promise<Recorded>
  /** A statement for the same rows that skips the preceding ones. */
  byOffset(share: number): Recorded
}

/** A project's conversations. OFFSET is measured without the joins, which would make it even slower. */
export function conversationsOf(bed: Bed, project: Filled): DeepList {
  const { id, secret, conversations: items } = project
  const inOrder = `FROM conversations WHERE project_id = $1
    ORDER BY last_activity_at DESC, id DESC`
  const find = `SELECT last_activity_at::text, id ${inOrder} LIMIT 1 OFFSET $2`
  const cursorOf = async (share: number) => {
    const position = await positionAt(bed, find, [id, Math.floor(items * share)])
    return bed.opened.ctx.cursors.encode(['listConversations', id, null, null, null], position)
  }
  return {
    items,
    secret,
    targetOf: async (share) => targetOf('/v1/conversations', share && (await cursorOf(share))),
    byKey: async (share) => {
      const cursor = await cursorOf(share)
      return first(
        await recordStatements(bed, id, (ctx) => conversations.list(ctx, { limit: LIMIT, cursor })),
      )
    },
    byOffset: (share) => skipping(`SELECT * ${inOrder}`, id, Math.floor(items * share)),
  }
}

/** The messages of one conversation; there are as many as the project has conversations. */
export async function messagesOf(bed: Bed, project: Filled): Promise<DeepList> {
  const { id, secret, conversations: items } = project
  const conversation = await seedMessages(bed.admin, { projectId: id, messages: items })
  await settleTables(bed.admin)
  const inOrder = 'FROM messages WHERE conversation_id = $1 ORDER BY id DESC'
  const find = `SELECT id ${inOrder} LIMIT 1 OFFSET $2`
  const cursorOf = async (share: number) => {
    const position = await positionAt(bed, find, [conversation, Math.floor(items * share)])
    return bed.opened.ctx.cursors.encode(['listConversationMessages', id, conversation], position)
  }
  const path = `/v1/conversations/${conversation}/messages`
  return {
    items,
    secret,
    targetOf: async (share) => targetOf(path, share && (await cursorOf(share))),
    byKey: async (share) => {
      const cursor = await cursorOf(share)
      // Statements are answered with no rows while they are recorded, so no conversation is found.
      const list = (ctx: Parameters<typeof conversations.listMessages>[0]) =>
        conversations.listMessages(ctx, conversation, { limit: LIMIT, cursor }).catch(() => null)
      return first(await recordStatements(bed, id, list))
    },
    byOffset: (share) => skipping(`SELECT * ${inOrder}`, conversation, Math.floor(items * share)),
  }
}

function targetOf(path: string, cursor: string | 0): string {
  return `${path}?limit=${LIMIT}${cursor === 0 ? '' : `&cursor=${cursor}`}`
}

async function positionAt({ admin }: Bed, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await admin.query<string[]>({ text, values, rowMode: 'array' })
  const [row] = rows
  if (!row) throw new Error('The list has fewer items than it should')
  return row
}

function skipping(ordered: string, owner: string | number, offset: number): Recorded {
  const text = `${ordered} LIMIT $2 OFFSET $3`
  return { statement: { name: '', text }, values: [owner, LIMIT + 1, offset] }
}

function first([recorded]: Recorded[]): Recorded {
  if (recorded) return recorded
  throw new Error('The page asked for nothing')
}
