import type { FlowUpdate } from '../../core/channel-flows.ts'
import type { Context } from '../../core/context.ts'
import { startOfSecond } from '../../core/instants.ts'
import {
  askAgreedNowAndLatest,
  isoOrNull,
  must,
  type SqlClient,
  statement,
  unlessLeapt,
} from '../../core/sql.ts'
import * as flowRecords from './flow-records.ts'
import * as heardNews from '../channel-accounts/heard-news.ts'

const readTold = statement(
  'read-told-flows',
  `SELECT id, status, ${unlessLeapt('status_at')} FROM flows WHERE project_id = $1 AND id = ANY ($2)`,
)
// A flow that was published elsewhere may have been edited there before, so its definition is to be read again.
const move = statement(
  'move-flows',
  `UPDATE flows f
      SET status = w.status, status_at = w."statusAt",
          definition_due = f.definition_due OR w."isMoved",
          updated_at = CASE WHEN w."isMoved" THEN $3 ELSE f.updated_at END
     FROM jsonb_to_recordset($2::jsonb) AS w (id text, status text, "statusAt" timestamptz,
       "isMoved" boolean)
    WHERE f.project_id = $1 AND f.id = w.id`,
)

/**
 * Applies what a callback tells of flows, within its transaction. Older news does not undo newer news, and
 * repeated news changes nothing; flows that are not stored here yet come with the next listing. All updates
 * count in their order, in a few statements.
 */
export async function apply(
  ctx: Context,
  tx: SqlClient,
  projectId: string,
  updates: FlowUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  const { now, latest } = await askAgreedNowAndLatest(tx, ctx.now())
  await flowRecords.lock(tx, projectId)
  const told = updates.map(({ at, ...update }) => {
    return { ...update, at: at ?? new Date(startOfSecond(now)) }
  })
  const known = await open(tx, projectId, told)
  const hearing = await heardNews.listen(tx, projectId, told.filter(isMoving))
  const moved = new Set<Known>()
  for (const update of told) {
    const { id, event, status: word } = update
    const status = word === null ? null : flowRecords.statusOf(word)
    ctx.log.info('flow.told', { project: projectId, flow: id, event, status: word })
    if (status === null) continue
    if (!hearing.isNews(update)) {
      ctx.log.debug('flow.told_again', { project: projectId, flow: id })
      continue
    }
    const flow = known.get(id)
    const at = update.at.toISOString()
    // A status stored with an instant that has leapt gives way to any news.
    const isOlder = flow && flow.statusAt !== null && at < flow.statusAt && flow.statusAt <= latest
    if (!flow || isOlder) continue
    const isMoved = flow.isMoved || flow.status !== status
    moved.add(Object.assign(flow, { status, statusAt: at, isMoved }))
  }
  await hearing.keep(now)
  if (moved.size > 0) await tx.rows(move, [projectId, JSON.stringify([...moved]), now])
}

/** A flow after the updates so far, and whether they changed its status. */
type Known = { id: string; status: string; statusAt: string | null; isMoved: boolean }

async function open(
  tx: SqlClient,
  projectId: string,
  told: FlowUpdate[],
): Promise<Map<string, Known>> {
  const rows = await tx.rows(readTold, [projectId, told.map(({ id }) => id)])
  return new Map(
    rows.map(([id, status, statusAt]) => {
      const flow = { status: must(status), statusAt: isoOrNull(statusAt), isMoved: false }
      return [must(id), { id: must(id), ...flow }]
    }),
  )
}

function isMoving({ status }: FlowUpdate): boolean {
  return status !== null && flowRecords.statusOf(status) !== null
}
