import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { subscribe } from '../support/events.ts'
import { failing } from '../support/failing-sql.ts'
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
  await jobs['prune-expired'].run(ahead(service.ctx, 9 * DAY_MS))
  expect(await service.ctx.sql.rows(countKept)).toEqual([['1', '1', '1']])
})

it('a table that cannot be cleared keeps no other from being, and the job says that it failed', async () => {
  const { ctx } = service
  const old = statement(
    'test-add-expired',
    `WITH call AS (
       INSERT INTO bot_calls (run_id, call, answer, created_at)
       VALUES (1, 'send 1', 'null', now() - interval '1 year')
     )
     INSERT INTO unread_callbacks (project_id, reason, body, received_at)
     VALUES ('p', 'test', '', now() - interval '1 year')`,
  )
  const countOld = statement(
    'test-count-expired',
    'SELECT (SELECT count(*) FROM bot_calls), (SELECT count(*) FROM unread_callbacks)',
  )
  await ctx.sql.rows(old)
  const { sql, failed } = failing(ctx.sql, { 'prune-send_attempts': 1, 'prune-deliveries': 1 })
  await expect(jobs['prune-expired'].run({ ...ctx, sql })).rejects.toThrow(
    'What is past its time could not all be deleted: prune-send_attempts, prune-deliveries',
  )
  expect([failed('prune-send_attempts'), failed('prune-deliveries')]).toEqual([1, 1])
  expect(await ctx.sql.rows(countOld)).toEqual([['0', '0']])
})
