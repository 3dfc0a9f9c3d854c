import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import { sandboxErrors } from '../../channel/sandbox-outcomes.ts'
import { statement } from '../../core/sql.ts'
import { customerOf } from '../support/customers.ts'
import { failing } from '../support/failing-sql.ts'
import { sendAs } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { until } from '../support/until.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const countAttempts = statement(
  'test-count-attempts',
  'SELECT count(*) FROM send_attempts WHERE project_id = $1',
)
const attemptsOf = async ({ id }: TestProject) =>
  Number((await service.ctx.sql.rows(countAttempts, [id]))[0]?.[0])

describe('a message that the channel takes', () => {
  it.each([
    ['0001', '131026', false],
    ['0002', '131047', false],
    ['0003', '131049', true],
    ['0004', '131050', false],
    ['0005', '130472', false],
    ['0006', '131048', true],
    ['0007', '131053', false],
  ])('and fails later (%s) carries the error %s', async (ending, code, retryable) => {
    const customer = await customerOf(service, project, `+1555777${ending}`)
    const sent = await project.client.ok('sendMessage', { body: customer.body })
    await service.sandbox.idle()

    const { title, details } = sandboxErrors[Number(code)]!
    expect(await customer.outbound()).toMatchObject([
      {
        wamid: sent.id,
        status: 'failed',
        error: { code, title, details, retryable },
        failed_at: expect.any(String),
        delivered_at: null,
        read_at: null,
      },
    ])
  })

  it.each([
    ['0008', 'delivered', ['sent_at', 'delivered_at'], ['read_at']],
    ['0009', 'read', ['sent_at', 'read_at'], ['delivered_at']],
    ['0010', 'read', ['sent_at', 'delivered_at', 'read_at'], []],
    ['0018', 'read', ['sent_at', 'delivered_at', 'read_at'], []],
    ['0021', 'read', ['sent_at', 'delivered_at', 'read_at'], []],
  ])('as %s does appears once and ends as %s', async (ending, status, filled, empty) => {
    const customer = await customerOf(service, project, `+1555777${ending}`)
    const sent = await project.client.ok('sendMessage', { body: customer.body })
    await service.sandbox.idle()

    const [message, ...others] = await customer.outbound()
    expect(others).toEqual([])
    expect(message).toMatchObject({ wamid: sent.id, status, error: null, failed_at: null })
    for (const field of filled) expect(message).toHaveProperty(field, expect.any(String))
    for (const field of empty) expect(message).toHaveProperty(field, null)
  })

  it('for a Mexican customer stays in one conversation, whichever form the channel names', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+525512340022')
    await own.client.ok('sendMessage', { body: customer.body })
    await service.sandbox.idle()
    await service.customer(own, { phone: '+5215512340022', text: 'Reply' })

    expect((await own.client.ok('listConversations')).conversations).toHaveLength(1)
    expect(await customer.outbound()).toMatchObject([{ status: 'read' }])
  })
})

describe('the instant at which a message was sent', () => {
  it('is a whole second, as the channel’s are: it was delivered no earlier', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770104')
    service.advance(750)
    const { id } = await own.client.ok('sendMessage', { body: customer.body })
    await service.sandbox.idle()
    service.advance(250)
    const [message] = await customer.outbound()
    const [sentAt, deliveredAt] = [message?.sent_at, message?.delivered_at].map((at) =>
      Date.parse(at ?? ''),
    )
    expect(message).toMatchObject({ wamid: id, sent_at: expect.stringMatching(/\.000Z$/) })
    expect(deliveredAt).toBeGreaterThanOrEqual(sentAt!)
  })
})

describe('a message that the channel takes, and that cannot be written down at first', () => {
  const HEADERS = { 'idempotency-key': 'the-key' }
  const endLocks = statement(
    'test-end-locks',
    `UPDATE idempotency_records SET locked_until = now() - interval '1 ms' WHERE project_id = $1`,
  )

  /** A process that so many writings of what was sent fail for, and a channel that reports nothing. */
  async function failingProcess(times: number) {
    const stub = createStubChannel()
    const other = await startTestService({
      databaseUrl: service.databaseUrl,
      replaced: { channel: stub.channel },
    })
    const { sql, failed } = failing(other.ctx.sql, { 'record-sends': times })
    other.ctx.sql.rows = sql.rows
    return { ...other, sends: stub.sends, failed }
  }

  it('is so as soon as it can be, and not sent again when the lock of its key is over', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770101')
    const other = await failingProcess(1)
    const sent = await sendAs(other, own.key, customer.body, HEADERS)
    expect(sent.status).toBe(200)
    await until(async () => (await attemptsOf(own)) === 0, 'the message')
    await service.ctx.sql.rows(endLocks, [own.id])
    const { text } = await sendAs(other, own.key, customer.body, HEADERS)
    expect(text).toBe(sent.text)
    expect(other.sends).toHaveLength(1)
    expect(await customer.outbound()).toMatchObject([{ wamid: sent.wamid, status: 'sent' }])
    await other.stop()
  })

  it('has the status that came meanwhile, without waiting for a sweep', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770103')
    const other = await failingProcess(Infinity)
    const { wamid } = await sendAs(other, own.key, customer.body)
    const account = await service.account(own.id)
    const at = service.ctx.now()
    const told = { account, wamid: wamid!, status: 'delivered' as const, at }
    await service.callback(own.id, statusCallback({ ...told, to: { phone: customer.body.phone } }))
    expect(await customer.outbound()).toEqual([])
    other.ctx.sql.rows = service.ctx.sql.rows
    await other.stop()
    expect(await customer.outbound()).toMatchObject([{ wamid, status: 'delivered' }])
  })

  it('is waited for by a process that stops', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770102')
    const other = await failingProcess(2)
    const { wamid } = await sendAs(other, own.key, customer.body, HEADERS)
    await until(() => other.failed('record-sends') === 2, 'the second failure')
    await other.stop()
    expect(await customer.outbound()).toMatchObject([{ wamid, status: 'sent' }])
  })
})

