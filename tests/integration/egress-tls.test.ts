import { createServer, type ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Authority, createAuthority } from '../support/certificates.ts'
import {
  bytesOf,
  createDial,
  createYard,
  event,
  publicAddress,
  reachFromProcess,
} from '../support/egress.ts'

const yard = createYard()
let authority: Authority
let stranger: Authority

beforeAll(() => {
  authority = createAuthority()
  stranger = createAuthority()
})
afterEach(() => yard.close())
afterAll(() => {
  authority.remove()
  stranger.remove()
})

const refused = { statusCode: null, error: 'tls', durationMs: expect.any(Number) }

/** A TLS server of this machine; `seen` are the names that it was asked for, and the Host headers. */
async function serveTls(options: ServerOptions) {
  const seen: { name: string | false | null; host: string | undefined }[] = []
  const server = createServer(options, (request, response) => {
    seen.push({
      name: (request.socket as TLSSocket & { servername: string | false | null }).servername,
      host: request.headers.host,
    })
    response.end('file')
  })
  return { ...(await yard.listening(server, '127.0.0.1')), seen }
}

/** Posts and downloads; both must come to the same. */
async function reach(server: { port: number }, host: string) {
  const endpoint = `${host}:${server.port}`
  const egress = yard.guard({ allow: [endpoint], authorities: authority.cert })
  const url = `https://${endpoint}/`
  const outcome = await egress.post(url, event)
  const download = await egress.download(url, { bytesMax: 100, timeoutMs: 2_000 })
  return { outcome, download }
}

describe('a certificate', () => {
  it.each([
    ['localhost', 'DNS:localhost'],
    ['127.0.0.1', 'IP:127.0.0.1'],
  ])('of %s is taken from the right authority', async (host, names) => {
    const server = await serveTls(authority.issue(names))

    const { outcome, download } = await reach(server, host)

    expect(outcome).toMatchObject({ statusCode: 200, error: null })
    expect(download.ok && (await bytesOf(download.download.body)).toString()).toBe('file')
  })

  it.each<[string, string, () => ServerOptions]>([
    ['that is expired', 'localhost', () => authority.issue('DNS:localhost', -1)],
    ['of another name', 'localhost', () => authority.issue('DNS:other.example.org')],
    ['of another address', '127.0.0.1', () => authority.issue('IP:127.0.0.2')],
    ['of a name for an address', '127.0.0.1', () => authority.issue('DNS:localhost')],
    ['of an unknown authority', 'localhost', () => stranger.issue('DNS:localhost')],
  ])('%s is refused, before a byte of the request', async (_, host, options) => {
    const server = await serveTls(options())

    const { outcome, download } = await reach(server, host)

    expect(outcome).toEqual(refused)
    expect(download).toMatchObject({ ok: false, fault: 'failed' })
    await server.quiet()
    expect(server.seen).toEqual([])
  })

  it('is checked even when the environment says not to', async () => {
    const server = await serveTls(stranger.issue('DNS:localhost'))
    const allow = `localhost:${server.port}`
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }

    const reached = await reachFromProcess({ url: `https://${allow}/`, allow, env })

    expect(reached).toEqual([null, 'tls', false])
    expect(server.seen).toEqual([])
  })

  it('of its own is not trusted where no authority is named', async () => {
    const server = await serveTls(authority.issue('DNS:localhost'))
    const egress = yard.guard({ allow: [`localhost:${server.port}`] })

    expect(await egress.post(`https://localhost:${server.port}/`, event)).toEqual(refused)
  })
})

