import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exchange } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const code = (body: unknown) => (body as { error?: { code: string } }).error?.code

describe('X-Request-Id', () => {
  const good = ['a', 'A.b_c:d-9', '0', 'x'.repeat(128)]
  it.each(good)('of a caller is adopted: %s', async (id) => {
    const found = await project.client.send('ping', { headers: { 'X-Request-Id': id } })
    const lost = await project.client.raw('GET', '/v1/nothing', { headers: { 'X-Request-Id': id } })

    expect([found, lost].map(({ headers }) => headers.get('x-request-id'))).toEqual([id, id])
    expect(lost.body).toMatchObject({ request_id: id })
  })

  const bad = [
    'x'.repeat(129),
    'a b',
    '{"level":"error"}',
    '${jndi:ldap://x}',
    'é',
    '\x1b[31m',
    'a,b',
  ]
  it.each(bad)('that is not well-formed is replaced by a new one: %j', async (id) => {
    const request = `GET /v1/ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`
    const [answer] = await exchange(service.url, request)
    const given = answer?.headers.get('x-request-id')

    expect(given).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ request_id: given })
  })

  it('that is absent or sent twice is made anew for every request', async () => {
    const twice =
      'GET /v1/ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: a\r\nX-Request-Id: a\r\n\r\n'
    const [answer] = await exchange(service.url, twice)
    const plain = await Promise.all([1, 2].map(() => project.client.send('ping')))
    const ids = [answer, ...plain].map((one) => one?.headers.get('x-request-id'))

    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is in the one log line of the request', async () => {
    await project.client.send('ping', { headers: { 'X-Request-Id': 'find-me' } })

    const lines = service.logLines.filter((line) => line.includes('find-me'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      event: 'request.completed',
      operation: 'ping',
      method: 'GET',
      status: 200,
      project: project.id,
      credential: project.keyId,
      durationMs: expect.any(Number),
    })
    const { durationMs } = JSON.parse(lines[0]!) as { durationMs: number }
    expect(durationMs).toBeGreaterThan(0)
  })

  it('is there with the code of a refusal', async () => {
    await project.client.send('getContact', {
      path: { id: 1 },
      headers: { 'X-Request-Id': 'refused' },
    })
    const lines = service.logLines.filter((line) => line.includes('"refused"'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { status: 404, code: 'not_found' },
    ])
  })
})

describe('a path that is not in the contract', () => {
  const paths = [
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v2/ping',
    '/V1/ping',
    '/v1/PING',
    '/v1/Contacts',
    '/v1/ping/',
    '/v1/contacts/',
    '//v1/ping',
    '/v1//ping',
    '/v1/ping%2f',
    '/v1/%70ing/x',
    '/v1/contacts/1/2',
    '/',
    '/v1/openapi.yaml',
    '/v1/openapi.json/',
    '/.env',
    '/v1/ping;x=1',
    '/v1/../v1/ping/..%2f',
  ]
  it.each(paths)('is 404 not_found, credential or not: %s', async (path) => {
    for (const key of [null, project.key]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const authorization = key ? `Authorization: Bearer ${key}\r\n` : ''
        const [answer] = await exchange(
          service.url,
          `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization}\r\n`,
        )
        expect([method, answer?.status, code(JSON.parse(answer?.body ?? '{}'))]).toEqual([
          method,
          404,
          'not_found',
        ])
      }
    }
  })

  it.each(['/', '/docs/', '/openapi.json'])('tells where to look instead of %s', async (path) => {
    const message = `There is nothing at ${path}. The API is under /v1, and its reference at /docs.`
    const { body } = await service.client.raw('GET', path)
    expect(body).toMatchObject({ error: { code: 'not_found', message } })
  })
})

