import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { emitCustom } from '../../capabilities/webhooks/custom-events.ts'
import { EVENT_SCOPES } from '../../capabilities/webhooks/events.ts'
import { LIMITS } from '../../core/limits.ts'
import { eventCount, subscribe, toldTo } from '../support/events.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const deep = (levels: number) => {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { '[': value }
  return value
}
const throwing = () => {
  throw new Error('no')
}
/** A text whose JSON has so many bytes. */
const sized = (bytes: number) => 'ü'.repeat((bytes - 2) / 2)

const accepted: [string, string, unknown, unknown][] = [
  ['an object', 'order.paid', { order: 1042, lines: [{ sku: 'A' }] }, undefined],
  ['nothing, which is null', 'order.paid', undefined, null],
  ['null', 'order.paid', null, undefined],
  ['false', 'order.paid', false, undefined],
  [
    'what JSON writes in its own way',
    'order.paid',
    { a: new Date(0), b: NaN, c: undefined },
    {
      a: '1970-01-01T00:00:00.000Z',
      b: null,
    },
  ],
  ['a NUL, an emoji and half of one', 'order.paid', '\0 🙂 \ud83d', undefined],
  ['exactly 256 KiB', 'order.paid', sized(LIMITS.customEventBytes), undefined],
  ['1,000 levels', 'order.paid', deep(LIMITS.customEventLevels), undefined],
  ['a name of 100 characters', 'A'.repeat(100), 1, undefined],
  ['a name of every kind of character', 'A-z_0.9', 1, undefined],
  ['a name that only looks like the platform', 'Message.Received', 1, undefined],
]

const refused: [string, unknown, unknown][] = [
  ['no name', undefined, 1],
  ['an empty name', '', 1],
  ['a name of 101 characters', 'a'.repeat(101), 1],
  ['a name with a space', 'two words', 1],
  ['a name with an asterisk', 'order.*', 1],
  ['a name beyond ASCII', 'größe', 1],
  ['a name that ends in a new line', 'order.paid\n', 1],
  ['a name that is no text', { toString: () => 'order.paid' }, 1],
  ['the name of a test', 'webhook.test', 1],
  ...[...EVENT_SCOPES.keys()].map((name): [string, unknown, unknown] => [name, name, 1]),
  ['a cyclic payload', 'order.paid', cyclic],
  ['a BigInt', 'order.paid', { id: 1n }],
  ['a payload over 256 KiB', 'order.paid', sized(LIMITS.customEventBytes + 2)],
  ['a payload of 1 MiB', 'order.paid', 'x'.repeat(1_048_576)],
  ['a toJSON that throws', 'order.paid', { toJSON: throwing }],
  [
    'a getter that throws',
    'order.paid',
    Object.defineProperty({}, 'a', { get: throwing, enumerable: true }),
  ],
  ['a proxy that throws', 'order.paid', new Proxy({}, { ownKeys: throwing, get: throwing })],
  ['a function', 'order.paid', () => 1],
  ['a symbol', 'order.paid', Symbol('s')],
  ['a payload of more levels', 'order.paid', deep(LIMITS.customEventLevels + 1)],
  ['a payload too deep to write', 'order.paid', deep(100_000)],
]

