import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { importContacts } from '../../capabilities/conversations/contact-import.ts'
import * as parkedStatuses from '../../capabilities/statuses/parked-statuses.ts'
import { newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { permutations } from '../support/random.ts'
import { ahead, startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15559990001'
const STOPPED = 131_050

let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
})

/** What the channel sends when a customer stops or resumes marketing messages. */
function preferences(...chosen: Record<string, unknown>[]) {
  const metadata = { display_phone_number: '1', phone_number_id: account.phoneNumberId }
  const entries = chosen.map((one) => ({
    wa_id: '15559990001',
    category: 'marketing_messages',
    detail: 'The user chose so',
    ...one,
  }))
  const value = { messaging_product: 'whatsapp', metadata, contacts: [], user_preferences: entries }
  const changes = [{ field: 'user_preferences', value }]
  return { object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }
}
const take = async (payload: unknown) =>
  expect(await service.callback(project.id, payload)).toBe(200)
const second = (offset = 0) => Math.floor(service.ctx.now().getTime() / 1000) + offset
const choose = (value: string, offset = 0) =>
  take(preferences({ value, timestamp: second(offset) }))
const contacts = async () => (await project.client.ok('listContacts')).contacts
const optedIn = async () => (await contacts()).map((contact) => contact.opted_in)
const unread = statement(
  'test-unread-reasons',
  'SELECT reason FROM unread_callbacks WHERE project_id = $1 ORDER BY id',
)
const reasons = async () =>
  (await service.ctx.sql.rows(unread, [project.id])).map(([reason]) => reason)

