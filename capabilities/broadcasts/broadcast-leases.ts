import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import {
  agreedNow,
  HURRIED,
  isLeapt,
  json,
  must,
  plannedOnce,
  type Row,
  statement,
} from '../../core/sql.ts'
import { isClosed } from './broadcast-pace.ts'
import { IN_TURN } from './broadcast-rows.ts'
import { pastConflicts } from '../conflicts.ts'
import { joinedContactOf } from '../joined-contacts.ts'

/** A broadcast with recipients to be sent to, and the number that it is sent from. */
export type Sending = { id: string; projectId: string; phoneNumberId: string }

/** A recipient leased to this process, with its contact as of now; null for one that was erased. */
export type Leased = {
  broadcastId: string
  seq: number
  /** Tells this lease from earlier and later ones. */
  fence: number
  /** How often the channel has refused for now. */
  tries: number
  contact: PersonalContact | null
}

/** The data of a contact that messages are personalised with. */
export type PersonalContact = {
  id: string
  name: string | null
  phone: string | null
  attributes: Record<string, unknown>
}

/**
 * No recipient is put off for longer than a number may be closed; anything later was written by a clock that
 * had leapt.
 */
const LONGEST = `interval '1 ms' * ${LIMITS.paceClosedMs}`

/** The second placeholder is the present. Leases run by the database's clock. */
const FREE = `r.status = 'queued' AND NOT r.held AND r.dispatched_at IS NULL
  AND (r.lease_until IS NULL OR r.lease_until < now())
  AND (r.retry_at IS NULL OR r.retry_at <= ${agreedNow('$2')} OR ${isLeapt('r.retry_at', LONGEST)})`

// Not EXISTS, within which PostgreSQL forgets the order, and reads the whole table up to one who is free.
const findSending = statement(
  'find-sending',
  `SELECT b.id, b.project_id, a.phone_number_id
     FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
     JOIN channel_accounts a ON a.project_id = b.project_id
     LEFT JOIN channel_paces n ON n.phone_number_id = a.phone_number_id
    WHERE b.status = 'sending' AND b.queued > 0 AND b.id <> ALL ($3::uuid[])
      AND NOT ${isClosed('n.closed_until', '$2')}
      AND (SELECT true FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND ${FREE}
            ORDER BY ${IN_TURN} LIMIT 1)
    ORDER BY b.started_at, b.id LIMIT $1`,
)

/** The broadcasts that have recipients who could be sent to now, except those given; the oldest first. */
export async function sendable(ctx: Context, except: string[]): Promise<Sending[]> {
  const rows = await ctx.sql.rows(findSending, [LIMITS.broadcastsPerRun, ctx.now(), except])
  return rows.map(([id, projectId, phoneNumberId]) => ({
    id: must(id),
    projectId: must(projectId),
    phoneNumberId: must(phoneNumberId),
  }))
}

const countWaiting = statement(
  'count-waiting-recipients',
  `SELECT coalesce(sum(b.queued), 0) FROM broadcasts b
     JOIN projects p ON p.id = b.project_id AND p.status = 'active'
    WHERE b.status = 'sending'`,
)

/** How many recipients wait or are under way, without those that are held or whose project is paused. */
export async function waitingRecipients(ctx: Context): Promise<number> {
  return Number((await ctx.sql.rows(countWaiting))[0]?.[0])
}

