import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { startSandbox } from '../../channel/sandbox.ts'
import type { Sandbox, SandboxOptions } from '../../channel/sandbox.ts'
import { sandboxOutcomes } from '../../channel/sandbox-outcomes.ts'
import type { Channel } from '../../core/ports.ts'
import {
  accessToken,
  channelAccount,
  listenForCallbacks,
  phoneNumberId,
  sandboxAccount,
  textTo,
} from '../support/channel.ts'

type Receiver = Awaited<ReturnType<typeof listenForCallbacks>>

let channel: Channel
let receiver: Receiver
let sandbox: Sandbox
let problems: string[]

beforeEach(async () => {
  problems = []
  receiver = await listenForCallbacks()
  channel = createCloudApi({ timeoutMs: 5_000 })
  sandbox = await start()
})

afterEach(async () => {
  await channel.close()
  await sandbox.close()
  await receiver.close()
})

function start(more: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const account = sandboxAccount(receiver.url)
  return startSandbox({
    findAccount: (_by, id) => Promise.resolve(id === phoneNumberId ? account : null),
    timing: { sentMs: 0, deliveredMs: 20, readMs: 40 },
    slowMs: 50,
    retryDelaysMs: [1, 2],
    onProblem: (message) => problems.push(message),
    ...more,
  })
}

async function restart(more: Partial<SandboxOptions>): Promise<void> {
  await sandbox.close()
  sandbox = await start(more)
}

function send(phone: string) {
  return channel.send(channelAccount(sandbox.url), textTo(phone))
}

async function statusesOf(phone: string): Promise<string[]> {
  await send(phone)
  await sandbox.idle()
  return receiver.statuses.map(({ status }) => status)
}

describe('a message to a usual number', () => {
  it('is accepted, then sent, delivered and read, and each status names the attempt', async () => {
    const outcome = await send('+5215512345678')
    await sandbox.idle()

    expect(outcome).toEqual({
      outcome: 'accepted',
      wamid: expect.stringMatching(/^wamid\.[A-Za-z0-9+/=]+$/),
      waId: '5215512345678',
      userId: null,
    })
    const wamid = outcome.outcome === 'accepted' ? outcome.wamid : ''
    const common = { wamid, attemptId: 'att_1', waId: '5215512345678', error: null }
    expect(receiver.statuses).toMatchObject([
      { ...common, status: 'sent' },
      { ...common, status: 'delivered' },
      { ...common, status: 'read' },
    ])
    expect(receiver.faults).toEqual([])
    expect(problems).toEqual([])
  })

  it('is on record as it came', async () => {
    await send('+5215512345678')

    expect(sandbox.requests).toMatchObject([
      {
        phoneNumberId,
        body: {
          messaging_product: 'whatsapp',
          to: '+5215512345678',
          text: { body: 'Hello' },
          biz_opaque_callback_data: 'att_1',
        },
        errorCode: null,
      },
    ])
  })

  it('has no callbacks when they are turned off', async () => {
    await restart({ callbacks: false })

    expect(await statusesOf('+5215512345678')).toEqual([])
  })

  it('sent to a user id is answered and reported without a number', async () => {
    const to = { userId: 'MX.13491208655302741918' }
    const request = { ...textTo('+1'), to }

    const outcome = await channel.send(channelAccount(sandbox.url), request)
    await sandbox.idle()

    expect(outcome).toMatchObject({ outcome: 'accepted', waId: null, userId: to.userId })
    expect(receiver.statuses[0]).toMatchObject({ waId: null, userId: to.userId })
  })
})

