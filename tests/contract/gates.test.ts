import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { operationsOf, readContract } from '../../core/contract.ts'
import { compareDocuments } from '../../scripts/contract/compare.ts'
import { matrixLines, matrixOf } from '../../scripts/contract/matrix.ts'
import { keepsPromise } from '../../scripts/contract/versions.ts'
import { listen, type Listening } from '../support/channel.ts'
import { createClient, type Parts } from '../support/client.ts'
import { dueCodes, missingCodes, missingExamples } from '../support/contract-rules.ts'
import { type DeclaredOperation, declaredOperations, jsonOf } from '../support/document.ts'
import { type Answer, checkAnswer, validate } from '../support/responses.ts'
import { OPERATIONS } from '../support/sweep.ts'

/** Nothing that is accepted here may be a failure: it would count as provoked in the error matrix. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const headers = { 'x-request-id': 'r', 'content-type': 'application/json' }
const answer = (status: number, body: unknown, more: Record<string, string> = {}): Answer => ({
  status,
  body,
  headers: new Headers({ ...headers, ...more }),
})

type Shown = { status: number; body: { data?: Record<string, unknown> } }
/** The first example of what an operation answers when all is well; null when that is no JSON. */
function shownBy({ responses }: DeclaredOperation): Shown | null {
  const [status, response] =
    Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [example] = response ? jsonOf(response).examples : []
  return example ? { status: Number(status), body: example[1].value as Shown['body'] } : null
}
const answering = declaredOperations.flatMap((operation) => {
  const shown = shownBy(operation)
  const isEnveloped = shown?.body.data !== undefined
  return shown && isEnveloped ? [{ id: operation.operationId, operation, shown }] : []
})
const guarded = declaredOperations.filter(({ security }) => security === undefined)

describe('the check of every answer', () => {
  it('has an answer of nearly every operation to be tried on', () => {
    expect(answering.length).toBeGreaterThan(declaredOperations.length * 0.9)
  })

  it.each(answering)('takes the example of $id as it is', ({ id, shown }) => {
    expect(() => checkAnswer(id, answer(shown.status, shown.body))).not.toThrow()
  })

  it.each(answering)('misses each member that $id leaves out', ({ id, shown }) => {
    const members = Object.keys(shown.body.data ?? {})
    expect(members).not.toEqual([])
    for (const member of members) {
      const body = copy(shown.body)
      delete body.data?.[member]
      expect(() => checkAnswer(id, answer(shown.status, body))).toThrow(member)
    }
  })

  it.each(answering)('finds the member that $id makes up', ({ id, shown }) => {
    const body = { ...shown.body, data: { ...shown.body.data, made_up: 1 } }
    expect(() => checkAnswer(id, answer(shown.status, body))).toThrow('additional')
  })

  it.each(answering)('finds a status of $id that is not documented', ({ id, shown }) => {
    expect(() => checkAnswer(id, answer(207, shown.body))).toThrow('does not document the status')
  })

  it.each(answering)('finds a code of $id that is not listed', ({ id }) => {
    const error = { code: 'method_not_allowed', message: 'No.' }
    const body = { success: false, error, request_id: 'r' }
    expect(() => checkAnswer(id, answer(400, body))).toThrow('does not list')
  })

  it.each<[string, object]>([
    ['lack a member', { code: 'file_changed', details: { sha256: null } }],
    ['have another member', { code: 'payload_too_large', details: { limit_bytes: 1, bytes: 2 } }],
    ['are there though none are promised', { code: 'not_found', details: { id: '7' } }],
    ['are not there', { code: 'rate_limited' }],
    ['are empty', { code: 'bad_request', details: {} }],
    ['tell no fault', { code: 'bad_request', details: { errors: [] } }],
    [
      'tell a fault without its place',
      { code: 'bad_request', details: { errors: [{ message: 'no' }] } },
    ],
  ])('finds details that %s', (_what, told) => {
    const body = { success: false, error: { message: 'No.', ...told }, request_id: 'r' }
    expect(() => checkAnswer(null, answer(400, body))).toThrow('does not promise the details')
  })

  it('finds an answer without its id, and a header of limits that is not documented', () => {
    const { id, shown } = answering[0]!
    const bare = { ...answer(shown.status, shown.body), headers: new Headers() }
    expect(() => checkAnswer(id, bare)).toThrow('X-Request-Id')
    const limited = answer(shown.status, shown.body, { 'ratelimit-secret': '1' })
    expect(() => checkAnswer(id, limited)).toThrow('does not document the header')
  })

  it('finds a failure that is not in the envelope', () => {
    expect(() => checkAnswer('ping', answer(500, { oops: true }))).toThrow('Failure')
  })
})

