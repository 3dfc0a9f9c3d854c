import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from '../../channel/sandbox-callbacks.ts'
import { oneOff, statement } from '../../core/sql.ts'
import { joined } from '../support/channel.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { statementsOf } from '../support/statements.ts'

/** More would mean that a callback's cost grows with what it holds, statement by statement. */
const STATEMENTS_MAX = 12
/** For one that holds every kind of update. */
const ALL_KINDS_STATEMENTS_MAX = 18
/** For 5,000 customers; comparing each with each would take several times as long. */
const CPU_MAX_US = 4_000_000

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const wrote = (
  account: SandboxAccount,
  from: SandboxCustomer,
  body = 'Hi',
  wamid = newWamid('1'),
) =>
  inboundCallback({
    account,
    from,
    wamid,
    message: { type: 'text', text: { body } },
    at: service.ctx.now(),
  })

/** Drops the user id that the sandbox gives to every number. */
function numberOnly(payload: unknown) {
  return JSON.parse(
    JSON.stringify(payload, (key, value: unknown) =>
      key === 'user_id' || key === 'from_user_id' ? undefined : value,
    ),
  ) as unknown
}

const totals = statement(
  'test-totals',
  `SELECT (SELECT count(*) FROM contacts WHERE project_id = $1),
          (SELECT count(*) FROM conversations WHERE project_id = $1),
          (SELECT count(*) FROM messages WHERE project_id = $1),
          (SELECT coalesce(sum(unread_count), 0) FROM conversations WHERE project_id = $1)`,
)
const totalsOf = async ({ id }: TestProject) =>
  (await service.ctx.sql.rows(totals, [id]))[0]?.map(Number)