describe('the last four digits of a number', () => {
  it.each([
    ['0001', '131026', false],
    ['0002', '131047', false],
    ['0003', '131049', true],
    ['0004', '131050', false],
    ['0005', '130472', false],
    ['0006', '131048', true],
    ['0007', '131053', false],
  ])('%s: accepted, then fails with %s', async (digits, code, retryable) => {
    const outcome = await send(`+521551234${digits}`)
    await sandbox.idle()

    expect(outcome.outcome).toBe('accepted')
    expect(receiver.statuses).toMatchObject([{ status: 'failed', error: { code, retryable } }])
  })

  it.each([
    ['0008', ['sent', 'delivered']],
    ['0009', ['sent', 'read']],
    ['0010', ['read', 'read', 'delivered', 'delivered', 'sent', 'sent']],
  ])('%s: accepted, with the callbacks %j', async (digits, expected) => {
    expect(await statusesOf(`+521551234${digits}`)).toEqual(expected)
  })

  it.each([
    ['0011', 130429, 'throughput', 400],
    ['0012', 131056, 'pair_rate', 400],
    ['0013', 131000, 'transient', 500],
    ['0016', 190, 'auth', 401],
    ['0020', 131026, 'recipient', 400],
  ])('%s: refused at once with %i', async (digits, code, kind, httpStatus) => {
    const outcome = await send(`+521551234${digits}`)
    await sandbox.idle()

    expect(outcome).toMatchObject({ outcome: 'refused', error: { code, kind, httpStatus } })
    expect(receiver.statuses).toEqual([])
  })

  it('0014: the answer is lost, and the callbacks tell that the message was taken', async () => {
    const outcome = await send('+5215512340014')
    await sandbox.idle()

    expect(outcome).toMatchObject({ outcome: 'unknown', error: { retryable: true } })
    expect(receiver.statuses).toMatchObject([
      { status: 'sent', attemptId: 'att_1' },
      { status: 'delivered' },
      { status: 'read' },
    ])
  })

  it('0015: the answer is late, and too late for an impatient client', async () => {
    const patient = await send('+5215512340015')
    const impatient = createCloudApi({ timeoutMs: 25 })
    const outcome = await impatient.send(channelAccount(sandbox.url), textTo('+5215512340015'))
    await impatient.close()

    expect(patient.outcome).toBe('accepted')
    expect(outcome).toMatchObject({ outcome: 'unknown', error: { kind: 'transient' } })
  })

  it("0017: a gateway's page leaves the outcome open", async () => {
    const outcome = await send('+5215512340017')

    expect(outcome).toMatchObject({ outcome: 'unknown', error: { code: null, httpStatus: 502 } })
  })

  it('0018: the first callback is there before the answer', async () => {
    await send('+5215512340018')
    const before = receiver.statuses.map(({ status }) => status)
    await sandbox.idle()

    expect(before).toEqual(['sent'])
    expect(receiver.statuses).toHaveLength(3)
  })

  it('0021: the customer is known by a user id only', async () => {
    const outcome = await send('+5215512340021')
    await sandbox.idle()

    const userId = expect.stringMatching(/^US\.\d{20}$/)
    expect(outcome).toMatchObject({ outcome: 'accepted', waId: null, userId })
    expect(receiver.statuses[0]).toMatchObject({ waId: null, userId })
  })

  it('0022: a Mexican customer is named by the other form of the number', async () => {
    expect(await send('+525512340022')).toMatchObject({ waId: '5215512340022' })
    expect(await send('+5215512340022')).toMatchObject({ waId: '525512340022' })
  })

  it('are each explained in a sentence', () => {
    for (const { does } of Object.values(sandboxOutcomes)) expect(does).toMatch(/^[A-Z].*\.$/)
  })
})

describe('the sandbox', () => {
  it("refuses a token that is not the number's, and a number that it does not know", async () => {
    const stranger = channelAccount(sandbox.url, { accessToken: 'other' })
    const nowhere = channelAccount(sandbox.url, { phoneNumberId: '1' })

    expect(await channel.send(stranger, textTo('+5215512345678'))).toMatchObject({
      outcome: 'refused',
      error: { kind: 'auth', code: 190, httpStatus: 401 },
    })
    expect(await channel.send(nowhere, textTo('+5215512345678'))).toMatchObject({
      outcome: 'refused',
      error: { code: 100, httpStatus: 400 },
    })
    expect(sandbox.requests).toEqual([])
  })

  it("answers 404 in the channel's envelope on any other path", async () => {
    const answer = await fetch(`${sandbox.url}/v25.0/me`, { method: 'GET' })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  })

  it('marks a message as read', async () => {
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.A' }
    const answer = await fetch(`${sandbox.url}/v25.0/${phoneNumberId}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(body),
    })

    expect(await answer.json()).toEqual({ success: true })
  })

  it('sends a callback again until it is answered with 200', async () => {
    const failing = await listenForCallbacks([500, 204])
    await restart({ findAccount: () => Promise.resolve(sandboxAccount(failing.url)) })

    await send('+5215512340001')
    await sandbox.idle()
    await failing.close()

    expect(failing.bodies).toHaveLength(3)
    expect(failing.bodies[2]).toEqual(failing.bodies[0])
    expect(failing.statuses).toHaveLength(1)
    expect(problems).toEqual([])
  })

  it('gives a callback up at last, and says so', async () => {
    await receiver.close()

    await send('+5215512340001')
    await sandbox.idle()

    expect(problems).toEqual([expect.stringMatching(/given up after 3 tries/)])
  })

  it('drops what is pending when it is closed', async () => {
    await restart({ timing: { sentMs: 3_600_000 } })

    await send('+5215512340001')
    await sandbox.close()

    await expect(sandbox.idle()).resolves.toBeUndefined()
    expect(receiver.statuses).toEqual([])
  })

  it('keeps a bounded record of requests', async () => {
    await restart({ callbacks: false })

    for (let at = 0; at < 1_010; at += 1) await send('+5215512345678')

    expect(sandbox.requests).toHaveLength(1_000)
  })
})