describe('a customer’s choice on marketing', () => {
  it('is what the contact says, whoever made it a contact', async () => {
    await service.customer(project, { phone: PHONE })
    for (const [value, expected] of [
      ['signup', true],
      ['stop', false],
      ['resume', true],
    ] as const) {
      service.advance(1_000)
      await choose(value)
      expect(await contacts()).toMatchObject([{ phone: PHONE, name: 'Ana', opted_in: expected }])
    }
    expect(await reasons()).toEqual([])
  })

  it('is that of both contacts where one has the number, with a user id of its own, and another the user id', async () => {
    await take(preferences({ user_id: 'US.2', value: 'resume', timestamp: second(-20) }))
    const byId = { wa_id: undefined, user_id: 'US.1' }
    await take(preferences({ ...byId, value: 'resume', timestamp: second(-20) }))
    expect(await optedIn()).toEqual([true, true])

    await take(preferences({ user_id: 'US.1', value: 'stop', timestamp: second(-10) }))
    expect(await optedIn()).toEqual([false, false])
    await take(preferences({ user_id: 'US.1', value: 'resume', timestamp: second() }))
    expect(await optedIn()).toEqual([true, true])
    await take(preferences({ ...byId, value: 'stop', timestamp: second(1) }))
    expect(await contacts()).toMatchObject([
      { phone: null, user_id: 'US.1', opted_in: false },
      { phone: PHONE, user_id: 'US.2', opted_in: true },
    ])
  })

  it('makes a contact of a customer who never wrote, without a conversation', async () => {
    await choose('resume')
    await take(
      preferences({ wa_id: undefined, user_id: 'US.1', value: 'stop', timestamp: second() }),
    )
    expect(await contacts()).toMatchObject([
      ...[
        { phone: null, user_id: 'US.1', opted_in: false },
        { phone: PHONE, opted_in: true },
      ],
    ])
    expect((await project.client.ok('listConversations')).conversations).toEqual([])
    await service.customer(project, { phone: PHONE })
    expect(await contacts()).toHaveLength(2)
  })

  it.each(permutations(['stop', 'resume', 'signup']))(
    'is the latest one when they come as %s, %s, %s, at once or one by one, and again',
    async (...order) => {
      const chosenAt = { stop: second(1), resume: second(2), signup: second(3) } as Record<
        string,
        number
      >
      const chosen = order.map((value) => ({ value, timestamp: chosenAt[value] }))
      for (const one of chosen) await take(preferences(one))
      await take(preferences(...chosen, ...chosen))
      expect(await optedIn()).toEqual([true])
      await choose('stop', 2)
      expect(await optedIn()).toEqual([true])
      await choose('stop', 3)
      await choose('resume', 3)
      expect(await optedIn()).toEqual([false])
    },
  )

  it.each([undefined, 'soon', 1_749_416_383.5])(
    'to stop is of its receipt when its time cannot be read: %j',
    async (timestamp) => {
      await choose('resume', -1)
      await take(preferences({ value: 'stop', timestamp }))
      expect(await optedIn()).toEqual([false])
    },
  )

  it('that cannot be read is kept with its reason, and loses no other', async () => {
    const good = { value: 'resume', timestamp: second() }
    const bad = [
      ...[
        { ...good, category: 'news' },
        { ...good, value: 'maybe' },
        { ...good, value: { toString: 1 } },
      ],
      ...[
        { ...good, timestamp: 'soon' },
        { ...good, wa_id: undefined },
      ],
    ]
    await take(preferences(...bad, good))
    expect(await optedIn()).toEqual([true])
    expect((await reasons())[0]?.split('; ')).toEqual([
      'A user preference on news is not followed.',
      ...[
        'The user preference maybe is not followed.',
        'The user preference object is not followed.',
      ],
      ...['A user preference has no usable timestamp.', 'A user preference names no customer.'],
    ])
    const warned = service.logLines.filter(
      (line) => line.includes(project.id) && line.includes('unread'),
    )
    expect(warned).toHaveLength(1)
  })

  const file = async function* (line: string) {
    yield `number,opted_in\n${line}`
  }
  const importing = (line: string, ctx = service.ctx) => importContacts(ctx, project.id, file(line))

  it('is that of the import when it comes later, and not when the file is silent', async () => {
    await choose('resume')
    service.advance(2_000)
    await importing(`${PHONE},`)
    expect(await optedIn()).toEqual([true])
    await importing(`${PHONE},no`)
    await choose('resume', -1)
    expect(await optedIn()).toEqual([false])
    await choose('resume', 1)
    expect(await optedIn()).toEqual([true])
  })

  it('is the refusal where that is of the same second as an import', async () => {
    const within = ahead(service.ctx, 500)
    await importing(`${PHONE},yes`, within)
    await choose('resume')
    expect(await optedIn()).toEqual([true])
    await choose('stop')
    expect(await optedIn()).toEqual([false])
  })

  it('counts also where a clock of tomorrow has opted the contact in', async () => {
    await importing(`${PHONE},yes`, ahead(service.ctx, 24 * 60 * 60 * 1000))
    await choose('stop')
    expect(await optedIn()).toEqual([false])
  })
})

describe('a message that failed because the customer stopped marketing', () => {
  const insert = statement(
    'test-insert-marketing',
    `INSERT INTO messages
       (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
     VALUES ($1, $2, $3, $4, 'outbound', 'api', 'template', 'sent')`,
  )
  const failed = (wamid: string, errorCode: number) =>
    take(
      statusCallback({
        account,
        wamid,
        errorCode,
        status: 'failed',
        to: { phone: PHONE },
        at: service.ctx.now(),
      }),
    )

  it('opts the contact out, whether it is known yet or not; other failures do not', async () => {
    const { id, contact } = await service.customer(project, { phone: PHONE })
    const wamid = newWamid('1')
    for (const [code, isParked] of [
      [STOPPED, false],
      [STOPPED, true],
      [131_049, false],
    ] as const) {
      await choose('resume')
      expect(await optedIn()).toEqual([true])
      service.advance(1_000)
      const sent = `${wamid}${code}${isParked}`
      const record = () => service.ctx.sql.rows(insert, [project.id, id, contact.id, sent])
      if (!isParked) await record()
      await failed(sent, code)
      if (isParked) {
        expect(await optedIn()).toEqual([true])
        await record()
        await parkedStatuses.sweep(service.ctx)
      }
      expect(await optedIn()).toEqual([code !== STOPPED])
      service.advance(1_000)
      await choose('resume')
      service.advance(-2_000)
      await failed(sent, code)
      expect(await optedIn()).toEqual([true])
      service.advance(10_000)
    }
  })
})
