import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { inboundCallback, newWamid } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount, SandboxCustomer } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { untilWaiting } from '../support/locks.ts'
import { permutations, seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const ANA = { phone: '+15558880001', userId: 'US.ana', name: 'Ana' }

let service: TestService
let project: TestProject
let account: SandboxAccount

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
})

type Message = { type: string } & Record<string, unknown>
type Sent = { wamid: string; payload: unknown }

/** A callback, made at one second and sent as often as is liked. */
function made(message: Message, from: SandboxCustomer = ANA, wamid = newWamid('1')): Sent {
  service.advance(1_000)
  return {
    wamid,
    payload: inboundCallback({ account, from, message, wamid, at: service.ctx.now() }),
  }
}
const textOf = (body: string) => ({ type: 'text', text: { body } })
const text = (body: string, from?: SandboxCustomer) => made(textOf(body), from)
const edit = (original: string, body: string, from?: SandboxCustomer) =>
  made({ type: 'edit', edit: { original_message_id: original, message: textOf(body) } }, from)
const revoke = (original: string) =>
  made({ type: 'revoke', revoke: { original_message_id: original } })
const moved = (from: SandboxCustomer, to: { wa_id?: string; user_id?: string }) => {
  const type = to.wa_id ? 'user_changed_number' : 'user_changed_user_id'
  return made({ type: 'system', system: { body: 'Ana moved', type, ...to } }, from)
}

async function take(...sent: Sent[]) {
  for (const { payload } of sent) expect(await service.callback(project.id, payload)).toBe(200)
}
type Payload = { entry: { changes: unknown[] }[] }
/** Sends several as one callback. */
async function takeJoined(...sent: Sent[]) {
  const changes = sent.flatMap(({ payload }) => (payload as Payload).entry[0]!.changes)
  const entry = [{ id: '1', changes }]
  const payload = { object: 'whatsapp_business_account', entry }
  expect(await service.callback(project.id, payload)).toBe(200)
}
const messageOf = async ({ wamid }: Sent) =>
  (await project.client.ok('getMessage', { path: { id: wamid } })).message
const isUnknown = ({ wamid }: Sent) =>
  project.client.refused('getMessage', 'not_found', { path: { id: wamid } })
const contacts = async () => (await project.client.ok('listContacts')).contacts
const conversations = async () => (await project.client.ok('listConversations')).conversations
const messages = async (id: number) =>
  (await project.client.ok('listConversationMessages', { path: { id } })).messages.toReversed()

describe('an edit', () => {
  it('changes the message that it names, which keeps what it said, and is no message itself', async () => {
    const first = text('Helo')
    await take(first)
    const [before] = await conversations()
    const again = edit(first.wamid, 'Hello')
    await take(again, again)
    expect(await messageOf(first)).toMatchObject({
      type: 'text',
      content: 'Hello',
      payload: { edits: [{ wamid: again.wamid, content: 'Helo' }] },
    })
    await isUnknown(again)
    const [after] = await conversations()
    expect(after).toMatchObject({
      unread_count: 1,
      last_message: { content: 'Hello' },
      window: before!.window,
      last_activity_at: before!.last_activity_at,
    })
    const query = { updated_since: before!.updated_at }
    expect((await project.client.ok('listConversations', { query })).conversations).toHaveLength(1)
    expect(after!.updated_at > before!.updated_at).toBe(true)
  })

  it('gives an image its new caption', async () => {
    const image = (caption: string) => ({
      type: 'image',
      image: { id: '77', mime_type: 'image/png', sha256: 's', caption },
    })
    const first = made(image('cta'))
    const message = image('cat')
    const change = made({ type: 'edit', edit: { original_message_id: first.wamid, message } })
    await takeJoined(change, first)
    expect(await messageOf(first)).toMatchObject({ content: 'cat', media: { media_id: '77' } })
  })

  it('of a message that is not known stands for itself, and changes it when it comes', async () => {
    const first = text('Helo')
    const change = edit(first.wamid, 'Hello')
    await take(change, change)
    expect(await messageOf(change)).toMatchObject({
      type: 'text',
      content: 'Hello',
      payload: { original_message_id: first.wamid },
    })
    await take(first, change)
    expect(await messageOf(first)).toMatchObject({
      content: 'Hello',
      payload: { edits: [{ wamid: change.wamid, content: 'Helo' }] },
    })
    expect((await conversations())[0]).toMatchObject({ unread_count: 2 })
  })

  it('changes no message of another project, nor one of ours', async () => {
    const theirs = text('Hello')
    await take(theirs)
    const other = await service.project()
    const own = await service.account(other.id)
    const message = { type: 'text', text: { body: 'Changed' } }
    const change = { type: 'edit', edit: { original_message_id: theirs.wamid, message } }
    const payload = inboundCallback({
      account: own,
      from: ANA,
      message: change,
      at: service.ctx.now(),
    })
    expect(await service.callback(other.id, payload)).toBe(200)
    expect(await messageOf(theirs)).toMatchObject({ content: 'Hello', payload: null })

    const body = { type: 'text' as const, phone: ANA.phone, content: 'From us' }
    const { id } = await project.client.ok('sendMessage', { body })
    const ofOurs = edit(id, 'Changed')
    await take(ofOurs)
    expect(await messageOf({ wamid: id, payload: null })).toMatchObject({ content: 'From us' })
    expect(await messageOf(ofOurs)).toMatchObject({ content: 'Changed' })
  })
})

