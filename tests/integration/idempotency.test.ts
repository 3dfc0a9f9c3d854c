import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as keys from '../../capabilities/projects/keys.ts'
import { statement } from '../../core/sql.ts'
import { createGatedChannel } from '../support/gated-channel.ts'
import { exchange } from '../support/raw.ts'
import { attemptsOf, budgetOf, sendAs, templateOf } from '../support/sending.ts'
import { checkAnswer } from '../support/responses.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15550001234'
const CONCURRENT = 1_000

const gate = createGatedChannel()
let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: gate.channel } })
  project = await service.project()
  await service.customer(project)
})
afterAll(() => service.stop())

const text = (more: object = {}) => ({ type: 'text', phone: PHONE, content: 'Hello', ...more })
const send = (key: string, body: object | string = text(), by = project) =>
  sendAs(service, by.key, body, { 'idempotency-key': key })
/** The messages that the channel was asked to send, in this service's whole life. */
const upstream = () => service.sandbox.requests.map(({ body }) => JSON.stringify(body))
const sentWith = (content: string) => upstream().filter((body) => body.includes(content)).length

const countRecords = statement(
  'test-count-records',
  'SELECT count(*) FROM idempotency_records WHERE project_id = $1',
)
const recordsOf = async ({ id }: TestProject) =>
  Number((await service.ctx.sql.rows(countRecords, [id]))[0]?.[0])

async function projectWithCustomer() {
  const own = await service.project()
  await service.customer(own)
  return own
}

describe('a key that is asked for 1,000 times at once', () => {
  it('sends once, while all others are told that it is in progress', async () => {
    const { arrival, open } = gate.shut()
    const asked = Array.from({ length: CONCURRENT }, () => send('busy', text({ content: 'Busy' })))
    await arrival
    const refused = Promise.all(
      asked.map((one) => one.then((answer) => (answer.status === 409 ? answer : null))),
    )
    // All but the first are answered while the first still stands before the channel.
    await untilAnswered(asked, CONCURRENT - 1)
    open()

    const others = (await refused).filter((answer) => answer !== null)
    expect(others).toHaveLength(CONCURRENT - 1)
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['idempotency_in_progress']))
    expect(new Set(others.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']))
    expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(1)
    expect(sentWith('Busy')).toBe(1)
  })

  it('sends once, whatever each of them finds, and answers all alike in the end', async () => {
    const body = text({ content: 'Free for all' })
    const asked = Array.from({ length: CONCURRENT }, () => send('free', body))
    const answers = await Promise.all(asked)
    const again = await Promise.all(Array.from({ length: 50 }, () => send('free', body)))

    const codes = answers.filter(({ status }) => status !== 200).map(({ code }) => code)
    expect(codes.filter((code) => code !== 'idempotency_in_progress')).toEqual([])
    const texts = [...answers, ...again].filter(({ status }) => status === 200)
    expect(new Set(texts.map((answer) => answer.text)).size).toBe(1)
    expect(answers.filter(({ status, isReplay }) => status === 200 && !isReplay)).toHaveLength(1)
    expect(again.filter(({ isReplay }) => isReplay)).toHaveLength(50)
    expect(sentWith('Free for all')).toBe(1)
  })
})

async function untilAnswered(asked: Promise<unknown>[], count: number): Promise<void> {
  let answered = 0
  await new Promise<void>((resolve, reject) => {
    for (const one of asked) {
      one.then(() => ++answered === count && resolve(), reject)
    }
  })
}

const place = (latitude: unknown, more = '') =>
  `{"type":"location","phone":"${PHONE}","latitude":${String(latitude)},"longitude":2.5${more}}`
const buttons = (...ids: string[]) => ({
  type: 'buttons',
  phone: PHONE,
  content: 'Choose',
  buttons: ids.map((id) => ({ id, title: `Title ${id}` })),
})
/** A text whose content is spelt in the JSON as given. */
const escaped = (spelling: string) =>
  JSON.stringify(text({ content: 'X' })).replace('"X"', `"${spelling}"`)
const card = (name: object) => ({ type: 'contacts', phone: PHONE, contacts: [{ name }] })

