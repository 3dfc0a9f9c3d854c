import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSlots, withSlot } from '../../core/slots.ts'
import type { Row, Statement } from '../../core/sql.ts'
import { tablesBusy } from '../../core/table-errors.ts'

const slots = createSlots({
  atOnce: LIMITS.catalogLooksAtOnce,
  atOnceEach: LIMITS.catalogLooksAtOnceEach,
  waitingMax: LIMITS.catalogLooksWaiting,
  waitMs: LIMITS.catalogLookWaitMs,
})

/**
 * Reads from the catalog what a project has created, over the service's own connections, since the project's
 * roles may not read it. A project may have so many tables that this takes long, so only a few connections are
 * used. Throws `server_error` when no connection becomes free in time.
 */
export function look(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  asked: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  return withSlot(slots, projectId, () => sql.rows(asked, values), tablesBusy)
}
