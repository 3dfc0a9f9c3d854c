import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as connections from '../../capabilities/projects/connections.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { hashSecret, mintSecret } from '../../core/crypto.ts'
import { SESSION, withSettings } from '../../database/connect.ts'
import { exchange } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

/** The code of a ping with these very header lines; `ok` when it is accepted. */
async function ping(...lines: string[]): Promise<string> {
  const fields = ['Host: a', 'Connection: close', ...lines].join('\r\n')
  const [answer, ...more] = await exchange(
    service.url,
    `GET /v1/ping HTTP/1.1\r\n${fields}\r\n\r\n`,
  )
  expect(more).toEqual([])
  const { error } = JSON.parse(answer!.body) as { error?: { code: string } }
  if (answer!.status === 401) expect(answer!.headers.get('www-authenticate')).toMatch(/^Bearer/)
  return error?.code ?? 'ok'
}

const newKey = async (isTest = true, scopes = ['all']) => {
  const { key, secret } = await keys.create(service.ctx, {
    projectId: project.id,
    name: 'K',
    scopes,
    isTest,
  })
  return { id: key.id, secret, client: service.client.as(secret) }
}
const newToken = (more: { expiresInS?: number } = {}) =>
  connections.create(service.ctx, {
    name: 'Agent',
    grants: [{ projectId: project.id, scopes: ['all'] }],
    ...more,
  })