describe('a key that is used again', () => {
  it.each<[string, object | string, object | string]>([
    ['another content', text(), text({ content: 'hello' })],
    ['a member more', text(), text({ client_ref: 'a' })],
    ['a false member more', text(), text({ preview_url: false })],
    ['another recipient', text(), text({ phone: '+15550001235' })],
    ['the recipient spelt differently', text(), text({ phone: '15550001234' })],
    ['another order in an array', buttons('a', 'b'), buttons('b', 'a')],
    ['another number', place(1), place(1.1)],
    ['a space more within a text', text(), text({ content: 'Hello ' })],
    ['another form of the same letter', text({ content: '\u00e9' }), text({ content: 'e\u0301' })],
    ['a member of another name', text({ client_ref: 'a' }), text({ reply_to: 'a' })],
  ])(
    'with %s is refused as a mismatch, also while the first is running',
    async (why, one, other) => {
      const { arrival, open } = gate.shut()
      const key = why.replaceAll(' ', '-')
      const first = send(key, one)
      await arrival
      const during = await send(key, other)
      open()
      expect((await first).status).toBe(200)
      const after = await send(key, other)

      for (const { status, code } of [during, after]) {
        expect([status, code]).toEqual([409, 'idempotency_key_mismatch'])
      }
      expect(await send(key, one)).toMatchObject({ isReplay: true, text: (await first).text })
    },
  )

  it('of another request that is running makes no contact of a stranger', async () => {
    const template = await templateOf(service, project.id, { phone: '+15550009876' })
    const { arrival, open } = gate.shut()
    const first = send('of-another', text())
    await arrival
    expect(await send('of-another', template)).toMatchObject({ code: 'idempotency_key_mismatch' })
    open()
    expect((await first).status).toBe(200)
    const query = { phone: template.phone }
    expect((await project.client.ok('listContacts', { query })).contacts).toEqual([])
  })

  it.each<[string, object | string, object | string]>([
    ['members in another order', text(), { content: 'Hello', phone: PHONE, type: 'text' }],
    [
      'members of members in another order',
      card({ formatted_name: 'Ana B', first_name: 'Ana' }),
      card({ first_name: 'Ana', formatted_name: 'Ana B' }),
    ],
    ['1.0 for 1', place('1'), place('1.0')],
    ['1e0 for 1', place('1'), place('1e0')],
    ['10e-1 for 1', place('1'), place('10e-1')],
    ['0 for -0', place('0'), place('-0')],
    ['an escaped letter', text({ content: '\u00e9' }), escaped('\\u00e9')],
    ['an escaped slash', text({ content: 'a/b' }), escaped('a\\/b')],
    ['an escaped emoji', text({ content: '😀' }), escaped('\\ud83d\\ude00')],
    ['white space between members', text(), JSON.stringify(text(), null, 2)],
  ])('with %s is the same request', async (why, one, other) => {
    const key = why.replaceAll(' ', '-')
    const first = await send(key, one)
    const again = await send(key, other)

    expect(first).toMatchObject({ status: 200, isReplay: false })
    expect(again).toMatchObject({ status: 200, isReplay: true, text: first.text })
  })

  it('is answered by nothing that refuses the same request while that is under way', async () => {
    const own = await projectWithCustomer()
    const body = await templateOf(service, own.id)
    const { arrival, open } = gate.shut()
    const first = send('under-way', body, own)
    await arrival
    gate.lift()
    const where = { projectId: own.id }
    await service.ctx.db.template.updateMany({ where, data: { status: 'PAUSED' } })
    service.ctx.cache.clear()
    expect((await send('under-way', body, own)).code).toBe('idempotency_in_progress')
    open()
    const sent = await first
    expect(sent.status).toBe(200)
    expect(await send('under-way', body, own)).toMatchObject({ isReplay: true, text: sent.text })
  })

  it('by another project is another key', async () => {
    const other = await projectWithCustomer()
    const mine = await send('shared', text())
    const theirs = await send('shared', text({ content: 'Different' }), other)

    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.isReplay).toBe(false)
    expect(theirs.wamid).not.toBe(mine.wamid)
  })
})

