import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSecret } from '../../capabilities/webhooks/webhooks.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { subscribe } from '../support/events.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const URL_512 = `https://hooks.example.com/${'a'.repeat(512 - 26)}`
const REFUSED = 'The url cannot be used; give an https address that is public and resolves.'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const sealedSecret = statement(
  'test-webhook-row',
  'SELECT secret, epoch FROM webhooks WHERE id = $1',
)
async function rowOf(id: string) {
  const [row] = await service.ctx.sql.rows(sealedSecret, [id])
  return { secret: row?.[0] ?? '', epoch: Number(row?.[1]) }
}
const get = async (id: string) => (await project.client.ok('getWebhook', { path: { id } })).webhook
const update = async (id: string, body: object) =>
  (await project.client.ok('updateWebhook', { path: { id }, body: body })).webhook

describe('a webhook', () => {
  it('is registered, read, listed, changed and deleted', async () => {
    const own = await service.project()
    const body = { url: 'https://hooks.example.com/a?b=c', events: ['order.paid'] }
    const { webhook, secret } = await own.client.ok('createWebhook', { body })
    const now = service.ctx.now().toISOString()
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{24}$/),
      project_id: own.id,
      ...body,
      is_active: true,
      last_triggered_at: null,
      failure_count: 0,
      created_at: now,
      updated_at: now,
    })
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)

    const path = { id: webhook.id }
    expect(await own.client.ok('getWebhook', { path })).toEqual({ webhook })
    service.advance(1_000)
    const second = await subscribe(own, ['order.lost'], false)
    expect(await own.client.ok('listWebhooks')).toEqual({ webhooks: [webhook, second] })

    const events = ['order.lost', 'order.paid']
    const changed = await own.client.ok('updateWebhook', { path, body: { events } })
    const later = service.ctx.now().toISOString()
    expect(changed).toEqual({ webhook: { ...webhook, events, updated_at: later } })

    expect(await own.client.ok('deleteWebhook', { path })).toEqual({ deleted: true, ...path })
    await own.client.refused('getWebhook', 'not_found', { path })
    await own.client.refused('deleteWebhook', 'not_found', { path })
    expect(await own.client.ok('listWebhooks')).toEqual({ webhooks: [second] })
  })

  it.each(['wh_unknown', 'wh_does-not_exist', 'wh_000000000000000000000000'])(
    'is not there under an id that none was given: %s',
    async (id) => {
      for (const operation of ['getWebhook', 'deleteWebhook', 'testWebhook'] as const)
        await project.client.refused(operation, 'not_found', { path: { id } })
    },
  )

  it('takes effect on what is given alone, and begins a new life when it is turned on or off', async () => {
    const { id } = await subscribe(project, ['order.paid'])
    const fail = statement('test-fail', 'UPDATE webhooks SET failure_count = 7 WHERE id = $1')
    await service.ctx.sql.rows(fail, [id])

    const moved = await update(id, { url: 'https://hooks.example.com/moved' })
    expect(moved).toMatchObject({ events: ['order.paid'], is_active: true, failure_count: 7 })
    expect(await rowOf(id)).toMatchObject({ epoch: 1 })
    expect(await update(id, { is_active: false })).toMatchObject({ failure_count: 7 })
    expect(await rowOf(id)).toMatchObject({ epoch: 2 })
    expect(await update(id, { is_active: true })).toMatchObject({ failure_count: 0 })
    expect(await rowOf(id)).toMatchObject({ epoch: 3 })

    await service.ctx.sql.rows(fail, [id])
    expect(await update(id, { is_active: true })).toMatchObject({ failure_count: 0 })
    // It went on all the time, so what waits for it is still to be delivered.
    expect(await rowOf(id)).toMatchObject({ epoch: 3 })
  })
})

describe('the secret of a webhook', () => {
  it('is told once, kept sealed, never logged, and stays through every change', async () => {
    const own = await service.project()
    const body = { url: 'https://hooks.example.com/secret', events: ['order.paid'] }
    const { webhook, secret } = await own.client.ok('createWebhook', { body })
    const path = { id: webhook.id }
    const before = await rowOf(webhook.id)
    expect(openSecret(service.ctx, webhook.id, before.secret)).toBe(secret)

    const answers: unknown[] = []
    for (const change of [{ is_active: false }, { is_active: true }, { url: URL_512 }]) {
      answers.push(await own.client.ok('updateWebhook', { path, body: change }))
      answers.push(await own.client.ok('getWebhook', { path }))
      answers.push(await own.client.ok('listWebhooks'))
    }
    answers.push(await own.client.ok('testWebhook', { path }))
    answers.push(await own.client.ok('listWebhookDeliveries', { path }))
    answers.push(
      await own.client.refused('updateWebhook', 'bad_request', { path, body: { url: 'x' } }),
    )

    const seen = JSON.stringify(answers) + service.logLines.join('') + before.secret
    expect(seen).not.toContain('whsec_')
    expect(seen).not.toContain(secret.slice('whsec_'.length))
    expect((await rowOf(webhook.id)).secret).toBe(before.secret)
  })

  it('is another one for every webhook', async () => {
    const body = { url: 'https://hooks.example.com/many', events: ['order.paid'] }
    const made = await Promise.all(
      Array.from({ length: 8 }, () => project.client.ok('createWebhook', { body })),
    )
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(8)
    expect(new Set(made.map(({ webhook }) => webhook.id)).size).toBe(8)
  })
})

