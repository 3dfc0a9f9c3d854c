import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as headerSamples from '../../capabilities/templates/header-samples.ts'
import * as templateSync from '../../capabilities/templates/template-sync.ts'
import type { ProjectContext } from '../../core/context.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { listenForTemplates } from '../support/template-channel.ts'
import { body, header as mediaHeader, storeTemplate } from '../support/templates.ts'

const TOKEN = 'EAAsecretToken'
let service: TestService
let channel: Awaited<ReturnType<typeof listenForTemplates>>
let project: TestProject
let made = 0

beforeAll(async () => {
  // The channel has half of the lock's life to answer.
  service = await startTestService({ env: { IDEMPOTENCY_LOCK_MS: '1000' } })
  channel = await listenForTemplates()
  project = await service.project()
  await connect(channel.url)
})
afterAll(async () => {
  await service.stop()
  await channel.close()
})

async function connect(apiUrl: string): Promise<void> {
  await channelAccounts.connect(service.ctx, project.id, {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    appId: '1',
    accessToken: TOKEN,
    appSecret: 'secret',
    verifyToken: 'verify',
    apiUrl,
  })
  // Its notice may take some milliseconds.
  service.ctx.cache.clear()
}

const draft = (name = `refused_${++made}`) => ({
  name,
  language: 'en_US',
  category: 'UTILITY' as const,
  components: [{ type: 'BODY' as const, text: 'Hi.' }],
})
const create = (code: ErrorCode, body = draft()) =>
  project.client.refused('createTemplate', code, { body })
const kept = async (name: string) =>
  (await project.client.ok('listTemplates', { query: { name } })).templates

/** As the channel words a refusal on its templates. */
const graph = (status: number, code: number, more: object = {}) => {
  const error = { message: `(#${code}) Invalid parameter`, type: 'OAuthException', code, ...more }
  return { status, body: { error } }
}
const words = (text: string, error_subcode?: number) => ({
  error_user_title: 'No',
  error_user_msg: text,
  ...(error_subcode === undefined ? {} : { error_subcode }),
})

describe('a template that the channel refuses', () => {
  it.each<[string, ReturnType<typeof graph>, ErrorCode, number]>([
    ['is there', graph(400, 100, words('Is there', 2388024)), 'template_exists', 409],
    ['is being deleted', graph(400, 100, words('Wait', 2388023)), 'invalid_template', 400],
    ['is one too many', graph(400, 100, words('Full', 2388019)), 'invalid_template', 400],
    ['is too long', graph(400, 100, words('Long', 2388040)), 'invalid_template', 400],
    ['has a bad header', graph(400, 100, words('Header', 2388047)), 'invalid_template', 400],
    ['starts with a variable', graph(400, 100, words('Edge', 2388299)), 'invalid_template', 400],
    ['has no phone number', graph(400, 192, words('Phone')), 'invalid_template', 400],
    ['is of no account', graph(400, 100, { error_subcode: 33 }), 'upstream_error', 502],
    ['is one of too many calls', graph(400, 80007), 'upstream_error', 502],
    ['is one of too many calls to the account', graph(400, 80008), 'upstream_error', 502],
    ['is one of too many calls of the app', graph(400, 4), 'upstream_error', 502],
    ['comes with a stale token', graph(401, 190), 'upstream_auth_error', 502],
    ['comes without permission', graph(403, 200), 'upstream_auth_error', 502],
    ['is of a locked account', graph(403, 131031), 'upstream_error', 502],
    ['comes at a bad time', graph(503, 2), 'upstream_error', 502],
  ])('since it %s is answered in its words', async (_what, answer, code, status) => {
    channel.answers(answer)
    const body = draft()
    const refusal = await create(code, body)
    const { error_user_msg: said } = answer.body.error as { error_user_msg?: string }

    expect(refusal.status).toBe(status)
    if (code === 'invalid_template') expect(refusal.message).toContain(said)
    channel.answers(null)
    expect(await kept(body.name)).toEqual([])
  })

  it.each<[string, Parameters<typeof channel.answers>[0], 'refused' | 'unknown']>([
    ['a page of a gateway', { status: 502, body: '<html>502</html>' }, 'unknown'],
    ['nothing of a gateway', { status: 504, body: '' }, 'unknown'],
    ['a page of a server', { status: 503, body: '<html>503</html>' }, 'refused'],
    ['HTML with success', { status: 200, body: '<html>' }, 'unknown'],
    ['broken JSON', { status: 200, body: '{"id":' }, 'unknown'],
    ['no id', { status: 200, body: { status: 'PENDING' } }, 'unknown'],
    ['ten megabytes', { status: 400, body: 'x'.repeat(10_000_000) }, 'refused'],
    ['a redirect', { status: 302, body: '' }, 'refused'],
    ['silence', 'silence', 'unknown'],
  ])(
    'with %s is upstream_error, whose outcome tells what is known',
    async (_what, answer, outcome) => {
      channel.answers(answer)
      const { status, details } = await create('upstream_error')
      expect(status).toBe(502)
      expect(details).toMatchObject({ outcome })
    },
  )

  it('never has the token in what is said, though the channel repeats it', async () => {
    channel.answers(graph(400, 100, words(`Bearer ${TOKEN} is no good`)))
    const refusal = await create('invalid_template')
    expect(refusal.message).toContain('Bearer [token] is no good')
    expect(service.logLines.join('')).not.toContain(TOKEN)
  })

  it('since nobody is there is upstream_error', async () => {
    const gone = await listenForTemplates()
    await gone.close()
    await connect(gone.url)
    await create('upstream_error')
    await connect(channel.url)
  })
})

