import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { oneOff } from '../../core/sql.ts'
import { sandboxErrors } from '../../channel/sandbox-outcomes.ts'
import { listen, type Listening } from '../support/channel.ts'
import { customerOf } from '../support/customers.ts'
import { attemptsOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, storeTemplate } from '../support/templates.ts'

let refusalCode = 0
let explained = ''
let whenAsked = () => {}
let channel: Listening
let service: TestService
let project: TestProject

/** A channel that refuses every message with the code of the moment, as the real one words it. */
function refuseAll() {
  return listen((request, response) => {
    request.resume()
    whenAsked()
    const error_data = { messaging_product: 'whatsapp', details: explained }
    const message = `(#${refusalCode}) No`
    const error = { message, type: 'OAuthException', code: refusalCode, error_data }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
}

const store = (to: TestProject) =>
  storeTemplate(service, to, { name: 'offer', category: 'MARKETING', components: [body('Hi.')] })
/** What the project has used of the day's quota. */
const usedToday = async () => {
  const where = { projectId: project.id }
  return (await service.ctx.db.sendBudget.findUniqueOrThrow({ where })).used
}
const offerTo = (phone: string) => ({
  type: 'template' as const,
  phone,
  template_name: 'offer',
  language: 'en_US',
})

beforeAll(async () => {
  service = await startTestService({ behindMs: 7 * 24 * 3_600_000 })
  channel = await refuseAll()
  project = await service.project()
  await channelAccounts.connect(service.ctx, project.id, {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    appId: '1',
    accessToken: 'EAAtests',
    appSecret: 'secret',
    verifyToken: 'verify',
    apiUrl: channel.url,
  })
  await store(project)
})
beforeEach(() => {
  explained = 'As the channel explains.'
})
afterAll(async () => {
  await service.stop()
  await channel.close()
})

describe('a customer who has stopped marketing messages', () => {
  it('makes a template that the channel took fail, with the reason and no hope of a retry', async () => {
    const own = await service.project()
    await store(own)
    const customer = await customerOf(service, own, '+15557770004')
    const sent = await own.client.ok('sendMessage', { body: offerTo('+15557770004') })
    await service.sandbox.idle()

    const { title, details } = sandboxErrors[131050]!
    expect(await customer.outbound()).toMatchObject([
      {
        wamid: sent.id,
        type: 'template',
        status: 'failed',
        content: 'Hi.',
        error: { code: '131050', title, details, retryable: false },
      },
    ])
    expect(await customer.conversation()).toMatchObject({ last_message: { status: 'failed' } })
  })

  it('may be refused at once, too, and is then no message of the conversation', async () => {
    refusalCode = 131050
    const customer = await customerOf(service, project, '+15557772000')
    const refusal = await project.client.refused('sendMessage', 'upstream_error', {
      body: offerTo('+15557772000'),
    })
    expect(refusal.status).toBe(502)
    expect(refusal.details).toEqual({ outcome: 'refused', channel_code: 131050, retryable: false })
    expect(refusal.message).toContain('As the channel explains.')
    expect(await customer.outbound()).toEqual([])
  })

  it('is opted out when the channel refuses at once', async () => {
    refusalCode = 131050
    const query = { phone: '+15557772001' }
    await customerOf(service, project, query.phone)
    await service.ctx.db.contact.updateMany({
      where: { projectId: project.id, phone: query.phone },
      data: { optedIn: true },
    })
    await project.client.refused('sendMessage', 'upstream_error', { body: offerTo(query.phone) })

    const { contacts } = await project.client.ok('listContacts', { query })
    expect(contacts).toMatchObject([{ opted_in: false }])
  })

  it('leaves the attempt on record until that is written down', async () => {
    refusalCode = 131050
    const query = { phone: '+15557772002' }
    await customerOf(service, project, query.phone)
    await service.ctx.db.contact.updateMany({
      where: { projectId: project.id, phone: query.phone },
      data: { optedIn: true },
    })
    const change = (what: string) => service.ctx.sql.rows(oneOff(`ALTER TABLE contacts ${what}`))
    await change('ADD CONSTRAINT no_opt_outs CHECK (opted_in) NOT VALID')
    await project.client.refused('sendMessage', 'server_error', { body: offerTo(query.phone) })
    // Once it can be, it may be at any moment.
    const attempts = await attemptsOf(service, project.id)
    await change('DROP CONSTRAINT no_opt_outs')

    expect(attempts).toHaveLength(1)
  })
})

describe('a refusal by the channel at the moment of sending', () => {
  it.each<[string, number, boolean]>([
    ['a number that is not on WhatsApp', 131026, false],
    ['a number that is not among those allowed', 131030, false],
    ['an experiment of the channel', 130472, false],
    ["the customer's marketing limit", 131049, true],
    ["the sender's quality", 131048, true],
    ['the throughput', 130429, true],
    ['too many messages to one customer', 131056, true],
    ['a medium that it cannot use', 131053, false],
    ['a flow that is blocked', 132068, false],
    ['a flow that is throttled', 132069, true],
    ['a country that the account may not write to', 130497, false],
    ['a locked account', 131031, false],
    ['an account that does not pay', 131042, false],
    ['an unregistered number', 133010, false],
    ['a parameter', 100, false],
    ['an unknown reason', 999_999, false],
  ])('for %s (%i) is upstream_error, retryable: %s', async (_, code, retryable) => {
    refusalCode = code
    const refusal = await project.client.refused('sendMessage', 'upstream_error', {
      body: offerTo('+15557772001'),
    })
    expect(refusal.status).toBe(502)
    expect(refusal.details).toEqual({ outcome: 'refused', channel_code: code, retryable })
    const lines = service.logLines.filter((line) => line.includes('"request.failed"'))
    const said = { level: 'error', code: 'upstream_error', requestId: refusal.requestId }
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject(said)
  })

  it.each<[string, number, ErrorCode, number]>([
    ['a count of parameters that does not fit', 132000, 'template_variable_mismatch', 400],
    ['a template that the channel does not know', 132001, 'template_not_found', 404],
    ['a rendered text that is too long', 132005, 'template_variable_mismatch', 400],
    ['a text that breaks its policy', 132007, 'template_variable_mismatch', 400],
    ['a parameter that is missing', 132008, 'template_variable_mismatch', 400],
    ['a parameter of the wrong form', 132012, 'template_variable_mismatch', 400],
    ['a paused template', 132015, 'template_not_approved', 409],
    ['a disabled template', 132016, 'template_not_approved', 409],
    ['a parameter with a line break', 132018, 'template_variable_mismatch', 400],
  ])('for %s (%i) is %s, in its words, and costs nothing', async (_, code, expected, status) => {
    refusalCode = code
    const customer = await customerOf(service, project, '+15557772001')
    const usedBefore = await usedToday()
    const body = offerTo('+15557772001')
    const refusal = await project.client.refused('sendMessage', expected, { body })

    expect(refusal).toMatchObject({ status, details: { channel_code: code } })
    if (expected === 'template_variable_mismatch') {
      expect(refusal.details).toEqual({
        component: null,
        expected: [],
        missing: [],
        unexpected: [],
        channel_code: code,
      })
    }
    expect(refusal.message).toContain('As the channel explains.')
    expect(await usedToday()).toBe(usedBefore)
    expect(await customer.outbound()).toEqual([])
  })

  it.each([0, 3, 10, 190, 200, 299, 131005])(
    'because of its credentials or permissions (%i) is upstream_auth_error',
    async (code) => {
      refusalCode = code
      const refusal = await project.client.refused('sendMessage', 'upstream_auth_error', {
        body: offerTo('+15557772001'),
      })
      expect(refusal.status).toBe(502)
      expect(refusal.details).toEqual({ outcome: 'refused', channel_code: code, retryable: false })
    },
  )

  it('because the channel holds an open window for closed is told as its word', async () => {
    refusalCode = 131047
    const customer = await customerOf(service, project, '+15557772003')
    const { last_inbound_at } = await customer.conversation()
    const refusal = await project.client.refused('sendMessage', 'outside_24h_window', {
      body: customer.body,
    })
    expect(refusal.status).toBe(409)
    expect(refusal.message).toMatch(/^The channel holds that .* send an approved template instead/)
    expect(refusal.message).toContain('As the channel explains.')
    expect(refusal.details).toEqual({ last_inbound_at, window_expired_at: null })
    expect(await customer.outbound()).toEqual([])
  })

  it('because the window closed on the way is outside_24h_window, with what is known here', async () => {
    refusalCode = 131047
    const customer = await customerOf(service, project, '+15557772004')
    const { last_inbound_at, window } = await customer.conversation()
    whenAsked = () => service.advance(24 * 3_600_000)
    const { message, details } = await project.client.refused('sendMessage', 'outside_24h_window', {
      body: customer.body,
    })
    expect(message).toMatch(/^The customer last wrote more than 24 hours ago/)
    expect(details).toEqual({ last_inbound_at, window_expired_at: window.expires_at })
  })
})

describe('a media_id that the channel does not know either', () => {
  it.each<[number, string]>([
    [100, "Param image['id'] must be a valid whatsapp business account media attachment ID"],
    [
      100,
      "Param template['components'][0]['parameters'][0]['image']['id'] is not a valid whatsapp business account media attachment ID",
    ],
    [131009, 'Param image.id is not a media id.'],
    [131009, 'Param template.components[0].parameters[0].image.id is not a media id.'],
  ])('is media_not_found when it answers %i, %s', async (code, said) => {
    refusalCode = code
    explained = said
    const customer = await customerOf(service, project, '+15557774000')
    const before = await usedToday()
    const sent = { type: 'image' as const, phone: '+15557774000', media_id: 'of-nobody' }
    const refusal = await project.client.refused('sendMessage', 'media_not_found', { body: sent })
    expect(refusal.status).toBe(404)
    expect(refusal.message).toContain(said)
    expect(await usedToday()).toBe(before)
    expect(await customer.outbound()).toEqual([])
  })
})
