import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { flowReply, flowStatusCallback, inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { storeFlow, twoScreens } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15550001234'
const PROMPT = 'A contact form with name, phone and an optional comment.'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 60_000 })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

async function created(name = 'contact') {
  const { flow } = await project.client.ok('createFlow', { body: { name, prompt: PROMPT } })
  return flow
}

async function got(id: string) {
  return (await project.client.ok('getFlow', { path: { id } })).flow
}

/** What the channel holds, by its own account. */
const atChannel = (id: string) => service.ctx.db.sandboxFlow.findUnique({ where: { id } })

const update = (id: string, body: object) => project.client.ok('updateFlow', { path: { id }, body })

describe('a generated flow', () => {
  it('is a draft here and at the channel, with the fields that the prompt names', async () => {
    const flow = await created()
    expect(flow).toMatchObject({ name: 'contact', status: 'draft', categories: ['OTHER'] })
    expect(flow.validation_errors).toEqual([])
    for (const field of ['name', 'phone', 'comment']) {
      expect(JSON.stringify(flow.definition)).toContain(`"name":"${field}"`)
    }
    const held = await atChannel(flow.id)
    expect(held).toMatchObject({ name: 'contact', status: 'DRAFT', definition: flow.definition })
    expect(await got(flow.id)).toEqual(flow)
  })

  it('keeps the order in which its definition was written', async () => {
    const { definition } = await created()
    expect(Object.keys(definition ?? {})).toEqual(['version', 'screens'])
  })

  it('is not kept, here or there, when the prompt names no fields', async () => {
    const body = { name: 'joke', prompt: 'Tell me a joke' }
    const { status } = await project.client.refused('createFlow', 'flow_generation_failed', {
      body,
    })
    expect(status).toBe(502)
    expect(await project.client.ok('listFlows')).toEqual({ flows: [], nextCursor: null })
    expect(await service.ctx.db.sandboxFlow.count({ where: { name: 'joke' } })).toBe(0)
  })

  it('needs a name of its own', async () => {
    await created()
    const body = { name: 'contact', prompt: PROMPT }
    const { details } = await project.client.refused('createFlow', 'invalid_request', { body })
    expect(details.errors).toEqual([{ path: 'name', message: expect.any(String) }])
  })

  it('needs one that the channel does not have either', async () => {
    const { businessAccountId } = await service.account(project.id)
    const held = { id: '1'.repeat(17), name: 'contact', status: 'DRAFT', categories: ['OTHER'] }
    await service.ctx.db.sandboxFlow.create({ data: { businessAccountId, ...held } })
    const body = { name: 'contact', prompt: PROMPT }
    const { details } = await project.client.refused('createFlow', 'invalid_request', { body })
    expect(details.errors).toMatchObject([{ path: 'name' }])
  })
})

describe('the list', () => {
  it('has the newest first, page after page', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      ids.unshift((await created(name)).id)
      service.advance(1_000)
    }
    const first = await project.client.ok('listFlows', { query: { limit: 2 } })
    const query = { limit: 2, cursor: first.nextCursor ?? '' }
    const second = await project.client.ok('listFlows', { query })
    expect([...first.flows, ...second.flows].map(({ id }) => id)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
  })
})

describe('a change', () => {
  it('by an instruction is uploaded and kept', async () => {
    const { id } = await created()
    const { flow } = await update(id, { instruction: 'Remove the phone and add an email' })
    expect(JSON.stringify(flow.definition)).not.toContain('"name":"phone"')
    expect(JSON.stringify(flow.definition)).toContain('"name":"email"')
    expect((await atChannel(id))?.definition).toEqual(flow.definition)
  })

  it('by a definition and a name is uploaded and kept', async () => {
    const { id } = await created()
    const definition = twoScreens()
    const { flow } = await update(id, { definition, name: 'renamed' })
    expect(flow).toMatchObject({ name: 'renamed', definition })
    expect(await atChannel(id)).toMatchObject({ name: 'renamed', definition })
  })

  it('that the agent cannot make changes nothing', async () => {
    const before = await created()
    const parts = { path: { id: before.id }, body: { instruction: 'make it sing' } }
    await project.client.refused('updateFlow', 'flow_update_failed', parts)
    expect(await got(before.id)).toEqual(before)
  })

  it('to a definition that breaks the rules says where, and changes nothing', async () => {
    const before = await created()
    const definition = twoScreens()
    definition.screens[0]!.layout.children[0] = { type: 'Slider' }
    const parts = { path: { id: before.id }, body: { definition } }
    const { details } = await project.client.refused('updateFlow', 'invalid_request', parts)
    expect(details.errors).toContainEqual({
      path: 'definition',
      pointer: '/screens/0/layout/children/0/type',
      message: expect.any(String),
      error: 'INVALID_PROPERTY_VALUE',
    })
    expect(await got(before.id)).toEqual(before)
  })

  it.each([
    ['nothing at all', {}],
    ['both ways at once', { instruction: 'remove phone', definition: {} }],
  ])('is refused with %s', async (_what, body) => {
    const { id } = await created()
    await project.client.refused('updateFlow', 'invalid_request', { path: { id }, body })
  })

  it('at the same moment as another ends the same here and at the channel', async () => {
    const { id } = await created()
    const texts = ['one', 'two', 'three', 'four']
    await Promise.all(
      texts.map((text) => {
        const definition = twoScreens()
        definition.screens[0]!.title = text
        return update(id, { definition })
      }),
    )
    expect((await atChannel(id))?.definition).toEqual((await got(id)).definition)
  })

  it('of a published flow makes it a draft again', async () => {
    const { id } = await created()
    await project.client.ok('publishFlow', { path: { id } })
    const { flow } = await update(id, { definition: twoScreens() })
    expect([flow.status, (await atChannel(id))?.status]).toEqual(['draft', 'DRAFT'])
  })
})

