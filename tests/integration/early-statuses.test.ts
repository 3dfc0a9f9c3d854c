import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newWamid, type SandboxAccount, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { permutations } from '../support/random.ts'
import { templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

type Status = 'sent' | 'delivered' | 'read' | 'failed'
const MARKETING_STOPPED = 131050

const stub = createStubChannel()
let service: TestService
let project: TestProject
let account: SandboxAccount
let webhookId: string
beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
  project = await service.project()
  account = await service.account(project.id)
  webhookId = (await subscribe(project, ['message.status'])).id
  await templateOf(service, project.id)
})
afterAll(() => service.stop())

// In Benin a 01 came before every number, and the channel goes on calling customers without it.
const dialled = (n: number) => `+2290197${n}`
const writtenFrom = (n: number) => `+22997${n}`
/** What each status tells of its customer: one the number, the next the user id, some both. */
const toldBy = (n: number) => ({
  sent: { phone: writtenFrom(n), userId: '' },
  delivered: { userId: `BJ.${n}` },
  read: { phone: dialled(n), userId: '' },
  failed: { phone: writtenFrom(n), userId: `BJ.${n}` },
})
const SECOND = { sent: 1, delivered: 2, read: 3, failed: 4 }

let customers = 100_000
/** What is seen once a send was recorded after some statuses of its message, and before others. */
async function outcome(early: Status[], late: Status[]) {
  const n = ++customers
  const wamid = newWamid('7')
  const report = async (status: Status) => {
    const at = new Date(service.ctx.now().getTime() + SECOND[status] * 1000)
    const told = { account, wamid, status, at, errorCode: MARKETING_STOPPED, to: toldBy(n)[status] }
    expect(await service.callback(project.id, statusCallback(told))).toBe(200)
  }
  stub.answerEach(async () => {
    for (const status of early) await report(status)
    return { outcome: 'accepted', wamid, waId: null, userId: null }
  })
  const template = { template_name: 'greeting', language: 'en_US', variables: { '1': 'Ana' } }
  const body = { type: 'template' as const, phone: dialled(n), ...template }
  await project.client.ok('sendMessage', { body })
  for (const status of late) await report(status)

  const { message } = await project.client.ok('getMessage', { path: { id: wamid } })
  const contact = await service.ctx.db.contact.findFirstOrThrow({
    where: { projectId: project.id, phone: dialled(n) },
  })
  const { status, error, sent_at, delivered_at, read_at, failed_at } = message
  return {
    wamid,
    message: { status, error, sent_at, delivered_at, read_at, failed_at },
    contact: {
      isNumbered: contact.waId === writtenFrom(n).slice(1),
      isIdentified: contact.userId === `BJ.${n}`,
      optedIn: contact.optedIn,
    },
  }
}

type Step = { message_id: string; status: string; error: unknown; occurred_at: string }

const orders = permutations(['record', 'sent', 'delivered', 'read', 'failed'] as const)

it('statuses that come before their send is recorded end as those that come after it, in every order', async () => {
  const lasting = new Map<string, Awaited<ReturnType<typeof outcome>>>()
  const pairs: [string, string][] = []
  for (const order of orders) {
    const at = order.indexOf('record')
    const [early, late] = [order.slice(0, at), order.slice(at + 1)] as [Status[], Status[]]
    // Those that waited together are put in the order of the channel's clock.
    const after = [...early.toSorted((a, b) => SECOND[a] - SECOND[b]), ...late]
    const { wamid: expectedWamid, ...expected } =
      lasting.get(after.join()) ?? (await outcome([], after))
    lasting.set(after.join(), { wamid: expectedWamid, ...expected })
    const { wamid, ...seen } = await outcome(early, late)
    expect({ order, ...seen }).toEqual({ order, ...expected })
    expect(expected.contact).toMatchObject({ isNumbered: true, isIdentified: true })
    pairs.push([wamid, expectedWamid])
  }
  const told = (await toldTo(service, webhookId)).map(({ data }) => data as Step)
  const stepsOf = (wamid: string) =>
    told
      .filter((step) => step.message_id === wamid)
      .map(({ status, error, occurred_at }) => ({ status, error, occurred_at }))
  for (const [wamid, expected] of pairs) expect(stepsOf(wamid)).toEqual(stepsOf(expected))
})
