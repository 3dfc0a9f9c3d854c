import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { keepTemplatesInMemory } from '../../channel/sandbox-template-store.ts'
import { type Sandbox, startSandbox } from '../../channel/sandbox.ts'
import type { Channel, ChannelTemplateDraft } from '../../core/ports.ts'
import { valueOf } from '../support/channel-files.ts'
import { channelAccount, listenForCallbacks, sandboxAccount } from '../support/channel.ts'

let channel: Channel
let receiver: Awaited<ReturnType<typeof listenForCallbacks>>
let sandbox: Sandbox
let now: Date
const store = keepTemplatesInMemory()

beforeEach(async () => {
  channel = createCloudApi({ timeoutMs: 5_000 })
  receiver = await listenForCallbacks()
  now = new Date('2026-11-21T09:00:00Z')
  sandbox = await start()
})
afterEach(async () => {
  await sandbox.close()
  await receiver.close()
  await channel.close()
  for (const one of await store.list(account().businessAccountId)) await store.remove(one)
})

const start = (callbacks = true, templates = store) =>
  startSandbox({
    findAccount: (by, id) => {
      const known = sandboxAccount(receiver.url)
      return Promise.resolve(known[by] === id ? known : null)
    },
    templates,
    timing: { reviewMs: 10 },
    callbacks,
    now: () => now,
  })
const account = (more = {}) => channelAccount(sandbox?.url ?? '', more)
const draft = (name: string, more: Partial<ChannelTemplateDraft> = {}): ChannelTemplateDraft => ({
  name,
  language: 'en_US',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Hi.' }],
  ...more,
})
async function create(name: string, more: Partial<ChannelTemplateDraft> = {}) {
  const answer = await channel.createTemplate(account(), draft(name, more))
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.value
}
async function list() {
  const answer = await channel.listTemplates(account(), null)
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.value.templates
}
const events = () =>
  receiver.bodies.map((body) => {
    const { entry } = JSON.parse(body.toString()) as { entry: { changes: { value: object }[] }[] }
    return entry[0]?.changes[0]?.value
  })

describe('the sandbox reviews a template', () => {
  it('and calls back, signed, that it is approved', async () => {
    const { id, status } = await create('offer')
    expect(status).toBe('PENDING')
    await sandbox.idle()
    expect(receiver.faults).toEqual([])
    expect(events()).toMatchObject([
      {
        event: 'APPROVED',
        message_template_id: Number(id),
        reason: 'NONE',
        message_template_name: 'offer',
        message_template_language: 'en_US',
      },
    ])
    expect(await list()).toMatchObject([{ id, status: 'APPROVED' }])
  })

  it('and rejects one whose name says so', async () => {
    await create('will_reject_it')
    await sandbox.idle()
    expect(events()).toMatchObject([{ event: 'REJECTED', reason: 'INVALID_FORMAT' }])
    expect(await list()).toMatchObject([{ status: 'REJECTED', rejectionReason: 'INVALID_FORMAT' }])
  })

  it('and puts one whose name says so into another category', async () => {
    expect((await create('recat_a')).category).toBe('MARKETING')
    expect((await create('recat_b', { category: 'MARKETING' })).category).toBe('UTILITY')
  })

  it('unless it was deleted before', async () => {
    await sandbox.close()
    const add: typeof store.add = async (template) => {
      const isAdded = await store.add(template)
      await store.remove(template)
      return isAdded
    }
    sandbox = await start(true, { ...store, add })
    expect((await create('withdrawn')).status).toBe('PENDING')
    await sandbox.idle()
    expect(events()).toEqual([])
    expect(await list()).toEqual([])
  })

  it('also when it was stopped in between', async () => {
    await sandbox.close()
    sandbox = await start(false)
    const { id } = await create('slow')
    await sandbox.close()
    sandbox = await start(false)
    expect(await list()).toMatchObject([{ id, status: 'PENDING', rejectionReason: null }])
    now = new Date(now.getTime() + 10)
    expect(await list()).toMatchObject([{ id, status: 'APPROVED' }])
  })
})

