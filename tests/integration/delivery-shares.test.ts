import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createLanes, type Lanes } from '../../capabilities/delivery-lanes.ts'
import { keepLanes, takeLanes } from '../../capabilities/delivery-leases.ts'
import { readDueDeliveries } from '../../capabilities/delivery-rows.ts'
import { LIMITS } from '../../core/limits.ts'
import { happen, register } from '../support/deliveries.ts'
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

async function giveAllBack(lanes: Lanes): Promise<void> {
  for (const lane of lanes.all()) lanes.retire(lane)
  await keepLanes(service.ctx, lanes)
}
