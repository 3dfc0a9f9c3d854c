import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as projects from '../../capabilities/projects/projects.ts'
import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import { statement } from '../../core/sql.ts'
import {
  deliver,
  happen,
  register,
  standingOf,
  untilAttempts,
  untilStatus,
} from '../support/deliveries.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const ADD_PROJECT = `INSERT INTO projects (id, name) VALUES ($1, 'N')`
const SET_STATUS = 'UPDATE projects SET status = $2 WHERE id = $1'
const HOLD_TABLES = 'LOCK TABLE table_schemas'
const statusOf = statement('test-status-of-project', 'SELECT status FROM projects WHERE id = $1')
const mayLogIn = statement(
  'test-may-log-in',
  `SELECT bool_or(rolcanlogin) FROM pg_roles, table_schemas s
    WHERE s.project_id = $1 AND starts_with(rolname, s.name)`,
)

describe('a project of which two operators decide at the same moment', () => {
  it('is made by the first of them, and there already for the other one, in whatever case', async () => {
    let made: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(ADD_PROJECT, ['Twice'])
      made = projects
        .create(service.ctx, { id: 'twice', name: 'N' })
        .catch((error: unknown) => error)
      await untilWaiting(service.ctx)
    })
    expect(await made).toMatchObject({
      code: 'bad_request',
      message: 'There is a project Twice already.',
    })
  })

  it('stays deleted when the other one pauses it', async () => {
    const { id } = await service.project()
    let paused: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(SET_STATUS, [id, 'deleted'])
      paused = projects.setStatus(service.ctx, id, 'paused').catch((error: unknown) => error)
      await untilWaiting(service.ctx)
    })
    expect(await paused).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    expect((await service.ctx.sql.rows(statusOf, [id]))[0]).toEqual(['deleted'])
  })

  it('lets its tables be used when it is resumed while its deletion ends', async () => {
    const { id } = await service.project()
    await tableScripts.apply(service.ctx, id, 'public', 'CREATE TABLE t (id integer)')
    let deleted: Promise<unknown> | undefined
    let resumed: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(HOLD_TABLES, [])
      deleted = projects.setStatus(service.ctx, id, 'deleted')
      await untilWaiting(service.ctx)
      resumed = projects.setStatus(service.ctx, id, 'active')
      await untilWaiting(service.ctx, 2)
    })
    await Promise.all([deleted, resumed])
    expect((await service.ctx.sql.rows(statusOf, [id]))[0]).toEqual(['active'])
    expect((await service.ctx.sql.rows(mayLogIn, [id]))[0]).toEqual(['t'])
  })
})

describe('a project that is deleted', () => {
  it('has its webhooks turned off: nothing is told any more of what waits, or happens then', async () => {
    const receiver = await startReceiver(() => 500)
    const project = await service.project()
    const delivering = deliver(service.ctx)
    const { id } = await register(project, receiver.url)
    const other = await register(await service.project(), receiver.url)
    await happen(service, project, [{}])
    await untilAttempts(service.ctx, id, 1)

    await projects.setStatus(service.ctx, project.id, 'deleted')
    await untilStatus(service.ctx, id, 'canceled', 1)
    await happen(service, project, [{}])
    service.advance(45_000)
    await delivering.look()
    expect(receiver.received).toHaveLength(1)

    await projects.setStatus(service.ctx, project.id, 'active')
    expect(await standingOf(service.ctx, id)).toMatchObject({ isActive: false })
    expect(await standingOf(service.ctx, other.id)).toMatchObject({ isActive: true })
    await delivering.stop()
    await receiver.close()
  })
})
