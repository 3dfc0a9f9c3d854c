import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  flowStatusCallback,
  inboundCallback,
  type SandboxAccount,
  statusCallback,
} from '../../channel/sandbox-callbacks.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { statementsOf } from '../support/statements.ts'
import { body, header, storeTemplate } from '../support/templates.ts'

/** For news of templates of every kind; more would mean that each has statements of its own. */
const STATEMENTS_MAX = 9

let service: TestService

beforeAll(async () => {
  service = await startTestService({ behindMs: 60_000 })
})
afterAll(() => service.stop())

type Entry = { id: string; time?: number; changes: { field: string; value: unknown }[] }
type Payload = { entry: Entry[] }
const joined = (payloads: Payload[]) => ({
  object: 'whatsapp_business_account',
  entry: payloads.flatMap(({ entry }) => entry),
})

const seconds = () => Math.floor(service.ctx.now().getTime() / 1000)
type News = { id: string; name: string; field: string; value: object; time?: number }
/** A callback of one piece of news; the template's id is a number, as the channel sends it. */
function news(businessAccountId: string, { id, name, field, value, time = seconds() }: News) {
  const named = {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: 'en_US',
  }
  const changes = [{ field, value: { ...named, ...value } }]
  const entry = [{ id: businessAccountId, time, changes }]
  return { object: 'whatsapp_business_account', entry }
}

const status = (event: string, more: object = {}) => ({
  field: 'message_template_status_update',
  value: { event, ...more },
})
const KINDS = [
  () => status('APPROVED', { message_template_category: 'MARKETING' }),
  () => status('REJECTED', { reason: 'SCAM' }),
  () => status('PAUSED'),
  () => status('LEVITATED'),
  () => ({ field: 'template_category_update', value: { new_category: 'MARKETING' } }),
  () => ({ field: 'template_category_update', value: { new_category: 'UTILITY' } }),
  (n: number) => ({
    field: 'message_template_components_update',
    value: { message_template_title: 'New', message_template_element: `Now ${n % 3}.` },
  }),
  () => ({
    field: 'message_template_quality_update',
    value: { previous_quality_score: 'GREEN', new_quality_score: 'RED' },
  }),
]