describe('a message that the channel refuses', () => {
  it.each([
    ['0011', 130429, true],
    ['0012', 131056, true],
    ['0013', 131000, true],
    ['0020', 131026, false],
  ])('(%s) is 502 upstream_error, and nothing is recorded', async (ending, code, retryable) => {
    const customer = await customerOf(service, project, `+1555777${ending}`)
    const before = await customer.conversation()
    const { body } = customer
    const refusal = await project.client.refused('sendMessage', 'upstream_error', { body })

    expect(refusal.status).toBe(502)
    expect(refusal.details).toEqual({ outcome: 'refused', channel_code: code, retryable })
    expect(refusal.message).toContain(sandboxErrors[code]!.title)
    expect(await customer.outbound()).toEqual([])
    expect(await customer.conversation()).toEqual(before)
    expect(await attemptsOf(project)).toBe(0)
  })

  it('because of its credentials is 502 upstream_auth_error, and nothing is recorded', async () => {
    const customer = await customerOf(service, project, '+15557770016')
    const { status, details } = await project.client.refused('sendMessage', 'upstream_auth_error', {
      body: customer.body,
    })
    expect(status).toBe(502)
    expect(details).toEqual({ outcome: 'refused', channel_code: 190, retryable: false })
    expect(await customer.outbound()).toEqual([])
    expect(await attemptsOf(project)).toBe(0)
  })
})

describe('a message of which nobody knows whether the channel took it', () => {
  it('is 502 upstream_error with the outcome unknown when a proxy answers with HTML', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770017')
    const { details } = await own.client.refused('sendMessage', 'upstream_error', {
      body: customer.body,
    })
    expect(details).toEqual({ outcome: 'unknown', channel_code: null, retryable: true })
    expect(await customer.outbound()).toEqual([])
    expect(await attemptsOf(own)).toBe(1)
  })

  it('appears once, with its status, as soon as a callback tells that it was taken', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770014')
    const body = { ...customer.body, client_ref: 'cut' }
    const sent = await own.client.send('sendMessage', { body })
    // Where the callback is faster than the cut, the send has succeeded.
    if (sent.status !== 200) {
      expect(sent.body).toMatchObject({ error: { details: { outcome: 'unknown' } } })
    }

    await service.sandbox.idle()
    const messages = await customer.outbound()
    expect(messages).toMatchObject([{ content: 'Hello', status: 'read', client_ref: 'cut' }])
    expect(await customer.conversation()).toMatchObject({ last_message: { id: messages[0]?.id } })
    expect(await attemptsOf(own)).toBe(0)
  })

  it('counts as sent when it was, and as read nothing that came since', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770017')
    await own.client.refused('sendMessage', 'upstream_error', { body: customer.body })
    const attemptId = String(service.sandbox.requests.at(-1)?.body.biz_opaque_callback_data)
    service.advance(60_000)
    const at = service.ctx.now()
    service.advance(3_600_000)
    const account = await service.account(own.id)
    await service.customer(own, { phone: '+15557770017', text: 'Anyone?' })
    const delivered = { account, wamid: 'wamid.late', to: { phone: '+15557770017' }, at, attemptId }
    await service.callback(own.id, statusCallback({ ...delivered, status: 'delivered' }))

    const [message] = await customer.outbound()
    expect(await customer.conversation()).toMatchObject({
      unread_count: 2,
      last_activity_at: service.ctx.now().toISOString(),
    })
    expect(message).toMatchObject({ status: 'delivered', delivered_at: at.toISOString() })
    expect(Date.parse(message!.sent_at!)).toBeLessThanOrEqual(at.getTime() - 60_000)
  })

  it('is not made a message by what another project’s channel tells', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770017')
    await own.client.refused('sendMessage', 'upstream_error', { body: customer.body })
    const attemptId = String(service.sandbox.requests.at(-1)?.body.biz_opaque_callback_data)
    const other = await service.project()
    const account = await service.account(other.id)
    const told = { account, wamid: 'wamid.foreign', to: { phone: '+15557770017' }, attemptId }
    const delivered = { ...told, status: 'delivered' as const, at: service.ctx.now() }
    expect(await service.callback(other.id, statusCallback(delivered))).toBe(200)

    for (const { client } of [own, other]) {
      await client.refused('getMessage', 'not_found', { path: { id: 'wamid.foreign' } })
    }
    expect(await customer.outbound()).toEqual([])
    expect(await attemptsOf(own)).toBe(1)
  })

  it('is one message, in capitals or not as its attempt may come back', async () => {
    const own = await service.project()
    const customer = await customerOf(service, own, '+15557770017')
    await own.client.refused('sendMessage', 'upstream_error', { body: customer.body })
    const attemptId = String(service.sandbox.requests.at(-1)?.body.biz_opaque_callback_data)
    const account = await service.account(own.id)
    const sent = { account, to: { phone: '+15557770017' }, at: service.ctx.now() }
    const report = (wamid: string, named: string) =>
      statusCallback({ ...sent, wamid, attemptId: named, status: 'sent' })
    const both = report('wamid.capitals', attemptId.toUpperCase())
    both.entry.push(...report('wamid.usual', attemptId).entry)
    expect(await service.callback(own.id, both)).toBe(200)

    expect(await customer.outbound()).toMatchObject([{ wamid: 'wamid.usual', status: 'sent' }])
    expect(await attemptsOf(own)).toBe(0)
  })
})