// A lease alone never lets a message leave, so an expired one may be taken over. The broadcast is joined from
// the rows found, here and wherever recipients are written: PostgreSQL has no statistics of a new broadcast,
// and would scan all of its recipients for each row. The outer limit is for PostgreSQL to read: it takes a limit
// that it cannot see for a tenth of the broadcast, and would scan all recipients and contacts for that many.
const take = plannedOnce(
  'lease-recipients',
  `WITH free AS (
     SELECT * FROM (
       SELECT r.broadcast_id, r.seq FROM broadcast_recipients r WHERE r.broadcast_id = $1::uuid AND ${FREE}
          AND EXISTS (SELECT FROM projects WHERE id = $4 AND status = 'active')
        ORDER BY ${IN_TURN} LIMIT $3::bigint FOR UPDATE SKIP LOCKED) r
      LIMIT ${LIMITS.recipientsTaken}
   ), leased AS (
     UPDATE broadcast_recipients r
        SET fence = r.fence + 1,
            lease_until = now() + interval '1 ms' * ${LIMITS.recipientLeaseMs}
       FROM free WHERE r.broadcast_id = free.broadcast_id AND r.seq = free.seq
     RETURNING r.seq, r.fence, r.tries, r.contact_id
   )
   SELECT l.seq, l.fence, l.tries, k.id, coalesce(k.name, k.profile_name), k.phone, k.attributes, c.id
     FROM leased l LEFT JOIN LATERAL (
       SELECT k.* FROM contacts k WHERE k.id = ${joinedContactOf('l.contact_id')} LIMIT 1) k ON true
     LEFT JOIN conversations c ON c.contact_id = k.id
    ORDER BY l.seq`,
)

// Contacts are locked before any conversation is made, since one may be joined with another just then: it is gone
// afterwards, and the other one has a conversation or gets it at the next lease.
const openConversations = statement(
  'open-recipient-conversations',
  `WITH contact AS MATERIALIZED (
     SELECT id FROM contacts WHERE project_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id FOR KEY SHARE
   )
   INSERT INTO conversations (project_id, contact_id, last_activity_at, created_at, updated_at)
   SELECT $1, id, $3::timestamptz, $3::timestamptz, $3::timestamptz FROM contact
    ORDER BY id
   ON CONFLICT (contact_id) DO NOTHING`,
)

/** Leases up to so many recipients to this process, each contact with a conversation; none of a paused project. */
export async function lease(
  ctx: Context,
  { id, projectId }: Sending,
  count: number,
): Promise<Leased[]> {
  // A recipient whose lease a crash undoes is free again. Whoever goes on with it is refused by the fence or, once
  // another lease has the same fence, shares that one: the mark of leaving lets one of the two send.
  const values = [id, ctx.now(), count, projectId]
  const [, rows = []] = await ctx.sql.together([HURRIED, { statement: take, values }])
  const without = rows.flatMap((row) => (row[3] != null && row[7] == null ? row[3] : []))
  if (without.length > 0) {
    const opened = [projectId, without, ctx.now()]
    await pastConflicts(() => ctx.sql.rows(openConversations, opened))
  }
  return rows.map((row) => readLeased(id, row))
}

function readLeased(broadcastId: string, row: Row): Leased {
  const [seq, fence, tries, id, name = null, phone = null, attributes] = row
  return {
    broadcastId,
    seq: Number(seq),
    fence: Number(fence),
    tries: Number(tries),
    contact: id == null ? null : { id, name, phone, attributes: json(attributes) ?? {} },
  }
}

// Rows that are locked are skipped: whoever has locked one is ending its lease, and waiting here could
// deadlock.
const giveUp = statement(
  'release-recipients',
  `WITH free AS (
     SELECT r.broadcast_id, r.seq
       FROM jsonb_to_recordset($1::jsonb) AS l ("broadcastId" uuid, seq int, fence int)
       JOIN broadcast_recipients r ON r.broadcast_id = l."broadcastId" AND r.seq = l.seq
      WHERE r.fence = l.fence AND r.dispatched_at IS NULL
        FOR NO KEY UPDATE OF r SKIP LOCKED
   )
   UPDATE broadcast_recipients r SET lease_until = NULL
     FROM free WHERE r.broadcast_id = free.broadcast_id AND r.seq = free.seq`,
)

/** Returns recipients that were leased and not sent to. */
export async function release(ctx: Context, leased: Leased[]): Promise<void> {
  if (leased.length === 0) return
  const given = leased.map(({ broadcastId, seq, fence }) => ({ broadcastId, seq, fence }))
  await ctx.sql.rows(giveUp, [JSON.stringify(given)])
}
