import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import {
  inboundCallback,
  type SandboxAccount,
  statusCallback,
  templateStatusCallback,
} from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { partsOf } from '../../middleware/callback-parts.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, storeTemplate } from '../support/templates.ts'

const APP = '670843887433847'

let service: TestService
/** The app's callback URL is the first one's; the third one shares the second one's business account. */
let first: Connected
let second: Connected
let third: Connected

type Connected = { project: TestProject; account: SandboxAccount }

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: createStubChannel().channel } })
  first = await connected('101', '201')
  second = await connected('102', '202')
  third = await connected('103', '202')
})
afterAll(() => service.stop())

async function connected(
  phoneNumberId: string,
  businessAccountId: string,
  { appId = APP, appSecret = 'hush' } = {},
): Promise<Connected> {
  const project = await service.project()
  const ids = { phoneNumberId, businessAccountId, appId }
  const secrets = { accessToken: 'EAAG', appSecret, verifyToken: 'v' }
  await channelAccounts.connect(service.ctx, project.id, { ...ids, ...secrets })
  return { project, account: await service.account(project.id) }
}

/** Posts to the first project's URL. */
const post = (payload: unknown) => service.callback(first.project.id, payload)
const hello = ({ account }: Connected, phone: string) =>
  inboundCallback({
    ...{ account, from: { phone }, at: service.ctx.now() },
    message: { type: 'text', text: { body: `To ${account.phoneNumberId}` } },
  })
const conversationsOf = async ({ project }: Connected, phone: string) =>
  (await project.client.ok('listConversations', { query: { phone } })).conversations
const unread = statement(
  'test-unread-of',
  'SELECT reason, body FROM unread_callbacks WHERE project_id = $1 ORDER BY id',
)
const unreadOf = ({ project }: Connected) => service.ctx.sql.rows(unread, [project.id])

