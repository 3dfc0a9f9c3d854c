import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as projects from '../../capabilities/projects/projects.ts'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { LIMITS } from '../../core/limits.ts'
import { deployHandlers, logOf, runBots, runsLeft, untilRun } from '../support/bots.ts'
import { deliver, register, untilStatus } from '../support/deliveries.ts'
import { subscribe, toldTo } from '../support/events.ts'
import { startReceiver } from '../support/receiver.ts'
import { budgetOf } from '../support/sending.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'
import { until } from '../support/until.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

let service: TestService
let bots: Awaited<ReturnType<typeof runBots>>

beforeAll(async () => {
  service = await startTestService()
  bots = await runBots(service.ctx)
})
afterAll(async () => {
  await bots.stop()
  await service.stop()
})

const messagesOf = async (client: TestService['client'], id: number) =>
  (await client.ok('listConversationMessages', { path: { id: String(id) } as never })).messages

describe('a bot in production', () => {
  it('answers a customer, and its answer is a message of the bot', async () => {
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        const { id, status } = await ctx.send({ type: 'text', content: 'You said ' + ctx.message.content })
        ctx.log.info(id.startsWith('wamid.'), status, ctx.env, ctx.conversation.state, ctx.contact.name)
      }`,
    })
    const { id } = await service.customer(project, { text: 'hi' })
    await untilRun(service, project)
    const [answer] = await messagesOf(project.client, id)
    expect(answer).toMatchObject({ origin: 'bot', direction: 'outbound', content: 'You said hi' })
    expect(await logOf(service, project)).toEqual([
      { level: 'info', text: 'true sent production unstructured Ana' },
    ])
  })

  it('moves the conversation to a state of its own, and changes tags and attributes', async () => {
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        await ctx.setState('choosing_size')
        await ctx.addTags(['vip', 'new'])
        await ctx.removeTags(['new'])
        await ctx.setAttributes({ plan: 'gold', visits: 3 })
      }`,
    })
    const { id, contact } = await service.customer(project)
    await untilRun(service, project)
    const { client } = project
    const path = { id: String(id) } as never
    expect(await logOf(service, project)).toEqual([])
    expect((await client.ok('getConversation', { path })).conversation.state).toBe('choosing_size')
    expect(
      (await client.ok('getContact', { path: { id: String(contact.id) } as never })).contact,
    ).toMatchObject({ tags: ['vip'], attributes: { plan: 'gold', visits: 3 } })
    await client.ok('updateConversation', { path, body: { state: 'done' } })
    await client.ok('updateConversation', { path, body: { state: 'choosing_size' } })
  })

  it('reads and writes its tables, as its project alone', async () => {
    const [project, other] = [await service.project(), await service.project()]
    const table =
      'CREATE TABLE orders (id serial PRIMARY KEY, item text, amount int, "x,y" int DEFAULT 7)'
    await applySql(service, project, table)
    await applySql(service, other, table)
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        const orders = ctx.table('orders')
        const made = await orders.insert([{ item: 'tea', amount: 1 }, { item: 'ink', amount: 2 }])
        const tea = [{ column: 'item', op: 'eq', value: 'tea' }]
        const updated = await orders.update({ filters: tea, values: { amount: 5 } })
        const found = await orders.rows({ filters: tea, columns: ['amount', 'x,y'] })
        const deleted = await orders.delete({ filters: [{ column: 'item', op: 'eq', value: 'ink' }] })
        ctx.log.info(made.length, updated, found, deleted)
        for (const name of ['nothing', 'no table', 1]) {
          await ctx.table(name).rows().catch((error) => ctx.log.warn(error.code))
        }
        await orders.delete({}).catch((error) => ctx.log.warn(error.code))
        await orders.rows({ schema: 'preview' }).catch((error) => ctx.log.warn(error.code))
        await orders.rows({ limit: 1000 }).catch((error) => ctx.log.warn(error.message))
      }`,
    })
    await service.customer(project)
    await untilRun(service, project)
    expect(await logOf(service, project)).toEqual([
      {
        level: 'info',
        text: '2 {"matched":1,"updated":1} [{"amount":5,"x,y":7}] {"matched":1,"deleted":1}',
      },
      ...['table_not_found', 'invalid_id', 'invalid_id', 'filter_required', 'bad_request'].map(
        (text) => ({
          level: 'warn',
          text,
        }),
      ),
      { level: 'warn', text: expect.stringMatching(/limit/) },
    ])
    const path = { table: 'orders' }
    expect((await project.client.ok('listRows', { path })).rows).toMatchObject([{ amount: 5 }])
    expect((await other.client.ok('listRows', { path })).rows).toEqual([])
  })

  it('sends at most 50 messages in a row to a customer who does not answer', async () => {
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        let sent = 0
        try {
          for (; sent < 60; sent++) await ctx.send({ type: 'text', content: 'Are you there?' })
        } catch (error) {
          ctx.log.info(sent, error.code)
        }
      }`,
    })
    const { id } = await service.customer(project)
    await untilRun(service, project, 30_000)
    expect(await logOf(service, project)).toEqual([{ level: 'info', text: '50 bad_request' }])

    await project.client.ok('sendMessage', {
      body: { type: 'text', conversation_id: id, content: 'Somebody of the team is here.' },
    })
    await service.customer(project)
    await untilRun(service, project, 30_000)
    expect((await logOf(service, project)).at(-1)).toEqual({
      level: 'info',
      text: '50 bad_request',
    })
  })

  it('uses no credit and no place in the day, and gets none back when it is refused', async () => {
    const project = await service.project()
    await projects.update(service.ctx, project.id, { credits: 5, quota: 1 })
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        try { ctx.log.info((await ctx.send({ type: 'text', content: 'Hi' })).status) }
        catch (error) { ctx.log.info(error.code) }
      }`,
    })
    for (const phone of ['+15550001234', '+15557770020']) {
      await service.customer(project, { phone })
      await untilRun(service, project)
    }
    const said = (await logOf(service, project)).map(({ text }) => text)
    expect(said).toEqual(['sent', 'upstream_error'])
    expect(await budgetOf(service, project.id)).toMatchObject({ credits: 5, used: 0 })
  })

  it('raises events of its own, and only such', async () => {
    const project = await service.project()
    const { id } = await subscribe(project, ['order.paid', 'message.status'])
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        ctx.log.info(await ctx.emit('order.paid', { order: 1042 }), await ctx.emit('order.paid'),
          await ctx.emit('message.status', {}), await ctx.emit('bad name'), await ctx.emit(1))
      }`,
    })
    await service.customer(project)
    await untilRun(service, project)
    expect((await logOf(service, project)).map(({ text }) => text)).toEqual([
      'true true false false false',
    ])
    expect((await toldTo(service, id)).map(({ event, data }) => [event, data])).toEqual([
      ['order.paid', { order: 1042 }],
      ['order.paid', null],
    ])
  })

  it('has the events of a conversation, its own too, told one by one and in their order', async () => {
    const project = await service.project()
    const receiver = await startReceiver(() => 'hold')
    const delivering = deliver(service.ctx)
    try {
      const names = ['message.received', 'order.new', 'order.paid']
      const { id } = await register(project, receiver.url, names)
      await deployHandlers(service, project, {
        onMessage: `async (ctx) => { await ctx.emit('order.new'); await ctx.emit('order.paid') }`,
      })
      await service.customer(project)
      await untilRun(service, project)
      for (let answered = 0; answered < names.length; answered++) {
        await until(() => receiver.open() === 1, 'the next one')
        await delivering.look()
        expect(receiver.received.map(({ event }) => event)).toEqual(names.slice(0, answered + 1))
        receiver.release()
      }
      await untilStatus(service.ctx, id, 'delivered', names.length)
    } finally {
      // What it holds would otherwise be waited for.
      receiver.behave(() => 204)
      receiver.release()
      await delivering.stop()
      await receiver.close()
    }
  })

  it('hears so much of a table, and so much in all', async () => {
    const project = await service.project()
    await applySql(
      service,
      project,
      `CREATE TABLE words (id int PRIMARY KEY, word text);
       INSERT INTO words SELECT n, repeat('x', 200000) FROM generate_series(1, 3) n`,
    )
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        await ctx.table('words').rows().catch((error) => ctx.log.info(error.message))
        let heard = 0
        try { for (;;) { await ctx.table('words').rows({ limit: 2 }); heard++ } }
        catch (error) { ctx.log.info(heard + ' ' + error.message) }
      }`,
    })
    await service.customer(project)
    await untilRun(service, project)
    expect((await logOf(service, project)).map(({ text }) => text)).toEqual([
      'The rows are larger than 512 KiB; ask for fewer rows or columns.',
      '11 A run hears 4 MiB of answers at the most.',
    ])
  })

  it('is refused what a request would be, with the same code', async () => {
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        const attempts = [
          () => ctx.send(), () => ctx.send({ type: 'fax' }), () => ctx.send({ type: 'text' }),
          () => ctx.send({ type: 'text', content: 'x'.repeat(4097) }),
          () => ctx.send({ type: 'text', content: 'x', phone: '+15550009999' }),
          () => ctx.send({ type: 'text', content: 'a\\0b' }),
          () => ctx.send({ type: 'image', media_slug: 'none' }),
          () => ctx.setState(7), () => ctx.setState(''), () => ctx.setAttributes({ a: { b: 1 } }),
          () => ctx.addTags('x'), () => ctx.addTags(['']),
        ]
        for (const attempt of attempts) {
          await attempt().then(() => ctx.log.info('accepted'), (error) => ctx.log.info(error.code))
        }
      }`,
    })
    const { id } = await service.customer(project)
    await untilRun(service, project)
    expect((await logOf(service, project)).map(({ text }) => text)).toEqual([
      ...['invalid_request', 'unsupported_message_type', 'missing_content', 'content_too_long'],
      ...['invalid_request', 'invalid_request', 'media_not_found', 'invalid_request'],
      ...['invalid_request', 'invalid_request', 'invalid_request', 'invalid_request'],
    ])
    expect(await messagesOf(project.client, id)).toHaveLength(1)
  })

  it('hears of each step of its messages, if it wants to', async () => {
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `(ctx) => ctx.send({ type: 'text', content: 'Hi' })`,
      onStatus: `(ctx) => ctx.log.info(ctx.status.status, ctx.message.content, ctx.message.origin)`,
    })
    await service.customer(project)
    await untilRun(service, project)
    const deadline = performance.now() + 5_000
    let log = await logOf(service, project)
    while (log.length < 2 && performance.now() < deadline) log = await logOf(service, project)
    expect(log.map(({ text }) => text)).toEqual(['delivered Hi bot', 'read Hi bot'])
  })

  it('is not run for a project that has none in production, nor for one that is paused, which is told', async () => {
    const [without, paused] = [await service.project(), await service.project()]
    await service.customer(without)
    expect(await runsLeft(service, without.id)).toBe(0)
    await deployHandlers(service, paused, { onMessage: `(ctx) => ctx.log.info('ran')` })
    await service.customer(paused)
    await untilRun(service, paused)
    expect(await logOf(service, paused)).toHaveLength(1)
    await projects.setStatus(service.ctx, paused.id, 'paused')
    const account = await service.account(paused.id)
    const message = { type: 'text', text: { body: 'Anybody?' } }
    const from = { phone: '+15550001234', name: 'Ana' }
    const at = service.ctx.now()
    await service.callback(paused.id, inboundCallback({ account, from, message, at }))
    await untilRun(service, paused)
    expect(await logOf(service, paused)).toMatchObject([
      { text: 'ran' },
      { level: 'warn', text: 'The run was left out: the project is paused.' },
    ])
  })

  it('that throws, or loops, is told so in its log, and the next message runs', async () => {
    // Its thread is the last to be served: on a busy machine the time on the wall is over before any of it computes.
    const limits: { botRunMs: number } = LIMITS
    const time = jest.replaceProperty(limits, 'botRunMs', 50_000)
    const project = await service.project()
    await deployHandlers(service, project, {
      onMessage: `(ctx) => {
        if (ctx.message.content === 'throw') throw new TypeError('Oh no')
        if (ctx.message.content === 'loop') for (;;);
        ctx.log.info('fine')
      }`,
    })
    for (const text of ['throw', 'loop', 'next']) await service.customer(project, { text })
    await untilRun(service, project, 50_000)
    time.restore()
    const lines = (await logOf(service, project)).map(({ level, text }) => [level, text])
    expect(lines).toEqual([
      ['error', expect.stringMatching(/^TypeError: Oh no\n/)],
      ['error', expect.stringMatching(/computed for 1 s/)],
      ['info', 'fine'],
    ])
  })
})