describe('the header Idempotency-Key', () => {
  it.each(['a', 'k'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'a,b', '__proto__'])(
    'may be %s',
    async (key) => {
      const own = await projectWithCustomer()
      const first = await send(key, text(), own)
      expect(first.status).toBe(200)
      expect(await send(key, text(), own)).toMatchObject({ isReplay: true, text: first.text })
    },
  )

  const rawSend = async (...lines: string[]) => {
    const body = JSON.stringify(text({ content: 'Bad key' }))
    const head = [
      'POST /v1/messages HTTP/1.1',
      ...[`Host: x`, `Authorization: Bearer ${project.key}`, 'Content-Type: application/json'],
      ...[`Content-Length: ${body.length}`, 'Connection: close', ...lines],
    ]
    const [answer] = await exchange(service.url, `${head.join('\r\n')}\r\n\r\n${body}`)
    const { status, headers, body: told } = answer!
    const failure = JSON.parse(told) as { error: { code: string } }
    checkAnswer('sendMessage', { status, headers, body: failure })
    return [status, failure.error.code]
  }

  it.each([
    ['empty', 'Idempotency-Key:'],
    ['nothing but spaces', 'Idempotency-Key:    '],
    ['256 characters long', `Idempotency-Key: ${'k'.repeat(256)}`],
    ['not ASCII', 'Idempotency-Key: caf\u00e9'],
    ['two words', 'Idempotency-Key: a b'],
    ['two words with a tab', 'Idempotency-Key: a\tb'],
    ['sent twice', 'Idempotency-Key: a', 'Idempotency-Key: b'],
    ['sent twice, alike', 'Idempotency-Key: a', 'idempotency-key: a'],
    ['sent twice, once empty', 'Idempotency-Key: a', 'Idempotency-Key:'],
  ])('is refused when it is %s, and nothing is sent', async (_what, ...lines) => {
    const before = await recordsOf(project)
    expect(await rawSend(...lines)).toEqual([400, 'invalid_idempotency_key'])
    expect(sentWith('Bad key')).toBe(0)
    expect(await recordsOf(project)).toBe(before)
  })

  it('is ignored by every other operation', async () => {
    const headers = { 'idempotency-key': '' }
    expect(await project.client.ok('ping', { headers })).toMatchObject({ ok: true })
  })
})

describe('a replay', () => {
  it('has the same bytes, under a request id of its own', async () => {
    const body = text({ content: 'Replay' })
    const ids = ['first-request', 'second-request', 'third-request']
    const answers = []
    for (const id of ids) {
      const headers = { 'idempotency-key': 'replayed', 'x-request-id': id }
      answers.push(await sendAs(service, project.key, body, headers))
    }

    expect(answers.map(({ isReplay }) => isReplay)).toEqual([false, true, true])
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(ids)
    expect(sentWith('Replay')).toBe(1)
  })

  it('is given to every credential of the project, and costs nothing', async () => {
    const own = await projectWithCustomer()
    const made = { projectId: own.id, name: 'Other', scopes: ['all'], isTest: false }
    const { secret } = await keys.create(service.ctx, made)
    const first = await send('once', text(), own)
    const before = await budgetOf(service, own.id)
    for (const key of [own.key, secret, own.key, secret]) {
      const again = await send('once', text(), { ...own, key })
      expect(again).toMatchObject({ isReplay: true, text: first.text })
    }

    expect(first.isReplay).toBe(false)
    expect(before).toMatchObject({ used: 1 })
    expect(await budgetOf(service, own.id)).toEqual(before)
    expect(await attemptsOf(service, own.id)).toEqual([])
  })
})

describe('a template for a number that has never written', () => {
  it('is sent once with a key, however many ask at once', async () => {
    const own = await service.project()
    const body = await templateOf(service, own.id, { phone: '+15556660001' })
    const answers = await Promise.all(Array.from({ length: 64 }, () => send('new', body, own)))
    const again = await send('new', body, own)

    const sent = answers.filter(({ status }) => status === 200)
    expect(new Set([...sent, again].map((answer) => answer.text)).size).toBe(1)
    expect(again.isReplay).toBe(true)
    const other = answers.filter(({ status }) => status !== 200).map(({ code }) => code)
    expect(other.filter((code) => code !== 'idempotency_in_progress')).toEqual([])
    expect(sentWith('+15556660001')).toBe(1)
    expect((await own.client.ok('listConversations')).conversations).toHaveLength(1)
    expect(await budgetOf(service, own.id)).toMatchObject({ used: 1 })
  })
})
