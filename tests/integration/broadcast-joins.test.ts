import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { jobs } from '../../jobs/index.ts'
import {
  broadcastOf,
  makeContacts,
  recipientsOf,
  sendAll,
  startAnother,
  startBroadcast,
  startSendingService,
  withSender,
} from '../support/broadcast-sending.ts'
import { storeContacts } from '../support/broadcasts.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const HOUR_MS = 3_600_000
const USER_ID = 'ES.123'

const stub = createStubChannel()
let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
beforeEach(async () => {
  project = await service.project()
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

const makeByUserId = () =>
  storeContacts(service, project, [{ phone: null, userId: USER_ID, optedIn: true }])

/** The customer writes in under both names, which joins the contact of the number and that of the user id. */
async function join(phone: string | null) {
  service.advance(10_000)
  const payload = inboundCallback({
    account: await service.account(project.id),
    from: { phone: phone!, userId: USER_ID },
    message: { type: 'text', text: { body: 'Hi' } },
    at: service.ctx.now(),
    wamid: newWamid('2'),
  })
  expect(await service.callback(project.id, payload)).toBe(200)
}

describe('a customer of two contacts that become one', () => {
  it('is in the follow-up of a broadcast that the marketing limit kept from the one that goes', async () => {
    await makeByUserId()
    const create = { auto_retarget_quality: true, audience: audienceOf('phone') }
    const { id } = await startBroadcast(service, project, { contacts: 1, create })
    await sendAll(service.ctx)
    const [recipient] = await recipientsOf(project, id)
    const failed = statusCallback({
      account: await service.account(project.id),
      wamid: recipient!.wamid!,
      status: 'failed',
      errorCode: 131049,
      to: { phone: recipient!.phone!, userId: USER_ID },
      at: service.ctx.now(),
    })
    expect(await service.callback(project.id, failed)).toBe(200)
    expect((await project.client.ok('listContacts')).contacts).toHaveLength(1)

    service.advance(25 * HOUR_MS)
    await jobs['retarget-broadcasts'].run(service.ctx)
    await broadcastStarts.startDue(service.ctx)
    await sendAll(service.ctx)
    const { broadcasts } = await project.client.ok('listBroadcasts', { query: {} })
    const followUp = broadcasts.find(({ retarget_parent_id: parent }) => parent === id)
    expect(followUp).toMatchObject({ recipient_count: 1, counts: { total: 1, sent: 1 } })
  })
})

describe('two recipients of one broadcast that turn out to be one customer', () => {
  it.each([
    ['the number’s first', 0],
    ['the user id’s first', 1],
  ])('get one message, if one has left when that is told: %s', async (_, isByUserIdFirst) => {
    if (isByUserIdFirst) await makeByUserId()
    const [id, phone] = await startTwo({ isByUserIdFirst })
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(1)
    await join(phone)
    await broadcastApprovals.release(service.ctx, id, { by: 'Olga' })
    await sendAll(service.ctx)
    await expectOneMessage(id, ['sent', 'failed'])
  })

  it('get one message, if both wait when that is told', async () => {
    const [id, phone] = await startTwo({ isByUserIdFirst: 0, waveSize: 3 })
    await join(phone)
    await sendAll(service.ctx)
    await expectOneMessage(id, ['sent', 'failed'])
  })

  it('get one message, if the first one was put off', async () => {
    const [id, phone] = await startTwo({ isByUserIdFirst: 0, waveSize: 3 })
    stub.answerEach(({ to }) => ('phone' in to ? refusal('pair_rate', 131056) : null))
    await sendAll(service.ctx)
    await join(phone)
    stub.become('accepted')
    stub.sends.length = 0
    service.advance(HOUR_MS)
    await sendAll(service.ctx)
    expect(stub.sends).toEqual([])
    const recipients = await recipientsOf(project, id)
    expect(recipients.map(({ status }) => status)).toEqual(['failed', 'sent'])
  })
})

describe('a customer whose contacts become one while a broadcast is about to write to him', () => {
  it('is written to at once, and so are the others', async () => {
    const { id } = await startBroadcast(service, project, { contacts: 2 })
    const [first, second] = await recipientsOf(project, id)
    await makeByUserId()
    const { sql } = service.ctx
    let isJoined = false
    const rows: typeof sql.rows = async (asked, values = []) => {
      const isNow = asked.name === 'open-recipient-conversations' && !isJoined
      isJoined ||= isNow
      if (isNow) await join(first!.phone)
      return sql.rows(asked, values)
    }
    const ctx = { ...service.ctx, sql: { ...sql, rows } }
    await withSender(ctx, (sender) => sender.run())
    expect(isJoined).toBe(true)
    expect(stub.sends.map(({ to }) => to)).toEqual([
      { phone: first!.phone },
      { phone: second!.phone },
    ])
  })
})

describe('two broadcasts to one customer of joined contacts', () => {
  it('do not write at the same moment', async () => {
    await startBroadcast(service, project, { contacts: 1 })
    await makeByUserId()
    const id = await startAnother(service, project)
    const [recipient] = await recipientsOf(project, id)
    await join(recipient!.phone)
    stub.answerEach(async () => {
      if (stub.sends.length === 1) await sendAll(service.ctx)
      return null
    })
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(1)
    service.advance(10_000)
    await sendAll(service.ctx)
    expect(stub.sends).toHaveLength(2)
  })
})

type Two = { isByUserIdFirst: number; waveSize?: number }

/** A broadcast to the two contacts of one customer, in this order; the first wave is the first one alone. */
async function startTwo({ isByUserIdFirst, waveSize = 1 }: Two) {
  if (!isByUserIdFirst) {
    await makeContacts(service, project.id, 1)
    await makeByUserId()
  }
  const plan = { contacts: isByUserIdFirst ? 1 : 0, create: { wave_size: waveSize } }
  const { id } = await startBroadcast(service, project, plan)
  const recipients = await recipientsOf(project, id)
  expect(recipients).toHaveLength(2)
  return [id, recipients.find(({ phone }) => phone !== null)!.phone] as const
}

async function expectOneMessage(id: string, statuses: string[]) {
  expect(stub.sends).toHaveLength(1)
  const recipients = await recipientsOf(project, id)
  expect(recipients.map(({ status }) => status)).toEqual(statuses)
  expect(recipients.find(({ status }) => status === 'failed')).toMatchObject({
    error: { code: 'same_customer' },
    wamid: null,
  })
  expect(await broadcastOf(service, project, id)).toMatchObject({
    status: 'completed',
    counts: { total: 2, sent: 1, failed: 1 },
  })
}

function audienceOf(field: string) {
  const conditions = [{ field, op: 'like' as const, value: '+%' }]
  return { filter: { match: 'all' as const, conditions } }
}
