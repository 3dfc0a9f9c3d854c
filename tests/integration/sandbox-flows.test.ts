import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { type Sandbox, startSandbox } from '../../channel/sandbox.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { Channel } from '../../core/ports.ts'
import { channelAccount, listenForCallbacks, sandboxAccount } from '../support/channel.ts'
import { twoScreens } from '../support/flows.ts'

let receiver: Awaited<ReturnType<typeof listenForCallbacks>>
let sandbox: Sandbox
let channel: Channel
let account: ChannelAccount
let made = 0

beforeAll(async () => {
  receiver = await listenForCallbacks()
  const known = sandboxAccount(receiver.url)
  sandbox = await startSandbox({ findAccount: () => Promise.resolve(known), timing: { sentMs: 0 } })
  channel = createCloudApi()
  account = channelAccount(sandbox.url)
})
afterAll(async () => {
  await channel.close()
  await sandbox.close()
  await receiver.close()
})

let id: string
let name: string
beforeEach(async () => {
  name = `flow ${++made}`
  const draft = { name, categories: ['SURVEY'], definition: twoScreens() }
  id = valueOf(await channel.createFlow(account, draft)).id
})

function valueOf<T>(answer: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (answer.ok) return answer.value
  throw new Error(JSON.stringify(answer.error))
}

describe('a flow of the sandbox', () => {
  it('is found, listed and read as it was made', async () => {
    const flow = { id, name, status: 'DRAFT', categories: ['SURVEY'], faults: [] }
    expect(valueOf(await channel.findFlow(account, id))).toEqual(flow)
    expect(valueOf(await channel.listFlows(account, null)).flows).toContainEqual(flow)
    expect(valueOf(await channel.readFlow(account, id))).toEqual(twoScreens())
  })

  it('takes a definition that is wrong, says where, and is not published with it', async () => {
    const definition = twoScreens()
    definition.screens[0]!.layout.children[0] = { type: 'Slider' }
    const { faults } = valueOf(await channel.uploadFlow(account, id, definition))
    expect(faults).toMatchObject([
      { error: 'INVALID_PROPERTY_VALUE', pointer: '/screens/0/layout/children/0/type' },
    ])
    const error = { code: 139002, kind: 'flow' }
    expect(await channel.publishFlow(account, id)).toMatchObject({ ok: false, error })
  })

  it('is published once, told of, and a draft again when it is changed', async () => {
    receiver.bodies.length = 0
    valueOf(await channel.publishFlow(account, id))
    expect(await channel.publishFlow(account, id)).toMatchObject({ error: { code: 139002 } })
    valueOf(await channel.uploadFlow(account, id, twoScreens()))
    expect(valueOf(await channel.findFlow(account, id)).status).toBe('DRAFT')
    await sandbox.idle()
    const told = receiver.bodies.map((body) => body.toString()).filter((body) => body.includes(id))
    expect(told).toHaveLength(told.filter((body) => body.includes('FLOW_STATUS_CHANGE')).length)
    expect(told.join('')).toContain('"old_status":"DRAFT","new_status":"PUBLISHED"')
  })

  it('shares its name with no other', async () => {
    const draft = { name, categories: ['OTHER'], definition: twoScreens() }
    const taken = { ok: false, error: { code: 100, title: 'Flow name is not unique' } }
    expect(await channel.createFlow(account, draft)).toMatchObject(taken)
    const other = valueOf(await channel.createFlow(account, { ...draft, name: `${name} b` }))
    expect(await channel.renameFlow(account, other.id, name)).toMatchObject(taken)
  })

  it('is not there for another token, or under another id', async () => {
    const stranger = { ...account, accessToken: 'EAAstranger' }
    expect(await channel.findFlow(stranger, id)).toMatchObject({ error: { kind: 'auth' } })
    const unknown = await channel.findFlow(account, '9'.repeat(17))
    expect(unknown).toMatchObject({ ok: false, error: { code: 100 } })
  })

  it('goes out in the mode that it is in, and no other', async () => {
    const send = (mode?: string) => {
      const parameters = {
        flow_message_version: '3',
        flow_id: id,
        flow_cta: 'Go',
        ...(mode ? { mode } : {}),
      }
      const action = { name: 'flow', parameters }
      const interactive = { type: 'flow', body: { text: 'Hi' }, action }
      const message = { type: 'interactive', interactive }
      return channel.send(account, { to: { phone: '+15550001234' }, message, attemptId: 'a' })
    }
    expect(await send()).toMatchObject({ outcome: 'refused', error: { code: 131009 } })
    expect(await send('draft')).toMatchObject({ outcome: 'accepted' })
    valueOf(await channel.publishFlow(account, id))
    expect(await send()).toMatchObject({ outcome: 'accepted' })
  })
})
