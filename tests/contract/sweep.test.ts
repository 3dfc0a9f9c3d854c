import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as keys from '../../capabilities/projects/keys.ts'
import { ALL_SCOPES } from '../../capabilities/projects/scopes.ts'
import type { Operation, OperationId } from '../../core/contract.ts'
import { addressOf, guardedOperations } from '../support/client.ts'
import { type DeclaredParameter, declaredOperations, followed } from '../support/document.ts'
import { identified, makeResources, requestFor } from '../support/resources.ts'
import { type Answer, checkAnswer } from '../support/responses.ts'
import type { TestProject } from '../support/service.ts'
import { OPERATIONS, startSweep, type Sweep } from '../support/sweep.ts'

/** What filters take and nothing of the sweep has, by the format or the name of their parameter. */
const NOBODYS: Record<string, string> = {
  'date-time': '9999-01-01T00:00:00Z',
  phone: '+15559999999',
}

let sweep: Sweep
beforeAll(async () => {
  sweep = await startSweep()
})
afterAll(() => sweep.service.stop())

describe.each(OPERATIONS.all)('%s', (_id, operation) => {
  it('answers 401 api_key_required without a credential', async () => {
    const { status, headers } = await sweep.refused(
      operation,
      'api_key_required',
      sweep.valid(operation, { key: null }),
    )
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(headers.get('ratelimit-limit')).toBeNull()
  })

  it('answers 401 invalid_api_key for a key that nobody holds', async () => {
    const key = `pk_live_${'0'.repeat(40)}`
    const parts = sweep.valid(operation, { key })
    const { status } = await sweep.refused(operation, 'invalid_api_key', parts)
    expect(status).toBe(401)
  })

  it('answers 401 invalid_token for a token that nobody holds', async () => {
    const key = `mcp_at_${'0'.repeat(40)}`
    const parts = sweep.valid(operation, { key })
    const { status } = await sweep.refused(operation, 'invalid_token', parts)
    expect(status).toBe(401)
  })

  it('refuses an unknown query parameter', async () => {
    const { query } = sweep.valid(operation)
    const parts = sweep.valid(operation, { query: { ...query, not_a_parameter: '1' } })
    const { status, details } = await sweep.refused(operation, 'bad_request', parts)
    expect(status).toBe(400)
    expect(details.errors).toEqual([{ path: 'not_a_parameter', message: expect.any(String) }])
  })

  it.each(queryNamesOf(operation))('refuses the query parameter %s given twice', async (name) => {
    const parts = sweep.valid(operation)
    const address = addressOf(operation, parts)
    const twice = `${address}${address.includes('?') ? '&' : '?'}${name}=1&${name}=1`
    const answer = await sweep.project.client.raw(operation.method.toUpperCase(), twice, parts)
    checkAnswer(operation.id, answer)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
  })

  it('adopts a good X-Request-Id, replaces a bad one, and lets nobody keep the answer', async () => {
    const good = 'order-1042.attempt:1_A'
    const request = sweep.valid(operation, { key: null, headers: { 'x-request-id': good } })
    const adopted = await sweep.refused(operation, 'api_key_required', request)
    const replaced = await sweep.refused(operation, 'api_key_required', {
      ...request,
      headers: { 'x-request-id': 'two words' },
    })
    expect(adopted.requestId).toBe(good)
    expect(replaced.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(adopted.headers.get('cache-control')).toBe('no-store')
    expect(adopted.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('answers 405 with the allowed methods to any other method', async () => {
    const { status, headers, body } = await sweep.project.client.raw(
      'PROPFIND',
      addressOf(operation, sweep.valid(operation)),
    )
    expect([status, codeOf(body)]).toEqual([405, 'method_not_allowed'])
    expect(headers.get('allow')?.split(', ')).toContain(operation.method.toUpperCase())
  })
})

describe.each(OPERATIONS.scoped)('the scopes of %s', (_id, operation) => {
  it.each(operation.scopes)('are refused without %s, whatever else is held', async (scope) => {
    const key = await sweep.keyWithout([scope])
    const { status, details, headers } = await sweep.refused(
      operation,
      'insufficient_scope',
      sweep.valid(operation, { key }),
    )
    expect(status).toBe(403)
    expect(details).toEqual({
      required: operation.scopes,
      held: ALL_SCOPES.filter((held) => held !== scope),
      project_id: sweep.project.id,
    })
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${operation.scopes.join(' ')}"`,
    )
  })

  it('are enough on their own', async () => {
    const own = await sweep.service.project(operation.scopes)
    const { client } = await ownerOf(own)
    const made = await makeResources(sweep.service, { ...own, client })
    const parts = requestFor(operation, identified(operation, made, 'own'))
    const answer = await own.client.send(operation.id as OperationId, parts)
    expect(answer.status).toBe(operation.successStatus)
  })
})

describe.each(OPERATIONS.existing)('the identifiers of %s', (_id, operation) => {
  it("answer for another project's as for one that never was, and change nothing", async () => {
    const theirs = identified(operation, sweep.others, 'own')
    const nobodys = identified(operation, sweep.others, 'never')
    const before = await seenByOwner(operation)

    const foreign = await sweep.send(operation, sweep.valid(operation, { path: theirs }))
    const absent = await sweep.send(operation, sweep.valid(operation, { path: nobodys }))

    expect(foreign.status).toBe(404)
    expect(anonymous(foreign, theirs)).toEqual(anonymous(absent, nobodys))
    expect(await seenByOwner(operation)).toEqual(before)
  })

  it('are not found when they never were', async () => {
    const path = identified(operation, sweep.resources, 'never')
    const { status } = await sweep.send(operation, sweep.valid(operation, { path }))
    expect(status).toBe(404)
  })
})

describe.each(OPERATIONS.lists)('the list of %s', (_id, operation) => {
  it('is empty for a project that has nothing, whatever the others have', async () => {
    const { client } = await sweep.service.project()
    expect(itemsOf(await sweep.send(operation, {}))).not.toEqual([])
    expect(itemsOf(await client.send(operation.id as OperationId, {}))).toEqual([])
  })
})

const filters = OPERATIONS.lists.flatMap(([id, operation]) =>
  parametersOf(operation)
    .filter((one) => one.in === 'query' && !['limit', 'cursor'].includes(one.name))
    .map(({ name, schema }) => ({ id, name, operation, schema: followed(schema).schema })),
)

describe.each(filters)('the filter of $id by $name', ({ name, operation, schema }) => {
  const listed = async (query: Record<string, string>) =>
    itemsOf(await sweep.send(operation, { query })).length

  it('leaves out what it does not name, and nothing else', async () => {
    const all = await listed({})
    expect(all).toBeGreaterThan(0)
    const values = schema.enum?.map(String) ?? [NOBODYS[schema.format ?? name] ?? 'nobody-has-this']
    const found = await Promise.all(values.map((value) => listed({ [name]: value })))
    // Of values that are told apart, each item has one.
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(schema.enum ? all : 0)
  })
})

describe.each(OPERATIONS.identified)('the path of %s', (_id, operation) => {
  it.each(['\0', 'a\0b'])('is refused with %j for each identifier', async (value) => {
    const names = Object.keys(identified(operation, sweep.resources, 'own'))
    const path = Object.fromEntries(names.map((name) => [name, value]))
    const parts = sweep.valid(operation, { path })
    const { status } = await sweep.refused(operation, 'invalid_id', parts)
    expect(status).toBe(400)
  })
})

describe.each(OPERATIONS.numbered)('the numeric identifiers of %s', (_id, operation) => {
  const words = ['abc', '0', '-1', '+1', '1.0', ' 1', '1e1', '0x10']
  const tooLarge = ['9007199254740992', '12345678901234567']
  it.each([...words, ...tooLarge])('are refused as %j', async (value) => {
    const [name = ''] = operation.integers.path
    const path = { ...identified(operation, sweep.resources, 'own'), [name]: value }
    const parts = sweep.valid(operation, { path })
    const { status, details } = await sweep.refused(operation, 'invalid_id', parts)
    expect(status).toBe(400)
    expect(details.errors).toEqual([{ path: name, message: expect.any(String) }])
  })
})

describe.each(OPERATIONS.uuids)('the UUID in the path of %s', (_id, operation) => {
  const own = () => String(identified(operation, sweep.resources, 'own').id)
  const words: [string, () => string][] = [
    ['as a URN', () => `urn:uuid:${own()}`],
    ['in braces', () => `{${own()}}`],
    ['without its hyphens', () => own().replaceAll('-', '')],
    ['with more than itself', () => `${own()}0`],
    ['as a word', () => 'vip'],
  ]
  it.each(words)('is refused %s', async (_what, write) => {
    const parts = sweep.valid(operation, { path: { id: write() } })
    const { status, details } = await sweep.refused(operation, 'invalid_id', parts)
    expect(status).toBe(400)
    expect(details.errors).toEqual([{ path: 'id', message: expect.any(String) }])
  })
})

describe.each(OPERATIONS.withBody)('the body of %s', (_id, operation) => {
  it('is refused with a member that the contract does not know', async () => {
    const body = { ...(sweep.valid(operation).body as object), not_a_member: 1 }
    const parts = sweep.valid(operation, { body })
    const { status, details } = await sweep.refused(operation, 'invalid_request', parts)
    expect(status).toBe(400)
    expect(details.errors).toContainEqual({ path: 'not_a_member', message: 'is not known' })
  })

  it.each(['[]', '[{}]', '"text"', '1', 'null', 'true'])('is refused as %s', async (body) => {
    const parts = sweep.valid(operation, { body })
    const { status, details } = await sweep.refused(operation, 'invalid_request', parts)
    expect(status).toBe(400)
    expect(details.errors).not.toEqual([])
  })

  it('is refused when there is none', async () => {
    const parts = sweep.valid(operation, { headers: { 'content-type': 'application/json' } })
    delete parts.body
    const { status } = await sweep.refused(operation, 'invalid_request', parts)
    expect(status).toBe(400)
  })

  it.each(['{', '{"a":1,}', "{'a':1}", '{"a":NaN}', ''.padEnd(70, '[')])(
    'is refused as the broken JSON %s',
    async (body) => {
      const parts = sweep.valid(operation, { body })
      const { status } = await sweep.refused(operation, 'invalid_json', parts)
      expect(status).toBe(400)
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json'])(
    'is refused as %s',
    async (type) => {
      const parts = sweep.valid(operation, { headers: { 'content-type': type } })
      const { status, details } = await sweep.refused(operation, 'unsupported_media_type', parts)
      expect(status).toBe(415)
      expect(details).toEqual({ declared: type, detected: null, accepted: typesOf(operation) })
    },
  )

  it('is refused one byte over its limit', async () => {
    const { bytes, code } = operation.bodyLimit
    const body = JSON.stringify({ a: '' }).replace('""', `"${'x'.repeat(bytes - 7)}"`)
    expect(Buffer.byteLength(body)).toBe(bytes + 1)
    const parts = sweep.valid(operation, { body })
    const { status, details } = await sweep.refused(operation, code, parts)
    expect(status).toBe(413)
    expect(details).toEqual({ limit_bytes: bytes })
  })

  it('is refused with a text that no database can hold', async () => {
    const [member] = Object.keys(sweep.valid(operation).body as object)
    const body = { ...(sweep.valid(operation).body as object), [member ?? '']: 'a\0b' }
    const parts = sweep.valid(operation, { body })
    const { status } = await sweep.refused(operation, 'invalid_request', parts)
    expect(status).toBe(400)
  })
})

async function ownerOf({ id }: TestProject) {
  const { secret } = await keys.create(sweep.service.ctx, {
    projectId: id,
    name: 'Owner',
    scopes: ['all'],
    isTest: true,
  })
  return { client: sweep.project.client.as(secret) }
}

/** What the other project reads at the path of an operation. */
async function seenByOwner({ path }: Operation): Promise<unknown> {
  const read = guardedOperations.find((one) => one.path === path && one.method === 'get')
  if (!read) return null
  const parts = { path: identified(read, sweep.others, 'own') }
  const { status, body } = await sweep.other.client.send(read.id as OperationId, parts)
  expect(status).toBe(200)
  return body
}

function typesOf({ id }: Operation): string[] {
  const declared = declaredOperations.find(({ operationId }) => operationId === id)
  return Object.keys(declared?.requestBody?.content ?? {})
}

function parametersOf({ id }: Operation): DeclaredParameter[] {
  return declaredOperations.find(({ operationId }) => operationId === id)?.parameters ?? []
}

function queryNamesOf(operation: Operation): string[] {
  const names = parametersOf(operation).flatMap((one) => (one.in === 'query' ? one.name : []))
  return names.length > 0 ? names : ['not_a_parameter']
}

/** What a list holds. */
function itemsOf({ body }: Answer): unknown[] {
  return Object.values((body as { data: object }).data)
    .filter((member) => Array.isArray(member))
    .flat()
}

/** An answer without what may tell two requests apart: their ids and the identifiers they named. */
function anonymous({ body }: Answer, path: object): unknown {
  const { request_id: requestId } = body as { request_id: string }
  let text = JSON.stringify(body).replace(requestId, 'REQUEST')
  for (const value of Object.values(path)) text = text.replaceAll(String(value), 'ID')
  return text
}

function codeOf(body: unknown): string {
  return (body as { error: { code: string } }).error.code
}
