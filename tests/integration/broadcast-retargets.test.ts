import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Sql } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import {
  broadcastOf,
  recipientsOf,
  report,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import type { TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { body } from '../support/templates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const { run: retargetDue } = jobs['retarget-broadcasts']

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

/** The database, and which broadcasts had their failed recipients looked through. */
function watched(seen: unknown[]): Sql {
  const { sql } = service.ctx
  return {
    ...sql,
    transaction: (run) =>
      sql.transaction((tx) =>
        run({
          ...tx,
          rows(asked, values = []) {
            if (asked.name === 'find-limited-recipient') seen.push(values[0])
            return tx.rows(asked, values)
          },
        }),
      ),
  }
}

/** A broadcast to two, a day after one of them had no WhatsApp; `other` is the message to the other one. */
async function withFailure() {
  const project = await service.project()
  const create = { auto_retarget_quality: true }
  const { id } = await startBroadcast(service, project, { contacts: 2, create })
  await sendAll(service.ctx)
  const [first, second] = await recipientsOf(project, id)
  await report(service, project, { wamid: first!.wamid!, status: 'failed' }, 131026)
  service.advance(25 * HOUR_MS)
  return { project, id, other: second!.wamid! }
}

describe('a broadcast that is to be retargeted', () => {
  it('gets one follow-up a day later, to those alone whom the marketing limit kept it from', async () => {
    const project = await service.project()
    const create = { auto_retarget_quality: true }
    const { id, contactIds } = await startBroadcast(service, project, { contacts: 4, create })
    await sendAll(service.ctx)
    const wamids = (await recipientsOf(project, id)).map(({ wamid }) => wamid!)
    await report(service, project, { wamid: wamids[0]!, status: 'failed' }, 131049)
    await report(service, project, { wamid: wamids[1]!, status: 'failed' }, 131026)
    await report(service, project, { wamid: wamids[2]!, status: 'delivered' })
    service.advance(24 * HOUR_MS - 1)
    await retargetDue(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 0 })
    service.advance(1)
    await Promise.all(Array.from({ length: 64 }, () => retargetDue(service.ctx)))
    await broadcastStarts.startDue(service.ctx)
    await sendAll(service.ctx)

    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 1 })
    const { broadcasts } = await project.client.ok('listBroadcasts', { query: {} })
    const children = broadcasts.filter(({ retarget_parent_id: parent }) => parent === id)
    expect(children).toMatchObject([
      {
        status: 'completed',
        counts: { total: 1, sent: 1 },
        retarget_count: 0,
        auto_retarget_quality: false,
        wave_size: null,
      },
    ])
    const child = children[0]!.id
    expect(await recipientsOf(project, child)).toMatchObject([{ contact_id: contactIds[0] }])
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { failed: 2 } })

    const [again] = await recipientsOf(project, child)
    await report(service, project, { wamid: again!.wamid!, status: 'failed' }, 131049)
    service.advance(25 * HOUR_MS)
    await retargetDue(service.ctx)
    expect((await project.client.ok('listBroadcasts', { query: {} })).broadcasts).toHaveLength(2)
  })

  it('has its failed recipients gone through again only once one of its recipients has moved', async () => {
    const { project, id, other } = await withFailure()
    const looks = async () => {
      const seen: unknown[] = []
      await retargetDue({ ...service.ctx, sql: watched(seen) })
      return seen.filter((value) => value === id).length
    }
    expect(await looks()).toBe(1)
    expect(await looks()).toBe(0)
    await report(service, project, { wamid: other, status: 'delivered' })
    expect(await looks()).toBe(1)
    expect(await looks()).toBe(0)
  })

  it('gets one for a failure that is reported after it was looked at', async () => {
    const { project, id, other } = await withFailure()
    await retargetDue(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 0 })
    await report(service, project, { wamid: other, status: 'failed' }, 131049)
    await retargetDue(service.ctx)
    await broadcastStarts.startDue(service.ctx)
    await sendAll(service.ctx)
    expect(await broadcastOf(service, project, id)).toMatchObject({ retarget_count: 1 })
  })

  it('fails its follow-up when the template has been changed since it was approved', async () => {
    const project = await service.project()
    const create = { auto_retarget_quality: true }
    const { id, templateId } = await startBroadcast(service, project, { contacts: 1, create })
    await sendAll(service.ctx)
    const [first] = await recipientsOf(project, id)
    await report(service, project, { wamid: first!.wamid!, status: 'failed' }, 131049)
    service.advance(25 * HOUR_MS)
    await service.ctx.db.template.update({
      where: { projectId_id: { projectId: project.id, id: templateId } },
      data: { components: [body('Buy now, {{1}}')] },
    })
    await retargetDue(service.ctx)
    await broadcastStarts.startDue(service.ctx)
    await sendAll(service.ctx)
    const { broadcasts } = await project.client.ok('listBroadcasts', { query: {} })
    const child = broadcasts.find(({ retarget_parent_id: parent }) => parent === id)
    expect(child).toMatchObject({ status: 'failed', counts: null })
    expect(child!.failure_reason).toMatch(/approved/)
    expect(stub.sends).toHaveLength(1)
  })

  /** One that was complete so long ago, and is to be retargeted. */
  async function completedFor(ms: number) {
    const project = await service.project()
    const create = { auto_retarget_quality: true }
    const { id } = await startBroadcast(service, project, { contacts: 1, create })
    await sendAll(service.ctx)
    const [first] = await recipientsOf(project, id)
    await report(service, project, { wamid: first!.wamid!, status: 'failed' }, 131049)
    service.advance(ms)
    const count = async () => (await broadcastOf(service, project, id)).retarget_count
    return { project, count }
  }

  it('gets its follow-up for a week, and none when nobody was there to begin it for so long', async () => {
    const lost = await completedFor(1)
    const late = await completedFor(7 * DAY_MS - 1)
    await retargetDue(service.ctx)
    expect([await lost.count(), await late.count()]).toEqual([0, 1])
  })

  it('gets none while its project is paused', async () => {
    const { project, count } = await completedFor(25 * HOUR_MS)
    await projects.setStatus(service.ctx, project.id, 'paused')
    await retargetDue(service.ctx)
    await projects.setStatus(service.ctx, project.id, 'active')
    expect(await count()).toBe(0)
    await retargetDue(service.ctx)
    expect(await count()).toBe(1)
  })

  it('gets none when nobody failed for that, or nobody asked for one', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 2 })
    await sendAll(service.ctx)
    const [first] = await recipientsOf(project, id)
    await report(service, project, { wamid: first!.wamid!, status: 'failed' }, 131049)
    service.advance(25 * HOUR_MS)
    await retargetDue(service.ctx)
    expect((await project.client.ok('listBroadcasts', { query: {} })).broadcasts).toHaveLength(1)
  })
})
