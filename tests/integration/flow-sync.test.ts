import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { flowStatusCallback } from '../../channel/sandbox-callbacks.ts'
import * as flowChanges from '../../capabilities/flows/flow-changes.ts'
import * as flowNews from '../../capabilities/flows/flow-news.ts'
import * as flowSync from '../../capabilities/flows/flow-sync.ts'
import type { Context, ProjectContext } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { makeElsewhere, storeFlow, twoScreens } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { run: syncDue } = jobs['sync-flows']
let service: TestService
let project: TestProject
let businessAccountId: string

beforeAll(async () => {
  service = await startTestService({ behindMs: 3_600_000 })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  businessAccountId = (await service.account(project.id)).businessAccountId
})

const atChannel = (name: string, status?: string) =>
  makeElsewhere(service, businessAccountId, name, status)

const kept = async () => (await project.client.ok('listFlows')).flows
const sync = () => flowSync.sync(service.ctx, project.id)

/** A round during which something happens, once the channel has answered with its flows. */
function syncDuring(work: () => Promise<unknown>) {
  const { channel } = service.ctx
  const listFlows: typeof channel.listFlows = async (...page) => {
    const answer = await channel.listFlows(...page)
    await work()
    return answer
  }
  return flowSync.sync({ ...service.ctx, channel: { ...channel, listFlows } }, project.id)
}

/** The same, once it has answered with the definition of one. */
function syncDuringReading(work: () => Promise<unknown>) {
  const { channel } = service.ctx
  const readFlow: typeof channel.readFlow = async (...flow) => {
    const answer = await channel.readFlow(...flow)
    await work()
    return answer
  }
  return flowSync.sync({ ...service.ctx, channel: { ...channel, readFlow } }, project.id)
}

/** The statements that a round makes while it has the project's flows for itself. */
async function statementsOfRound(): Promise<string[]> {
  const { sql } = service.ctx
  const made: string[] = []
  const transaction: typeof sql.transaction = (work) =>
    sql.transaction((tx) =>
      work({
        ...tx,
        rows: (statement, values) => {
          made.push(statement.name)
          return tx.rows(statement, values)
        },
      }),
    )
  await flowSync.sync({ ...service.ctx, sql: { ...sql, transaction } }, project.id)
  return made
}

/** A round during which something happens, just before it has the project's flows for itself. */
function syncBeforeLock(work: () => Promise<unknown>) {
  const { sql } = service.ctx
  const transaction: typeof sql.transaction = async (reconcile) => {
    await work()
    return sql.transaction(reconcile)
  }
  return flowSync.sync({ ...service.ctx, sql: { ...sql, transaction } }, project.id)
}

/** As though so many milliseconds had passed since the flows were fetched. */
const letPass = statement(
  'test-let-pass',
  `UPDATE flow_syncs SET started_at = started_at - interval '1 ms' * $2::int WHERE project_id = $1`,
)

/** Moves the clock to so many milliseconds after the next full second. */
function comeTo(ms: number) {
  service.advance(1_000 - (service.ctx.now().getTime() % 1_000) + ms)
}

/** The present of the channel, whose clock is the database's. */
const databaseNow = () => new Date()

/** The channel's word on a flow's status, as of this second unless told otherwise. */
async function told(flowId: string, to: string, at = service.ctx.now()) {
  const account = await service.account(project.id)
  const callback = flowStatusCallback({
    account,
    flowId,
    from: 'DRAFT',
    to,
    at,
  })
  expect(await service.callback(project.id, callback)).toBe(200)
}

