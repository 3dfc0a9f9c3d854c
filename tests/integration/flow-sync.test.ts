import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as flowSync from '../../capabilities/flow-sync.ts'
import { LIMITS } from '../../core/limits.ts'
import { storeFlow, twoScreens } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let businessAccountId: string

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  businessAccountId = (await service.account(project.id)).businessAccountId
})

let made = 0
/** A flow that was made at the channel, by somebody else. */
async function atChannel(name: string, status = 'DRAFT') {
  const id = String(10_000_000_000_000_000n + BigInt(++made))
  const definition = JSON.parse(JSON.stringify(twoScreens())) as object
  const data = { businessAccountId, id, name, status, categories: ['SURVEY'], definition }
  await service.ctx.db.sandboxFlow.create({ data })
  return id
}

const kept = async () => (await project.client.ok('listFlows')).flows
const sync = () => flowSync.sync(service.ctx, project.id)

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

it('comes to every project in its turn, and once', async () => {
  service.advance(LIMITS.flowSyncDueMs)
  await atChannel('a')
  await Promise.all([flowSync.syncDue(service.ctx), flowSync.syncDue(service.ctx)])
  expect(await kept()).toHaveLength(1)
  await atChannel('b')
  await flowSync.syncDue(service.ctx)
  expect(await kept()).toHaveLength(1)
  service.advance(LIMITS.flowSyncDueMs)
  await flowSync.syncDue(service.ctx)
  expect(await kept()).toHaveLength(2)
})

it('of a project whose channel fails leaves its flows, and is logged', async () => {
  const id = await storeFlow(service, project)
  service.advance(LIMITS.flowSyncDueMs)
  const listFlows = () => Promise.resolve({ ok: false as const, error: failure })
  const channel = { ...service.ctx.channel, listFlows }
  await flowSync.syncDue({ ...service.ctx, channel })
  expect(await kept()).toMatchObject([{ id }])
  expect(service.logLines.join('')).toContain('flows.sync_failed')
})

const failure = {
  ...{ kind: 'transient' as const, code: 2, subcode: null, title: 'Down', details: null },
  ...{ httpStatus: 500, traceId: null, retryable: true },
}
