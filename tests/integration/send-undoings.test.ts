import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { until } from '../support/deliveries.ts'
import { failing } from '../support/failing-sql.ts'
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

/** Has the database fail so many of each of these statements, until the answered function is called. */
function fail(times: Record<string, number>): () => void {
  const { sql } = service.ctx
  const { rows } = sql
  sql.rows = failing({ ...sql }, times).sql.rows
  return () => void (sql.rows = rows)
}

/** Has the database do the next such statement, of which nobody hears, and go away for the others. */
function loseAnswer(name: string, then: Record<string, number>): () => void {
  const { sql } = service.ctx
  const { rows } = sql
  const rest = failing({ ...sql }, then).sql.rows
  let isLost = false
  sql.rows = async (statement, values) => {
    if (isLost || statement.name !== name) return rest(statement, values)
    isLost = true
    await rows(statement, values)
    throw new Error('Connection terminated unexpectedly')
  }
  return () => void (sql.rows = rows)
}

const untilUndone = () =>
  until(async () => (await attemptsOf(service, project.id)).length === 0, 'the attempt is undone')

describe('a send that the channel refuses while the database fails', () => {
  it('gets its place in the day back once that is back, and can be tried again', async () => {
    await service.customer(project, { phone: TOO_OFTEN })
    const heal = fail({ 'drop-attempt': 2 })
    expect(await send(TOO_OFTEN)).toMatchObject({ status: 500, code: 'server_error' })
    await untilUndone()
    await until(async () => (await send(TOO_OFTEN)).code === 'upstream_error', 'the key is free')
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 0 })
    heal()
  })

  it('tells what the channel said, though its key cannot be let go at once', async () => {
    await service.customer(project, { phone: TOO_OFTEN })
    const heal = fail({ 'release-idempotency-key': 2 })
    expect(await send(TOO_OFTEN)).toMatchObject({ status: 502, code: 'upstream_error' })
    await until(async () => (await send(TOO_OFTEN)).code === 'upstream_error', 'the key is free')
    heal()
  })
})

describe('a send that was never made, for the database failed', () => {
  it('gives back what it took as soon as that can be done', async () => {
    await service.customer(project, { phone: PHONE })
    const heal = loseAnswer('begin-sends', { 'drop-attempt': 2, 'release-idempotency-key': 2 })
    expect(await send()).toMatchObject({ status: 500, code: 'server_error' })
    await untilUndone()
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 0 })
    await until(async () => (await send()).status === 200, 'a retry goes through')
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 1 })
    heal()
  })

  it.each(['claim-idempotency-key', 'complete-idempotency-record'])(
    'can be tried again when %s kept its refusal from being stored',
    async (name) => {
      const heal = fail({ [name]: 1 })
      expect(await send()).toMatchObject({ status: 500, code: 'server_error' })
      expect(await send()).toMatchObject({ status: 409, code: 'outside_24h_window' })
      heal()
    },
  )
})
