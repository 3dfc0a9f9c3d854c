import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

type Document = { openapi: string; servers: { url: string }[]; paths: object }

const page = (address: string, headers: Record<string, string> = {}) =>
  fetch(service.url + address, { headers, redirect: 'manual' })
const fetchDocument = async (url: string) =>
  (await (await fetch(`${url}/v1/openapi.json`)).json()) as Document

describe('GET /v1/openapi.json', () => {
  it('works without a credential and with a bad one, names its version and may be kept', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer nonsense' },
      { 'X-Service-Project': ' ' },
    ]) {
      const response = await page('/v1/openapi.json', headers)
      const document = (await response.json()) as Document

      expect(response.status).toBe(200)
      expect(document.openapi).toMatch(/^3\.1\./)
      expect(response.headers.get('etag')).toMatch(/^"[\w-]{20,}"$/)
      expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-request-id')).toMatch(/./)
      expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual(
        [],
      )
    }
  })

  it('answers 304 without a body to whoever holds this version, and only then', async () => {
    const etag = (await page('/v1/openapi.json')).headers.get('etag')!
    for (const held of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
      const response = await page('/v1/openapi.json', { 'If-None-Match': held })
      expect([held, response.status, await response.text()]).toEqual([held, 304, ''])
      expect(response.headers.get('etag')).toBe(etag)
    }
    expect((await page('/v1/openapi.json', { 'If-None-Match': '"old"' })).status).toBe(200)
  })

  it('names the address under which the caller reached it', async () => {
    expect((await fetchDocument(service.url)).servers[0]?.url).toBe(service.url)
    const other = service.url.replace('127.0.0.1', 'localhost')
    expect((await fetchDocument(other)).servers[0]?.url).toBe(other)
  })

  it('is kept for those alone who reach it by the same address, five minutes long', async () => {
    const { headers } = await page('/v1/openapi.json')
    expect([headers.get('vary'), headers.get('cache-control')]).toEqual([
      'Host',
      'public, max-age=300',
    ])
  })

  it('names PUBLIC_URL where that is set', async () => {
    const env = { PUBLIC_URL: 'https://api.example.test/' }
    const own = await startTestService({ env })
    try {
      expect((await fetchDocument(own.url)).servers[0]?.url).toBe('https://api.example.test')
    } finally {
      await own.stop()
    }
  })
})

