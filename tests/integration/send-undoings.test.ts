import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { until } from '../support/until.ts'
import { failing, losing, through } from '../support/failing-sql.ts'
import { attemptsOf, budgetOf, sendAs } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15550001234'
/** The channel refuses to write to him again so soon. */
const TOO_OFTEN = '+15557770012'
const KEY = { 'idempotency-key': 'the-key' }

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

const send = (phone = PHONE) =>
  sendAs(service, project.key, { type: 'text', phone, content: 'Hello' }, KEY)
const failed = (times: Record<string, number>, work: () => Promise<void>) =>
  through(service.ctx, (sql) => failing(sql, times).sql, work)
const untilUndone = () =>
  until(async () => (await attemptsOf(service, project.id)).length === 0, 'the attempt is undone')

describe('a send that the channel refuses while the database fails', () => {
  beforeEach(async () => {
    await service.customer(project, { phone: TOO_OFTEN })
  })
  const untilRefused = () =>
    until(async () => (await send(TOO_OFTEN)).code === 'upstream_error', 'the key is free')

  it('gets its place in the day back once that is back, and can be tried again', async () => {
    await failed({ 'drop-attempt': 2 }, async () => {
      expect(await send(TOO_OFTEN)).toMatchObject({ status: 500, code: 'server_error' })
      await untilUndone()
      await untilRefused()
    })
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 0 })
  })

  it('tells what the channel said, though its key cannot be let go at once', async () => {
    await failed({ 'release-idempotency-key': 2 }, async () => {
      expect(await send(TOO_OFTEN)).toMatchObject({ status: 502, code: 'upstream_error' })
      await untilRefused()
    })
  })
})

describe('a send that was never made, for the database failed', () => {
  it('gives back what it took as soon as that can be done', async () => {
    await service.customer(project, { phone: PHONE })
    const gone = { 'drop-attempt': 2, 'release-idempotency-key': 2 }
    const lost = (sql: typeof service.ctx.sql) => losing(sql, 'begin-sends', gone)
    await through(service.ctx, lost, async () => {
      expect(await send()).toMatchObject({ status: 500, code: 'server_error' })
      await untilUndone()
      expect(await budgetOf(service, project.id)).toMatchObject({ used: 0 })
      await until(async () => (await send()).status === 200, 'a retry goes through')
    })
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 1 })
  })

  it.each(['claim-idempotency-key', 'complete-idempotency-record'])(
    'can be tried again when %s kept its refusal from being stored',
    (name) =>
      failed({ [name]: 1 }, async () => {
        expect(await send()).toMatchObject({ status: 500, code: 'server_error' })
        expect(await send()).toMatchObject({ status: 409, code: 'outside_24h_window' })
      }),
  )
})