describe('a callback of many updates', () => {
  it('(1,000) is taken whole, in a number of statements that does not grow with it', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const random = seededRandom(7)
    const phoneOf = (index: number) => `+1555444${String(index).padStart(4, '0')}`
    const messages = Array.from({ length: 600 }, (_, index) =>
      wrote(account, { phone: phoneOf(index % 300) }, `No. ${index}`),
    )
    const first = await statementsOf(service, () =>
      service.callback(project.id, joined(...random.shuffled(messages.slice(0, 300)))),
    )
    expect(await totalsOf(project)).toEqual([300, 300, 300, 300])

    const reports = Array.from({ length: 400 }, (_, index) =>
      statusCallback({
        account,
        wamid: `wamid.${index % 200}`,
        at: service.ctx.now(),
        status: index < 200 ? ('delivered' as const) : ('read' as const),
        to: { phone: phoneOf(1) },
      }),
    )
    const batch = joined(...random.shuffled([...messages, ...reports]))
    const names = await statementsOf(service, async () =>
      expect(await service.callback(project.id, batch)).toBe(200),
    )
    expect(await totalsOf(project)).toEqual([300, 300, 600, 600])
    expect(first.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    expect(names.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    await service.callback(project.id, batch)
    expect(await totalsOf(project)).toEqual([300, 300, 600, 600])
  })

  it('of every kind (2,000) is taken in one transaction of a bounded number of statements', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const at = service.ctx.now()
    const phoneOf = (index: number) => `+1555446${String(index).padStart(4, '0')}`
    const said = (index: number, message: { type: string } & Record<string, unknown>) =>
      inboundCallback({ account, from: { phone: phoneOf(index) }, message, at })
    const texts = Array.from({ length: 500 }, (_, index) =>
      wrote(account, { phone: phoneOf(index) }, `No. ${index}`, `wamid.kinds.${index}`),
    )
    await service.callback(project.id, joined(...texts.slice(0, 250)))
    const updates = texts.flatMap((text, index) => {
      const target = { original_message_id: `wamid.kinds.${index}` }
      const message = { type: 'text', text: { body: `Now ${index}` } }
      const moved = {
        type: 'user_changed_number',
        wa_id: `1557446${String(index).padStart(4, '0')}`,
      }
      const preference = { wa_id: phoneOf(index).slice(1), category: 'marketing_messages' }
      const chosen = { ...preference, value: 'resume', timestamp: at.getTime() / 1000 }
      const value = {
        metadata: { phone_number_id: account.phoneNumberId },
        user_preferences: [chosen],
      }
      const change =
        index % 2 === 0
          ? said(index, { type: 'edit', edit: { ...target, message } })
          : said(index, { type: 'revoke', revoke: target })
      const other =
        index % 5 === 0
          ? said(index, { type: 'system', system: moved })
          : { entry: [{ changes: [{ field: 'user_preferences', value }] }] }
      const to = { phone: phoneOf(1) }
      return [
        text,
        change,
        other,
        statusCallback({ account, at, to, status: 'failed', wamid: `x.${index}` }),
      ]
    })
    const names = await statementsOf(service, async () =>
      expect(await service.callback(project.id, joined(...updates))).toBe(200),
    )
    expect(names.length).toBeLessThanOrEqual(ALL_KINDS_STATEMENTS_MAX)
    expect(await totalsOf(project)).toEqual([500, 500, 600, 600])
  })

  it('(5,000 new customers) costs time in proportion', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const messages = Array.from({ length: 5_000 }, (_, index) =>
      wrote(account, { phone: `+1556${String(index).padStart(7, '0')}` }),
    )
    const before = process.cpuUsage()
    expect(await service.callback(project.id, joined(...messages))).toBe(200)
    expect(process.cpuUsage(before).user).toBeLessThan(CPU_MAX_US)
    expect(await totalsOf(project)).toEqual([5_000, 5_000, 5_000, 5_000])
  })

  it('(2,001) is told of in portions of a thousand, in its order', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const { id } = await subscribe(project, ['message.received', 'message.status'])
    const all = Array.from({ length: 2_001 }, (_, index) => index)
    const texts = all.map((index) =>
      wrote(account, { phone: `+1555${4_500_000 + index}` }, `No. ${index}`),
    )
    const received = await statementsOf(service, () =>
      service.callback(project.id, joined(...texts)),
    )
    expect(received.filter((name) => name === 'emit-events')).toHaveLength(3)

    const sent = oneOff(`INSERT INTO messages
        (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
      SELECT $1, conversation_id, contact_id, 'wamid.' || content, 'outbound', 'api', 'text', 'sent'
        FROM messages WHERE project_id = $1`)
    await service.ctx.sql.rows(sent, [project.id])
    const to = { phone: '+15554500000' }
    const reports = all.map((index) =>
      statusCallback({
        ...{ account, to, at: service.ctx.now(), status: 'read' },
        wamid: `wamid.No. ${index}`,
      }),
    )
    const read = await statementsOf(service, () => service.callback(project.id, joined(...reports)))
    expect(read.filter((name) => name === 'emit-message-steps')).toHaveLength(3)

    type Data = { message?: { content: string }; message_id?: string }
    const told = (await toldTo(service, id)).map(({ data }) => data as Data)
    expect(told.map(({ message, message_id: wamid }) => message?.content ?? wamid)).toEqual([
      ...all.map((index) => `No. ${index}`),
      ...all.map((index) => `wamid.No. ${index}`),
    ])
  })

  it('(50 failures for which a number is to be silent) stops the number once', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    await service.callback(project.id, wrote(account, { phone: '+15554440009' }))
    const isOpen = async () => (await pace.reserve(service.ctx, account.phoneNumberId, 1)) !== null
    expect(await isOpen()).toBe(true)
    const sent = oneOff(`INSERT INTO messages (project_id, conversation_id, contact_id, wamid,
        attempt_id, direction, origin, type, status)
      SELECT $1, conversation_id, contact_id, 'wamid.' || n, gen_random_uuid(), 'outbound',
             'broadcast', 'template', 'sent'
        FROM messages, generate_series(1, 50) n WHERE project_id = $1`)
    await service.ctx.sql.rows(sent, [project.id])
    const reports = Array.from({ length: 50 }, (_, index) =>
      statusCallback({
        ...{ account, to: { phone: '+15554440009' }, at: service.ctx.now() },
        ...{ wamid: `wamid.${index + 1}`, status: 'failed', errorCode: 131_048 },
      }),
    )
    const names = await statementsOf(service, () =>
      service.callback(project.id, joined(...reports)),
    )
    expect(names.filter((name) => name === 'close-pace')).toHaveLength(1)
    expect(names.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    expect(await isOpen()).toBe(false)
  })

  it('keeps the order of one customer’s messages', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const bodies = Array.from({ length: 100 }, (_, index) => `No. ${index}`)
    await service.callback(
      project.id,
      joined(...bodies.map((body) => wrote(account, { phone: '+15554440001' }, body))),
    )
    const { conversations } = await project.client.ok('listConversations')
    const { messages } = await project.client.ok('listConversationMessages', {
      path: { id: conversations[0]!.id },
      query: { limit: 100 },
    })
    expect(messages.map(({ content }) => content).toReversed()).toEqual(bodies)
  })
})