describe('every answer under /v1 but the document', () => {
  it('is kept by no cache and read as what it says', async () => {
    const answers = await Promise.all([
      project.client.send('ping'),
      service.client.send('ping'),
      project.client.raw('GET', '/v1/nothing'),
      project.client.raw('DELETE', '/v1/ping'),
      project.client.send('getContact', { path: { id: 'x' } }),
      project.client.send('updateContact', { path: { id: 1 }, body: '{' }),
      project.client.send('ping', { headers: { 'X-Service-Project': 'other' } }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 400, 400, 403])
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  it('is JSON whatever the caller would rather have, and never a part', async () => {
    const headers = { Accept: 'text/html', Range: 'bytes=0-3' }
    const { status, body } = await project.client.send('ping', { headers })
    expect([status, body]).toEqual([200, expect.objectContaining({ success: true })])
  })
})

describe('/healthz and /readyz', () => {
  it('answer 200 while the service can serve', async () => {
    expect((await page('/healthz')).status).toBe(200)
    expect((await page('/readyz')).status).toBe(200)
  })

  it('are in the log only where everything is, or when they fail', async () => {
    const levelOf = async (path: string) => {
      const id = `probe-${randomUUID()}`
      await page(path, { 'X-Request-Id': id })
      const line = service.logLines.find((one) => one.includes(id)) ?? '{}'
      return (JSON.parse(line) as { level: string }).level
    }
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await levelOf(path)).toBe('debug')
    for (const path of ['/healthz/', '/docs', '/v1/ping']) expect(await levelOf(path)).toBe('info')
  })

  it('tell a balancer that the service is leaving, which answers until its delay is over', async () => {
    const own = await startTestService({ env: { STOP_DELAY_MS: '300' } })
    const { client } = await own.project()
    await client.ok('ping')
    const stopped = own.stop()

    expect((await fetch(`${own.url}/readyz`)).status).toBe(503)
    await client.ok('ping')
    await stopped
    await expect(fetch(`${own.url}/healthz`)).rejects.toThrow()
  })

  it('tell a service whose database is gone: alive, not ready, 500 in the envelope', async () => {
    const database: TestDatabase = await createDatabase()
    const own = await startTestService({ databaseUrl: database.url })
    const { client, key } = await own.project()
    try {
      await client.ok('ping')
      await database.drop()

      expect((await fetch(`${own.url}/readyz`)).status).toBe(503)
      expect((await fetch(`${own.url}/healthz`)).status).toBe(200)
      const { message, requestId } = await client.refused('listContacts', 'server_error')
      expect(message).not.toMatch(/database|postgres|test_/i)
      const lines = own.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const [why, ...more] = lines.filter(({ event }) => event === 'request.failed')
      expect(more).toEqual([])
      const error = expect.objectContaining({ stack: expect.stringContaining(' at ') })
      expect(why).toMatchObject({ level: 'error', requestId, code: 'server_error', error })
      expect(own.logLines.join('')).not.toContain(key)
    } finally {
      await own.stop()
    }
  })
})

describe('/metrics', () => {
  it('counts requests by operation, status and code, and tells no secret and no person', async () => {
    await service.customer(project, { phone: '+15550007777', name: 'Zoë Quux' })
    await service.client.send('ping')
    await project.client.raw('GET', '/v1/messages/wamid.secret-id')
    const text = await (await page('/metrics')).text()

    expect(text).toMatch(
      /^http_requests_total\{operation="ping",status="401",code="api_key_required"\} \d+$/m,
    )
    expect(text).toMatch(
      /^http_request_duration_seconds_bucket\{le="0.1",operation="getMessage"\} \d+$/m,
    )
    for (const name of [
      'rate_limit_fail_open_total',
      'channel_sends_total',
      'process_cpu_seconds_total',
    ]) {
      expect(text).toContain(`# TYPE ${name} `)
    }
    expect(text).toMatch(/^database_connections\{state="idle"\} [1-9]/m)
    expect(text).toMatch(/^database_connections\{state="waiting"\} 0$/m)
    for (const secret of [project.key, project.id, '15550007777', 'Quux', 'secret-id']) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('a page that needs no credential', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/docs'])(
    '%s is there to be read only',
    async (path) => {
      expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200)
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, headers } = await fetch(service.url + path, { method })
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      }
    },
  )
})

describe('what is kept from the outside by its path', () => {
  it.each(['/metrics', '/healthz', '/readyz'])('is nowhere but at %s', async (path) => {
    for (const other of [path.toUpperCase(), `${path}/`]) {
      expect([other, (await page(other)).status]).toEqual([other, 404])
    }
  })
})

describe('/docs', () => {
  it('is a page that loads and reaches nothing but this service', async () => {
    const response = await page('/docs')
    const html = await response.text()
    const policy = response.headers.get('content-security-policy') ?? ''
    const sources = policy.split('; ').flatMap((rule) => rule.split(' ').slice(1))

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /)
    for (const rule of ['frame-ancestors', 'base-uri', 'form-action']) {
      expect(policy).toContain(`${rule} 'none'`)
    }
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(sources.filter((source) => /https?:|\*|unsafe-eval/.test(source))).toEqual([])
    expect(html).not.toMatch(/https?:|\/\/[a-z]/i)
    expect(html).not.toMatch(/<script>|\son\w+=/i)
  })

  it('finds all of its parts here, each of its own type', async () => {
    const html = await (await page('/docs')).text()
    const parts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address]) => address!)

    expect(parts.length).toBeGreaterThanOrEqual(4)
    for (const part of parts) {
      const response = await page(part)
      const expected = part.endsWith('.css') ? 'text/css' : 'text/javascript'
      expect([part, response.status]).toEqual([part, 200])
      expect(response.headers.get('content-type')).toContain(expected)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      await response.arrayBuffer()
    }
    const script = await (await page('/docs/reference.js')).text()
    expect(script).toContain("url: '/v1/openapi.json'")
    expect(script).not.toMatch(/https?:/)
  })

  it.each([
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fopenapi.yaml',
    '/docs/%zz',
    '/docs/.env',
  ])('serves nothing else: %s', async (address) => {
    const { status } = await service.client.raw('GET', address)
    expect(status).toBe(404)
  })

  it.each([
    ['a range beyond its end', 416, { Range: 'bytes=9999999-' }],
    ['another version of it', 412, { 'If-Match': '"x"' }],
    ['one older than it is', 412, { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' }],
  ])('refuses %s with %i, which is no fault of the service', async (_what, status, headers) => {
    for (const path of ['/docs', '/docs/reference.js', '/docs/swagger-ui.css']) {
      const response = await page(path, { ...headers })
      const { error } = (await response.json()) as { error: { code: string } }
      expect([response.status, error.code]).toEqual([status, 'bad_request'])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect(service.logLines.filter((line) => line.includes('request.failed'))).toEqual([])
  })
})
