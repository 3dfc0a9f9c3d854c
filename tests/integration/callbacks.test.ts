import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import * as retention from '../../capabilities/retention.ts'
import { encodeCallback, inboundCallback, signCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { statement } from '../../core/sql.ts'
import { createDatabase } from '../support/postgres.ts'
import { dial, parseAnswers, readAll } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService({ behindMs: 2 * LIMITS.unreadCallbacksKeptMs })
  project = await service.project()
  account = await service.account(project.id)
})
afterAll(() => service.stop())

const hello = (phone: string, to = account) =>
  inboundCallback({
    account: to,
    from: { phone },
    message: { type: 'text', text: { body: 'Olá/hé 😀' } },
    at: service.ctx.now(),
  })
const post = (body: Buffer | string, headers: Record<string, string> = {}, to = account) =>
  fetch(to.callbackUrl, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers })
const postSigned = async (body: Buffer | string, to = account) =>
  (await post(body, { 'x-hub-signature-256': signCallback(Buffer.from(body), to.appSecret) }, to))
    .status
const conversationsOf = async (phone: string, by = project) =>
  (await by.client.ok('listConversations', { query: { phone } })).conversations
const messagesOf = async (phone: string, by = project) => {
  const [conversation] = await conversationsOf(phone, by)
  if (!conversation) return []
  const path = { id: conversation.id }
  return (await by.client.ok('listConversationMessages', { path })).messages
}

const unread = statement(
  'test-unread',
  'SELECT reason, body FROM unread_callbacks WHERE project_id = $1 ORDER BY id',
)
const lastUnread = async (by = project) => (await service.ctx.sql.rows(unread, [by.id])).at(-1)

describe('GET /channel/{project_id}/webhook', () => {
  const handshake = async (changes: Record<string, string> = {}) => {
    const verify = await service.ctx.db.channelAccount.findUniqueOrThrow({
      where: { projectId: project.id },
    })
    const place = `channel_accounts.verify_token.${project.id}`
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': service.ctx.vault.open(verify.verifyToken, place),
      'hub.challenge': '1158201444',
      ...changes,
    })
    return fetch(`${account.callbackUrl}?${query}`)
  }

  it('answers the bare challenge as text when mode and token fit', async () => {
    const answer = await handshake()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe('1158201444')
  })

  it('answers 403, without the challenge, when they do not', async () => {
    for (const changes of [
      { 'hub.verify_token': 'wrong' },
      { 'hub.verify_token': '' },
      { 'hub.mode': 'unsubscribe' },
      { 'hub.mode': '' },
    ]) {
      const answer = await handshake(changes)
      expect(answer.status).toBe(403)
      expect(await answer.text()).not.toContain('1158201444')
    }
    expect((await fetch(account.callbackUrl)).status).toBe(403)
  })

  it('answers 404 for a project that there is not', async () => {
    expect((await fetch(account.callbackUrl.replace(project.id, 'nobody'))).status).toBe(404)
    const nobody = { ...account, callbackUrl: account.callbackUrl.replace(project.id, 'nobody') }
    expect(await postSigned(encodeCallback(hello('+15552220009')), nobody)).toBe(404)
  })
})

describe('the address of callbacks', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'refuses %s, and names what it takes',
    async (method) => {
      const answer = await fetch(account.callbackUrl, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, POST')
      const requestId = answer.headers.get('x-request-id')
      expect(requestId).toMatch(/./)
      if (method === 'HEAD') return
      const error = expect.objectContaining({ code: 'method_not_allowed' })
      expect(await answer.json()).toEqual({ success: false, error, request_id: requestId })
    },
  )
})

