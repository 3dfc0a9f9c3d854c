import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { until } from '../support/until.ts'
import { failing, losing, through } from '../support/failing-sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let id: string
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  const prompt = 'A contact form with name and phone.'
  const { flow } = await project.client.ok('createFlow', { body: { name: 'contact', prompt } })
  id = flow.id
})

const rename = (name: string) => project.client.send('updateFlow', { path: { id }, body: { name } })

describe('work that one request does at a time', () => {
  it('is done and told so, though its lease cannot be given back, and does not hold up the next', async () => {
    const gone = (sql: typeof service.ctx.sql) => failing(sql, { 'give-work-lease-back': 2 }).sql
    await through(service.ctx, gone, async () => {
      expect(await rename('first')).toMatchObject({ status: 200 })
      expect(await rename('second')).toMatchObject({ status: 200 })
    })
  }, 20_000)

  it.each([0, 2])(
    'does not hold up the next when nobody heard that it was leased, and %d times it could not be given back',
    async (times) => {
      const lost = (sql: typeof service.ctx.sql) =>
        losing(sql, 'take-work-lease', { 'give-work-lease-back': times })
      await through(service.ctx, lost, async () => {
        expect(await rename('first')).toMatchObject({ status: 500 })
        await until(async () => (await rename('second')).status === 200, 'it is done', 10_000)
      })
    },
    20_000,
  )
})
