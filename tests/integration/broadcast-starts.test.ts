import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { startDue } from '../../capabilities/broadcasts/broadcast-starts.ts'
import { releaseDue } from '../../capabilities/broadcasts/broadcast-waves.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Context } from '../../core/context.ts'
import {
  broadcastOf,
  makeBroadcast,
  startSendingService,
  withSender,
} from '../support/broadcast-sending.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { setTemplateStatus } from '../support/templates.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterAll(() => service.stop())

const inHours = (hours: number) => new Date(service.ctx.now().getTime() + hours * HOUR_MS)

/** A broadcast that is approved: in so many hours, or at once with all but two held until then. */
async function approved(what: 'start' | 'wave', hours: number) {
  const project = await service.project()
  const create = what === 'start' ? { scheduled_at: inHours(hours).toISOString() } : {}
  const plan = what === 'wave' ? { waveSize: 2, nextWaveAt: inHours(hours) } : {}
  const { id, templateId } = await makeBroadcast(service, project, { contacts: 5, create })
  await broadcastApprovals.approve(service.ctx, id, { by: 'Olga', ...plan })
  if (what === 'wave') await startDue(service.ctx)
  return { project, id, templateId }
}

const STEPS = { start: startDue, wave: releaseDue }
/** Nobody has been queued who waits for the step, and everyone. */
const BEFORE = {
  start: { status: 'scheduled', counts: null },
  wave: { status: 'sending', counts: { held: 3 } },
}
const AFTER = { status: 'sending', counts: { total: 5, held: 0 } }
const FAILED = { start: null, wave: { queued: 0, held: 0, canceled: 5 } }
const shown = ({ project, id }: { project: TestProject; id: string }) =>
  broadcastOf(service, project, id)

/** PostgreSQL as it is while it cannot tell what was approved of one broadcast. */
function failingFor(id: string): Context {
  const { sql } = service.ctx
  const transaction: typeof sql.transaction = (work) =>
    sql.transaction((tx) =>
      work({
        ...tx,
        rows(asked, values) {
          const isVain = asked.name === 'read-broadcast-approval' && values?.[0] === id
          return isVain ? Promise.reject(new Error('Not just now')) : tx.rows(asked, values)
        },
      }),
    )
  return { ...service.ctx, sql: { ...sql, transaction } }
}

describe.each(['start', 'wave'] as const)('the %s of a broadcast', (what) => {
  const step = STEPS[what]

  it('that fails keeps no other waiting, and is tried again the next time', async () => {
    const [first, second] = [await approved(what, 1), await approved(what, 2)]
    service.advance(3 * HOUR_MS)
    await step(failingFor(first.id))
    expect(await shown(first)).toMatchObject(BEFORE[what])
    expect(await shown(second)).toMatchObject(AFTER)
    await step(service.ctx)
    expect(await shown(first)).toMatchObject(AFTER)
  })

  it('waits for as long as its project is paused', async () => {
    const one = await approved(what, 1)
    await projects.setStatus(service.ctx, one.project.id, 'paused')
    service.advance(2 * HOUR_MS)
    await step(service.ctx)
    await projects.setStatus(service.ctx, one.project.id, 'active')
    expect(await shown(one)).toMatchObject(BEFORE[what])
    await step(service.ctx)
    expect(await shown(one)).toMatchObject(AFTER)
  })

  it('queues nobody, and fails it, when its template is no longer approved', async () => {
    const one = await approved(what, 1)
    await setTemplateStatus(service, one.project, one.templateId, 'PAUSED')
    service.advance(2 * HOUR_MS)
    await step(service.ctx)
    expect(await shown(one)).toMatchObject({
      status: 'failed',
      failure_reason: 'The template is not approved at this moment.',
      counts: FAILED[what],
    })
  })

  it('comes at its time by whoever sends, without being asked for', async () => {
    const one = await approved(what, 1)
    service.advance(2 * HOUR_MS)
    const { client } = one.project
    const isComplete = async () => {
      const { broadcast } = await client.ok('getBroadcast', { path: { id: one.id } })
      return broadcast.status === 'completed'
    }
    await withSender(service.ctx, () => until(isComplete, 'all are sent to'), { pollMs: 20 })
    expect(await shown(one)).toMatchObject({ counts: { total: 5, sent: 5 } })
  })
})