describe('the sweeps', () => {
  /** Stands for a service that checks nothing: whatever is asked of it succeeds. */
  let careless: Listening
  beforeAll(async () => {
    careless = await listen((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://service')
      const found = answering.find(({ operation }) => isAt(operation, request.method, pathname))
      request.resume()
      response.writeHead(found?.shown.status ?? 404, headers)
      response.end(JSON.stringify(found?.shown.body ?? {}))
    })
  })
  afterAll(() => careless.close())

  it('walk every operation that needs a credential', () => {
    const swept = OPERATIONS.all.map(([id]) => id)
    expect(swept.sort()).toEqual(guarded.map(({ operationId }) => operationId).sort())
    const scoped = guarded.filter((one) => one['x-required-scopes'].length > 0)
    expect(OPERATIONS.scoped).toHaveLength(scoped.length)
    const identified = guarded.filter(({ path }) => path.includes('{'))
    expect(OPERATIONS.identified).toHaveLength(identified.length)
    for (const list of Object.values(OPERATIONS)) expect(list).not.toEqual([])
  })

  it.each(answering)('see that a service lets anybody use $id', async ({ id, operation }) => {
    const client = createClient(careless.url, 'pk_test_nobody')
    const path = Object.fromEntries(
      operation.parameters.filter((one) => one.in === 'path').map(({ name }) => [name, '1']),
    )
    const parts: Parts = { path, ...(operation.requestBody ? { body: {} } : {}) }
    for (const code of ['insufficient_scope', 'api_key_required'] as const) {
      const refused = client.refused(id as 'ping', code, parts)
      await expect(refused).rejects.toThrow(`${id}: expected ${code}, got 2`)
    }
  })
})

function isAt({ method, path }: DeclaredOperation, asked = '', pathname: string): boolean {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '1')}$`)
  return method === asked.toLowerCase() && pattern.test(pathname)
}

describe('the rules of the document', () => {
  it.each(answering)('miss the example of $id that is lost', ({ operation, shown }) => {
    const spoilt = copy(operation)
    delete spoilt.responses[shown.status]?.content?.['application/json']?.examples
    expect(missingExamples(operation)).toEqual([])
    expect(missingExamples(spoilt)).toEqual([String(shown.status)])
  })

  it('miss the example of a body that is lost', () => {
    const operation = declaredOperations.find((one) => one.operationId === 'sendMessage')!
    const spoilt = copy(operation)
    delete spoilt.requestBody?.content['application/json']?.examples
    expect(missingExamples(spoilt)).toEqual(['application/json'])
  })

  it('miss the kind of a body that no example is of', () => {
    const operation = declaredOperations.find((one) => one.operationId === 'sendMessage')!
    const spoilt = copy(operation)
    delete spoilt.requestBody?.content['application/json']?.examples?.sticker
    expect(missingExamples(spoilt)).toEqual(['sticker'])
  })

  it('find an example that does not fit its schema', () => {
    const { operation, shown } = answering[0]!
    const { schema } = jsonOf(operation.responses[shown.status]!)
    expect(() => validate('spoilt example', schema, { ...shown.body, success: 1 })).toThrow()
  })

  it.each(guarded.map((one) => [one.operationId, one] as const))(
    'miss each code that %s must declare',
    (_id, operation) => {
      for (const code of dueCodes(operation)) {
        const rest = operation['x-error-codes'].filter((one) => one !== code)
        expect(missingCodes({ ...operation, 'x-error-codes': rest })).toEqual([code])
      }
    },
  )
})

describe('the error matrix', () => {
  const entries = declaredOperations.flatMap(({ operationId, ...one }) =>
    one['x-error-codes'].map((code) => `${operationId} 400 ${code}`),
  )

  it('is full only when every entry was seen', () => {
    expect(matrixOf(readContract(), entries).missing).toEqual([])
    expect(matrixOf(readContract(), []).missing).toHaveLength(entries.length)
  })

  it('names the entry that was not seen, though the code was seen elsewhere', () => {
    const [lost, ...rest] = entries
    const name = lost!.replace(' 400', '')
    const matrix = matrixOf(readContract(), rest)
    expect(matrix).toMatchObject({ declared: entries.length, missing: [name] })
    expect(matrixLines(matrix)).toContain(`  never answered: ${name}`)
  })

  it('is no full one when the document has no operations', () => {
    expect(() => matrixOf({ paths: {} }, entries)).toThrow('no error code')
  })
})

describe('the comparison with the last release', () => {
  const before = copy(readContract())
  const verdict = (after: unknown) =>
    keepsPromise(compareDocuments({ before, after }), { before, after })

  it('lets the document pass as it is', () => {
    expect(verdict(copy(before))).toBe(true)
  })

  it.each(operationsOf(before).map(({ id, path, method }) => ({ id, path, method })))(
    'finds that $id is gone',
    ({ path, method }) => {
      const after = copy(before)
      delete after.paths[path]?.[method]
      expect(verdict(after)).toBe(false)
    },
  )

  it.each<[string, (after: typeof before) => void]>([
    [
      'a scope more',
      (after) => after.paths['/v1/ping']!.get!['x-required-scopes'].push('media:read'),
    ],
    ['a member less', (after) => delete after.components.schemas.Contact!.properties!.name],
    ['another name', (after) => (after.paths['/v1/ping']!.get!.operationId = 'pong')],
  ])('finds %s, unless the major version is raised', (_change, spoil) => {
    const after = copy(before)
    spoil(after)
    expect(verdict(after)).toBe(false)
    after.info.version = '99.0.0'
    expect(verdict(after)).toBe(true)
  })
})