describe('a method that a path does not have', () => {
  const cases: [string, string, string][] = [
    ['POST', '/v1/ping', 'GET'],
    ['DELETE', '/v1/projects', 'GET'],
    ['GET', '/v1/messages', 'POST'],
    ['PUT', '/v1/contacts/1', 'GET, PATCH'],
    ['DELETE', '/v1/conversations/1', 'GET, PATCH'],
    ['POST', '/v1/openapi.json', 'GET'],
    ['HEAD', '/v1/openapi.json', 'GET'],
    ['HEAD', '/v1/ping', 'GET'],
    ['HEAD', '/v1/contacts/1', 'GET, PATCH'],
    ['OPTIONS', '/v1/ping', 'GET'],
    ['OPTIONS', '/v1/openapi.json', 'GET'],
    ['TRACE', '/v1/ping', 'GET'],
    ['PROPFIND', '/v1/messages', 'POST'],
    ['QUERY', '/v1/contacts', 'GET'],
  ]
  it.each(cases)('%s %s is 405 with Allow: %s, credential or not', async (method, path, allow) => {
    for (const key of [null, project.key]) {
      const authorization = key ? `Authorization: Bearer ${key}\r\n` : ''
      const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization}\r\n`
      // An answer to HEAD tells the length of a body that does not follow.
      const [answer] = await exchange(service.url, request).catch((error: Error) => {
        if (method !== 'HEAD') throw error
        return [
          {
            status: Number(/HTTP\/1\.1 (\d+)/.exec(error.message)?.[1]),
            headers: headersIn(error.message),
          },
        ]
      })

      expect(answer?.status).toBe(405)
      expect(answer?.headers.get('allow')).toBe(allow)
      expect(answer?.headers.get('x-request-id')).toMatch(/./)
    }
  })

  const headersIn = (text: string) =>
    new Headers(
      [...text.matchAll(/^([\w-]+): (.*?)\r?$/gm)].map(([, name, value]) => [name!, value!]),
    )

  it('cannot be reached by an override', async () => {
    const headers = { 'X-HTTP-Method-Override': 'PATCH', 'X-Method-Override': 'PATCH' }
    const { status } = await project.client.raw('POST', '/v1/contacts/1', {
      headers,
      body: { name: 'a' },
    })

    expect(status).toBe(405)
  })
})

describe('a path parameter', () => {
  it.each(['%', '%zz', '%c3%28', '%ff', 'a%e2%82'])(
    'with the malformed escape %s is invalid_id',
    async (id) => {
      const { status, body } = await project.client.raw('GET', `/v1/messages/${id}`)
      expect([status, code(body)]).toEqual([400, 'invalid_id'])
    },
  )

  it('with a malformed escape is looked at after the credential', async () => {
    const { status, body } = await service.client.raw('GET', '/v1/messages/%zz')
    expect([status, code(body)]).toEqual([401, 'api_key_required'])
  })

  it.each(['%00', 'wamid.%00x'])('with the NUL of %s is invalid_id', async (id) => {
    const { status, body } = await project.client.raw('GET', `/v1/messages/${id}`)
    expect([status, code(body)]).toEqual([400, 'invalid_id'])
  })
})

describe('a query parameter with the escape of a byte that is no UTF-8', () => {
  it.each(['%E9', '%c3%28', '%ed%a0%80', 'x%ff', '%EF%BF%BD%e9'])(
    'is bad_request: %s',
    async (tag) => {
      const { status, body } = await project.client.raw('GET', `/v1/contacts?tag=${tag}`)
      expect([status, code(body)]).toEqual([400, 'bad_request'])
      expect(body).toMatchObject({ error: { details: { errors: [{ path: 'tag' }] } } })
    },
  )

  it.each(['%EF%BF%BD', '%C3%A9', '%', '100%', '%zz'])('is not one with %s', async (tag) => {
    const { status } = await project.client.raw('GET', `/v1/contacts?tag=${tag}`)
    expect(status).toBe(200)
  })
})

describe('a query parameter with reserved characters as they are', () => {
  it.each(['conversations?state=in+review', 'conversations?state=order:paid'])(
    'is taken where it is a text of any kind: %s',
    async (address) => {
      expect((await project.client.raw('GET', `/v1/${address}`)).status).toBe(200)
    },
  )

  it('is not said to be empty where it is one of a few words', async () => {
    const { status, body } = await project.client.raw('GET', '/v1/media?kind=image,video')
    expect(status).toBe(400)
    const message = 'must have its reserved characters percent-encoded'
    expect(body).toMatchObject({ error: { details: { errors: [{ path: 'kind', message }] } } })
  })
})

describe('a query parameter in brackets', () => {
  it.each(['[]', '[a]', '[][]', 'limit[]', 'limit[a]'])('is not known: %s', async (name) => {
    const { details } = await project.client.refused('listProjects', 'bad_request', {
      query: { [name]: '1' },
    })

    expect(details.errors).toEqual([{ path: name, message: 'is not known' }])
  })
})

describe('a query parameter that an operation does not take', () => {
  it.each(['cursor', 'filters', 'toString'])(
    'is bad_request, also by the name of %s',
    async (name) => {
      for (const value of ['x', '']) {
        const query = { [name]: value }
        const refused = await project.client.refused('listProjects', 'bad_request', { query })
        expect(refused.message).toBe(`The query parameter ${name} is not known.`)
        expect(refused.details.errors).toEqual([{ path: name, message: 'is not known' }])
      }
    },
  )

  it('is bad_request without a name, too', async () => {
    const query = { '': 'x' }
    const refused = await project.client.refused('listProjects', 'bad_request', { query })
    expect(refused.message).toBe('The query parameter without a name is not known.')
    expect(refused.details.errors).toEqual([{ path: '', message: 'is not known' }])
  })

  it('is told apart from one that is empty', async () => {
    const query = { state: '' }
    const { details } = await project.client.refused('listConversations', 'bad_request', { query })
    expect(details.errors).toEqual([{ path: 'state', message: 'must not be empty' }])
    const empty = { cursor: '' }
    const refused = await project.client.refused('listContacts', 'invalid_cursor', { query: empty })
    expect(refused.details.errors).toEqual([{ path: 'cursor', message: 'must not be empty' }])
  })
})
