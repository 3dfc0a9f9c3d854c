import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as projects from '../../capabilities/projects/projects.ts'
import type { OperationId } from '../../core/contract.ts'
import { addressOf } from '../support/client.ts'
import { identified } from '../support/resources.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { OPERATIONS, startSweep, type Sweep } from '../support/sweep.ts'

let sweep: Sweep
beforeAll(async () => {
  sweep = await startSweep()
})
afterAll(() => sweep.service.stop())

it('an unknown path is refused before the credential', async () => {
  const { status, body } = await sweep.service.client.raw('GET', '/v1/nothing-here')
  expect([status, codeOf(body)]).toEqual([404, 'not_found'])
})

describe.each(OPERATIONS.all)('%s', (_id, operation) => {
  it('refuses another method before the credential', async () => {
    const address = addressOf(operation, sweep.valid(operation))
    const { status, body } = await sweep.service.client.raw('PROPFIND', address)
    expect([status, codeOf(body)]).toEqual([405, 'method_not_allowed'])
  })

  it('refuses a missing credential before all else in the request', async () => {
    const headers = { 'x-service-project': ' ' }
    const parts = sweep.broken(operation, { key: null, headers })
    await sweep.refused(operation, 'api_key_required', parts)
  })
})

describe.each(OPERATIONS.ofProject)('%s', (_id, operation) => {
  it('refuses a blank project before the state of any', async () => {
    const headers = { 'x-service-project': ' ' }
    const parts = sweep.broken(operation, { key: sweep.paused.key, headers })
    await sweep.refused(operation, 'invalid_project_header', parts)
  })

  it('refuses a project that is out of reach before the state of any', async () => {
    const headers = { 'x-service-project': sweep.other.id }
    const parts = sweep.broken(operation, { key: sweep.paused.key, headers })
    await sweep.refused(operation, 'project_not_attached', parts)
  })

  it('refuses a paused project before the scopes and all else', async () => {
    const own = await sweep.service.project(['events:template_status'])
    await projects.setStatus(sweep.service.ctx, own.id, 'paused')
    const parts = sweep.broken(operation, { key: own.key })
    const { status } = await sweep.refused(operation, 'project_inactive', parts)
    expect(status).toBe(403)
  })
})

describe.each(OPERATIONS.scoped)('%s', (_id, operation) => {
  it('refuses a missing scope before the body, the query and the identifiers', async () => {
    const key = await sweep.keyWithout(operation.scopes)
    const change = operation.hasBody ? { body: '{', headers: { 'content-type': 'text/plain' } } : {}
    const parts = sweep.broken(operation, { key, ...change })
    await sweep.refused(operation, 'insufficient_scope', parts)
  })
})

describe.each(OPERATIONS.withBody)('%s', (_id, operation) => {
  it('refuses a content type before the schema', async () => {
    const headers = { 'content-type': 'text/plain' }
    const parts = sweep.broken(operation, { body: '{', headers })
    await sweep.refused(operation, 'unsupported_media_type', parts)
  })

  it('refuses broken JSON before the schema', async () => {
    await sweep.refused(operation, 'invalid_json', sweep.broken(operation, { body: '{' }))
  })

  it('refuses a body that breaks the schema before it looks for what it is about', async () => {
    const path = identified(operation, sweep.resources, 'never')
    await sweep.refused(operation, 'invalid_request', sweep.valid(operation, { path, body: [] }))
  })
})

describe('the rate limit', () => {
  let limited: TestService
  let spent: TestProject
  beforeAll(async () => {
    limited = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: '1' } })
    spent = await limited.project()
    await spent.client.ok('ping')
  })
  afterAll(() => limited.stop())

  it.each(OPERATIONS.all)('is met before all that %s looks at', async (id, operation) => {
    const parts = sweep.broken(operation, { headers: { 'x-service-project': ' ' } })
    const { client } = spent
    const { status, details } = await client.refused(id as OperationId, 'rate_limited', parts)
    expect(status).toBe(429)
    expect(details).toMatchObject({ limit_name: 'requests', limit: 1, remaining: 0 })
  })

  it.each(OPERATIONS.all)('does not count what fails before it on %s', async (id, operation) => {
    const { client } = await limited.project()
    const parts = sweep.valid(operation)

    await client.refused(id as OperationId, 'api_key_required', { ...parts, key: null })
    await client.raw('PROPFIND', addressOf(operation, parts))
    await client.raw('GET', '/v1/nothing-here')

    expect((await client.send('ping')).status).toBe(200)
    expect((await client.send('ping')).status).toBe(429)
  })
})

function codeOf(body: unknown): string {
  return (body as { error: { code: string } }).error.code
}