describe('the runs', () => {
  it('of a conversation are one at a time and in order, those of many beside each other', async () => {
    const project = await service.project()
    await applySql(
      service,
      project,
      'CREATE TABLE seen (id serial PRIMARY KEY, who text, what text)',
    )
    await deployHandlers(service, project, {
      onMessage: `async (ctx) => {
        const row = (what) => ctx.table('seen').insert([{ who: ctx.contact.phone, what }])
        await row('begin ' + ctx.message.content)
        await row('end ' + ctx.message.content)
      }`,
    })
    const phones = Array.from({ length: 6 }, (_, n) => `+1555000200${n}`)
    const writes = phones.map(async (phone) => {
      for (let n = 0; n < 5; n++) await service.customer(project, { phone, text: String(n) })
    })
    await Promise.all(writes)
    await untilRun(service, project, 30_000)
    expect(await logOf(service, project)).toEqual([])
    const seen = []
    let cursor: string | undefined
    do {
      const query = { limit: 50, ...(cursor ? { cursor } : {}) }
      const page = await project.client.ok('listRows', { path: { table: 'seen' }, query })
      seen.push(...page.rows)
      cursor = page.pagination.nextCursor ?? undefined
    } while (cursor)
    for (const phone of phones) {
      expect(seen.filter(({ who }) => who === phone).map(({ what }) => what)).toEqual(
        [0, 1, 2, 3, 4].flatMap((n) => [`begin ${n}`, `end ${n}`]),
      )
    }
    const whos = seen.map(({ who }) => who)
    expect(new Set(whos.slice(0, 12)).size).toBeGreaterThan(1)
  })

  it('of a thousand messages at once all come to their end, and another bot answers meanwhile', async () => {
    const [crowded, other] = [await service.project(), await service.project()]
    await deployHandlers(service, crowded, {
      onMessage: `(ctx) => ctx.addTags(['seen ' + ctx.message.content])`,
    })
    await deployHandlers(service, other, {
      onMessage: `(ctx) => ctx.send({ type: 'text', content: 'Still here' })`,
    })
    const account = await service.account(crowded.id)
    const callbacks = Array.from({ length: 1_000 }, (_, n) =>
      inboundCallback({
        account,
        from: { phone: `+1555${1_000_000 + n}`, name: 'Crowd' },
        message: { type: 'text', text: { body: String(n) } },
        at: service.ctx.now(),
      }),
    )
    const entry = callbacks.flatMap((callback) => callback.entry)
    expect(await service.callback(crowded.id, { ...callbacks[0], entry })).toBe(200)
    expect(await runsLeft(service, crowded.id)).toBeGreaterThan(900)
    const { id } = await service.customer(other)
    await untilRun(service, other)
    expect(await runsLeft(service, crowded.id)).toBeGreaterThan(0)
    expect((await messagesOf(other.client, id))[0]).toMatchObject({ content: 'Still here' })
    await untilRun(service, crowded, 40_000)
    expect(await logOf(service, crowded)).toEqual([])
    const { contacts } = await crowded.client.ok('listContacts', { query: { limit: 100 } })
    expect(contacts.map(({ tags }) => tags)).toEqual(
      Array.from({ length: 100 }, (_, n) => [`seen ${999 - n}`]),
    )
  })
})