describe('news of templates in one callback', () => {
  /** Of so many templates: those that are here, that are not, and that are deleted. */
  async function tell(count: number) {
    const project = await service.project()
    const { businessAccountId } = await service.account(project.id)
    await subscribe(project, ['template.approved', 'template.rejected'])
    const payloads: Payload[] = []
    for (let n = 0; n < count; n++) {
      const named = { id: String(700_000 + n), name: `template_${n}` }
      const parts = { ...named, status: 'PENDING', components: [body('Hi.')] }
      if (n % 3 > 0) await storeTemplate(service, project, parts)
      const kinds = n % 3 > 1 ? [...KINDS, () => status('DELETED')] : KINDS
      payloads.push(...kinds.map((kind) => news(businessAccountId, { ...named, ...kind(n) })))
    }
    const names = await statementsOf(service, async () =>
      expect(await service.callback(project.id, joined(payloads))).toBe(200),
    )
    const { templates } = await project.client.ok('listTemplates', { query: { limit: 100 } })
    expect(templates).toHaveLength(count / 3)
    expect(new Set(templates.map((one) => one.status))).toEqual(new Set(['PAUSED']))
    return names.filter((name) => !/account/.test(name))
  }

  it('costs as many statements for 120 of them as for three', async () => {
    const few = await tell(3)
    expect(few.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    expect(await tell(120)).toEqual(few)
  })
})

describe('news of flows in one callback', () => {
  async function tell(count: number) {
    const project = await service.project()
    const account = await service.account(project.id)
    const payloads: Payload[] = []
    for (let n = 0; n < count; n++) {
      const flowId = String(800_000 + n)
      if (n % 2 > 0) await storeFlow(service, project, { id: flowId, status: 'draft' })
      const at = service.ctx.now()
      for (const to of ['PUBLISHED', 'LEVITATING', 'DEPRECATED']) {
        payloads.push(flowStatusCallback({ account, flowId, from: 'DRAFT', to, at }))
      }
    }
    const names = await statementsOf(service, async () =>
      expect(await service.callback(project.id, joined(payloads))).toBe(200),
    )
    const { flows } = await project.client.ok('listFlows', { query: { limit: 100 } })
    expect(flows.map((one) => one.status)).toEqual(flows.map(() => 'deprecated'))
    expect(flows).toHaveLength(count / 2)
    return names
  }

  it('costs as many statements for 120 of them as for two', async () => {
    expect(await tell(120)).toEqual(await tell(2))
  })
})

describe('a callback of many things', () => {
  const PHONES = ['+15557770001', '+15557770002', '+15557770003']
  const TEMPLATES = Array.from({ length: 8 }, (_, n) => String(900_000 + n))
  const FLOWS = ['910001', '910002', '910003']

  /** A project with some of the templates and flows, one of which was told of by a clock that had leapt. */
  async function open() {
    const project = await service.project()
    const hooks = [
      await subscribe(project, ['template.approved', 'template.rejected']),
      await subscribe(project, ['message.received']),
    ]
    for (const [n, id] of TEMPLATES.slice(0, 6).entries()) {
      const components = [header('TEXT', 'Old'), body('Hi.')]
      await storeTemplate(service, project, { id, name: `t${id}`, status: 'PENDING', components })
      const at = new Date((seconds() + [0, 1, 7_200][n % 3]!) * 1000)
      const made = { createdAt: new Date((seconds() - n) * 1000), updatedAt: new Date(0) }
      const where = { projectId_id: { projectId: project.id, id } }
      await service.ctx.db.template.update({ where, data: { ...made, statusAt: at } })
    }
    for (const id of FLOWS.slice(0, 2)) {
      await storeFlow(service, project, { id, status: 'draft' })
      const where = { projectId_id: { projectId: project.id, id } }
      await service.ctx.db.flow.update({
        where,
        data: { createdAt: new Date(0), updatedAt: new Date(0) },
      })
    }
    return { project, hooks, account: await service.account(project.id) }
  }

  const TIMES = [-3, -2, -1, 0, 0, 0, 1, 2, 3_600]
  function makeNews(random: Random, n: number): (account: SandboxAccount) => Payload {
    const id = random.pick(TEMPLATES)
    // With another id it is found by its name, or is of one that had it before.
    const told = random.pick([id, id, id, '5'])
    const time = seconds() + random.pick(TIMES)
    const isForeign = random.between(1, 6) === 1
    const said = random.between(1, 12) === 1 ? status('DELETED') : random.pick(KINDS)(n)
    return ({ businessAccountId }) =>
      news(isForeign ? '1' : businessAccountId, { id: told, name: `t${id}`, time, ...said })
  }

  /** So many things, each as a callback of its own to whatever project. */
  function makeAll(random: Random, count: number): ((account: SandboxAccount) => Payload)[] {
    const at = service.ctx.now()
    const texts = ['wamid.unknown']
    const all = Array.from({ length: count }, (_, n) => {
      const kind = random.pick(['template', 'template', 'flow', 'text', 'edit', 'status'] as const)
      const wamid = `wamid.${n}`
      const from = { phone: random.pick(PHONES), name: `Ana ${n}` }
      const flowId = random.pick(FLOWS)
      const to = random.pick(['PUBLISHED', 'DEPRECATED', 'DRAFT', 'LEVITATING'])
      const flowAt = new Date(at.getTime() + 1_000 * random.pick(TIMES))
      const text = { type: 'text', text: { body: `No. ${n}` } }
      const edit = { original_message_id: random.pick(texts), message: text }
      if (kind === 'text') texts.push(wamid)
      return {
        template: makeNews(random, n),
        flow: (account: SandboxAccount) =>
          flowStatusCallback({ account, flowId, from: 'DRAFT', to, at: flowAt }),
        text: (account: SandboxAccount) =>
          inboundCallback({ account, from, message: text, wamid, at }),
        edit: (account: SandboxAccount) =>
          inboundCallback({ account, from, message: { type: 'edit', edit }, wamid, at }),
        status: (account: SandboxAccount) =>
          statusCallback({ account, wamid: `x.${n % 3}`, status: 'read', to: from, at }),
      }[kind]
    })
    // The channel repeats some of it.
    return [...all, ...all.slice(0, count / 4)]
  }

  /** All that is to be seen of a project, but for what is numbered. */
  async function seen({ project, hooks }: Awaited<ReturnType<typeof open>>) {
    const where = { projectId: project.id }
    const { db } = service.ctx
    const told = await Promise.all(hooks.map(({ id }) => toldTo(service, id)))
    const { conversations } = await project.client.ok('listConversations')
    const order = { id: 'asc' } as const
    const rows = [
      await db.template.findMany({ where, orderBy: order }),
      await db.flow.findMany({ where, orderBy: order }),
      await db.parkedTemplateStatus.findMany({ where, orderBy: { name: 'asc' } }),
      await db.message.findMany({ where, orderBy: { wamid: 'asc' } }),
      await db.contact.findMany({ where, orderBy: { phone: 'asc' } }),
      await db.parkedStatus.findMany({ where, orderBy: { wamid: 'asc' } }),
    ].map((list) =>
      list.map((row) => {
        const id = 'id' in row && typeof row.id === 'string' ? row.id : null
        return { ...row, id, projectId: null, contactId: null, conversationId: null }
      }),
    )
    return {
      rows,
      heard: await db.heardNews.count({ where }),
      unread: conversations.map(({ contact, unread_count: n }) => [contact.phone, n]).sort(),
      templates: told[0]!.map(({ event, data, subject }) => ({ event, data, subject })),
      received: told[1]!.length,
    }
  }

  it.each([1, 2, 3, 4, 5, 6])(
    'comes to what they come to one by one, in the same order: %d',
    async (seed) => {
      const [whole, single] = [await open(), await open()]
      const all = makeAll(seededRandom(seed), 120)
      const payload = joined(all.map((make) => make(whole.account)))
      expect(await service.callback(whole.project.id, payload)).toBe(200)
      for (const make of all) {
        expect(await service.callback(single.project.id, make(single.account))).toBe(200)
      }
      expect(await seen(whole)).toEqual(await seen(single))
      // And once more, of which none is news.
      const before = await seen(whole)
      expect(await service.callback(whole.project.id, payload)).toBe(200)
      expect(await seen(whole)).toEqual(before)
    },
  )
})