describe('TLS', () => {
  it.each<[string, ServerOptions]>([
    ['1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }],
  ])('of version %s is refused', async (_, versions) => {
    const server = await serveTls({ ...authority.issue('DNS:localhost'), ...versions })

    expect((await reach(server, 'localhost')).outcome).toEqual(refused)
    expect(server.seen).toEqual([])
  })

  it('of version 1.2 is taken', async () => {
    const server = await serveTls({
      ...authority.issue('DNS:localhost'),
      maxVersion: 'TLSv1.2',
    })

    expect((await reach(server, 'localhost')).outcome).toMatchObject({ statusCode: 200 })
  })

  it('leads to HTTP/1.1 where a server would rather have HTTP/2', async () => {
    const server = await serveTls({
      ...authority.issue('DNS:localhost'),
      ALPNProtocols: ['h2', 'http/1.1'],
    })

    expect((await reach(server, 'localhost')).outcome).toMatchObject({ statusCode: 200 })
  })

  it('that demands a certificate of ours fails', async () => {
    const server = await serveTls({
      ...authority.issue('DNS:localhost'),
      requestCert: true,
      rejectUnauthorized: true,
      ca: authority.cert,
    })

    const { outcome, download } = await reach(server, 'localhost')

    expect(outcome.statusCode).toBeNull()
    expect(download).toMatchObject({ ok: false, fault: 'failed' })
    expect(server.seen).toEqual([])
  })

  it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH_9.2\r\n', '\u0015\u0003\u0001'])(
    'is not what answers %j',
    async (answer) => {
      const server = await yard.serveRaw((socket) => void socket.write(answer, 'latin1'))
      const egress = yard.guard({ allow: [server.endpoint] })

      const outcome = await egress.post(`https://${server.endpoint}/`, { ...event, timeoutMs: 300 })

      expect(outcome.statusCode).toBeNull()
      expect(['tls', 'timeout']).toContain(outcome.error)
      await server.quiet()
    },
  )
})

it('a connection that is cut in the middle of its handshake is told as that', async () => {
  const server = await yard.serveRaw((socket) =>
    socket.once('data', () => socket.resetAndDestroy()),
  )
  const egress = yard.guard({ allow: [server.endpoint] })

  expect(await egress.post(`https://${server.endpoint}/`, event)).toMatchObject({
    statusCode: null,
    error: 'connection_reset',
  })
})

describe('a public name', () => {
  it('stays in the certificate check, the handshake and the Host header', async () => {
    const server = await serveTls(authority.issue('DNS:hooks.example.org'))
    const { dial, dialled } = createDial(server.port)
    const asked: string[] = []
    const egress = yard.guard({
      dial,
      authorities: authority.cert,
      resolve: async (name) => {
        asked.push(name)
        return [publicAddress]
      },
    })

    for (const host of ['hooks.example.org:8443', 'hooks.example.org.']) {
      expect(await egress.post(`https://${host}/`, event)).toMatchObject({ statusCode: 200 })
      expect(server.seen.pop()).toEqual({ name: 'hooks.example.org', host })
    }
    expect(asked).toEqual(['hooks.example.org', 'hooks.example.org.'])
    expect(dialled).toEqual([publicAddress, publicAddress])
  })

  it('is looked up once for each connection, not for each post', async () => {
    const server = await serveTls(authority.issue('DNS:hooks.example.org'))
    const { dial } = createDial(server.port)
    let asked = 0
    const egress = yard.guard({
      dial,
      authorities: authority.cert,
      resolve: async () => {
        asked += 1
        return [publicAddress]
      },
    })

    for (let round = 0; round < 50; round += 1) {
      expect(await egress.post('https://hooks.example.org/', event)).toMatchObject({
        statusCode: 200,
      })
    }
    expect(asked).toBe(server.connections())
    expect(asked).toBeLessThanOrEqual(2)
  })

  it('has no server name announced for an address', async () => {
    const server = await serveTls(authority.issue(`IP:${publicAddress}`))
    const { dial } = createDial(server.port)
    const egress = yard.guard({ dial, authorities: authority.cert })

    expect(await egress.post(`https://${publicAddress}/`, event)).toMatchObject({
      statusCode: 200,
    })
    expect(server.seen).toEqual([{ name: false, host: publicAddress }])
  })
})