const ok = { url: 'https://hooks.example.com/', events: ['order.paid'] }
const names = (count: number) => Array.from({ length: count }, (_, index) => `order.no-${index}`)

describe('a registration', () => {
  const refused: [string, object, 'invalid_request' | 'bad_request'][] = [
    ['without a url', { events: ok.events }, 'invalid_request'],
    ['with a url of 513 characters', { ...ok, url: `${URL_512}a` }, 'invalid_request'],
    ['with a number for a url', { ...ok, url: 7 }, 'invalid_request'],
    ['with an empty url', { ...ok, url: '' }, 'invalid_request'],
    ['without events', { url: ok.url }, 'invalid_request'],
    ['with no event', { ...ok, events: [] }, 'invalid_request'],
    ['with 51 events', { ...ok, events: names(51) }, 'invalid_request'],
    ['with a name of 101 characters', { ...ok, events: ['a'.repeat(101)] }, 'invalid_request'],
    ...['two words', '*', 'message.*', 'größe', '', 'a\nb', 'a/b'].map(
      (name): [string, object, 'invalid_request'] => [
        `with the name ${JSON.stringify(name)}`,
        { ...ok, events: ['order.paid', name] },
        'invalid_request',
      ],
    ),
    ['with is_active as a text', { ...ok, is_active: 'true' }, 'invalid_request'],
    ...['secret', 'failure_count', 'project_id', 'id', 'epoch'].map(
      (member): [string, object, 'invalid_request'] => [
        `with ${member}`,
        { ...ok, [member]: 'x' },
        'invalid_request',
      ],
    ),
    ...[
      ...['http://hooks.example.com/', 'ftp://hooks.example.com/', 'javascript:alert(1)', 'hooks'],
      ...['https://user:pass@hooks.example.com/', 'https://hooks.example.com/#part'],
      ...['https://10.0.0.5/', 'https://2130706433/', 'https://inside.refused/'],
      ...['https://hooks.example.com:22/', 'https://', ' '],
    ].map((url): [string, object, 'bad_request'] => [
      `of ${url.slice(0, 60)}`,
      { ...ok, url },
      'bad_request',
    ]),
  ]

  it.each(refused)('%s is refused, and changes nothing as a PATCH', async (_, body, code) => {
    const count = async () => (await project.client.ok('listWebhooks')).webhooks.length
    const before = await count()
    const { message } = await project.client.refused('createWebhook', code, { body })
    if (code === 'bad_request') expect(message).toBe(REFUSED)
    expect(await count()).toBe(before)

    const { id } = await subscribe(project, ['order.paid'])
    const known = await get(id)
    const parts = { path: { id }, body }
    if (Object.keys(body).length > 1) await project.client.refused('updateWebhook', code, parts)
    expect(await get(id)).toEqual(known)
    await project.client.ok('deleteWebhook', { path: { id } })
  })

  const taken: [string, object, object][] = [
    ['of 512 characters', { ...ok, url: URL_512 }, { url: URL_512 }],
    [
      'of an international name, in its canonical form',
      { ...ok, url: 'HTTPS://Bücher.Example.Org/A' },
      { url: 'https://xn--bcher-kva.example.org/A' },
    ],
    [
      'that is too long in its canonical form, as it was written',
      { ...ok, url: `https://hooks.example.com?${'a'.repeat(512 - 26)}` },
      {},
    ],
    [
      'of 512 characters that are longer in their canonical form, as it was written',
      { ...ok, url: `https://hooks.example.com/${'é'.repeat(512 - 26)}` },
      {},
    ],
    ['of 50 events', { ...ok, events: names(50) }, { events: names(50) }],
    ['with a name of 100 characters', { ...ok, events: ['a'.repeat(100)] }, {}],
    [
      'with names that are given twice, which count once',
      { ...ok, events: ['b', 'a', 'b', 'a'] },
      { events: ['b', 'a'] },
    ],
    ['that is not told yet', { ...ok, is_active: false }, { is_active: false }],
  ]

  it.each(taken)('%s is taken', async (_, body, expected) => {
    const { webhook } = await project.client.ok('createWebhook', { body: body as never })
    expect(webhook).toMatchObject({ ...body, ...expected })
    expect(await get(webhook.id)).toEqual(webhook)
    const { id } = await subscribe(project, ['order.lost'])
    expect(await update(id, body)).toMatchObject({ ...body, ...expected })
  })

  it('is refused beyond the limit of the project, however many come at once', async () => {
    const own = await service.project()
    const parts = { body: ok }
    const create = () => own.client.send('createWebhook', parts)
    const rounds = [40, 64].map((count) => Array.from({ length: count }, () => null))
    for (const round of rounds) {
      const answers = await Promise.all(round.map(create))
      const refusals = answers.filter(({ status }) => status !== 201)
      for (const { body } of refusals) {
        expect(body).toMatchObject({
          error: { code: 'bad_request', details: { limit: LIMITS.webhooksPerProject } },
        })
      }
    }
    const { webhooks } = await own.client.ok('listWebhooks')
    expect(webhooks).toHaveLength(100)

    await own.client.ok('deleteWebhook', { path: { id: webhooks[0]!.id } })
    const again = await Promise.all([create(), create(), create()])
    expect(again.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    // The limit is each project's own.
    expect(await project.client.send('createWebhook', parts)).toMatchObject({ status: 201 })
  })

  it('is not changed by an empty PATCH', async () => {
    const { id } = await subscribe(project, ['order.paid'])
    await project.client.refused('updateWebhook', 'invalid_request', { path: { id }, body: {} })
  })
})
