import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { inTheWay } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** More than a process has connections to PostgreSQL. */
const CALLBACKS = 24
const AT_ONCE_MS = 2_000

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('leaves connections to others while the callbacks of one project wait for each other', async () => {
  const [project, other] = [await service.project(), await service.project()]
  const account = await service.account(project.id)
  const { id } = await service.customer(project)
  const write = (text: string) => {
    const from = { phone: '+15550001234', name: 'Ana' }
    const message = { type: 'text', text: { body: text } }
    const callback = inboundCallback({ account, from, message, at: service.ctx.now() })
    return service.callback(project.id, callback)
  }
  let answers: Promise<number[]> = Promise.resolve([])
  await inTheWay(service.databaseUrl, async (query) => {
    await query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id])
    answers = Promise.all(Array.from({ length: CALLBACKS }, (_, n) => write(`Hello ${n}`)))
    await pause(AT_ONCE_MS / 4)
    const asked = performance.now()
    await other.client.ok('listContacts')
    expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS)
  })
  expect(await answers).toEqual(Array.from({ length: CALLBACKS }, () => 200))
  const { messages } = await project.client.ok('listConversationMessages', { path: { id } })
  expect(messages).toHaveLength(CALLBACKS + 1)
})
