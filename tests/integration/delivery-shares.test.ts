import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createLanes, type Lanes, type Taken } from '../../capabilities/webhooks/delivery-lanes.ts'
import { keepLanes, takeLanes } from '../../capabilities/webhooks/delivery-leases.ts'
import { readDueDeliveries } from '../../capabilities/webhooks/delivery-rows.ts'
import { LIMITS } from '../../core/limits.ts'
import { happen, register, standingOf } from '../support/deliveries.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const NOBODY = 'http://127.0.0.1:9/'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

it('reads of each registration what it has room for in bytes, and says when there may be more', async () => {
  const large = { data: JSON.stringify('é'.repeat(LIMITS.deliveriesHeldBytesShare / 6)) }
  const [wide, narrow] = [
    await register(project, NOBODY, ['wide']),
    await register(project, NOBODY, ['narrow']),
  ]
  await happen(service, project, [
    ...Array.from({ length: 9 }, () => ({ ...large, name: 'wide' })),
    ...Array.from({ length: 9 }, () => ({ name: 'narrow' })),
  ])
  const lanes = createLanes()
  await takeLanes(service.ctx, lanes)
  const rooms = lanes.rooms(performance.now())
  const due = await readDueDeliveries(service.ctx, rooms)
  lanes.accept(rooms, due, false)

  const held = (id: string) => lanes.all().find(({ webhookId }) => webhookId === id)!
  expect(held(wide.id).waiting).toHaveLength(3)
  expect(held(narrow.id).waiting).toHaveLength(9)
  expect([wide, narrow].map(({ id }) => held(id).mayHaveMore)).toEqual([true, false])
  await giveAllBack(lanes)
  for (const { id } of [wide, narrow]) await project.client.ok('deleteWebhook', { path: { id } })
})

it('lets others have a turn when that of as many as a process leases is over, though all of them hang', async () => {
  const { id } = await register(project, NOBODY)
  const like = await service.ctx.db.webhook.findUniqueOrThrow({ where: { id } })
  await service.ctx.db.webhook.createMany({
    data: Array.from({ length: LIMITS.webhooksLeased }, (_, n) => ({ ...like, id: `${id}_${n}` })),
  })
  await happen(service, project, [{}])
  const lanes = createLanes()
  const hanging = await takeLanes(service.ctx, lanes)
  expect(hanging).toHaveLength(LIMITS.webhooksLeased)
  const begun = await beginAll(lanes)
  expect(begun).toHaveLength(LIMITS.webhooksLeased)
  expect(await takeLanes(service.ctx, lanes)).toEqual([])

  for (const lane of hanging) lane.leasedAt -= LIMITS.webhookTurnMs
  await keepLanes(service.ctx, lanes)
  const others = await takeLanes(service.ctx, lanes)
  expect(others).toHaveLength(1)
  expect(hanging).not.toContain(others[0])
  // What has begun goes on, and is nobody else's meanwhile.
  expect(await standingOf(service.ctx, hanging[0]!.webhookId)).toMatchObject({ isLeased: true })

  for (const taken of begun) {
    lanes.finish(taken, false)
    taken.lane.heldIds.clear()
  }
  await keepLanes(service.ctx, lanes)
  expect(lanes.all()).toEqual(others)
  await giveAllBack(lanes)
})

/** Begins all that is due, and has it hang, however many looks it takes. */
async function beginAll(lanes: Lanes): Promise<Taken[]> {
  const begun: Taken[] = []
  let now = performance.now()
  for (let rooms = lanes.rooms(now); rooms.length > 0; rooms = lanes.rooms(now)) {
    lanes.accept(rooms, await readDueDeliveries(service.ctx, rooms), false)
  }
  for (let looks = 0; looks < 20; looks++) {
    for (let taken; (taken = lanes.next(now, 0));) begun.push(taken)
    lanes.letGo((now += LIMITS.attemptSlowMs))
  }
  return begun
}

async function giveAllBack(lanes: Lanes): Promise<void> {
  for (const lane of lanes.all()) lanes.retire(lane)
  await keepLanes(service.ctx, lanes)
}