describe('a round', () => {
  it('adds what was made elsewhere, with its definition', async () => {
    const id = await atChannel('a', 'PUBLISHED')
    expect(await sync()).toEqual({ added: 1, changed: 0, removed: 0 })
    expect(await kept()).toMatchObject([
      { id, name: 'a', status: 'published', categories: ['SURVEY'], definition: twoScreens() },
    ])
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
  })

  it('changes what was moved or renamed elsewhere, and reads what was edited', async () => {
    const id = await atChannel('a')
    await sync()
    const definition = { ...twoScreens(), version: '7.2' } as object
    const data = { name: 'b', status: 'PUBLISHED', definition }
    await service.ctx.db.sandboxFlow.update({ where: { id }, data })
    expect(await sync()).toEqual({ added: 0, changed: 1, removed: 0 })
    expect(await kept()).toMatchObject([{ name: 'b', status: 'published', definition }])
  })

  it('removes what is gone', async () => {
    await storeFlow(service, project)
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 1 })
    expect(await kept()).toEqual([])
  })

  it('reads page after page', async () => {
    for (let n = 0; n < 101; n++) await atChannel(`flow ${n}`)
    expect(await sync()).toMatchObject({ added: 101 })
  })

  it('keeps callbacks waiting for no longer, however many flows are listed, new or changed', async () => {
    const ids = [await atChannel('flow 0')]
    const toAddOne = await statementsOfRound()
    for (let n = 1; n <= 20; n++) ids.push(await atChannel(`flow ${n}`, 'PUBLISHED'))
    expect(await statementsOfRound()).toEqual(toAddOne)
    const toChangeNothing = await statementsOfRound()
    expect(toChangeNothing.length).toBeLessThan(toAddOne.length)
    const where = { id: { in: ids } }
    await service.ctx.db.sandboxFlow.updateMany({ where, data: { categories: ['OTHER'] } })
    expect(await statementsOfRound()).toEqual(toAddOne)
    expect(await kept()).toMatchObject(ids.map(() => ({ categories: ['OTHER'] })))
    for (const { definition } of await kept()) {
      expect(JSON.stringify(definition)).toBe(JSON.stringify(twoScreens()))
    }
  })

  it('reads a definition again in each round while the status says nothing, and changes nothing', async () => {
    const id = await atChannel('a', 'LEVITATING')
    await sync()
    expect(await kept()).toMatchObject([{ status: 'deprecated', definition: twoScreens() }])
    expect(await sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    const definition = { ...twoScreens(), version: '7.2' } as object
    await service.ctx.db.sandboxFlow.update({ where: { id }, data: { definition } })
    expect(await sync()).toEqual({ added: 0, changed: 1, removed: 0 })
    expect(await kept()).toMatchObject([{ definition }])
  })

  it('does not undo what a callback has said since it began', async () => {
    const id = await atChannel('a')
    await sync()
    const statusAt = new Date(service.ctx.now().getTime() + 1_000)
    const where = { projectId_id: { projectId: project.id, id } }
    await service.ctx.db.flow.update({ where, data: { status: 'deprecated', statusAt } })
    await sync()
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
  })
})

describe('what was changed here since a round began', () => {
  const untouched = { added: 0, changed: 0, removed: 0 }

  it('keeps its name', async () => {
    const path = { id: await atChannel('a') }
    await sync()
    const rename = () => project.client.ok('updateFlow', { path, body: { name: 'b' } })
    expect(await syncDuring(rename)).toEqual(untouched)
    expect(await kept()).toMatchObject([{ name: 'b' }])
    expect(await sync()).toEqual(untouched)
  })

  it('keeps its definition', async () => {
    const path = { id: await atChannel('a') }
    await sync()
    const changed = { where: path, data: { status: 'PUBLISHED' } }
    await service.ctx.db.sandboxFlow.update(changed)
    const definition = { ...twoScreens(), version: '7.2' }
    await syncDuringReading(() => project.client.ok('updateFlow', { path, body: { definition } }))
    expect(await kept()).toMatchObject([{ definition }])
  })

  it('stays published, when it was within the same second', async () => {
    const path = { id: await atChannel('a') }
    await sync()
    comeTo(100)
    await syncDuring(async () => {
      service.advance(400)
      await project.client.ok('publishFlow', { path })
    })
    expect(await kept()).toMatchObject([{ status: 'published' }])
  })

  it('keeps its definition, when it was after the round had compared it', async () => {
    const path = { id: await atChannel('a') }
    await sync()
    const elsewhere = { ...twoScreens(), version: '7.1' } as object
    const data = { status: 'PUBLISHED', definition: elsewhere }
    await service.ctx.db.sandboxFlow.update({ where: path, data })
    const definition = { ...twoScreens(), version: '7.2' }
    await syncBeforeLock(() => project.client.ok('updateFlow', { path, body: { definition } }))
    expect(await kept()).toMatchObject([{ definition }])
  })

  it('is kept when the channel did not list it yet', async () => {
    const id = await storeFlow(service, project, { name: 'a', status: 'draft' })
    expect(await syncDuring(() => told(id, 'PUBLISHED'))).toEqual(untouched)
    expect(await kept()).toMatchObject([{ id, status: 'published' }])
  })
})

describe('of two callbacks of one second', () => {
  it('the one that comes later counts, and the first one undoes nothing when it is repeated', async () => {
    const id = await storeFlow(service, project, { status: 'draft' })
    comeTo(100)
    await told(id, 'DRAFT')
    await told(id, 'PUBLISHED')
    expect(await kept()).toMatchObject([{ status: 'published' }])
    await told(id, 'DRAFT')
    expect(await kept()).toMatchObject([{ status: 'published' }])
  })

  it('the first one counts as little when it is repeated much later', async () => {
    const id = await storeFlow(service, project, { status: 'draft' })
    comeTo(100)
    const at = service.ctx.now()
    for (const status of ['DRAFT', 'PUBLISHED']) await told(id, status, at)
    service.advance(60_000)
    await told(id, 'DRAFT', at)
    expect(await kept()).toMatchObject([{ status: 'published' }])
  })
})

it('of which the channel tells within the second of a round is as it tells', async () => {
  const id = await atChannel('a')
  await sync()
  await service.ctx.db.sandboxFlow.update({ where: { id }, data: { status: 'PUBLISHED' } })
  comeTo(100)
  await sync()
  await told(id, 'DEPRECATED')
  expect(await kept()).toMatchObject([{ status: 'deprecated' }])
})