describe('a template whose answer was lost', () => {
  it.each<[string, Parameters<typeof channel.answers>[0]]>([
    ['in silence', 'silence'],
    ['in a page', { status: 200, body: '<html>' }],
    ['by a gateway', { status: 504, body: '<html>' }],
  ])('%s is found by the next fetch, when the channel has taken it', async (_how, answer) => {
    const id = String(++made)
    const lost = draft(`lost_${id}`)
    channel.answers(answer)
    await create('upstream_error', lost)
    channel.answers(null)
    channel.templates.push({ ...lost, id, status: 'APPROVED' })
    await templateSync.sync(service.ctx, project.id)
    expect(await kept(lost.name)).toMatchObject([{ id, status: 'APPROVED' }])
    channel.templates.length = 0
  })

  it("can be handed over again with its header's handle", async () => {
    const ctx = { ...service.ctx, project: { id: project.id } } as ProjectContext
    const handle = await headerSamples.keep(ctx, 'IMAGE', '4::sample')
    const header = { ...mediaHeader('IMAGE'), example: { header_handle: [handle] } }
    const lost = { ...draft(), components: [header, body('Hi.')] }
    channel.answers({ status: 502, body: '<html>' })
    const { details } = await project.client.refused('createTemplate', 'upstream_error', {
      body: lost,
    })
    expect(details).toMatchObject({ outcome: 'unknown' })
    channel.answers({ status: 200, body: { id: String(++made + 100), status: 'PENDING' } })
    await project.client.ok('createTemplate', { body: lost as never })
  })
})

describe('what the channel answers', () => {
  it.each([
    ['APPROVED', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
    ['pending', 'PENDING'],
    ['LIMIT_EXCEEDED', 'DISABLED'],
    ['SOMETHING_NEW', 'PENDING'],
  ])('counts: a template that is %s at once is %s here', async (word, status) => {
    const id = String(++made + 100)
    channel.answers({ status: 200, body: { id, status: word, category: 'MARKETING' } })
    const { template } = await project.client.ok('createTemplate', { body: draft() })
    expect(template).toMatchObject({ id, status, category: 'MARKETING' })
    const { method, url, body } = channel.requests.at(-1)!
    expect([method, url]).toEqual(['POST', '/v25.0/102290129340398/message_templates'])
    expect(JSON.parse(body)).toMatchObject({ category: 'UTILITY', parameter_format: 'positional' })
  })
})

describe('a deletion', () => {
  const remove = async (answer: Parameters<typeof channel.answers>[0], code: ErrorCode | null) => {
    const name = `deleted_${++made}`
    const id = await storeTemplate(service, project, { name, components: [body('Hi.')] })
    channel.answers(answer)
    const path = { id }
    if (code) await project.client.refused('deleteTemplate', code, { path })
    else await project.client.ok('deleteTemplate', { path })
    expect(channel.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      url: `/v25.0/102290129340398/message_templates?hsm_id=${id}&name=${name}`,
    })
    expect(await kept(name)).toHaveLength(code ? 1 : 0)
  }

  it.each([
    ['it is done', { status: 200, body: { success: true } }],
    ['there is no such template', graph(400, 100)],
    ['there is no such object', graph(400, 100, { error_subcode: 33 })],
  ])('is one when the channel says that %s', async (_what, answer) => {
    await remove(answer, null)
  })

  it.each<[string, Parameters<typeof channel.answers>[0], ErrorCode]>([
    ['it is disabled', graph(400, 100, words('Disabled', 2388039)), 'invalid_template'],
    ['the token is stale', graph(401, 190), 'upstream_auth_error'],
    ['it fails', graph(500, 1), 'upstream_error'],
    ['nothing', 'silence', 'upstream_error'],
    ['a page', { status: 200, body: '<html>' }, 'upstream_error'],
    ['it did not', { status: 200, body: { success: false } }, 'upstream_error'],
  ])('is none when the channel says %s', async (_what, answer, code) => {
    await remove(answer, code)
  })
})
