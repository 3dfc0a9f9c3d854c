import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Context } from '../../core/context.ts'
import { type SqlClient, statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import {
  broadcastOf,
  recipientsOf,
  report,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const HOUR_MS = 3_600_000

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterEach(() => stub.become('accepted'))
afterAll(() => service.stop())

/** The same context, over a database that does not come to an end with a statement about one broadcast. */
function timingOut(name: string, id: string): Context {
  const { sql } = service.ctx
  const late = { severity: 'ERROR', code: '57014' }
  const over = (tx: SqlClient): SqlClient => ({
    ...tx,
    rows: (asked, values = []) =>
      asked.name === name && values[0] === id
        ? Promise.reject(Object.assign(new Error('canceling statement due to timeout'), late))
        : tx.rows(asked, values),
  })
  return {
    ...service.ctx,
    sql: { ...sql, transaction: (work) => sql.transaction((tx) => work(over(tx))) },
  }
}

const toldOf = (event: string, id: string) =>
  service.logLines.filter((line) => line.includes(event) && line.includes(id))

describe('what cannot be done for one broadcast, for it takes too long there', () => {
  it('keeps no other from its follow-up, which it gets itself as soon as it can be made', async () => {
    const made: { project: TestProject; id: string }[] = []
    for (let n = 0; n < 3; n++) {
      const project = await service.project()
      const create = { auto_retarget_quality: true }
      const { id } = await startBroadcast(service, project, { contacts: 1, create })
      await sendAll(service.ctx)
      const [recipient] = await recipientsOf(project, id)
      await report(service, project, { wamid: recipient!.wamid!, status: 'failed' }, 131049)
      made.push({ project, id })
    }
    service.advance(25 * HOUR_MS)
    const counts = async () => {
      const found = made.map(({ project, id }) => broadcastOf(service, project, id))
      return (await Promise.all(found)).map(({ retarget_count: count }) => count)
    }
    const [first] = made
    const { run } = jobs['retarget-broadcasts']
    await run(timingOut('find-limited-recipient', first!.id))
    expect(await counts()).toEqual([0, 1, 1])
    expect(toldOf('broadcast.due_failed', first!.id)).toHaveLength(1)
    await run(service.ctx)
    expect(await counts()).toEqual([1, 1, 1])
  })

  const longAgo = statement(
    'test-all-dispatched-long-ago',
    `UPDATE broadcast_recipients SET dispatched_at = dispatched_at - interval '1 hour'
      WHERE status = 'queued' AND dispatched_at IS NOT NULL`,
  )

  it('keeps the lost recipients of no other from being given up, and the job says that it failed', async () => {
    const made: { project: TestProject; id: string }[] = []
    stub.become('unknown')
    for (let n = 0; n < 3; n++) {
      const project = await service.project()
      const { id } = await startBroadcast(service, project, { contacts: 1 })
      await sendAll(service.ctx)
      made.push({ project, id })
    }
    await service.ctx.sql.rows(longAgo)
    const statuses = async () => {
      const found = made.map(({ project, id }) => broadcastOf(service, project, id))
      return (await Promise.all(found)).map(({ status }) => status)
    }
    const { run } = jobs['give-up-lost-recipients']
    const [first] = made
    await expect(run(timingOut('give-up-recipients', first!.id))).rejects.toThrow(first!.id)
    expect(toldOf('broadcast.outcomes_unsettled', first!.id)).toHaveLength(1)
    expect(await statuses()).toEqual(['sending', 'completed', 'completed'])
    await run(service.ctx)
    expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
  })
})
