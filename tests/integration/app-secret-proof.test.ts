import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { ChannelAccount, ChannelAnswer } from '../../core/channel-account.ts'
import type { Channel, SendOutcome } from '../../core/ports.ts'
import { bodyOf, channelAccount, type Listening, listen, textTo } from '../support/channel.ts'
import { errorOf, fileOf } from '../support/channel-files.ts'
import { customerOf } from '../support/customers.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestService } from '../support/service.ts'

const SECRET = 'hush'
const REQUIRED = 'API calls from the server require an appsecret_proof argument'
const INVALID = 'Invalid appsecret_proof provided in the API argument'

/** An API that requires the proof, as Meta's does for an app that is set so, and what it was asked. */
let graph: Listening
let asked: { path: string; query: URLSearchParams }[]

beforeAll(async () => {
  graph = await listen(async (request, response) => {
    await bodyOf(request)
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://graph')
    asked.push({ path, query })
    const message = path.startsWith('/v') ? faultOf(request, query) : null
    const answer = message === null ? answerAt(path) : { error: { message, code: 100 } }
    response.writeHead(message === null ? 200 : 400).end(JSON.stringify(answer))
  })
})
beforeEach(() => void (asked = []))
afterAll(() => graph.close())

function faultOf({ headers }: IncomingMessage, query: URLSearchParams): string | null {
  const given = query.getAll('appsecret_proof')
  if (given.length === 0) return REQUIRED
  const token = headers.authorization?.split(' ')[1] ?? ''
  return given.join() === proofOf(token) ? null : INVALID
}

const proofOf = (token: string) => createHmac('sha256', SECRET).update(token).digest('hex')

/** Enough for each method to go through all of its requests. */
function answerAt(path: string): object {
  const download_url = `${graph.url}/files/1?sig=a%3D`
  if (path.startsWith('/files')) return { version: '7.1', screens: [] }
  if (path.endsWith('/assets'))
    return { data: [{ asset_type: 'FLOW_JSON', download_url }], success: true }
  if (path.endsWith('/uploads')) return { id: 'upload:1?sig=b%3D' }
  if (path.endsWith('/messages')) return { messages: [{ id: 'wamid.A' }] }
  if (path.endsWith('/phone_numbers')) return { data: [{ id: '101' }] }
  if (path.endsWith('/debug_token')) return { data: { is_valid: true } }
  if (path.endsWith('/subscribed_apps'))
    return { success: true, data: [{ whatsapp_business_api_data: { id: '3' } }] }
  const more = { url: `${graph.url}/files/2`, mime_type: 'image/png', h: '4::a', data: [] }
  return { id: '1', name: 'n', status: 'DRAFT', category: 'UTILITY', success: true, ...more }
}

/** Every method that asks the API itself. */
type Methods = Exclude<keyof Channel, 'close' | 'openMedia'>
type Ask = (channel: Channel, by: ChannelAccount) => Promise<SendOutcome | ChannelAnswer<unknown>>
const { file } = fileOf(Buffer.from('bytes'))
const definition = { version: '7.1', screens: [] }
const draft = {
  ...{ name: 'n', language: 'en', category: 'UTILITY' },
  ...{ parameterFormat: 'POSITIONAL' as const, components: [] },
}
const ASKS: Record<Methods, Ask> = {
  send: (channel, by) => channel.send(by, textTo('+34600111222')),
  createTemplate: (channel, by) => channel.createTemplate(by, draft),
  listTemplates: (channel, by) => channel.listTemplates(by, 'next'),
  deleteTemplate: (channel, by) => channel.deleteTemplate(by, { id: '1', name: 'n' }),
  uploadMedia: (channel, by) => channel.uploadMedia(by, file),
  findMedia: (channel, by) => channel.findMedia(by, '1'),
  deleteMedia: (channel, by) => channel.deleteMedia(by, '1'),
  uploadSample: (channel, by) => channel.uploadSample(by, file),
  createFlow: (channel, by) =>
    channel.createFlow(by, { name: 'n', categories: ['OTHER'], definition }),
  listFlows: (channel, by) => channel.listFlows(by, null),
  findFlow: (channel, by) => channel.findFlow(by, '1'),
  readFlow: (channel, by) => channel.readFlow(by, '1'),
  uploadFlow: (channel, by) => channel.uploadFlow(by, '1', definition),
  renameFlow: (channel, by) => channel.renameFlow(by, '1', 'n'),
  publishFlow: (channel, by) => channel.publishFlow(by, '1'),
  listNumbers: (channel, by) => channel.listNumbers(by, null),
  listSubscribedApps: (channel, by) => channel.listSubscribedApps(by),
  subscribeApp: (channel, by) => channel.subscribeApp(by),
  inspectToken: (channel, by) => channel.inspectToken(by, 'EAAGother'),
}

describe('an account whose app requires the proof of its secret', () => {
  const account = (appSecretProof: string | null) =>
    channelAccount(graph.url, { accessToken: 'EAAG', appSecretProof })
  let channel: Channel
  beforeAll(() => void (channel = createCloudApi({ timeoutMs: 5_000 })))
  afterAll(() => channel.close())

  it.each(Object.entries(ASKS))('gives it with %s, once', async (_, ask) => {
    const answer = await ask(channel, account(proofOf('EAAG')))
    expect(answer).toMatchObject('ok' in answer ? { ok: true } : { outcome: 'accepted' })
  })

  it.each(Object.entries(ASKS))('has its credentials refused without it at %s', async (_, ask) => {
    const answer = await ask(channel, account(null))
    const error = 'outcome' in answer ? 'error' in answer && answer.error : errorOf(answer)
    expect(error).toMatchObject({ kind: 'auth', code: 100, title: REQUIRED, retryable: false })
  })

  it('leaves the URL of a file as the channel has named it', async () => {
    await channel.readFlow(account(proofOf('EAAG')), '1')
    expect(asked.map(({ path, query }) => `${path} ${query.toString()}`)).toEqual([
      `/v25.0/1/assets appsecret_proof=${proofOf('EAAG')}`,
      '/files/1 sig=a%3D',
    ])
  })
})

describe('operator channel connect', () => {
  let service: TestService
  beforeAll(async () => void (service = await startTestService()))
  afterAll(() => service.stop())

  const connect = async (projectId: string, ...more: string[]) => {
    const { out } = await operate(envOf(service), [
      ...['channel', 'connect', '--project', projectId, '--phone-number-id=101', ...more],
      ...['--business-account-id=2', '--app-id=3', '--access-token=EAAG'],
      ...['--app-secret', SECRET, '--verify-token=v', '--api-url', graph.url],
    ])
    return JSON.parse(out).channel
  }

  it('with --app-secret-proof has a project give the proof, until it is connected without', async () => {
    const project = await service.project()
    const customer = await customerOf(service, project, '+34600111222')
    const { client } = project
    expect(await connect(project.id)).toMatchObject({ app_secret_proof: false })
    const refusal = await client.refused('sendMessage', 'upstream_auth_error', {
      body: customer.body,
    })
    expect(refusal.message).toContain(REQUIRED)
    expect(await connect(project.id, '--app-secret-proof')).toMatchObject({
      app_secret_proof: true,
    })
    expect(await client.ok('sendMessage', { body: customer.body })).toMatchObject({ id: 'wamid.A' })
    const checked = await operate(envOf(service), ['channel', 'check', '--project', project.id])
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).not.toContain(proofOf('EAAG'))
    expect(await connect(project.id)).toMatchObject({ app_secret_proof: false })
    await client.refused('sendMessage', 'upstream_auth_error', { body: customer.body })
  })
})
