import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { statement } from '../../core/sql.ts'
import { type Listening, listen } from '../support/channel.ts'
import { attemptsOf, budgetOf, sendAs, templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15550001234'
let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const text = (more: object = {}) => ({ type: 'text', phone: PHONE, content: 'Hello', ...more })
const send = (by: TestProject, body: object | string = text(), headers: object = {}) =>
  sendAs(service, by.key, body, { 'idempotency-key': 'the-key', ...headers })

async function projectWithCustomer() {
  const own = await service.project()
  await service.customer(own)
  return own
}

const countRecords = statement(
  'test-count-records',
  'SELECT count(*) FROM idempotency_records WHERE project_id = $1',
)
const recordsOf = async ({ id }: TestProject) =>
  Number((await service.ctx.sql.rows(countRecords, [id]))[0]?.[0])

const templateBody = (more: object = {}) => ({
  type: 'template',
  phone: PHONE,
  template_name: 'greeting',
  language: 'en_US',
  ...more,
})

/** The log's line of a request. */
const loggedAs = (requestId: string, { id }: TestProject) => {
  const lines = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines.findLast((line) => line.requestId === requestId && line.project === id)
}

describe('an answer that is stored', () => {
  it.each<[string, number, object, (own: TestProject) => Promise<unknown>]>([
    ['missing_recipient', 400, { type: 'text', content: 'a' }, async () => {}],
    ['invalid_phone', 400, text({ phone: '0612345678' }), async () => {}],
    ['not_found', 404, { type: 'text', content: 'a', conversation_id: 999_999 }, async () => {}],
    ['not_found', 404, text({ reply_to: '999999' }), async () => {}],
    ['missing_media', 400, { type: 'image', phone: PHONE }, async () => {}],
    ['media_not_found', 404, { type: 'image', phone: PHONE, media_slug: 'none' }, async () => {}],
    [
      'outside_24h_window',
      409,
      text({ phone: '+15550001999' }),
      (own) => service.customer(own, { phone: '+15550001999' }),
    ],
    [
      'template_not_found',
      404,
      templateBody({ variables: { '1': 'Ana' } }),
      (own) => templateOf(service, own.id),
    ],
    ['out_of_credits', 402, text(), (own) => projects.update(service.ctx, own.id, { credits: 10 })],
  ])('%s, %i, is replayed though its cause is gone', async (code, status, body, mend) => {
    const own = await projectWithCustomer()
    if (code === 'out_of_credits') await projects.update(service.ctx, own.id, { credits: 0 })
    const { length } = service.sandbox.requests
    const first = await send(own, body, { 'x-request-id': 'the-first' })
    await mend(own)
    const again = await send(own, body, { 'x-request-id': 'the-second' })

    expect(first).toMatchObject({ status, code, isReplay: false })
    expect(again).toMatchObject({ status, code, isReplay: true, text: first.text })
    expect(JSON.parse(again.text)).toMatchObject({ request_id: 'the-first' })
    expect(again.headers.get('x-request-id')).toBe('the-second')
    expect(loggedAs('the-second', own)).toMatchObject({ status, code })
    expect(service.sandbox.requests).toHaveLength(length)
    expect(await budgetOf(service, own.id)).toMatchObject({ used: 0 })
    const other = await send(own, text({ content: 'Other' }))
    expect(other).toMatchObject({ code: 'idempotency_key_mismatch' })
  })

  it('keeps its details and their order', async () => {
    const own = await projectWithCustomer()
    await templateOf(service, own.id)
    const body = templateBody({ variables: { '2': 'Ana', z: 'a', a: 'z' } })
    const first = await send(own, body)

    expect(first).toMatchObject({ status: 400, code: 'template_variable_mismatch' })
    expect(JSON.parse(first.text)).toHaveProperty('error.details.missing', ['1'])
    expect(await send(own, body)).toMatchObject({ isReplay: true, text: first.text })
  })

  it('is one and the same when many refusals race for it', async () => {
    const own = await projectWithCustomer()
    const body = { type: 'text', content: 'a' }
    const answers = await Promise.all(Array.from({ length: 64 }, () => send(own, body)))
    const again = await send(own, body)

    const stored = answers.filter(({ code }) => code === 'missing_recipient')
    const running = answers.filter(({ code }) => code === 'idempotency_in_progress')
    expect(stored.length + running.length).toBe(64)
    expect(new Set([...stored, again].map((answer) => answer.text)).size).toBe(1)
    expect(stored.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
  })

  it('of a success outlives what would refuse the same request now', async () => {
    const own = await projectWithCustomer()
    await templateOf(service, own.id)
    const body = templateBody({ variables: { '1': 'Ana' } })
    const first = await send(own, body)
    await service.ctx.db.template.deleteMany({ where: { projectId: own.id } })
    service.ctx.cache.clear()
    await projects.update(service.ctx, own.id, { credits: 0, quota: 0 })

    expect(first.status).toBe(200)
    expect(await send(own, body)).toMatchObject({ isReplay: true, text: first.text })
    const { code } = await sendAs(service, own.key, body, { 'idempotency-key': 'fresh' })
    expect(code).toBe('template_not_found')
  })
})

describe('an answer that is not stored', () => {
  it.each<[string, number, object | string]>([
    ['invalid_json', 400, '{"type":'],
    ['invalid_request', 400, text({ foo: 1 })],
    ['missing_content', 400, { type: 'text', phone: PHONE }],
    ['unsupported_message_type', 400, { type: 'fax', phone: PHONE }],
  ])('%s leaves the key to any other request', async (code, status, body) => {
    const own = await projectWithCustomer()
    expect(await send(own, body)).toMatchObject({ status, code, isReplay: false })
    expect(await recordsOf(own)).toBe(0)
    expect(await send(own)).toMatchObject({ status: 200, isReplay: false })
  })

  it('insufficient_scope and invalid_api_key leave the key free', async () => {
    const own = await projectWithCustomer()
    const made = {
      projectId: own.id,
      name: 'Reader',
      scopes: ['conversations:read'],
      isTest: false,
    }
    const { secret } = await keys.create(service.ctx, made)

    expect(await send({ ...own, key: secret })).toMatchObject({ code: 'insufficient_scope' })
    expect(await send({ ...own, key: 'pk_live_no' })).toMatchObject({ code: 'invalid_api_key' })
    expect(await recordsOf(own)).toBe(0)
    expect(await send(own)).toMatchObject({ status: 200, isReplay: false })
  })

  it('rate_limited leaves the key free', async () => {
    const own = await projectWithCustomer()
    const env = { RATE_LIMIT_PER_MINUTE: '1' }
    const strict = await startTestService({ env, databaseUrl: service.databaseUrl })
    await sendAs(strict, own.key, text())
    const refused = await sendAs(strict, own.key, text(), { 'idempotency-key': 'the-key' })
    await strict.stop()

    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(await recordsOf(own)).toBe(0)
    expect(await send(own)).toMatchObject({ status: 200, isReplay: false })
  })

  it('quota_exceeded lets the same request pass when there is room again', async () => {
    const own = await projectWithCustomer()
    await projects.update(service.ctx, own.id, { quota: 0 })
    for (const answer of [await send(own), await send(own)]) {
      expect(answer).toMatchObject({ status: 429, code: 'quota_exceeded', isReplay: false })
    }
    expect(await recordsOf(own)).toBe(0)
    await projects.update(service.ctx, own.id, { quota: 1 })

    expect(await send(own)).toMatchObject({ status: 200, isReplay: false })
    expect(await send(own)).toMatchObject({ status: 200, isReplay: true })
  })

  describe('of a channel', () => {
    let channel: Listening
    const planned: [number, object][] = []
    let asked = 0

    beforeAll(async () => {
      channel = await listen(async (request, response) => {
        asked++
        for await (const chunk of request) void chunk
        const [status, body] = planned.shift() ?? [200, { messages: [{ id: `wamid.own${asked}` }] }]
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    afterAll(() => channel.close())

    it.each<[string, number, number, number]>([
      ['upstream_error', 502, 500, 131000],
      ['upstream_error', 502, 400, 130429],
      ['upstream_auth_error', 502, 401, 190],
    ])(
      '%s (%i), for HTTP %i with %i, lets a retry send again',
      async (code, status, http, error) => {
        const own = await projectWithCustomer()
        const ids = { phoneNumberId: `1${error}`, businessAccountId: '1', appId: '1' }
        const secrets = { accessToken: 'EAA', appSecret: 'secret', verifyToken: 'verify' }
        await channelAccounts.connect(service.ctx, own.id, {
          ...ids,
          ...secrets,
          apiUrl: channel.url,
        })
        // Its notice may take some milliseconds.
        service.ctx.cache.clear()
        const before = asked
        planned.push([http, { error: { code: error, message: 'No' } }])

        expect(await send(own)).toMatchObject({ status, code, isReplay: false })
        expect(await recordsOf(own)).toBe(0)
        expect(await budgetOf(service, own.id)).toMatchObject({ used: 0 })
        const retried = await send(own)

        expect(retried).toMatchObject({ status: 200, isReplay: false })
        expect(asked - before).toBe(2)
        expect(await send(own)).toMatchObject({ isReplay: true, text: retried.text })
        expect(asked - before).toBe(2)
        expect(await budgetOf(service, own.id)).toMatchObject({ used: 1 })
        const { message } = await own.client.ok('getMessage', { path: { id: retried.wamid! } })
        expect(message).toMatchObject({ status: 'sent', content: 'Hello' })
        expect(await attemptsOf(service, own.id)).toEqual([])
      },
    )

    it('that says the window is closed is stored, for it is the caller who must act', async () => {
      const own = await projectWithCustomer()
      const ids = { phoneNumberId: '2', businessAccountId: '1', appId: '1' }
      const secrets = { accessToken: 'EAA', appSecret: 'secret', verifyToken: 'verify' }
      await channelAccounts.connect(service.ctx, own.id, {
        ...ids,
        ...secrets,
        apiUrl: channel.url,
      })
      // Its notice may take some milliseconds.
      service.ctx.cache.clear()
      const before = asked
      planned.push([400, { error: { code: 131047, message: 'Re-engagement message' } }])
      const first = await send(own)

      expect(first).toMatchObject({ status: 409, code: 'outside_24h_window' })
      expect(await send(own)).toMatchObject({ isReplay: true, text: first.text })
      expect(asked - before).toBe(1)
      expect(await budgetOf(service, own.id)).toMatchObject({ used: 0 })
    })
  })
})
