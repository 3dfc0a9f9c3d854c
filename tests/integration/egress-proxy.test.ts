import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import { createChatApi } from '../../egress/chat-api.ts'
import { createTunneledConnect } from '../../egress/connect.ts'
import { createTunnel } from '../../egress/tunnel.ts'
import { type Authority, createAuthority } from '../support/certificates.ts'
import { bytesOf, createYard, event, publicAddress } from '../support/egress.ts'
import { startProxy } from '../support/proxy.ts'
import { startTestService, TEST_ENCRYPTION_KEY } from '../support/service.ts'

const yard = createYard()
let authority: Authority

beforeAll(() => {
  authority = createAuthority()
})
afterEach(() => yard.close())
afterAll(() => authority.remove())

/** A proxy as in `tests/support/proxy.ts`, and the way through it. */
async function proxyTo(
  to: Parameters<typeof startProxy>[0],
  { login = '', isSecure = false } = {},
) {
  const certificate = isSecure ? { certificate: authority.issue('DNS:localhost') } : {}
  const proxy = await startProxy(to, { listening: yard.listening, login, ...certificate })
  return { ...proxy, tunnel: createTunnel(proxy.url, authority.cert) }
}

/** A server with a certificate of this name, and what it was asked. */
async function serveTls(name: string, listener: RequestListener = (_, answer) => answer.end('ok')) {
  const hosts: (string | undefined)[] = []
  const server = createTlsServer(authority.issue(`DNS:${name}`), (request, response) => {
    hosts.push(request.headers.host)
    listener(request, response)
  })
  return { ...(await yard.listening(server, '127.0.0.1')), hosts }
}

describe('through a proxy, what users give', () => {
  it('is asked for by its name, with the proxy’s login, although it is unknown here', async () => {
    const server = await serveTls('hooks.example.com')
    const { asked, tunnel } = await proxyTo(server, { login: 'me:p%40ss@' })
    const egress = yard.guard({ tunnel, authorities: authority.cert })
    const url = 'https://hooks.example.com/paid'
    const login = `Basic ${Buffer.from('me:p@ss').toString('base64')}`

    expect(await egress.mayReach(url, { allowHttp: false })).toBe(true)
    expect(await egress.post(url, event)).toMatchObject({ statusCode: 200, error: null })
    const file = await egress.download(url, { bytesMax: 100, timeoutMs: 2_000 })
    expect(file.ok && (await bytesOf(file.download.body)).toString()).toBe('ok')
    expect(asked[0]).toEqual({ endpoint: 'hooks.example.com:443', login })
    expect(server.hosts).toEqual(['hooks.example.com', 'hooks.example.com'])
  })

  it('is asked for over TLS where the proxy wants that, which it must prove to be', async () => {
    const server = await serveTls('hooks.example.com')
    const { asked, tunnel, url } = await proxyTo(server, { isSecure: true })
    const reach = (through: typeof tunnel) =>
      yard
        .guard({ tunnel: through, authorities: authority.cert })
        .post('https://hooks.example.com/', event)

    expect(await reach(tunnel)).toMatchObject({ statusCode: 200, error: null })
    expect(await reach(createTunnel(url))).toMatchObject({ statusCode: null, error: 'failed' })
    expect(asked).toHaveLength(1)
  })

  it('must have a certificate of its own name', async () => {
    const { tunnel } = await proxyTo(await serveTls('other.example.com'))
    const egress = yard.guard({ tunnel, authorities: authority.cert })
    expect(await egress.post('https://hooks.example.com/', event)).toMatchObject({ error: 'tls' })
  })

  it.each([
    ['as written', 'https://10.0.0.7/', [] as string[]],
    ['as it resolves here', 'https://inside.example.com/', ['10.0.0.7']],
    ['beside a public one', 'https://both.example.com/', [publicAddress, '10.0.0.7']],
  ])('is not asked for where it is private %s', async (_, url, addresses) => {
    const { asked, tunnel } = await proxyTo(await serveTls('inside.example.com'))
    const egress = yard.guard({ tunnel, resolve: async () => addresses })

    expect(await egress.mayReach(url, { allowHttp: false })).toBe(false)
    expect(await egress.post(url, event)).toMatchObject({ error: 'refused_address' })
    expect(asked).toEqual([])
  })

  it('is reached directly where the operator allows that', async () => {
    const server = await yard.serve((_, answer) => answer.end('ok'))
    const { asked, tunnel } = await proxyTo(403)
    const egress = yard.guard({ tunnel, allow: [server.endpoint] })
    expect(await egress.post(server.url, event)).toMatchObject({ statusCode: 200 })
    expect(asked).toEqual([])
  })

  it.each([403, 407, 502])('is unreachable where the proxy answers %i', async (status) => {
    const { asked, tunnel } = await proxyTo(status)
    const egress = yard.guard({ tunnel })
    const outcome = await egress.post('https://hooks.example.com/', event)
    expect(outcome).toMatchObject({ statusCode: null, error: 'unreachable' })
    expect(asked).toHaveLength(1)
  })

  it('takes no longer than allowed where the proxy is mute', async () => {
    const { tunnel } = await proxyTo('mute')
    const egress = yard.guard({ tunnel, connectTimeoutMs: 200 })
    const outcome = await egress.post('https://hooks.example.com/', event)
    expect(outcome).toMatchObject({ statusCode: null, error: 'timeout' })
  })
})

