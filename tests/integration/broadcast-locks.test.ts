import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { dispatch } from '../../capabilities/broadcasts/broadcast-dispatches.ts'
import { lease, release, sendable } from '../../capabilities/broadcasts/broadcast-leases.ts'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import { settleSurely } from '../../capabilities/broadcasts/broadcast-settlements.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { createBatches } from '../../core/batches.ts'
import { politePause } from '../../core/persisting.ts'
import { broadcastOf, moveTo, startBroadcast, withSender } from '../support/broadcast-sending.ts'
import { inTheWay, untilWaiting, waitsForLocks } from '../support/locks.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterEach(() => void (stub.sends.length = 0))
afterAll(() => service.stop())

const HOLD = 'SELECT FROM broadcasts WHERE id = $1 FOR NO KEY UPDATE'
const HOLD_RECIPIENT =
  'SELECT FROM broadcast_recipients WHERE broadcast_id = $1 AND seq = $2 FOR UPDATE'

/** Does `work` while a sender waits for somebody else who holds the broadcast, and then lets it send. */
async function whileSomebodyHolds(id: string, work: () => Promise<unknown>): Promise<void> {
  await withSender(service.ctx, async (sender) => {
    let running: Promise<void> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(HOLD, [id])
      running = sender.run()
      await untilWaiting(service.ctx)
      await work()
    })
    await running
  })
}

describe('a recipient who is about to be written to while somebody changes his broadcast', () => {
  const silence = { firstMs: 60_000, longestMs: 60_000 }
  const become = (status: 'paused' | 'active', { id }: TestProject) =>
    projects.setStatus(service.ctx, id, status)
  const close = async ({ id }: TestProject) =>
    pace.close(service.ctx, (await service.account(id)).phoneNumberId, silence)

  it.each([
    ['the project has been paused', (project: TestProject) => become('paused', project)],
    ['the number has been closed', close],
  ])('is not, when meanwhile %s', async (_what, work) => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    await whileSomebodyHolds(id, () => work(project))
    expect(stub.sends).toEqual([])
    await become('active', project)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 1 } })
    await broadcastApprovals.cancel(service.ctx, id, { by: 'Olga' })
  })
})

it('is not held up, nor ended by PostgreSQL, when a worker that stops gives back whom it had taken', async () => {
  const project = await service.project()
  const { id } = await startBroadcast(service, project, { contacts: 3 })
  const sending = (await sendable(service.ctx, [])).find((one) => one.id === id)!
  const leased = await lease(service.ctx, sending, 3)
  let ended: Promise<unknown>[] = []
  await inTheWay(service.databaseUrl, async (query) => {
    await query(HOLD_RECIPIENT, [id, 2])
    // In the order in which their turns had come.
    const givenBack = release(service.ctx, leased.toReversed())
    const isWaiting = untilWaiting(service.ctx)
    const waiting = await Promise.race([givenBack.then(() => 0), isWaiting.then(() => 1)])
    const canceled = broadcastApprovals.cancel(service.ctx, id, { by: 'Olga' })
    await untilWaiting(service.ctx, waiting + 1)
    await isWaiting
    ended = [givenBack, canceled]
  })
  await Promise.all(ended)
  expect(await broadcastOf(service, project, id)).toMatchObject({
    status: 'canceled',
    counts: { canceled: 3 },
  })
})

it('is left to whoever is writing to him, when PostgreSQL has crashed and forgotten an earlier lease', async () => {
  const { ctx } = service
  const project = await service.project()
  const { id } = await startBroadcast(service, project, { contacts: 1 })
  const sending = (await sendable(ctx, [])).find((one) => one.id === id)!
  const [former] = await lease(ctx, sending, 1)
  await ctx.db.broadcastRecipient.updateMany({
    where: { broadcastId: id },
    data: { fence: 0, leaseUntil: null },
  })
  const [latter] = await lease(ctx, sending, 1)
  const attemptId = randomUUID()
  const text = { type: 'template', content: 'Hello', reply_to: null, client_ref: null } as const
  const departure = { leased: latter!, attemptId, draft: { origin: 'broadcast', ...text } as const }
  expect(await dispatch(ctx, sending, [departure])).not.toEqual([null])

  const batches = createBatches({ atOnce: 1, weightMax: 1, apartMs: 0 })
  const patience = { batches, pause: politePause, signal: AbortSignal.abort() }
  const error = { code: 'any', title: 'Not sent', details: null, retryable: false }
  await settleSurely(ctx, sending, { kind: 'unsendable', leased: former!, error }, patience)
  const accepted = { kind: 'accepted', leased: latter!, attemptId, wamid: 'wamid.A' } as const
  await settleSurely(ctx, sending, accepted, patience)
  expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 1, failed: 0 } })
})

it('is not kept waiting by another broadcast of his number that somebody changes for long', async () => {
  const [project, other] = [await service.project(), await service.project()]
  const { phoneNumberId } = await service.account(project.id)
  await moveTo(service, other, phoneNumberId)
  const { id } = await startBroadcast(service, project, { contacts: 1 })
  await whileSomebodyHolds(id, async () => {
    await startBroadcast(service, other, { contacts: 1 })
    const wait = await waitsForLocks(service.ctx)
    await withSender(service.ctx, (second) => second.run())
    expect(stub.sends).toHaveLength(1)
    // The second one has not waited until the first one gave up.
    expect(await waitsForLocks(service.ctx)).toEqual(wait)
  })
  expect(stub.sends).toHaveLength(2)
})
