import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import {
  KILLED,
  type QuietChannel,
  startCrashingServer,
  startQuietChannel,
} from '../support/crashing.ts'
import { attemptsOf, budgetOf, sendAs, templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const KEY = { 'idempotency-key': 'order-1042' }
const PHONE = '+15558880001'
/** The sandbox refuses what is sent to it, as something that may pass. */
const REFUSED = '+15558880011'

/** The service that survives; the one that crashes is a process of its own on the same database. */
let service: TestService
let channel: QuietChannel

beforeAll(async () => {
  service = await startTestService()
  channel = await startQuietChannel(service)
})
afterAll(async () => {
  await channel.close()
  await service.stop()
})

async function connectedProject(): Promise<TestProject> {
  const project = await service.project()
  await channel.connect(project)
  return project
}

/** Sends to a server that dies in that step; resolves when it has. */
async function sendAndCrash(step: string, project: TestProject, body: object): Promise<void> {
  const server = await startCrashingServer(service, step)
  await expect(sendAs(server, project.key, body, KEY)).rejects.toThrow('fetch failed')
  expect(await server.exited).toEqual(KILLED)
}

/** The channel reports that the last send of a project has been delivered. */
async function report(project: TestProject): Promise<string> {
  const { wamid, body } = channel.requestsOf(project).at(-1)!
  const delivered = statusCallback({
    account: await service.account(project.id),
    wamid: wamid!,
    at: service.ctx.now(),
    attemptId: String(body.biz_opaque_callback_data),
    status: 'delivered' as const,
    to: { phone: PHONE },
  })
  expect(await service.callback(project.id, delivered)).toBe(200)
  return wamid!
}

const endLocks = statement(
  'test-end-locks',
  `UPDATE idempotency_records SET locked_until = now() - interval '1 ms' WHERE project_id = $1`,
)

const send = (project: TestProject, body: object) => sendAs(service, project.key, body, KEY)
const usedBy = async ({ id }: TestProject) => (await budgetOf(service, id)).used
const textTo = (phone: string) => ({ type: 'text', phone, content: 'Your order is on its way.' })
const messagesTo = async ({ client }: TestProject, phone: string) => {
  const { conversations } = await client.ok('listConversations', { query: { phone } })
  expect(conversations).toHaveLength(1)
  const path = { id: conversations[0]!.id }
  const { messages } = await client.ok('listConversationMessages', { path })
  return messages.filter(({ direction }) => direction === 'outbound')
}

describe.each(['after:begin-sends', 'before:send'])('a server that dies in the step %s', (step) => {
  it('leaves a key that is free when its lock is over, for the one send that there is', async () => {
    const project = await connectedProject()
    await service.customer(project, { phone: PHONE })
    await sendAndCrash(step, project, textTo(PHONE))

    expect((await send(project, textTo(PHONE))).code).toBe('idempotency_in_progress')
    await service.ctx.sql.rows(endLocks, [project.id])
    const sent = await send(project, textTo(PHONE))
    const again = await send(project, textTo(PHONE))
    expect([sent.status, again.text, again.isReplay]).toEqual([200, sent.text, true])
    expect(channel.requestsOf(project)).toHaveLength(1)
    expect(await messagesTo(project, PHONE)).toMatchObject([{ wamid: sent.wamid }])
    // Nobody can tell that the channel never heard of the first one: it keeps its place.
    expect(await attemptsOf(service, project.id)).toHaveLength(1)
    expect(await usedBy(project)).toBe(2)
  })
})

describe.each(['after:send', 'before:record-sends'])(
  'a server that dies in the step %s',
  (step) => {
    it('has sent once, and the channel’s report makes the answer', async () => {
      const project = await connectedProject()
      await service.customer(project, { phone: PHONE })
      await sendAndCrash(step, project, textTo(PHONE))

      expect((await send(project, textTo(PHONE))).code).toBe('idempotency_in_progress')
      const wamid = await report(project)
      await service.ctx.sql.rows(endLocks, [project.id])
      const answers = await Promise.all([1, 2, 3].map(() => send(project, textTo(PHONE))))
      const again = await send(project, textTo(PHONE))
      expect(new Set([...answers, again].map(({ text }) => text)).size).toBe(1)
      expect([again.status, again.wamid, again.isReplay]).toEqual([200, wamid, true])
      expect(channel.requestsOf(project)).toHaveLength(1)
      expect(await messagesTo(project, PHONE)).toMatchObject([{ wamid, status: 'delivered' }])
      expect([await attemptsOf(service, project.id), await usedBy(project)]).toEqual([[], 1])
    })
  },
)

it('a server that dies when it has recorded a send, before it answers, leaves the answer to replay', async () => {
  const project = await connectedProject()
  await service.customer(project, { phone: PHONE })
  await sendAndCrash('after:record-sends', project, textTo(PHONE))

  const answer = await send(project, textTo(PHONE))
  const wamid = await report(project)
  expect([answer.status, answer.wamid, answer.isReplay]).toEqual([200, wamid, true])
  expect((await send(project, textTo(PHONE))).text).toBe(answer.text)
  expect(channel.requestsOf(project)).toHaveLength(1)
  expect(await messagesTo(project, PHONE)).toMatchObject([{ wamid, status: 'delivered' }])
  expect([await attemptsOf(service, project.id), await usedBy(project)]).toEqual([[], 1])
})

it('a server that dies before it has claimed the key leaves nothing at all', async () => {
  const project = await connectedProject()
  await service.customer(project, { phone: PHONE })
  await sendAndCrash('before:begin-sends', project, textTo(PHONE))

  expect(await attemptsOf(service, project.id)).toEqual([])
  const sent = await send(project, textTo(PHONE))
  expect([sent.status, sent.isReplay]).toEqual([200, false])
  expect([channel.requestsOf(project).length, await usedBy(project)]).toEqual([1, 1])
})

describe.each([
  { step: 'before:drop-attempt', isLocked: true, used: 1 },
  { step: 'after:drop-attempt', isLocked: true, used: 0 },
  { step: 'before:release-idempotency-key', isLocked: true, used: 0 },
  { step: 'after:release-idempotency-key', isLocked: false, used: 0 },
])('a server that dies in the step $step of a refusal', ({ step, isLocked, used }) => {
  it('keeps the key for no longer than its lock, and gives the place back at most once', async () => {
    const project = await connectedProject()
    await service.customer(project, { phone: REFUSED })
    await sendAndCrash(step, project, textTo(REFUSED))

    if (isLocked) {
      expect((await send(project, textTo(REFUSED))).code).toBe('idempotency_in_progress')
      await service.ctx.sql.rows(endLocks, [project.id])
    }
    expect(await usedBy(project)).toBe(used)
    // It was refused, so it may be asked for anew, and is refused anew.
    expect((await send(project, textTo(REFUSED))).status).toBe(502)
    expect([channel.requestsOf(project).length, await usedBy(project)]).toEqual([2, used])
    expect(await messagesTo(project, REFUSED)).toEqual([])
  })
})

describe.each([
  { step: 'before:complete-idempotency-record', isLocked: true },
  { step: 'after:complete-idempotency-record', isLocked: false },
])('a server that dies in the step $step of a 4xx', ({ step, isLocked }) => {
  it('leaves the one answer, which everyone gets', async () => {
    const project = await connectedProject()
    await sendAndCrash(step, project, textTo(PHONE))

    if (isLocked) {
      expect((await send(project, textTo(PHONE))).code).toBe('idempotency_in_progress')
      await service.ctx.sql.rows(endLocks, [project.id])
    }
    const first = await send(project, textTo(PHONE))
    await service.customer(project, { phone: PHONE })
    const second = await send(project, textTo(PHONE))
    expect([first.code, second.text, second.isReplay]).toEqual([
      'outside_24h_window',
      first.text,
      true,
    ])
    expect([channel.requestsOf(project), await usedBy(project)]).toEqual([[], 0])
  })
})

describe.each(['before:ensure-customer', 'after:ensure-customer'])(
  'a server that dies in the step %s of a template to a new number',
  (step) => {
    it('leaves a send that starts anew, in one conversation', async () => {
      const project = await connectedProject()
      const body = await templateOf(service, project.id, { phone: PHONE })
      await sendAndCrash(step, project, body)

      const sent = await send(project, body)
      expect([sent.status, sent.isReplay]).toEqual([200, false])
      expect((await send(project, body)).text).toBe(sent.text)
      expect([channel.requestsOf(project).length, await usedBy(project)]).toEqual([1, 1])
      expect(await messagesTo(project, PHONE)).toMatchObject([{ wamid: sent.wamid }])
    })
  },
)