describe('an event of a project’s own', () => {
  it.each(accepted)(
    'is accepted with %s, and told as it is',
    async (_, name, payload, expected) => {
      const project = await service.project()
      const webhook = await subscribe(project, [name])
      expect(await emitCustom(service.ctx, project.id, name, payload)).toBe(true)
      const [told, ...more] = await toldTo(service, webhook.id)
      const data = expected === undefined ? payload : expected
      expect(told).toMatchObject({
        event: name,
        data,
        webhook_id: webhook.id,
        subject: null,
        created_at: service.ctx.now().toISOString(),
      })
      expect(more).toEqual([])
    },
  )

  it.each(refused)('is refused with %s, without a word', async (_, name, payload) => {
    const project = await service.project()
    await subscribe(project, ['order.paid', ...EVENT_SCOPES.keys(), 'webhook.test'])
    expect(await emitCustom(service.ctx, project.id, name, payload)).toBe(false)
    expect(await eventCount(service, project.id)).toBe(0)
  })

  it('is refused when the database fails, and the failure is logged', async () => {
    const { ctx } = service
    const sql = { ...ctx.sql, rows: () => Promise.reject(new Error('lost')) }
    expect(await emitCustom({ ...ctx, sql }, 'p', 'order.paid', 1)).toBe(false)
    expect(service.logLines.at(-1)).toContain('event.unwritten')
  })

  it('reaches whoever subscribed to that very name and is active, each under an id of its own', async () => {
    const project = await service.project()
    const other = await service.project()
    const first = await subscribe(project, ['order.paid', 'order.lost'])
    const second = await subscribe(project, ['order.paid'])
    const rest = await Promise.all([
      subscribe(project, ['order.pai', 'order.paid.', 'Order.paid', 'order', 'order.lost']),
      subscribe(project, ['order.paid'], false),
      subscribe(other, ['order.paid']),
    ])
    expect(await emitCustom(service.ctx, project.id, 'order.paid', 1)).toBe(true)

    const ids = await Promise.all(
      [first, second].map(async ({ id }) => {
        const told = await toldTo(service, id)
        expect(told).toHaveLength(1)
        return told[0]?.id
      }),
    )
    expect(new Set(ids).size).toBe(2)
    for (const { id } of rest) expect(await toldTo(service, id)).toEqual([])
    expect(await eventCount(service, project.id)).toBe(1)
  })

  it('is accepted, and not kept, when nobody subscribed to it', async () => {
    const project = await service.project()
    expect(await emitCustom(service.ctx, project.id, 'order.paid', 1)).toBe(true)
    expect(await eventCount(service, project.id)).toBe(0)
  })
})

describe('the operator', () => {
  const run = async (...argv: string[]) => {
    const env = envOf(service)
    return operate(env, argv)
  }
  const answer = async (...argv: string[]) => {
    const { code, out, err } = await run(...argv)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out) as unknown
  }

  it('raises an event as the bot would', async () => {
    const project = await service.project()
    const webhook = await subscribe(project, ['order.paid'])
    const emit = ['event', 'emit', '--project', project.id, '--name']
    expect(await answer(...emit, 'order.paid', '--data', '{"order":1042}')).toEqual({
      accepted: true,
    })
    expect(await answer(...emit, 'order.paid')).toEqual({ accepted: true })
    const told = await toldTo(service, webhook.id)
    expect(told.map(({ data }) => data)).toEqual([{ order: 1042 }, null])
  })

  it.each([
    ['message.received', '1', 'message.received is an event of the platform; choose another name.'],
    ['webhook.test', '1', 'webhook.test is an event of the platform; choose another name.'],
    ['two words', '1', 'A name has 1 to 100 letters, digits, dots, underscores and hyphens.'],
    [
      'big',
      JSON.stringify('x'.repeat(262_144)),
      'The data is over 256 KiB, or nests on over 1000 levels.',
    ],
  ])('is told why %s is not accepted', async (name, data, why) => {
    const { id } = await service.project()
    const { code, out, err } = await run(
      ...['event', 'emit', '--project', id, '--name', name, '--data', data],
    )
    expect({ code, err }).toEqual({ code: 1, err: `${why}\n` })
    expect(JSON.parse(out)).toEqual({ accepted: false })
  })

  it('is told what is wrong with the data or the project', async () => {
    const bad = await run('event', 'emit', '--project=x', '--name=a', '--data', '{')
    expect(bad).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/must be JSON/) })
    const infinite = await run('event', 'emit', '--project=x', '--name=a', '--data', '[1e400]')
    expect(infinite).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/double/) })
    const none = await run('event', 'emit', '--project=nobody', '--name=a')
    expect(none).toMatchObject({ code: 1, out: '', err: 'There is no project nobody.\n' })
  })

  it('lists webhooks without their secrets', async () => {
    const project = await service.project()
    const webhook = await subscribe(project, ['order.paid'])
    const listed = await answer('webhook', 'list', '--project', project.id)
    expect(listed).toEqual({ webhooks: [webhook] })
    expect(JSON.stringify(listed)).not.toContain('secret')
  })
})
