import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ServerResponse } from 'node:http'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import { type SandboxAccount, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { bodyOf, listen, type Listening } from '../support/channel.ts'
import { customerOf } from '../support/customers.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

type Play = (response: ServerResponse, body: Record<string, unknown>) => void | Promise<void>
let play: Play
let channel: Listening
let service: TestService
let project: TestProject
let account: SandboxAccount
let asked: { url: string | undefined; authorization: string | undefined; body: object }[] = []

beforeAll(async () => {
  service = await startTestService()
  channel = await listen(async (request, response) => {
    const body = JSON.parse((await bodyOf(request)).toString()) as Record<string, unknown>
    const { url, headers } = request
    asked.push({ url, authorization: headers.authorization, body })
    await play(response, body)
  })
  project = await service.project()
  await channelAccounts.connect(service.ctx, project.id, {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    appId: '1',
    accessToken: 'EAAtests',
    appSecret: 'secret',
    verifyToken: 'verify',
    apiUrl: `${channel.url}/`,
  })
  account = await service.account(project.id)
})
afterAll(async () => {
  await service.stop()
  await channel.close()
})

const accept = (response: ServerResponse, wamid: string) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: wamid }] }))
const report = (wamid: string, status: 'sent' | 'delivered' | 'read', phone: string) =>
  service.callback(
    project.id,
    statusCallback({
      account,
      wamid,
      status,
      to: { phone },
      at: service.ctx.now(),
    }),
  )

const json =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
const graph = (code: number, more: object = {}) => ({
  error: { message: `(#${code}) No\u0000\u001b[31m`, type: 'OAuthException', code, ...more },
})
const big = 'x'.repeat(10_000_000)

describe('a channel that a project is connected to', () => {
  it('is asked at the address, and with the token, that the project was connected with', async () => {
    asked = []
    const customer = await customerOf(service, project, '+15557771000')
    play = (response) => accept(response, 'wamid.first')
    const sent = await project.client.ok('sendMessage', { body: customer.body })
    expect(sent).toEqual({ id: 'wamid.first', status: 'sent' })
    expect(asked).toMatchObject([
      { url: '/v25.0/106540352242922/messages', authorization: 'Bearer EAAtests' },
    ])
    await report('wamid.first', 'read', '+15557771000')
    expect(await customer.outbound()).toMatchObject([{ wamid: 'wamid.first', status: 'read' }])
  })

  it('may call back before its answer, without naming the attempt', async () => {
    const customer = await customerOf(service, project, '+15557771001')
    play = async (response) => {
      for (const status of ['delivered', 'sent', 'delivered'] as const) {
        expect(await report('wamid.early', status, '+15557771001')).toBe(200)
      }
      accept(response, 'wamid.early')
    }
    await project.client.ok('sendMessage', { body: customer.body })
    expect(await customer.outbound()).toMatchObject([
      { wamid: 'wamid.early', status: 'delivered', delivered_at: expect.any(String) },
    ])
  })

  it('may call back at the very moment of its answer, without naming the attempt', async () => {
    const customer = await customerOf(service, project, '+15557771003')
    const reports: Promise<number>[] = []
    play = (response) => {
      const wamid = `wamid.race-${reports.length}`
      const isFirst = reports.length % 2 === 0
      if (isFirst) accept(response, wamid)
      reports.push(report(wamid, 'delivered', '+15557771003'))
      if (!isFirst) accept(response, wamid)
    }
    const { body } = customer
    await Promise.all(Array.from({ length: 40 }, () => project.client.ok('sendMessage', { body })))
    expect(new Set(await Promise.all(reports))).toEqual(new Set([200]))
    const messages = await customer.outbound()
    expect(messages).toHaveLength(40)
    expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(['delivered']))
  })

  it.each<[string, Play, string, object]>([
    ['401 without JSON', json(401, 'no'), 'upstream_error', { retryable: true }],
    ['401 with code 190', json(401, graph(190)), 'upstream_auth_error', { channel_code: 190 }],
    ['403 with code 10', json(403, graph(10)), 'upstream_auth_error', { channel_code: 10 }],
    ['400 with code 131047', json(400, graph(131047)), 'outside_24h_window', {}],
    ['400 with code 100', json(400, graph(100)), 'upstream_error', { outcome: 'refused' }],
    ['400 with an unknown code', json(400, graph(987)), 'upstream_error', { channel_code: 987 }],
    ['400 with broken JSON', json(400, '{"error'), 'upstream_error', { outcome: 'refused' }],
    ['400 with 10 MB', json(400, graph(100, { big })), 'upstream_error', { outcome: 'refused' }],
    ['429 with code 4', json(429, graph(4)), 'upstream_error', { retryable: true }],
    ['500 with code 131000', json(500, graph(131000)), 'upstream_error', { outcome: 'refused' }],
    ['503 with nothing', json(503, ''), 'upstream_error', { outcome: 'refused' }],
    ['504 with nothing', json(504, ''), 'upstream_error', { outcome: 'unknown' }],
    ['200 with HTML', json(200, '<html>'), 'upstream_error', { outcome: 'unknown' }],
    ['200 without an id', json(200, { messages: [] }), 'upstream_error', { outcome: 'unknown' }],
    ['302', json(302, '', { location: '/' }), 'upstream_error', { outcome: 'refused' }],
    ['a reset', (response) => void response.destroy(), 'upstream_error', { outcome: 'unknown' }],
  ])('that answers %s never makes a server_error', async (_, answer, code, details) => {
    const customer = await customerOf(service, project, '+15557771002')
    play = answer
    const failure = await project.client.refused('sendMessage', code as 'upstream_error', {
      body: customer.body,
    })
    expect(failure.details).toMatchObject(details)
    expect(failure.message).not.toMatch(/\p{Cc}|EAAtests/u)
    expect(failure.message.length).toBeLessThan(2_000)
    expect(await customer.outbound()).toEqual([])
  })

  it('names its refusals in the log as its support finds them', async () => {
    const traceIds = ['Az8or2yhqkZfEZ-_4Qn_Bam', 'AOnodi98JaYHcSTvVvrOtJs']
    const customer = await customerOf(service, project, '+15557771004')
    play = json(400, graph(131026, { fbtrace_id: traceIds[0] }))
    await project.client.refused('sendMessage', 'upstream_error', { body: customer.body })
    play = json(400, graph(100, { fbtrace_id: traceIds[1], error_subcode: 2388040 }))
    const components = [{ type: 'BODY' as const, text: 'Hello.' }]
    await project.client.refused('createTemplate', 'invalid_template', {
      body: { name: 'hello', language: 'en', category: 'UTILITY', components },
    })

    const lines = service.logLines.map((line) => JSON.parse(line) as { event: string })
    const common = { project: project.id, httpStatus: 400 }
    expect(lines.filter(({ event }) => event === 'channel.refused').slice(-2)).toMatchObject([
      { ...common, code: 131026, subcode: null, traceId: traceIds[0] },
      { ...common, code: 100, subcode: 2388040, traceId: traceIds[1] },
    ])
  })
})
