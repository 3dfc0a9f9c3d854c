import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { statement } from '../../core/sql.ts'
import type { Operation, OperationId } from '../../core/contract.ts'
import { guardedOperations, type Parts } from '../support/client.ts'
import { until } from '../support/until.ts'
import { startLosingPostgres } from '../support/losing-postgres.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { identified, makeResources, requestFor, type Resources } from '../support/resources.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, leftovers } from '../support/uploads.ts'

/** A request is not held up by one that failed: it may look twice, and no more. */
const PATIENCE_MS = 5_000
/** What is said of a second of its kind, of what is gone, and of an instruction that is carried out. */
const DONE_BEFORE = [400, 404, 409, 502]
/** Of an operation that asks more of PostgreSQL, each so many are tried: all of all take minutes. */
const QUESTIONS_MAX = 8
/** What the service says of itself, whatever has failed. */
const SAID = /^Something went wrong on our side; try again|^The channel /

const writes = guardedOperations
  .filter(({ method }) => method !== 'get')
  .map((operation): [string, Operation] => [operation.id, operation])

let database: TestDatabase
let postgres: Awaited<ReturnType<typeof startLosingPostgres>>
let service: TestService
const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)

beforeAll(async () => {
  database = await createDatabase()
  postgres = await startLosingPostgres(database.url)
  service = await startTestService({ databaseUrl: postgres.url, env: AMPLE })
  process.on('unhandledRejection', note)
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  await service.stop()
  await postgres.stop()
  await database.drop()
})

type Scene = { project: TestProject; resources: Resources; asked: number }

async function newScene(): Promise<Scene> {
  const project = await service.project()
  return { project, resources: await makeResources(service, project), asked: 0 }
}

/** A request of its own each time, where that can be told. */
function partsOf(operation: Operation, scene: Scene): Parts {
  const parts = requestFor(operation, identified(operation, scene.resources, 'own'))
  if (operation.id !== 'sendMessage') return parts
  const body = { type: 'text', phone: '+15550001234', content: 'Hello' }
  return { ...parts, body, headers: { 'idempotency-key': `key-${++scene.asked}` } }
}

const ask = ({ project }: Scene, { id }: Operation, parts: Parts) =>
  project.client.send(id as OperationId, parts)

/** Questions of so many, from the first to the last. */
function spread(count: number): number[] {
  const tried = Math.min(count, QUESTIONS_MAX)
  return Array.from({ length: tried }, (_, n) => count - 1 - Math.floor((n * count) / tried))
}

/** Asks until it is done, without being held up; answers with the status. */
async function askAgain(scene: Scene, operation: Operation, parts: Parts): Promise<number> {
  let status = 0
  const again = async () => {
    const { body, ...answer } = await ask(scene, operation, parts)
    status = answer.status
    const { code } = (body as { error?: { code: string } }).error ?? {}
    return status < 500 || code === 'flow_update_failed'
  }
  await until(again, `${operation.id} goes through`, PATIENCE_MS)
  return status
}

const leases = statement('test-work-leases', 'SELECT name FROM media_leases')
const spent = statement(
  'test-spent',
  `SELECT used, (SELECT count(*) FROM messages m WHERE m.project_id = b.project_id AND m.origin = 'api'),
          (SELECT count(*) FROM send_attempts a WHERE a.project_id = b.project_id)
     FROM send_budgets b WHERE project_id = $1`,
)

/** Nothing is held: no connection, no lease, no file, and of the day's budget what was sent. */
async function mustBeAtRest({ project }: Scene): Promise<void> {
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text()
  await until(
    async () => (await metrics()).includes('database_connections{state="busy"} 0'),
    'all connections are given back',
  )
  expect(await service.ctx.sql.rows(leases)).toEqual([])
  expect(await leftovers(service)).toEqual([])
  await until(async () => {
    const [[used, sent, attempts] = []] = await service.ctx.sql.rows(spent, [project.id])
    return Number(used) === Number(sent) && attempts === '0'
  }, 'the budget is what was sent')
  expect(unhandled).toEqual([])
}

describe('when PostgreSQL goes away right after it has done what was asked', () => {
  it.each(writes)(
    '%s is answered with what is documented, holds nothing, and can be asked again',
    async (_id, operation) => {
      let scene = await newScene()
      const first = () => ask(scene, operation, partsOf(operation, scene))
      const count = await postgres.count(first)
      const isOnce = (await first()).status !== operation.successStatus
      expect(count).toBeGreaterThan(0)
      for (const question of spread(count)) {
        if (isOnce) scene = await newScene()
        const parts = partsOf(operation, scene)
        const { status, body } = await postgres.lose(question, () => ask(scene, operation, parts))
        if (status !== operation.successStatus) {
          expect([500, 502]).toContain(status)
          expect((body as { error: { message: string } }).error.message).toMatch(SAID)
          const done = [operation.successStatus, ...(isOnce ? DONE_BEFORE : [])]
          expect(done).toContain(await askAgain(scene, operation, parts))
        }
        await mustBeAtRest(scene)
      }
    },
  )
})