describe('a revocation', () => {
  it('takes away what was said, for good', async () => {
    const first = text('My card is 4111…')
    const change = edit(first.wamid, 'My card is 4222…')
    const gone = revoke(first.wamid)
    await take(first, change, gone, edit(first.wamid, 'Again'), gone, first)
    expect(await messageOf(first)).toMatchObject({
      type: 'text',
      content: null,
      media: null,
      payload: { revoked_at: expect.stringMatching(/Z$/) },
    })
    await isUnknown(gone)
    const stored = statement(
      'test-stored',
      'SELECT count(*) FROM messages WHERE messages::text LIKE $1',
    )
    expect(await service.ctx.sql.rows(stored, ['%My card%'])).toEqual([['0']])
  })

  it('of a message that is not known is kept, and takes it away when it comes', async () => {
    const first = text('Oops')
    const gone = revoke(first.wamid)
    await take(gone)
    expect(await messageOf(gone)).toMatchObject({ type: 'unsupported', content: null })
    await take(first)
    expect(await messageOf(first)).toMatchObject({
      content: null,
      payload: { revoked_at: expect.any(String) },
    })
  })

  it('takes away the edits that came before their message, or without it', async () => {
    for (const order of permutations([0, 1, 2])) {
      const first = text('No. 1')
      const family = [first, edit(first.wamid, 'No. 2'), revoke(first.wamid)]
      await take(...order.map((index) => family[index]!), ...family)
      expect((await messageOf(first)).content).toBe(null)
    }
    const change = edit('wamid.never', 'No. 3')
    await take(change, revoke('wamid.never'))
    expect((await messageOf(change)).content).toBe(null)
    const contents = (await messages((await conversations())[0]!.id)).map(({ content }) => content)
    expect(new Set(contents)).toEqual(new Set([null]))
  })

  it('opens no window, nor does a customer who only opened the chat', async () => {
    await take(revoke('wamid.unknown'), made({ type: 'request_welcome' }))
    expect(await conversations()).toMatchObject([
      { last_inbound_at: null, window: { open: false, expires_at: null }, unread_count: 2 },
    ])
  })
})

describe('changes at the same moment', () => {
  it('end as if they had come one by one', async () => {
    const first = text('No. 1')
    const edits = ['No. 2', 'No. 3', 'No. 4'].map((body) => edit(first.wamid, body))
    const notice = moved(ANA, { wa_id: '15558880009' })
    await take(first)
    const all = seededRandom(5).shuffled([
      ...edits,
      ...edits,
      ...edits,
      notice,
      notice,
      notice,
      first,
    ])
    await Promise.all(all.map((one) => take(one)))
    expect(await messageOf(first)).toMatchObject({
      content: 'No. 4',
      payload: { edits: [{ content: 'No. 1' }, { content: 'No. 2' }, { content: 'No. 3' }] },
    })
    expect(await contacts()).toMatchObject([{ phone: '+15558880009', user_id: 'US.ana' }])
    expect(await conversations()).toMatchObject([{ unread_count: 2 }])
  })
})

const holdConversations = statement(
  'test-hold-conversations',
  'SELECT 1 FROM conversations WHERE project_id = $1 FOR UPDATE',
)
const holdContacts = statement(
  'test-hold-contacts',
  'SELECT 1 FROM contacts WHERE project_id = $1 FOR UPDATE',
)

describe('a revocation', () => {
  it('that commits while its message waits for the conversation is not lost', async () => {
    await take(text('Hi'))
    const secret = text('My card is 4111')
    const ends: Promise<void>[] = []
    await service.ctx.sql.transaction(async (tx) => {
      await tx.rows(holdConversations, [project.id])
      ends.push(take(revoke(secret.wamid)))
      await untilWaiting(service.ctx, 1)
      ends.push(take(secret))
      await untilWaiting(service.ctx, 2)
    })
    await Promise.all(ends)
    expect(await messageOf(secret)).toMatchObject({
      content: null,
      payload: { revoked_at: expect.any(String) },
    })
  })
})