describe('through a proxy, what the operator gives', () => {
  const answer = JSON.stringify({ choices: [{ message: { content: 'Hello' } }] })
  const ask = (agentApiUrl: string, tunnel: ReturnType<typeof createTunnel>) => {
    const connect = createTunneledConnect({ tunnel, allow: new Set(), timeoutMs: 2_000 })
    const model = createChatApi({ agentApiUrl, agentApiKey: null, agentModel: null }, connect)
    return model?.complete([{ role: 'user', content: 'Hi' }], performance.now() + 5_000)
  }

  it('is asked for by its name, over TLS that is verified', async () => {
    const { asked, tunnel } = await proxyTo(await serveTls('api.example.com'))
    // The authority is the test's own, which nobody else trusts.
    expect(await ask('https://api.example.com/v1', tunnel)).toMatchObject({ ok: false })
    expect(asked).toEqual([{ endpoint: 'api.example.com:443', login: undefined }])
  })

  it('is asked for also where it is plain http', async () => {
    const server = await yard.serve((_, response) => response.end(answer))
    const { asked, tunnel } = await proxyTo(server)
    expect(await ask('http://model.example.com:8080/v1', tunnel)).toEqual({
      ok: true,
      text: 'Hello',
    })
    expect(asked).toEqual([{ endpoint: 'model.example.com:8080', login: undefined }])
  })

  it.each(['127.0.0.1', 'localhost'])('is reached directly at %s', async (host) => {
    const { port } = await yard.serve((_, response) => response.end(answer))
    const { asked, tunnel } = await proxyTo(403)
    const asks = ask(`http://${host}:${port}`, tunnel)
    expect(await asks).toEqual({ ok: true, text: 'Hello' })
    expect(asked).toEqual([])
  })
})

it('EGRESS_PROXY_URL names the way to the channel, the model, the bucket, and what users give', async () => {
  const { asked, url } = await proxyTo(await yard.serve((_, response) => response.end('{}')))
  const service = await startTestService()
  const config = loadConfig({
    EGRESS_PROXY_URL: url,
    AGENT_API_URL: 'http://model.example.com/v1',
    MEDIA_STORE_URL: 's3+http://me:secret@bucket.example.com:9000/media?region=eu-central-1',
    DATA_DIR: service.ctx.config.dataDir,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  })
  const { ctx, close } = await openContext(config, service.databaseUrl)
  const { id: projectId } = await service.project()
  const named = {
    projectId,
    apiVersion: 'v25.0',
    apiUrl: service.sandbox.url,
    appSecretProof: null,
  }
  const account = { ...(await service.account(projectId)), ...named }
  await ctx.channel.listTemplates({ ...account, apiUrl: 'http://graph.example.com:8080' }, null)
  await ctx.channel.listTemplates(account, null)
  await ctx.chat?.complete([{ role: 'user', content: 'Hi' }], performance.now() + 5_000)
  const file = await ctx.mediaStore.open('a-file-of-the-bucket')
  expect(file && (await bytesOf(file.body)).toString()).toBe('{}')
  await ctx.egress.post('https://93.184.216.34/', event)
  await close()
  await service.stop()

  expect(asked.map(({ endpoint }) => endpoint)).toEqual([
    ...['graph.example.com:8080', 'model.example.com:80', 'bucket.example.com:9000'],
    '93.184.216.34:443',
  ])
})