describe('the signature of a callback', () => {
  const phone = '+15552220001'
  const sign = (body: Buffer, algorithm = 'sha256', secret = account.appSecret) =>
    `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`
  const body = () => encodeCallback(hello(phone))

  it.each<[string, (raw: Buffer) => Record<string, string>]>([
    ['missing', () => ({})],
    ['empty', () => ({ 'x-hub-signature-256': '' })],
    ['wrong', (raw) => ({ 'x-hub-signature-256': sign(raw, 'sha256', 'other') })],
    ['of another body', () => ({ 'x-hub-signature-256': sign(Buffer.from('{}')) })],
    [
      'of the body written as other JSON',
      (raw) => ({
        'x-hub-signature-256': sign(Buffer.from(JSON.stringify(JSON.parse(raw.toString())))),
      }),
    ],
    ['truncated', (raw) => ({ 'x-hub-signature-256': sign(raw).slice(0, -2) })],
    ['too long', (raw) => ({ 'x-hub-signature-256': `${sign(raw)}00` })],
    ['in upper case', (raw) => ({ 'x-hub-signature-256': sign(raw).toUpperCase() })],
    [
      'in upper-case digits',
      (raw) => ({
        'x-hub-signature-256': `sha256=${sign(raw).slice(7).toUpperCase()}`,
      }),
    ],
    ['without its prefix', (raw) => ({ 'x-hub-signature-256': sign(raw).slice(7) })],
    ['SHA-1 only', (raw) => ({ 'x-hub-signature': sign(raw, 'sha1') })],
    ['SHA-1 in the place of SHA-256', (raw) => ({ 'x-hub-signature-256': sign(raw, 'sha1') })],
    ['with the empty secret', (raw) => ({ 'x-hub-signature-256': sign(raw, 'sha256', '') })],
  ])('is refused with 401 when it is %s, and nothing is written', async (_, headersOf) => {
    const raw = body()
    expect((await post(raw, headersOf(raw))).status).toBe(401)
    expect(await conversationsOf(phone)).toEqual([])
    expect(await lastUnread()).toBeUndefined()
  })

  it('is refused when another project made it', async () => {
    const other = await service.account((await service.project()).id)
    const raw = body()
    const headers = { 'x-hub-signature-256': sign(raw, 'sha256', other.appSecret) }
    expect((await post(raw, headers)).status).toBe(401)
    expect(await conversationsOf(phone)).toEqual([])
  })

  it.each([
    [200, ''],
    [401, 'other'],
  ])('that is answered with %i has its project in the log line', async (status, secret) => {
    const raw = body()
    const headers = {
      'x-hub-signature-256': sign(raw, 'sha256', secret || account.appSecret),
      'X-Request-Id': `callback-${status}`,
    }
    expect((await post(raw, headers)).status).toBe(status)
    const lines = service.logLines.filter((line) => line.includes(`"callback-${status}"`))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'request.completed', operation: 'channelCallback', status, project: project.id },
    ])
  })
})