describe('a customer who changed', () => {
  it('the number keeps the conversation; the notice stands in it and opens no window', async () => {
    await take(text('Hi'))
    const [before] = await conversations()
    const notice = moved({ phone: ANA.phone, userId: ANA.userId }, { wa_id: '15558880009' })
    await take(notice, notice)
    const later = text('Still me', { phone: '+15558880009', userId: 'US.ana2' })
    await take(later, notice)
    expect(await contacts()).toMatchObject([{ phone: '+15558880009', user_id: 'US.ana' }])
    expect(await messages(before!.id)).toMatchObject([
      ...[{ content: 'Hi' }, { type: 'system', content: 'Ana moved' }, { content: 'Still me' }],
    ])
    expect((await conversations())[0]).toMatchObject({ contact: { phone: '+15558880009' } })
  })

  it('the number leaves the old one to whoever has it next, though the notice comes again', async () => {
    const notice = moved({ phone: '+15558880001', userId: 'US.ana' }, { wa_id: '15558880009' })
    const next = text('New here', { phone: '+15558880001', userId: 'US.bob', name: 'Bob' })
    await take(text('Hi'))
    await takeJoined(notice, next)
    await take(notice)
    expect(await contacts()).toMatchObject([
      { phone: '+15558880001', user_id: 'US.bob' },
      { phone: '+15558880009', user_id: 'US.ana' },
    ])
  })

  it('the user id is known by the new one', async () => {
    await take(text('Hi', { userId: 'US.ana' }))
    const notice = moved({ userId: 'US.ana' }, { user_id: 'US.ana2' })
    await take(notice, text('Me', { userId: 'US.ana2' }), notice)
    expect(await contacts()).toMatchObject([{ user_id: 'US.ana2', phone: null }])
    const [conversation] = await conversations()
    expect(await messages(conversation!.id)).toHaveLength(3)
  })

  it('the user id is known by the new one also when the notice tells the old one in its text alone', async () => {
    await take(text('Hi', { userId: 'US.ana' }))
    const body = 'User Ana changed from US.ana to US.ana2'
    const system = { type: 'user_changed_user_id', user_id: 'US.ana2', body }
    const notice = made({ type: 'system', system }, {})
    await take(notice, text('Me', { userId: 'US.ana2' }), notice)
    expect(await contacts()).toMatchObject([{ user_id: 'US.ana2', phone: null }])
    const [conversation] = await conversations()
    expect(await messages(conversation!.id)).toHaveLength(3)
  })

  it('the number keeps the conversation also when only the former user id was known', async () => {
    await take(text('Hi', { userId: 'US.ana' }))
    const type = 'user_changed_number'
    const to = { wa_id: '15558880009', user_id: 'US.ana2', previous_user_id: 'US.ana' }
    const notice = made({ type: 'system', system: { type, ...to }, from: '15558880001' }, {})
    await take(notice, text('Me', { userId: 'US.ana2' }), notice)
    expect(await contacts()).toMatchObject([{ user_id: 'US.ana2', phone: '+15558880009' }])
  })

  it('to a number that another contact has leaves both as they are', async () => {
    const bob = { phone: '+15558880009', userId: 'US.bob', name: 'Bob' }
    await take(text('Hi'), text('Hi', bob), moved(ANA, { wa_id: '15558880009' }))
    expect(await contacts()).toMatchObject([
      { phone: '+15558880009', user_id: 'US.bob' },
      { phone: '+15558880001', user_id: 'US.ana' },
    ])
    const query = { phone: ANA.phone }
    const found = await project.client.ok('listConversations', { query })
    expect(found.conversations).toMatchObject([{ last_message: { type: 'system' } }])
  })

  it('the number and the user id in two callbacks at once has both new ones', async () => {
    await take(text('Hi'))
    const ends: Promise<void>[] = []
    await service.ctx.sql.transaction(async (tx) => {
      await tx.rows(holdContacts, [project.id])
      ends.push(take(moved(ANA, { wa_id: '15558880009' })))
      await untilWaiting(service.ctx, 1)
      ends.push(take(moved(ANA, { user_id: 'US.ana2' })))
      await untilWaiting(service.ctx, 2)
    })
    await Promise.all(ends)
    await take(text('Still me', { phone: '+15558880009' }), text('Me too', { userId: 'US.ana2' }))
    expect(await contacts()).toMatchObject([{ phone: '+15558880009', user_id: 'US.ana2' }])
  })

  it('is no stranger again when what came before the change comes again', async () => {
    const numbered = { phone: '+15558880001' }
    const named = { userId: 'US.bob' }
    const [first, second] = [text('Hi', numbered), text('Hi', named)]
    const change = edit(first.wamid, 'Hello', numbered)
    await take(first, second, change)
    await take(moved(numbered, { wa_id: '15558880009' }), moved(named, { user_id: 'US.bob2' }))
    const before = [await contacts(), await conversations()]
    await take(first, second, change)
    await takeJoined(change, first, second)
    expect([await contacts(), await conversations()]).toEqual(before)
  })

  it('is found by the new number when nobody knew the old one', async () => {
    await take(moved({ phone: '+15558880001' }, { wa_id: '15558880009' }))
    await take(moved({ phone: '+15558880002' }, { wa_id: '15558880009' }))
    expect(await contacts()).toMatchObject([{ phone: '+15558880009' }])
  })

  it('numbers with another at the same moment is taken', async () => {
    const bob = { phone: '+15558880009', userId: 'US.bob', name: 'Bob' }
    await take(text('Hi'), text('Hi', bob))
    const away = moved(bob, { wa_id: '15558880010' })
    await takeJoined(away, moved(ANA, { wa_id: '15558880009' }))
    expect(await contacts()).toMatchObject([
      { phone: '+15558880010', user_id: 'US.bob' },
      { phone: '+15558880009', user_id: 'US.ana' },
    ])
  })
})