it('comes to every project in its turn, and once', async () => {
  service.advance(LIMITS.syncDueMs)
  await atChannel('a')
  await Promise.all([syncDue(service.ctx), syncDue(service.ctx)])
  expect(await kept()).toHaveLength(1)
  await atChannel('b')
  await syncDue(service.ctx)
  expect(await kept()).toHaveLength(1)
  service.advance(LIMITS.syncDueMs)
  await syncDue(service.ctx)
  expect(await kept()).toHaveLength(2)
})

it('of a project whose channel fails leaves its flows, and is logged', async () => {
  const id = await storeFlow(service, project)
  service.advance(LIMITS.syncDueMs)
  const listFlows = () => Promise.resolve({ ok: false as const, error: failure })
  const channel = { ...service.ctx.channel, listFlows }
  await syncDue({ ...service.ctx, channel })
  expect(await kept()).toMatchObject([{ id }])
  expect(service.logLines.join('')).toContain('flows.sync_failed')
})

describe('a worker whose clock is a day ahead', () => {
  const ahead = (): Context => ({
    ...service.ctx,
    now: () => new Date(service.ctx.now().getTime() + DAY_MS),
  })

  it('makes nothing that the channel says afterwards older than its round', async () => {
    const id = await atChannel('a')
    await sync()
    await service.ctx.db.sandboxFlow.update({ where: { id }, data: { status: 'PUBLISHED' } })
    await flowSync.sync(ahead(), project.id)
    expect(await kept()).toMatchObject([{ status: 'published' }])
    await told(id, 'DEPRECATED', databaseNow())
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
  })

  it('comes to each project once, and keeps nobody from the next round', async () => {
    service.advance(LIMITS.syncDueMs)
    await atChannel('a')
    await syncDue(ahead())
    await atChannel('b')
    await syncDue(ahead())
    expect(await kept()).toHaveLength(1)
    await service.ctx.sql.rows(letPass, [project.id, LIMITS.syncDueMs])
    await syncDue({ ...service.ctx, now: databaseNow })
    expect(await kept()).toHaveLength(2)
  })

  it('publishes a flow that stays so when something older is said of it', async () => {
    const id = await atChannel('a')
    await sync()
    const at = new Date(databaseNow().getTime() - 60_000)
    await flowChanges.publish({ ...ahead(), project: { id: project.id } } as ProjectContext, id)
    await service.sandbox.idle()
    await told(id, 'DRAFT', at)
    expect(await kept()).toMatchObject([{ status: 'published' }])
    await told(id, 'DEPRECATED', databaseNow())
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
  })

  const upload = (ctx: ProjectContext, id: string) =>
    flowChanges.update(ctx, id, { definition: { ...twoScreens(), version: '7.2' } })
  it.each([
    ['publishes', flowChanges.publish],
    ['changes', upload],
  ])('that %s a flow does not undo what a callback has said meanwhile', async (_, change) => {
    const id = await atChannel('a')
    await sync()
    const { sql } = service.ctx
    let said = 0
    const transaction: typeof sql.transaction = async (work) => {
      await told(id, 'DEPRECATED', new Date(databaseNow().getTime() + 2_000 + 1_000 * said++))
      return sql.transaction(work)
    }
    const ctx = { ...ahead(), sql: { ...sql, transaction }, project: { id: project.id } }
    await change(ctx as ProjectContext, id)
    expect(said).toBeGreaterThan(0)
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
  })

  it('that told of it without a time makes nothing that comes afterwards older', async () => {
    const id = await storeFlow(service, project, { status: 'draft' })
    const update = { businessAccountId, id, event: 'FLOW_STATUS_CHANGE', at: null }
    const tell = (ctx: Context, status: string) =>
      ctx.sql.transaction((tx) => flowNews.apply(ctx, tx, project.id, [{ ...update, status }]))
    await tell(ahead(), 'PUBLISHED')
    await told(id, 'DEPRECATED', databaseNow())
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
  })
})

describe('an instant that a clock of tomorrow has left', () => {
  const tomorrow = () => new Date(Date.now() + DAY_MS)

  it('keeps neither callbacks nor rounds from a flow', async () => {
    const id = await atChannel('a', 'PUBLISHED')
    await sync()
    const where = { projectId_id: { projectId: project.id, id } }
    const leave = (status: string) =>
      service.ctx.db.flow.update({ where, data: { status, statusAt: tomorrow() } })
    await leave('draft')
    await told(id, 'DEPRECATED')
    expect(await kept()).toMatchObject([{ status: 'deprecated' }])
    await leave('draft')
    await sync()
    expect(await kept()).toMatchObject([{ status: 'published' }])
  })

  it('puts off no round', async () => {
    await atChannel('a')
    const startedAt = tomorrow()
    await service.ctx.db.flowSync.create({ data: { projectId: project.id, startedAt } })
    await syncDue(service.ctx)
    expect(await kept()).toHaveLength(1)
  })
})

const failure = {
  kind: 'transient' as const,
  code: 2,
  subcode: null,
  title: 'Down',
  details: null,
  httpStatus: 500,
  traceId: null,
  retryable: true,
}