describe('the callback URL of an app that several projects are connected with', () => {
  it('brings each project what its own number receives, in one callback too', async () => {
    const phone = '+15556660001'
    const receiver = await subscribe(second.project, ['message.received'])
    const [one, two] = [hello(first, phone), hello(second, phone)]
    const payload = { ...one, entry: [...one.entry, ...two.entry] }
    expect(await post(payload)).toBe(200)
    expect(await post(payload)).toBe(200)
    for (const { project, account } of [first, second]) {
      const { conversations } = await project.client.ok('listConversations', { query: { phone } })
      expect(conversations).toHaveLength(1)
      const path = { id: Number(conversations[0]?.id) }
      expect(
        (await project.client.ok('listConversationMessages', { path })).messages,
      ).toMatchObject([{ direction: 'inbound', content: `To ${account.phoneNumberId}` }])
    }
    expect(await conversationsOf(third, phone)).toEqual([])
    expect(await toldTo(service, receiver.id)).toHaveLength(1)
    for (const one of [first, second, third]) expect(await unreadOf(one)).toEqual([])
  })

  it('has no part for the project in its URL where all of it is for others', async () => {
    const parts = async (...payloads: { entry: object[] }[]) => {
      const entry = payloads.flatMap((one) => one.entry)
      const raw = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
      const account = await channelAccounts.mustFind(service.ctx, first.project.id)
      return (await partsOf(service.ctx, account, raw)).map((part) => part.account.projectId)
    }
    const [one, two] = [hello(first, '+15556660009'), hello(second, '+15556660009')]
    expect(await parts(two)).toEqual([second.project.id])
    expect(await parts(two, one)).toEqual([first.project.id, second.project.id])
    expect(await parts()).toEqual([first.project.id])
  })

  it('brings a project what became of its messages', async () => {
    const phone = '+15556660002'
    await post(hello(second, phone))
    const { client } = second.project
    const { id } = await client.ok('sendMessage', { body: { type: 'text', phone, content: 'Hi' } })
    const wamid = String(id)
    const { account } = second
    const about = { account, wamid, to: { phone }, at: service.ctx.now() }
    expect(await post(statusCallback({ ...about, status: 'delivered' }))).toBe(200)
    const { message } = await client.ok('getMessage', { path: { id: wamid } })
    expect(message).toMatchObject({ status: 'delivered' })
  })

  it('brings what is for a business account to each of its projects', async () => {
    const store = ({ project }: Connected, id: string) =>
      storeTemplate(service, project, {
        ...{ id, name: 'offer', components: [body('Hi.')], status: 'PENDING' },
      })
    const all = [first, second, third]
    for (const one of all) await store(one, '1689556908129835')
    const tell = ({ account }: Connected, status: string) =>
      post(
        templateStatusCallback({
          ...{ account, templateId: '1689556908129835', name: 'offer', language: 'en_US' },
          ...{ status, at: service.ctx.now() },
        }),
      )
    const statuses = async () => {
      const path = { id: '1689556908129835' }
      const found = all.map(({ project }) => project.client.ok('getTemplate', { path }))
      return (await Promise.all(found)).map(({ template }) => template.status)
    }
    expect(await tell(third, 'APPROVED')).toBe(200)
    expect(await statuses()).toEqual(['PENDING', 'APPROVED', 'APPROVED'])
    expect(await tell(first, 'REJECTED')).toBe(200)
    expect(await statuses()).toEqual(['REJECTED', 'APPROVED', 'APPROVED'])
  })

  it('keeps what a project cannot read for that project alone', async () => {
    const strange = { field: 'calls', value: { metadata: { phone_number_id: '103' } } }
    const entry = [{ id: '202', changes: [strange] }]
    expect(await post({ object: 'whatsapp_business_account', entry })).toBe(200)
    expect(await unreadOf(first)).toEqual([])
    const [kept] = await unreadOf(third)
    expect(kept?.[0]).toBe('nothing acts on "calls"')
    expect(JSON.parse(kept?.[1] ?? '')).toMatchObject({ entry })
  })

  it.each<[string, object]>([
    ['another app', { appId: '99' }],
    ['another secret of the app', { appSecret: 'other' }],
  ])('brings nothing to a project that is connected with %s', async (_, differing) => {
    const other = await connected('104', '204', differing)
    const phone = '+15556660004'
    expect(await post(hello(other, phone))).toBe(200)
    expect(await conversationsOf(other, phone)).toEqual([])
    expect((await unreadOf(first)).at(-1)?.[0]).toContain('another phone number (104)')
  })

  it('brings what is for a number to one project, the oldest that trusts the app’s secret', async () => {
    const stale = await connected('105', '205', { appSecret: 'former' })
    const older = await connected('105', '205')
    const younger = await connected('105', '205')
    const phone = '+15556660005'
    await post(hello(older, phone))
    for (const [one, count] of [
      [stale, 0],
      [older, 1],
      [younger, 0],
    ] as const) {
      expect(await conversationsOf(one, phone)).toHaveLength(count)
    }
    await projects.setStatus(service.ctx, older.project.id, 'deleted')
    await post(hello(younger, '+15556660006'))
    expect(await conversationsOf(younger, '+15556660006')).toHaveLength(1)
  })

  it('answers no 200 until every project has its part', async () => {
    const phone = '+15556660007'
    const { sql } = service.ctx
    const [one, two] = [hello(first, phone), hello(second, phone)]
    const payload = { ...one, entry: [...one.entry, ...two.entry] }
    await sql.rows(
      statement(
        'test-hinder',
        `ALTER TABLE conversations ADD CONSTRAINT hindered
      CHECK (project_id <> '${second.project.id}') NOT VALID`,
      ),
      [],
    )
    expect(await post(payload)).toBe(500)
    await sql.rows(
      statement('test-relieve', 'ALTER TABLE conversations DROP CONSTRAINT hindered'),
      [],
    )
    expect(await post(payload)).toBe(200)
    expect(await conversationsOf(first, phone)).toHaveLength(1)
    expect(await conversationsOf(second, phone)).toHaveLength(1)
  })
})
