import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { subscribe } from '../support/events.ts'
import { ahead, startTestService, type TestService } from '../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const countKept = statement(
  'test-count-kept',
  `SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending'), (SELECT count(*) FROM events),
          (SELECT count(*) FROM parked_statuses)`,
)

it('a worker whose clock is days ahead deletes nothing that is young by the clock of the database', async () => {
  const project = await service.project()
  await subscribe(project, ['message.received'])
  await service.customer(project)
  const at = service.ctx.now()
  const account = await service.account(project.id)
  const told = { account, wamid: newWamid('1'), to: { phone: '+15550001234' }, at }
  await service.callback(project.id, statusCallback({ ...told, status: 'delivered' }))
  await retention.pruneExpired(ahead(service.ctx, 9 * DAY_MS))
  expect(await service.ctx.sql.rows(countKept)).toEqual([['1', '1', '1']])
})
