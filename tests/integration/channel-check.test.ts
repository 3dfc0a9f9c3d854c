import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Listening, listen } from '../support/channel.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

type Answer = { status?: number; body: unknown }

let service: TestService
let project: TestProject
let graph: Listening
/** What it answers by the end of the path, with the method before it unless it is GET. */
let answers: Record<string, Answer>
let asked: string[]

const OURS = {
  id: '101',
  display_phone_number: '+1 631-555-5555',
  verified_name: 'Bikes',
  status: 'CONNECTED',
  quality_rating: 'GREEN',
}
const apps = (...ids: string[]) => ({
  body: { data: ids.map((id) => ({ whatsapp_business_api_data: { id, name: 'App' } })) },
})

const permissions = [
  'whatsapp_business_management',
  'whatsapp_business_messaging',
  'public_profile',
]
const token = (more = {}) => ({
  body: { data: { app_id: '3', is_valid: true, expires_at: 0, scopes: permissions, ...more } },
})
const DAY_S = 24 * 60 * 60

beforeAll(async () => {
  service = await startTestService()
  graph = await listen((request, response) => {
    const url = new URL(request.url ?? '', 'http://graph')
    asked.push(`${request.method} ${url.pathname} ${request.headers.authorization}`)
    const page = url.searchParams.get('after') ?? ''
    const last = `${url.pathname.split('/').at(-1)}${page}`
    const key = request.method === 'GET' ? last : `${request.method} ${last}`
    const { status = 200, body } = answers[key] ?? {
      status: 404,
      body: '',
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  project = await service.project()
  const { code } = await operator(
    ...['channel', 'connect', '--project', project.id, '--phone-number-id=101'],
    ...['--business-account-id=2', '--app-id=3', '--access-token=EAAGsecret'],
    ...['--app-secret=hush', '--verify-token=v'],
  )
  expect(code).toBe(0)
})
afterAll(async () => {
  await graph.close()
  await service.stop()
})
afterEach(() => void (asked = []))

const secondsNow = () => Math.floor(service.ctx.now().getTime() / 1000)
const operator = (...argv: string[]) =>
  operate({ ...envOf(service), CHANNEL_API_URL: graph.url }, argv)
const check = (id = project.id) => operator('channel', 'check', '--project', id)

describe('the check of a channel', () => {
  it('shows the account without its secrets, its number and that its app hears', async () => {
    answers = {
      phone_numbers: { body: { data: [{ id: '100' }, OURS] } },
      subscribed_apps: apps('3'),
      debug_token: token(),
    }
    asked = []
    const { code, out, err } = await check()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual({
      channel: expect.objectContaining({ phone_number_id: '101', callback_url: null }),
      number: {
        ...{ id: '101', phone: '+1 631-555-5555', name: 'Bikes' },
        ...{ status: 'CONNECTED', quality: 'GREEN' },
      },
      subscribed: true,
      access: { expires_at: null, permissions },
    })
    expect(out).not.toMatch(/EAAGsecret|hush/)
    expect(asked).toEqual([
      'GET /v25.0/2/phone_numbers Bearer EAAGsecret',
      'GET /v25.0/2/subscribed_apps Bearer EAAGsecret',
      'GET /v25.0/debug_token Bearer 3|hush',
    ])
  })

  it('finds the number on a later page', async () => {
    const paging = { cursors: { after: 'next' }, next: 'https://graph/next' }
    answers = {
      phone_numbers: { body: { data: [{ id: '100' }], paging } },
      phone_numbersnext: { body: { data: [OURS] } },
      subscribed_apps: apps('3'),
    }
    expect((await check()).code).toBe(0)
  })

  it('tells that the token is refused, in one sentence', async () => {
    const error = { message: 'Error validating access token: Session has expired', code: 190 }
    answers = { phone_numbers: { status: 401, body: { error } } }
    expect(await check()).toEqual({
      code: 1,
      out: '',
      err:
        "The channel rejected the project's credentials; connect the channel again. " +
        'It said: Error validating access token: Session has expired\n',
    })
  })

  it('tells that the business account does not have the number, and which it has', async () => {
    const data = [{ id: '100', display_phone_number: '+1 555' }, { id: '99' }]
    answers = { phone_numbers: { body: { data } } }
    expect(await check()).toEqual({
      code: 1,
      out: '',
      err: 'The business account 2 has no phone number 101. It has: 100 (+1 555), 99.\n',
    })
  })

  it('tells that the app does not hear of the business account', async () => {
    answers = { phone_numbers: { body: { data: [OURS] } }, subscribed_apps: apps('33') }
    const { code, out, err } = await check()
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ subscribed: false })
    expect(err).toMatch(/^The app 3 is not subscribed to the business account 2: /)
  })

  it('is made by a subscription too, once the channel has subscribed the token’s app', async () => {
    const [phone_numbers, yes] = [{ body: { data: [OURS] } }, { body: { success: true } }]
    const subscribe = () => operator('channel', 'subscribe', '--project', project.id)
    answers = { phone_numbers, subscribed_apps: apps('3'), 'POST subscribed_apps': yes }
    asked = []
    const { code, out } = await subscribe()
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ number: { id: '101' }, subscribed: true })
    expect(asked[0]).toBe('POST /v25.0/2/subscribed_apps Bearer EAAGsecret')
    answers.subscribed_apps = apps('33')
    expect(await subscribe()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/subscribes the app that its token was made for\.$/m),
    })
    const error = { message: '(#200) No permission', code: 200 }
    answers['POST subscribed_apps'] = { status: 403, body: { error } }
    expect(await subscribe()).toMatchObject({
      ...{ code: 1, out: '', err: expect.stringContaining('It said: No permission') },
    })
  })

  it.each<[string, () => object, RegExp]>([
    [
      'is of another app',
      () => ({ app_id: '33' }),
      /^The access token was made for the app 33, not for 3\.$/m,
    ],
    ['is not valid', () => ({ is_valid: false }), /^The access token is not valid\.$/m],
    [
      'may not send',
      () => ({ scopes: ['whatsapp_business_management'] }),
      /^The access token lacks whatsapp_business_messaging\.$/m,
    ],
    [
      'ends within a week',
      () => ({ expires_at: secondsNow() + 6 * DAY_S }),
      /^The access token expires at 20\d\d-.*Z\.$/m,
    ],
  ])('tells that the token %s', async (_, more, says) => {
    const phone_numbers = { body: { data: [OURS] } }
    answers = { phone_numbers, subscribed_apps: apps('3'), debug_token: token(more()) }
    const { code, out, err } = await check()
    expect(code).toBe(1)
    expect(err).toMatch(says)
    expect(JSON.parse(out)).toMatchObject({ subscribed: true })
    answers.debug_token = token({ expires_at: secondsNow() + 8 * DAY_S, scopes: null })
    const later = await check()
    expect(later).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(later.out).access).toEqual({
      expires_at: expect.stringMatching(/^20.*Z$/),
      permissions: null,
    })
  })

  it.each([101, 190])('tells by code %i that the secret is not that of the app', async (code) => {
    const message = 'Error validating application: EAAGsecret of 3|hush'
    const debug_token = { status: 400, body: { error: { message, code } } }
    answers = { phone_numbers: { body: { data: [OURS] } }, subscribed_apps: apps('3'), debug_token }
    const found = await check()
    expect(found).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Meta does not know the app 3 with this secret, .*: Error validating application: \[token\] of \[token\]$/m,
      ),
    })
    expect(JSON.parse(found.out)).toMatchObject({ access: null })
  })

  it.each([
    { status: 404, body: '' },
    { status: 500, body: { error: { message: 'Later', code: 2 } } },
    { body: { data: [] } },
    { body: { data: { is_valid: 'yes' } } },
  ])('takes %j for nothing said of the token', async (debug_token) => {
    answers = { phone_numbers: { body: { data: [OURS] } }, subscribed_apps: apps('3'), debug_token }
    const { code, out } = await check()
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ access: null })
  })

  it('tells an API of the project’s own nothing of the secret', async () => {
    const { id } = await service.project()
    await operator(
      ...['channel', 'connect', '--project', id, '--phone-number-id=101', '--api-url', graph.url],
      ...['--business-account-id=2', '--app-id=3', '--access-token=EAAGsecret'],
      ...['--app-secret=hush', '--verify-token=v'],
    )
    answers = { phone_numbers: { body: { data: [OURS] } }, subscribed_apps: apps('3') }
    asked = []
    const { code, out } = await check(id)
    expect([code, JSON.parse(out).access]).toEqual([0, null])
    expect(asked).toHaveLength(2)
    expect(asked.join()).not.toContain('hush')
  })

  it('tells that nobody answers there', async () => {
    const away = await listen(() => {})
    await away.close()
    const { id } = await service.project()
    await operator(
      ...['channel', 'connect', '--project', id, '--phone-number-id=1', '--api-url', away.url],
      ...['--business-account-id=2', '--app-id=3', '--access-token=t'],
      ...['--app-secret=hush', '--verify-token=v'],
    )
    const { code, err } = await check(id)
    expect(code).toBe(1)
    expect(err).toMatch(/^The channel did not do it\. It said: .*ECONNREFUSED/)
  })

  it('works on the sandbox, without a server that runs, and for no project that is gone', async () => {
    const { id } = await service.project()
    const { code, out } = await check(id)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      channel: { kind: 'sandbox' },
      number: { status: 'CONNECTED' },
      subscribed: true,
      access: { expires_at: null },
    })
    expect(await operator('channel', 'subscribe', '--project', id)).toMatchObject({ code: 0, out })
    await operator('project', 'delete', id)
    expect(await check(id)).toEqual({ code: 1, out: '', err: `There is no project ${id}.\n` })
  })
})
