import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as connections from '../../capabilities/projects/connections.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Operation, OperationId } from '../../core/contract.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Parts } from '../support/client.ts'
import { declaredOperations } from '../support/document.ts'
import { createDatabase } from '../support/postgres.ts'
import { exchange } from '../support/raw.ts'
import { checkAnswer } from '../support/responses.ts'
import { startTestService } from '../support/service.ts'
import { OPERATIONS, startSweep, type Sweep } from '../support/sweep.ts'

/** The operations that declare a code: each must answer it in the same situation. */
const declaring = (code: ErrorCode): [string, Operation][] =>
  OPERATIONS.all.filter(([id]) =>
    declaredOperations.some((one) => one.operationId === id && one['x-error-codes'].includes(code)),
  )

let sweep: Sweep
beforeAll(async () => {
  sweep = await startSweep()
})
afterAll(() => sweep.service.stop())

/** An agent's connection that reaches the projects, and its token. */
async function connect(ids: string[]) {
  const grants = ids.map((projectId) => ({ projectId, scopes: ['all'] }))
  return connections.create(sweep.service.ctx, { name: 'Agent', grants })
}

describe('a token', () => {
  let toNone: string
  let toDeleted: string
  let toTwo: string
  beforeAll(async () => {
    const { id } = await sweep.service.project()
    const detached = await connect([id])
    await connections.detach(sweep.service.ctx, detached.connection.id, id)
    toNone = detached.token
    toDeleted = (await connect([id])).token
    toTwo = (await connect([sweep.project.id, sweep.other.id])).token
    await projects.setStatus(sweep.service.ctx, id, 'deleted')
  })

  it.each(declaring('no_project_access'))(
    'that reaches no project is told so by %s',
    async (...at) => refusedWith(at[1], 'no_project_access', toNone),
  )

  it.each(declaring('PROJECT_NOT_FOUND'))('of a deleted project is told so by %s', async (...at) =>
    refusedWith(at[1], 'PROJECT_NOT_FOUND', toDeleted),
  )

  it.each(declaring('project_required'))('of two projects must name one to %s', async (...at) =>
    refusedWith(at[1], 'project_required', toTwo),
  )
})

async function refusedWith(operation: Operation, code: ErrorCode, key: string): Promise<void> {
  await sweep.refused(operation, code, sweep.broken(operation, { key }))
}

it('a key of a deleted project lists no projects: 403 project_inactive', async () => {
  const gone = await sweep.service.project()
  await projects.setStatus(sweep.service.ctx, gone.id, 'deleted')
  const { status } = await gone.client.refused('listProjects', 'project_inactive')
  expect(status).toBe(403)
})

describe.each(declaring('invalid_cursor'))('a cursor of %s', (_id, operation) => {
  it.each(['x', '', 'eyJpZCI6MX0.AAAA'])(
    'that the service did not give is refused: %j',
    async (cursor) => {
      const parts = sweep.valid(operation)
      const query = { ...parts.query, cursor }
      const { status } = await sweep.refused(operation, 'invalid_cursor', { ...parts, query })
      expect(status).toBe(400)
    },
  )
})

it('a request that names two hosts is refused for the contract itself', async () => {
  const lines = ['GET /v1/openapi.json HTTP/1.1', 'Host: a', 'Host: b', 'Connection: close', '', '']
  const [answer] = await exchange(sweep.service.url, lines.join('\r\n'))
  const { status, headers, body } = answer!
  checkAnswer('getOpenApiDocument', { status, headers, body: JSON.parse(body) as unknown })
  expect(status).toBe(400)
})

describe('a service without its database', () => {
  let ask: (operation: Operation, parts: Parts) => Promise<unknown>
  let stop: () => Promise<void>
  beforeAll(async () => {
    const database = await createDatabase()
    const service = await startTestService({ databaseUrl: database.url })
    const { client } = await service.project()
    await database.drop()
    ask = async ({ id }, parts) => {
      const { status, message } = await client.refused(id as OperationId, 'server_error', parts)
      expect([status, message]).toEqual([500, expect.not.stringMatching(/database|postgres|sql/i)])
    }
    stop = service.stop
  })
  afterAll(() => stop())

  it.each(declaring('server_error'))('answers 500, without saying why, to %s', async (...at) =>
    ask(at[1], sweep.valid(at[1])),
  )
})
