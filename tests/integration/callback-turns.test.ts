import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { inTheWay } from '../support/locks.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

/** More than a process has connections to PostgreSQL. */
const CALLBACKS = 24
const AT_ONCE_MS = 2_000

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Lets a customer of a project write, and answers with the status of the callback. */
async function write({ id }: TestProject, text: string): Promise<number> {
  const account = await service.account(id)
  const from = { phone: '+15550001234', name: 'Ana' }
  const message = { type: 'text', text: { body: text } }
  return service.callback(id, inboundCallback({ account, from, message, at: service.ctx.now() }))
}

it('leaves connections to others while the callbacks of one project wait for each other', async () => {
  const [project, other] = [await service.project(), await service.project()]
  const { id } = await service.customer(project)
  let answers: Promise<number[]> = Promise.resolve([])
  await inTheWay(service.databaseUrl, async (query) => {
    await query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id])
    answers = Promise.all(Array.from({ length: CALLBACKS }, (_, n) => write(project, `Hello ${n}`)))
    await pause(AT_ONCE_MS / 4)
    const asked = performance.now()
    await other.client.ok('listContacts')
    expect(await write(other, 'Hello')).toBe(200)
    expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS)
  })
  expect(await answers).toEqual(Array.from({ length: CALLBACKS }, () => 200))
  const { messages } = await project.client.ok('listConversationMessages', { path: { id } })
  expect(messages).toHaveLength(CALLBACKS + 1)
})

it('gives the turn of a callback that fails to the next one', async () => {
  const project = await service.project()
  const { db } = service.ctx
  await db.$executeRaw`ALTER TABLE messages ADD CONSTRAINT no_room CHECK (content <> 'Too much')`
  const failed: number[] = []
  for (let i = 0; i <= LIMITS.callbacksAtOnce; i++) failed.push(await write(project, 'Too much'))
  expect(new Set(failed)).toEqual(new Set([500]))
  await db.$executeRaw`ALTER TABLE messages DROP CONSTRAINT no_room`
  expect(await write(project, 'Too much')).toBe(200)
})