describe('a credential that is absent or malformed is 401 api_key_required', () => {
  const lines: [string, (key: string) => string[]][] = [
    ['no header', () => []],
    ['an empty header', () => ['Authorization:']],
    ['no token', () => ['Authorization: Bearer']],
    ['an empty token', () => ['Authorization: Bearer ']],
    ['two spaces', (key) => [`Authorization: Bearer  ${key}`]],
    ['a tab', (key) => [`Authorization: Bearer\t${key}`]],
    ['Basic', (key) => [`Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`]],
    ['Token', (key) => [`Authorization: Token ${key}`]],
    ['no scheme', (key) => [`Authorization: ${key}`]],
    ['a scheme glued to the token', (key) => [`Authorization: Bearer${key}`]],
    ['two headers', (key) => [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`]],
    [
      'two headers in other case',
      (key) => [`Authorization: Bearer ${key}`, `AUTHORIZATION: Basic x`],
    ],
    ['two credentials in one header', (key) => [`Authorization: Bearer ${key}, Bearer ${key}`]],
    ['a second word', (key) => [`Authorization: Bearer ${key} x`]],
    ['10 KB', () => [`Authorization: Bearer ${'x'.repeat(10_240)}`]],
    ['Latin-1', () => ['Authorization: Bearer pk_live_\xe9']],
    ['only in other headers', (key) => [`X-Api-Key: ${key}`, `Proxy-Authorization: Bearer ${key}`]],
    ['only in a cookie', (key) => [`Cookie: authorization=Bearer ${key}; access_token=${key}`]],
  ]
  it.each(lines)('%s', async (_what, header) => {
    expect(await ping(...header(project.key))).toBe('api_key_required')
  })

  it('only in the query', async () => {
    const { error } = (await service.client.raw('GET', `/v1/ping?access_token=${project.key}`))
      .body as { error: { code: string } }
    expect(error.code).toBe('api_key_required')
  })
})

describe('a key', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('works after the scheme %s', async (scheme) => {
    expect(await ping(`Authorization: ${scheme} ${project.key}`)).toBe('ok')
    expect(await ping(`aUTHORIZATION:   ${scheme} ${project.key}  `)).toBe('ok')
  })

  it('for tests and one for production behave the same', async () => {
    const [test, live] = await Promise.all([newKey(true), newKey(false)])

    expect([test.secret.slice(0, 8), live.secret.slice(0, 8)]).toEqual(['pk_test_', 'pk_live_'])
    expect(await live.client.ok('ping')).toEqual(await test.client.ok('ping'))
  })

  it('that is unknown or mistyped is invalid_api_key', async () => {
    const { key } = project
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    const odd = ['null', 'undefined', '[object', 'pk_live_', 'whsec_x', key.slice(0, 20), `${key}0`]
    const swapped = key.replace('pk_test_', 'pk_live_')
    for (const secret of [
      mintSecret('pk_live_'),
      mintSecret('pk_test_'),
      mistyped,
      swapped,
      key.toUpperCase(),
      ...odd,
    ]) {
      expect([secret, await ping(`Authorization: Bearer ${secret}`)]).toEqual([
        secret,
        'invalid_api_key',
      ])
    }
  })

  it('that is rotated stops working at once, and its new secret works with the same scopes', async () => {
    const { id, secret, client } = await newKey(false, ['contacts:read'])
    const before = await client.ok('ping')
    const rotated = await keys.rotate(service.ctx, id)

    await client.refused('ping', 'invalid_api_key')
    expect(await service.client.as(rotated.secret).ok('ping')).toEqual(before)
    expect(rotated.secret).toMatch(/^pk_live_/)
    expect(rotated.secret).not.toBe(secret)
    const { id: testId } = await newKey(true)
    expect((await keys.rotate(service.ctx, testId)).secret).toMatch(/^pk_test_/)
  })

  it('that is revoked stops working at once, and can be neither rotated nor edited', async () => {
    const { id, client } = await newKey()
    await client.ok('ping')
    await keys.revoke(service.ctx, id)

    const { headers } = await client.refused('ping', 'invalid_api_key')
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    await expect(keys.rotate(service.ctx, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(keys.setScopes(service.ctx, id, ['all'])).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('whose scopes are edited keeps its secret and has them from the next request on', async () => {
    const { id, client } = await newKey(true, ['contacts:read'])
    await client.ok('listContacts')

    await keys.setScopes(service.ctx, id, ['conversations:read'])
    const { details, headers } = await client.refused('listContacts', 'insufficient_scope')
    await client.ok('listConversations')

    expect(details).toEqual({
      required: ['contacts:read'],
      held: ['conversations:read'],
      project_id: project.id,
    })
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="contacts:read"',
    )
  })

  it('stops with project_inactive while its project is paused, and works again when it is resumed', async () => {
    const own = await service.project()
    await own.client.ok('ping')
    for (const status of ['paused', 'deleted'] as const) {
      await projects.setStatus(service.ctx, own.id, status)
      await own.client.refused('ping', 'project_inactive')
      await projects.setStatus(service.ctx, own.id, 'active')
      await own.client.ok('ping')
    }
  })
})

describe("an agent's token", () => {
  it('works as a bearer like a key', async () => {
    const { token } = await newToken()
    expect(token).toMatch(/^mcp_at_/)
    expect(await service.client.as(token).ok('ping')).toEqual(await project.client.ok('ping'))
  })

  it('that is unknown or mistyped is invalid_token', async () => {
    for (const token of [
      mintSecret('mcp_at_'),
      'mcp_at_',
      'mcp_at_x',
      `mcp_at_${'0'.repeat(40)}`,
    ]) {
      expect(await ping(`Authorization: Bearer ${token}`)).toBe('invalid_token')
    }
  })

  it('works until the very millisecond at which it expires', async () => {
    const { token } = await newToken({ expiresInS: 60 })
    const client = service.client.as(token)
    service.advance(59_999)
    await client.ok('ping')
    service.advance(1)
    const { headers } = await client.refused('ping', 'invalid_token')

    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  it('that is revoked is invalid_token at once', async () => {
    const { token, connection } = await newToken()
    const client = service.client.as(token)
    await client.ok('ping')
    await connections.revoke(service.ctx, connection.id)

    await client.refused('ping', 'invalid_token')
  })
})

describe('a secret', () => {
  it('is stored as its digest only', async () => {
    const { secret } = await newKey()
    const { token } = await newToken()
    const { rows } = await query(
      `SELECT k::text AS row FROM api_keys k UNION ALL SELECT c::text FROM connections c`,
    )
    const text = rows.map(({ row }) => row).join('\n')

    for (const one of [secret, token]) {
      expect(text).toContain(Buffer.from(hashSecret(one)).toString('hex'))
      expect(text).toContain(one.slice(0, 12))
      expect(text).not.toContain(one.slice(0, 13))
      expect(text).not.toContain(one.slice(12))
    }
  })

  it('appears neither in logs nor in answers, accepted or refused', async () => {
    const { id, secret, client } = await newKey()
    const answers = [await client.send('ping'), await client.send('listProjects')]
    answers.push(
      await client.raw('GET', `/v1/messages/${secret}`),
      await client.raw('GET', `/v1/${secret}`),
    )
    await keys.revoke(service.ctx, id)
    answers.push(await client.send('ping'))

    const [, , , unknown, refused] = answers.map(({ body }) => JSON.stringify(body))
    expect(refused).not.toContain(secret.slice(12))
    expect(unknown).toContain('not_found')
    expect(service.logLines.join('')).not.toContain(secret.slice(12))
    expect(JSON.stringify(await keys.list(service.ctx, project.id))).not.toContain(secret.slice(12))
  })
})

async function query(text: string): Promise<pg.QueryResult<{ row: string }>> {
  const client = new pg.Client({ connectionString: withSettings(service.databaseUrl, SESSION) })
  await client.connect()
  try {
    return await client.query<{ row: string }>(text)
  } finally {
    await client.end()
  }
}