describe('a callback that says a thing twice', () => {
  it('brings one message, and each status once', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const message = wrote(account, { phone: '+15554440003' })
    const report = statusCallback({
      account,
      wamid: 'wamid.twice',
      at: service.ctx.now(),
      status: 'read' as const,
      to: { phone: '+15554440003' },
    })
    const batch = joined(message, report, message, report)
    expect(await service.callback(project.id, batch)).toBe(200)
    expect(await totalsOf(project)).toEqual([1, 1, 1, 1])
  })
})

describe('callbacks at the same moment', () => {
  it('that name the same new customer make one contact, and lose no message', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.callback(project.id, wrote(account, { phone: '+15554440002' }, `No. ${index}`)),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await totalsOf(project)).toEqual([1, 1, 20, 20])
  })

  it('that name the same customers in other orders do not wait for each other', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    const random = seededRandom(11)
    const phones = Array.from({ length: 60 }, (_, index) => `+155700${1_000 + index}`)
    await service.callback(project.id, joined(...phones.map((phone) => wrote(account, { phone }))))
    const batches = Array.from({ length: 12 }, (_, round) =>
      joined(
        ...random.shuffled(phones).map((phone) => wrote(account, { phone, name: `Ana ${round}` })),
      ),
    )
    const names = await statementsOf(service, async () => {
      const answers = batches.map((batch) => service.callback(project.id, batch))
      expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    })
    // Whoever loses a deadlock looks its customers up again.
    expect(names.filter((name) => name === 'find-customers')).toHaveLength(batches.length)
    expect(await totalsOf(project)).toEqual([60, 60, 780, 780])
  })
})

describe('the customers of one callback', () => {
  const identities: [string, (account: SandboxAccount) => unknown[]][] = [
    [
      'by number, then by user id, then by both',
      (account) => [
        numberOnly(wrote(account, { phone: '+15554450001' })),
        wrote(account, { userId: 'US.1' }),
        wrote(account, { phone: '+15554450001', userId: 'US.1' }),
      ],
    ],
    [
      'by both, then by each',
      (account) => [
        wrote(account, { phone: '+15554450001', userId: 'US.1' }),
        wrote(account, { userId: 'US.1' }),
        numberOnly(wrote(account, { phone: '+15554450001' })),
      ],
    ],
    [
      'by a number whose user id changed',
      (account) => [
        wrote(account, { phone: '+15554450001', userId: 'US.1' }),
        wrote(account, { phone: '+15554450001', userId: 'US.2' }),
        wrote(account, { userId: 'US.2' }),
      ],
    ],
    [
      'by a user id whose number changed',
      (account) => [
        wrote(account, { phone: '+15554450001', userId: 'US.1' }),
        wrote(account, { phone: '+15554450002', userId: 'US.1' }),
        numberOnly(wrote(account, { phone: '+15554450002' })),
      ],
    ],
  ]

  it.each(identities)('named %s are taken, at once or one by one', async (_, payloadsOf) => {
    for (const isJoined of [true, false]) {
      const project = await service.project()
      const account = await service.account(project.id)
      const payloads = payloadsOf(account)
      for (const payload of isJoined ? [joined(...payloads)] : payloads) {
        expect(await service.callback(project.id, payload)).toBe(200)
      }
      const [contacts, conversations, messages, unread] = (await totalsOf(project)) ?? []
      expect(contacts).toBeLessThanOrEqual(2)
      expect([conversations, messages, unread]).toEqual([contacts, 3, 3])
    }
  })

  it('are not split when a known number comes with its user id, and then the user id alone', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    await service.callback(project.id, numberOnly(wrote(account, { phone: '+15554450008' })))
    const both = wrote(account, { phone: '+15554450008', userId: 'US.8' })
    await service.callback(project.id, joined(both, wrote(account, { userId: 'US.8' })))
    expect(await totalsOf(project)).toEqual([1, 1, 3, 3])
  })

  it('learn their number when it comes after their user id', async () => {
    const project = await service.project()
    const account = await service.account(project.id)
    await service.callback(project.id, wrote(account, { userId: 'US.7', name: 'Eva' }))
    await service.callback(project.id, wrote(account, { phone: '+15554450007', userId: 'US.7' }))
    const { contacts } = await project.client.ok('listContacts', {
      query: { phone: '+15554450007' },
    })
    expect(contacts).toMatchObject([{ phone: '+15554450007', user_id: 'US.7' }])
    expect(await totalsOf(project)).toEqual([1, 1, 2, 2])
  })
})