describe('the sandbox takes a header of a medium', () => {
  const png = { type: 'image/png', bytes: Buffer.from('png') }
  const pictured = (handle: string, format = 'IMAGE') => ({
    components: [
      { type: 'HEADER', format, example: { header_handle: [handle] } },
      { type: 'BODY', text: 'Hi.' },
    ],
  })
  async function uploaded() {
    const { type: mimeType, bytes } = png
    const open = () => Promise.resolve(Readable.from([bytes]))
    const file = { filename: 'a.png', mimeType, sizeBytes: bytes.length, open }
    return valueOf(await channel.uploadSample(account(), file)).handle
  }
  const isRefused = async (handle: string, format?: string) => {
    const answer = await channel.createTemplate(account(), draft('a', pictured(handle, format)))
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 100, subcode: 2388047, httpStatus: 400 },
    })
    return answer.ok ? null : answer.error.details
  }

  it('with the handle of a sample of its kind, for a day', async () => {
    const handle = await uploaded()
    expect(await create('a', pictured(handle))).toMatchObject({ status: 'PENDING' })
    now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
    expect(await isRefused(handle)).toContain('not of a sample')
  })

  it('with no handle that it did not give, and with none of another kind', async () => {
    const handle = await uploaded()
    for (const strange of ['4::aW1hZ2U=:ARsample', `${handle}x`, '1037543291543636', '']) {
      expect(await isRefused(strange)).toContain('not of a sample')
    }
    expect(await isRefused(handle, 'VIDEO')).toContain('of the type image/png')
    expect(await list()).toEqual([])
  })
})

describe('the sandbox takes', () => {
  it('a body of 1,024 characters, also where each is an emoji', async () => {
    await create('cheerful', { components: [{ type: 'BODY', text: '\u{1F600}'.repeat(1_024) }] })
    expect(await list()).toHaveLength(1)
  })
})

describe('the sandbox refuses', () => {
  const long = 'x'.repeat(1_025)
  const media = { type: 'HEADER', format: 'IMAGE' }
  it.each<[string, string, Partial<ChannelTemplateDraft>, number | null]>([
    ['a name with capitals', 'Offer', {}, null],
    ['a reserved name', 'hello_world', {}, null],
    ['an unknown language', 'a', { language: 'xx' }, null],
    ['an unknown category', 'a', { category: 'OFFER' }, null],
    ['no body', 'a', { components: [{ type: 'FOOTER', text: 'a' }] }, null],
    ['a long body', 'a', { components: [{ type: 'BODY', text: long }] }, 2388040],
    [
      'a long body of emoji',
      'a',
      { components: [{ type: 'BODY', text: '\u{1F600}'.repeat(1_025) }] },
      2388040,
    ],
    ['a variable at the end', 'a', { components: [{ type: 'BODY', text: 'a {{1}}' }] }, 2388299],
    ['a medium without sample', 'a', { components: [media, { type: 'BODY', text: 'a' }] }, 2388047],
  ])('%s', async (_what, name, more, subcode) => {
    const answer = await channel.createTemplate(account(), draft(name, more))
    expect(answer).toMatchObject({ ok: false, error: { code: 100, subcode, httpStatus: 400 } })
    expect(await list()).toEqual([])
  })

  it('a name and language that are taken, and for 30 days those of a deleted one', async () => {
    const { id } = await create('offer')
    const again = () => channel.createTemplate(account(), draft('offer'))
    expect(await again()).toMatchObject({ ok: false, error: { subcode: 2388024 } })
    await sandbox.idle()
    expect(await channel.deleteTemplate(account(), { id, name: 'offer' })).toMatchObject({
      ok: true,
    })
    expect(await list()).toEqual([])
    expect(await again()).toMatchObject({ ok: false, error: { subcode: 2388023 } })
    now = new Date(now.getTime() + 30 * 24 * 60 * 60 * 1000)
    expect(await again()).toMatchObject({ ok: true })
  })

  it('a deletion of what is not there, or under another name', async () => {
    const { id } = await create('offer')
    for (const wrong of [
      { id, name: 'other' },
      { id: '1', name: 'offer' },
    ]) {
      const answer = await channel.deleteTemplate(account(), wrong)
      expect(answer).toMatchObject({ ok: false, error: { code: 100, subcode: 2593002 } })
    }
    expect(await list()).toHaveLength(1)
  })

  it('more than 250 templates', async () => {
    await sandbox.close()
    sandbox = await start(false)
    for (let n = 0; n < 250; n++) await create(`t${n}`)
    const answer = await channel.createTemplate(account(), draft('t250'))
    expect(answer).toMatchObject({ ok: false, error: { subcode: 2388019 } })
    const first = await channel.listTemplates(account(), null)
    expect(first).toMatchObject({ ok: true, value: { after: expect.any(String) } })
  })

  it('another account and another token', async () => {
    const other = account({ businessAccountId: '999' })
    expect(await channel.listTemplates(other, null)).toMatchObject({
      error: { code: 100, subcode: 33 },
    })
    const stranger = account({ accessToken: 'EAAother' })
    expect(await channel.listTemplates(stranger, null)).toMatchObject({ error: { code: 190 } })
  })
})