describe('publishing', () => {
  it('publishes at the channel and here, and may be repeated', async () => {
    const { id } = await created()
    const { flow } = await project.client.ok('publishFlow', { path: { id } })
    expect([flow.status, (await atChannel(id))?.status]).toEqual(['published', 'PUBLISHED'])
    await project.client.ok('publishFlow', { path: { id } })
    await service.sandbox.idle()
    expect((await got(id)).status).toBe('published')
  })

  it('holds though the channel’s clock, by which it told of the draft, is ahead', async () => {
    const { id } = await created()
    await service.sandbox.idle()
    const where = { projectId_id: { projectId: project.id, id } }
    await service.ctx.db.flow.update({ where, data: { statusAt: new Date(Date.now() + 10_000) } })
    const { flow } = await project.client.ok('publishFlow', { path: { id } })
    expect(flow.status).toBe('published')
  })

  it('is refused for a version that is too old', async () => {
    const { id } = await created()
    await update(id, { definition: { ...twoScreens(), version: '4.0' } })
    const refused = await project.client.refused('publishFlow', 'invalid_request', { path: { id } })
    expect(refused.details.errors).toMatchObject([{ pointer: '/version' }])
  })

  it('says what the channel said when that refuses', async () => {
    const id = await storeFlow(service, project, { status: 'draft' })
    await project.client.refused('publishFlow', 'upstream_error', { path: { id } })
    expect((await got(id)).status).toBe('draft')
  })

  it('and any change are refused for a flow that is deprecated', async () => {
    const id = await storeFlow(service, project, { status: 'deprecated' })
    await project.client.refused('publishFlow', 'invalid_request', { path: { id } })
    const parts = { path: { id }, body: { name: 'x' } }
    await project.client.refused('updateFlow', 'invalid_request', parts)
  })
})

describe('what the channel tells of a flow', () => {
  const told = async (flowId: string, to: string, at = service.ctx.now()) => {
    const account = await service.account(project.id)
    const callback = flowStatusCallback({ account, flowId, from: 'DRAFT', to, at })
    expect(await service.callback(project.id, callback)).toBe(200)
  }

  it.each([
    ['PUBLISHED', 'published'],
    ['THROTTLED', 'published'],
    ['BLOCKED', 'published'],
    ['DEPRECATED', 'deprecated'],
    ['SOMETHING_NEW', 'draft'],
  ])('as %s makes it %s', async (word, status) => {
    const id = await storeFlow(service, project, { status: 'draft' })
    await told(id, word)
    expect((await got(id)).status).toBe(status)
  })

  it('does not undo what it told later', async () => {
    const id = await storeFlow(service, project)
    await told(id, 'DEPRECATED')
    await told(id, 'PUBLISHED', new Date(service.ctx.now().getTime() - 60_000))
    expect((await got(id)).status).toBe('deprecated')
  })

  it('moves no flow of another project', async () => {
    const other = await service.project()
    const id = await storeFlow(service, other, { status: 'draft' })
    await told(id, 'DEPRECATED')
    const { flow } = await other.client.ok('getFlow', { path: { id } })
    expect(flow.status).toBe('draft')
  })
})

describe('a flow in a message', () => {
  const send = { type: 'flow', phone: PHONE, content: 'Your details?', button_text: 'Start' }
  const lastSent = () => service.sandbox.requests.at(-1)?.body

  it('goes out as a draft until it is published', async () => {
    await service.customer(project, { phone: PHONE })
    const { id: flow_id } = await created()
    const body = { ...send, flow_id } as never
    const parameters = (mode: object) => ({
      interactive: { action: { parameters: { flow_id, ...mode } } },
    })
    await project.client.ok('sendMessage', { body })
    expect(lastSent()).toMatchObject(parameters({ mode: 'draft' }))
    await project.client.ok('publishFlow', { path: { id: flow_id } })
    await project.client.ok('sendMessage', { body })
    expect(lastSent()).toMatchObject(parameters({}))
    expect(JSON.stringify(lastSent())).not.toContain('"mode"')
  })

  it('is one of the project that is not deprecated, else 404', async () => {
    await service.customer(project, { phone: PHONE })
    const other = await storeFlow(service, await service.project())
    const deprecated = await storeFlow(service, project, { status: 'deprecated' })
    for (const flow_id of ['never', other, deprecated]) {
      const body = { ...send, flow_id } as never
      const { status } = await project.client.refused('sendMessage', 'flow_not_found', { body })
      expect(status).toBe(404)
    }
  })

  it('is answered by the customer, and the answers are in the conversation', async () => {
    const { id: conversationId } = await service.customer(project, { phone: PHONE })
    const flow_id = await storeFlow(service, project)
    const body = { ...send, flow_id, flow_token: 't-1' } as never
    const { id: wamid } = await project.client.ok('sendMessage', { body })
    const account = await service.account(project.id)
    const reply = flowReply({ size: 'S', flow_token: 't-1' })
    const message = { ...reply, context: { id: wamid } }
    const at = service.ctx.now()
    const from = { phone: PHONE }
    await service.callback(project.id, inboundCallback({ account, from, message, at }))
    const parts = { path: { id: conversationId } }
    const { messages } = await project.client.ok('listConversationMessages', parts)
    expect(messages[0]).toMatchObject({
      type: 'flow_reply',
      direction: 'inbound',
      reply_to: wamid,
      payload: { flow_token: 't-1', response: { size: 'S', flow_token: 't-1' } },
    })
  })
})
