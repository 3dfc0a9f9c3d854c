import type { ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { isoOrNull, json, must, type Row, statement } from '../../core/sql.ts'
import { unknownBroadcast } from './broadcast-rows.ts'

const COLUMNS = `r.contact_id, r.phone, r.name, r.status, r.held, r.wamid, r.error, r.queued_at, r.sent_at,
  r.delivered_at, r.read_at, r.failed_at`

const findCounts = statement(
  'find-broadcast-counts',
  `SELECT total, queued + held, sent, delivered, read, failed, canceled FROM broadcasts
    WHERE project_id = $1 AND id = $2`,
)
// Recipients are numbered without gaps, so a page is a range of the primary key under any plan.
const pageOfAll = statement(
  'list-recipients',
  `SELECT ${COLUMNS} FROM broadcast_recipients r
    WHERE r.broadcast_id = $1 AND r.project_id = $2 AND r.seq > $3 AND r.seq <= $3::int + $4::int
    ORDER BY r.seq`,
)
// The index contains the status, so recipients before the offset are not read from the table.
const pageOfStatus = statement(
  'list-recipients-of-status',
  `SELECT ${COLUMNS} FROM broadcast_recipients r
     JOIN (SELECT seq FROM broadcast_recipients
            WHERE broadcast_id = $1 AND status = $5 ORDER BY seq OFFSET $3 LIMIT $4) page
       ON page.seq = r.seq
    WHERE r.broadcast_id = $1 AND r.project_id = $2 ORDER BY r.seq`,
)

type Status = Schema<'BroadcastRecipientStatus'>

/** A page of a broadcast's recipients in the order of the audience; throws `BROADCAST_NOT_FOUND`. */
export async function list(
  ctx: ProjectContext,
  id: string,
  query: OperationRequest<'listBroadcastRecipients'>['query'],
): Promise<Data<'listBroadcastRecipients'>> {
  const { status, limit = LIMITS.pageItemsDefault, offset = 0 } = query
  const [counts] = await ctx.sql.rows(findCounts, [ctx.project.id, id])
  if (!counts) throw unknownBroadcast(id)
  const total = totalOf(counts, status)
  const values = [id, ctx.project.id, offset, limit]
  const rows =
    offset >= total
      ? []
      : status === undefined
        ? await ctx.sql.rows(pageOfAll, values)
        : await ctx.sql.rows(pageOfStatus, [...values, status])
  return { recipients: rows.map(present), total, limit, offset }
}

const COUNTED: Status[] = ['queued', 'sent', 'delivered', 'read', 'failed', 'canceled']

function totalOf([total, ...counts]: Row, status: Status | undefined): number {
  return Number(status === undefined ? total : counts[COUNTED.indexOf(status)])
}

function present(row: Row): Schema<'BroadcastRecipient'> {
  const [contactId, phone, name, status, held, wamid, error] = row
  const [queuedAt, sentAt, deliveredAt, readAt, failedAt] = row.slice(7)
  return {
    contact_id: Number(contactId),
    phone: phone ?? null,
    name: name ?? null,
    status: must(status) as Status,
    held: held === 't',
    wamid: wamid ?? null,
    error: json(error),
    queued_at: isoOrNull(queuedAt),
    sent_at: isoOrNull(sentAt),
    delivered_at: isoOrNull(deliveredAt),
    read_at: isoOrNull(readAt),
    failed_at: isoOrNull(failedAt),
  }
}
