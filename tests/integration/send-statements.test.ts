import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { sendAs, templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

let service: TestService
let project: TestProject
/** Every statement that this process sends to PostgreSQL, whoever asks. */
const asked: string[] = []
const { query } = pg.Client.prototype

beforeAll(async () => {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { name?: string; text?: string }]
    asked.push(typeof first === 'string' ? first : (first.name ?? first.text ?? ''))
    return Reflect.apply(query, this, args)
  } as typeof query
  // It reports nothing, so that only the request itself asks the database.
  service = await startTestService({ replaced: { channel: createStubChannel().channel } })
  project = await service.project()
  await service.customer(project)
})
afterAll(async () => {
  pg.Client.prototype.query = query
  await service.stop()
})

const text = { type: 'text', phone: '+15550001234', content: 'Hello' }
/** The statements of one send; the empty ones make sure that what is cached still holds. */
async function statementsOf(body: object, headers: Record<string, string> = {}) {
  const { length } = asked
  const { status, text } = await sendAs(service, project.key, body, headers)
  if (status >= 500) throw new Error(text)
  return asked.slice(length).filter((statement) => statement !== '')
}

describe('a send, once the service knows its project', () => {
  it('takes two statements, with a key as without, and a replay takes one', async () => {
    await statementsOf(text)
    const both = ['begin-sends', 'record-sends']
    const key = { 'idempotency-key': 'a' }

    expect(await statementsOf(text)).toEqual(both)
    expect(await statementsOf(text, key)).toEqual(both)
    expect(await statementsOf(text, key)).toEqual(['begin-sends'])
    expect(await statementsOf({ ...text, content: 'Other' }, key)).toEqual(['begin-sends'])
  })

  it('takes as many for a template', async () => {
    const body = await templateOf(service, project.id)
    const key = { 'idempotency-key': 'b' }
    await statementsOf(body)

    expect(await statementsOf(body, key)).toEqual(['begin-sends', 'record-sends'])
    expect(await statementsOf(body, key)).toEqual(['begin-sends'])
  })
})