describe('the body of a callback', () => {
  it('opens the window from when the customer wrote, though the clock is behind', async () => {
    const phone = '+15550008080'
    const sentAt = new Date(Math.floor(Date.now() / 1_000) * 1_000)
    const message = { type: 'text', text: { body: 'Hello' } }
    const callback = inboundCallback({ account, from: { phone }, message, at: sentAt })
    expect(await service.callback(project.id, callback)).toBe(200)
    const [conversation] = await conversationsOf(phone)
    expect(conversation?.last_inbound_at).toBe(sentAt.toISOString())
  })

  it.each<[string, number, string, (url: string) => string]>([
    ['without a signature', 401, '', (url) => url],
    ['with what is no signature', 401, 'X-Hub-Signature-256: sha256=0\r\n', (url) => url],
    [
      'to a project that there is not',
      ...([404, `X-Hub-Signature-256: sha256=${'0'.repeat(64)}\r\n`] as const),
      (url) => url.replace(project.id, 'nobody'),
    ],
  ])('is not read when it comes %s', async (_what, status, fields, urlOf) => {
    const socket = await dial(service.url)
    const received = readAll(socket)
    const { pathname } = new URL(urlOf(account.callbackUrl))
    const length = `Content-Length: ${LIMITS.callbackBytes}\r\n`
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: a\r\n${fields}${length}\r\n${'x'.repeat(1_024)}`,
    )
    const [answer, ...more] = parseAnswers(await received)
    expect(more).toEqual([])
    expect(answer?.status).toBe(status)
  })
})

describe('a callback', () => {
  it('that comes 20 times, one after another and at once, brings one message', async () => {
    for (const phone of ['+15552220002', '+15552220003']) {
      const raw = encodeCallback(hello(phone))
      if (phone.endsWith('2')) for (let i = 0; i < 20; i++) expect(await postSigned(raw)).toBe(200)
      const answers = await Promise.all(Array.from({ length: 20 }, () => postSigned(raw)))
      expect(new Set(answers)).toEqual(new Set([200]))
      expect(await messagesOf(phone)).toMatchObject([{ content: 'Olá/hé 😀', status: 'received' }])
      expect(await conversationsOf(phone)).toMatchObject([{ unread_count: 1 }])
    }
    // Of a customer who is known, nothing is made but the message.
    const next = encodeCallback(hello('+15552220003'))
    await Promise.all(Array.from({ length: 20 }, () => postSigned(next)))
    expect(await messagesOf('+15552220003')).toHaveLength(2)
    expect(await conversationsOf('+15552220003')).toMatchObject([{ unread_count: 2 }])
  })

  it('that comes again a month later changes nothing', async () => {
    const raw = encodeCallback(hello('+15552220004'))
    await postSigned(raw)
    const before = await conversationsOf('+15552220004')
    service.advance(30 * 24 * 60 * 60 * 1000)
    expect(await postSigned(raw)).toBe(200)
    const after = await conversationsOf('+15552220004')
    expect(after).toMatchObject([{ ...before[0], window: { open: false } }])
  })

  it('opens the window from when the customer wrote, and no later than it came, in whatever order', async () => {
    const phone = '+15552220009'
    const now = service.ctx.now().getTime()
    const dated = (at: number) =>
      inboundCallback({
        account,
        from: { phone },
        message: { type: 'text', text: { body: 'Hi' } },
        at: new Date(at),
      })
    const lastInboundAt = async () => (await conversationsOf(phone))[0]?.last_inbound_at
    for (const at of [now - 60_000, now - 120_000]) {
      expect(await postSigned(encodeCallback(dated(at)))).toBe(200)
      expect(await lastInboundAt()).toBe(new Date(now - 60_000).toISOString())
    }
    // The later of the service's clock and PostgreSQL's, which is the machine's here.
    const before = Date.now()
    expect(await postSigned(encodeCallback(dated(before + 3_600_000)))).toBe(200)
    const capped = new Date((await lastInboundAt()) ?? 0).getTime()
    expect([capped >= before, capped <= Date.now()]).toEqual([true, true])
  })

  it('that comes again does not bring back an older profile name', async () => {
    const phone = '+15552220008'
    const first = JSON.stringify(hello(phone))
    await postSigned(first)
    const renamed = first.replace('Sandbox customer', 'Ana').replace('wamid.', 'wamid.+')
    await postSigned(renamed)
    await postSigned(first)
    expect(await conversationsOf(phone)).toMatchObject([
      { contact: { name: 'Ana' }, unread_count: 2 },
    ])
  })

  const folder = path.join(PROJECT_ROOT, 'tests/fixtures/channel')
  const fixtures = readdirSync(folder).filter(
    (name) => /^[a-z].*\.json$/.test(name) && !/schema/.test(name),
  )
  const messageIds = /"id":\s*"(wamid[^"]+)",?\s*"timestamp"/g
  it.each(fixtures)('as the channel sends it is taken: %s', async (name) => {
    const payload = readFileSync(path.join(folder, name), 'utf8').replace(
      /("phone_number_id":\s*)"[^"]*"/g,
      `$1"${account.phoneNumberId}"`,
    )
    expect(await postSigned(payload)).toBe(200)
    for (const [, wamid] of name.startsWith('in_') ? payload.matchAll(messageIds) : []) {
      await project.client.ok('getMessage', { path: { id: wamid! } })
    }
  })

  it('that is no JSON, or no callback, is taken and kept as it came', async () => {
    for (const body of [
      '{"object":',
      '',
      '[]',
      'null',
      '{"object":"page","entry":[]}',
      'a\u0000b',
    ]) {
      expect(await postSigned(body)).toBe(200)
      expect((await lastUnread())?.[1]).toBe(body.replace('\u0000', ''))
    }
  })

  it('for another phone number brings nothing in, and is kept', async () => {
    const payload = hello('+15552220005', { ...account, phoneNumberId: '999' })
    expect(await postSigned(encodeCallback(payload))).toBe(200)
    expect(await conversationsOf('+15552220005')).toEqual([])
    expect((await lastUnread())?.[0]).toContain('another phone number')
  })

  it('with one bad message among good ones loses only that one', async () => {
    const phone = '+15552220006'
    const payload = hello(phone)
    const { messages } = payload.entry[0]!.changes[0]!.value as unknown as { messages: object[] }
    messages.push({ type: 'text' }, { ...messages[0], id: 'wamid.other-one', type: 'hologram' })
    expect(await postSigned(encodeCallback(payload))).toBe(200)
    expect(await messagesOf(phone)).toMatchObject([{ type: 'unsupported' }, { type: 'text' }])
  })

  it('that was kept unread is forgotten after its time', async () => {
    const own = await service.project()
    await postSigned('not JSON', await service.account(own.id))
    await retention.pruneExpired(service.ctx)
    expect(await lastUnread(own)).toBeDefined()
    service.advance(LIMITS.unreadCallbacksKeptMs + 1_000)
    await retention.pruneExpired(service.ctx)
    expect(await lastUnread(own)).toBeUndefined()
  })

  it('that is compressed is refused with 415, and never unpacked', async () => {
    const packed = gzipSync(encodeCallback(hello('+15552220011')))
    const signature = { 'x-hub-signature-256': signCallback(packed, account.appSecret) }
    const answer = await post(packed, { ...signature, 'content-encoding': 'gzip' })
    expect(answer.status).toBe(415)
    expect(await conversationsOf('+15552220011')).toEqual([])
  })

  it('that holds more values than the channel ever sends is not read, and is kept', async () => {
    const before = await lastUnread()
    const payload = { ...hello('+15552220012'), more: Array.from({ length: 200_000 }, () => []) }
    expect(await postSigned(encodeCallback(payload))).toBe(200)
    expect(await conversationsOf('+15552220012')).toEqual([])
    expect(await lastUnread()).not.toEqual(before)
  })

  it('that holds as many values as the channel ever sends is read', async () => {
    const more = Array.from({ length: 199_900 }, () => [])
    expect(await postSigned(encodeCallback({ ...hello('+15552220013'), more }))).toBe(200)
    expect(await conversationsOf('+15552220013')).toHaveLength(1)
  })

  it('over the limit is refused with 413, and up to the limit it is taken', async () => {
    expect(await postSigned(' '.repeat(LIMITS.callbackBytes))).toBe(200)
    expect(await postSigned(' '.repeat(LIMITS.callbackBytes + 1))).toBe(413)
  })

  it('far over the limit is refused for that, and not to be sent again', async () => {
    const socket = await dial(service.url)
    const { pathname } = new URL(account.callbackUrl)
    const signature = signCallback(Buffer.from(''), account.appSecret)
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: a\r\nX-Hub-Signature-256: ${signature}\r\n` +
        `Content-Length: ${1_000 * LIMITS.callbackBytesAtOnce}\r\n\r\n`,
    )
    const answers = parseAnswers(await readAll(socket))
    expect(answers.map(({ status }) => status)).toEqual([413])
  })

  it('is not answered with 200 while the database is away, and is taken when it is back', async () => {
    const database = await createDatabase()
    const shaky = await startTestService({ databaseUrl: database.url })
    const own = await shaky.project()
    const to = await shaky.account(own.id)
    const raw = encodeCallback(hello('+15552220007', to))
    const name = new URL(database.url).pathname.slice(1)
    const admin = new pg.Client({ connectionString: service.databaseUrl })
    await admin.connect()
    const allow = (isAllowed: boolean) =>
      admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`)
    const disconnect = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
    try {
      await allow(false)
      await admin.query(disconnect, [name])
      expect(await postSigned(raw, to)).toBe(500)
      await allow(true)
      expect(await postSigned(raw, to)).toBe(200)
      expect(await messagesOf('+15552220007', own)).toHaveLength(1)
    } finally {
      await admin.end()
      await shaky.stop()
      await database.drop()
    }
  })
})
