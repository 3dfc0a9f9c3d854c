import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { flowStatusCallback } from '../../channel/sandbox-callbacks.ts'
import * as flowSync from '../../capabilities/flows/flow-sync.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Channel } from '../../core/ports.ts'
import { makeElsewhere, twoScreens } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const EDITED = { ...twoScreens(), version: '7.2' } as object

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 2 * 60 * 60 * 1000 })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

async function atChannel(name: string) {
  const { businessAccountId } = await service.account(project.id)
  return makeElsewhere(service, businessAccountId, name)
}
/** The channel tells of it. */
async function told(flowId: string) {
  const account = await service.account(project.id)
  const at = service.ctx.now()
  const callback = flowStatusCallback({ account, flowId, from: 'DRAFT', to: 'PUBLISHED', at })
  expect(await service.callback(project.id, callback)).toBe(200)
}
const flowOf = async (id: string) => (await project.client.ok('getFlow', { path: { id } })).flow

/** A round over a channel that reads definitions as told; answers with the flows that were asked for. */
async function sync(readFlow: Channel['readFlow'] = service.ctx.channel.readFlow) {
  const read: string[] = []
  const { channel } = service.ctx
  const counting: Channel['readFlow'] = (account, id) => {
    read.push(id)
    return readFlow(account, id)
  }
  await flowSync.sync({ ...service.ctx, channel: { ...channel, readFlow: counting } }, project.id)
  return read
}
/** One that is known, and that somebody then edits and publishes in the channel's own builder. */
async function publishedElsewhere() {
  const id = await atChannel('a')
  await sync()
  const data = { status: 'PUBLISHED', definition: EDITED }
  await service.ctx.db.sandboxFlow.update({ where: { id }, data })
  service.advance(1_000)
  return id
}
const failing: Channel['readFlow'] = (account) =>
  service.ctx.channel.readFlow({ ...account, accessToken: 'none' }, '0')

describe('the definition of a flow that was edited elsewhere', () => {
  it('is read also where a callback has told of its status before', async () => {
    const id = await publishedElsewhere()
    await told(id)
    expect(await flowOf(id)).toMatchObject({ status: 'published', definition: twoScreens() })
    expect(await sync()).toEqual([id])
    expect(await flowOf(id)).toMatchObject({ status: 'published', definition: EDITED })
    expect(await sync()).toEqual([])
  })

  it('is read in a later round where the channel does not give it in this one', async () => {
    const id = await publishedElsewhere()
    expect(await sync(failing)).toEqual([id])
    expect(await flowOf(id)).toMatchObject({ status: 'published', definition: twoScreens() })
    expect(await sync()).toEqual([id])
    expect(await flowOf(id)).toMatchObject({ definition: EDITED })
    expect(await sync()).toEqual([])
  })

  it('stays to be read when the flow is given another name here', async () => {
    const id = await publishedElsewhere()
    await told(id)
    await project.client.ok('updateFlow', { path: { id }, body: { name: 'b' } })
    expect(await sync()).toEqual([id])
    expect(await flowOf(id)).toMatchObject({ name: 'b', definition: EDITED })
  })

  it('is read once, and changes nothing, where it is the one that is known', async () => {
    const id = await atChannel('a')
    await sync()
    await service.ctx.db.sandboxFlow.update({ where: { id }, data: { status: 'PUBLISHED' } })
    await told(id)
    const before = await flowOf(id)
    service.advance(1_000)
    expect(await sync()).toEqual([id])
    expect(await sync()).toEqual([])
    expect(await flowOf(id)).toEqual(before)
  })

  it('is asked for so often in a round at the most, and waits for no others that never come', async () => {
    for (let n = 0; n < LIMITS.flowDefinitionsRead; n++) await atChannel(`flow ${n}`)
    const id = await atChannel('the last')
    const seldom: Channel['readFlow'] = (account, asked) =>
      asked === id ? service.ctx.channel.readFlow(account, asked) : failing(account, asked)
    for (let round = 0; round < 2; round++) {
      expect(await sync(seldom)).toHaveLength(LIMITS.flowDefinitionsRead)
      service.advance(LIMITS.syncDueMs)
    }
    expect(await flowOf(id)).toMatchObject({ definition: twoScreens() })
  })
})
