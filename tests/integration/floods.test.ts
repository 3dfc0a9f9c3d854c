import { afterAll, beforeAll, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as flowSync from '../../capabilities/flows/flow-sync.ts'
import type { OperationId } from '../../core/contract.ts'
import { LIMITS } from '../../core/limits.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const zeros = (count: number) => Array.from({ length: count }, () => 0)
const template = { name: 'flood', language: 'en', category: 'UTILITY' }
const many = <Value>(count: number, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), value]))
const long = <Value>(letter: string, value: Value) =>
  Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n + letter.repeat(16_000), value]))
const names = Array.from({ length: 60_000 }, (_, n) => `{{n${n}}}`)

// Each kept the process busy for minutes once, or out of memory: what took so long was told of at last.
it.each<[string, OperationId, object]>([
  ['components', 'createTemplate', { ...template, components: zeros(90_000) }],
  [
    'examples',
    'createTemplate',
    {
      ...template,
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: names.join(' '),
          example: {
            body_text_named_params: names.slice(0, 8_000).map((one) => ({
              param_name: one.slice(2, -2),
              example: 'x',
            })),
          },
        },
      ],
    },
  ],
  [
    'values in a list that has no limit of its own',
    'createTemplate',
    {
      ...template,
      components: [
        { type: 'BODY', text: 'Hi.', example: { body_text_named_params: zeros(90_000) } },
      ],
    },
  ],
  [
    'members of a part that takes any',
    'createTemplate',
    { ...template, components: [{ type: 'BODY', text: 'Hi.', ...many(90_000, 0) }] },
  ],
  [
    'variables',
    'createBroadcast',
    {
      name: 'flood',
      template_name: 'flood',
      template_language: 'en',
      audience: { filter: { conditions: [] } },
      template_variables: many(90_000, {}),
    },
  ],
  ['unknown members', 'createWebhook', many(90_000, 0)],
  [
    'dots in the names of variables',
    'createBroadcast',
    {
      name: 'flood',
      template_name: 'flood',
      template_language: 'en',
      audience: { filter: { conditions: [] } },
      template_variables: long('.', []),
    },
  ],
  ['slashes in the names of members', 'createWebhook', long('/', 0)],
  [
    'letters in the place of an address',
    'createTemplate',
    {
      ...template,
      components: [
        { type: 'BODY', text: 'Look.' },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', text: 'See', url: `https://${'a'.repeat(900_000)} ` }],
        },
      ],
    },
  ],
  [
    'categories',
    'createFlow',
    {
      name: 'flood',
      prompt: 'A form with name and phone.',
      categories: Array.from({ length: 90_000 }, (_, n) => `c${n}`),
    },
  ],
  [
    'questions that nobody could answer',
    'createFlow',
    {
      name: 'flood',
      prompt: `Ask for email, ${Array.from({ length: 1_950 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join()}`,
    },
  ],
])(
  'is refused at once: a flood of %s',
  async (_what, operation, body) => {
    const started = project.client.send(operation, { body })
    const { status } = await started
    expect([400, 502]).toContain(status)
    expect((await project.client.ok('ping')).ok).toBe(true)
  },
  15_000,
)

// Of eight mebibytes, nothing but the texts is left that could be so large: the rest kept the process for seconds.
it.each<[string, string, string, string]>([
  ['empty lists', 'POST', '/v1/media', `{"kind":[${'[],'.repeat(2_700_000)}[]]}`],
  ['lists that nobody closes', 'POST', '/v1/media', '['.repeat(8_000_000)],
  ['empty texts', 'POST', '/v1/templates/header-sample', `["",${'"",'.repeat(2_700_000)}""]`],
  ['members', 'PUT', '/v1/files/a.ts', `{"a":0,${'"a":0,'.repeat(300_000)}"a":0}`],
  ['numbers', 'POST', '/v1/tables/any/rows', `{"rows":[{"a":[${'0,'.repeat(500_000)}0]}]}`],
])('is refused before it is read: a flood of %s', async (_what, method, path, body) => {
  const answer = await project.client.raw(method, path, { body })
  expect(answer.body).toMatchObject({
    error: { code: 'invalid_request', message: 'The body holds more than 100000 values.' },
  })
})

it('a body may hold a hundred thousand values, and not one more', async () => {
  const parts = { path: { table: 'none' } }
  const rows = [{ a: Array.from({ length: LIMITS.jsonValues - 4 }, () => 0) }]
  await project.client.refused('insertRows', 'table_not_found', { ...parts, body: { rows } })
  rows[0]!.a.push(0)
  await project.client.refused('insertRows', 'invalid_request', { ...parts, body: { rows } })
})

it('is refused at once: a flood of braces that nobody closes', async () => {
  const id = await storeFlow(service, project, { status: 'draft' })
  const definition = { version: '7.3', screens: [], data_channel_uri: '${'.repeat(400_000) }
  const parts = { path: { id }, body: { definition } }
  const refused = await project.client.refused('updateFlow', 'invalid_request', parts)
  expect(refused.details.errors).not.toEqual([])
}, 15_000)

it('has the code of its list: a flood of rows', async () => {
  const list = { type: 'list', phone: '+15550001234', content: 'Choose.', button_text: 'Open' }
  const body = { ...list, sections: [{ rows: zeros(90_000) }] } as never
  const { details } = await project.client.refused('sendMessage', 'too_many_buttons', { body })
  expect(details.errors).toEqual([
    { path: 'sections.0.rows', message: 'must NOT have more than 1000 items' },
  ])
}, 15_000)

it('is refused at once: a flood of words that a trigger raises', async () => {
  await applySql(
    service,
    project,
    `CREATE TABLE loud (id integer PRIMARY KEY, n text);
     CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION '%', repeat('type ', 1000000) || chr(10) || '.'; END $$;
     CREATE TRIGGER shout BEFORE INSERT ON loud FOR EACH ROW EXECUTE FUNCTION shout();`,
  )
  const parts = { path: { table: 'loud' }, body: { rows: [{ id: 1, n: 'a' }] } }
  const { message } = await project.client.refused('insertRows', 'bad_request', parts)
  expect(message).toMatch(/^PostgreSQL refused this: type type .{1900,2000}….$/)
}, 15_000)

it('is refused at once: a flood of values, by a trigger of many words', async () => {
  const columns = Array.from({ length: 650 }, (_, n) => `c${n}`)
  await applySql(
    service,
    project,
    `CREATE TABLE wide (${columns.map((name) => `${name} integer`).join()});
     CREATE FUNCTION grumble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION '%', repeat('type ', 390) || chr(10); END $$;
     CREATE TRIGGER grumble BEFORE INSERT ON wide FOR EACH ROW EXECUTE FUNCTION grumble();`,
  )
  const row = Object.fromEntries(columns.map((name) => [name, 1]))
  const parts = { path: { table: 'wide' }, body: { rows: Array.from({ length: 100 }, () => row) } }
  const { details } = await project.client.refused('insertRows', 'bad_request', parts)
  expect(details).toMatchObject({ column: null, sqlstate: 'P0001' })
}, 15_000)

it('is told at once: a flood of zeros that a number does not end with', async () => {
  await applySql(
    service,
    project,
    `CREATE TABLE fine (id integer PRIMARY KEY, n numeric);
     INSERT INTO fine SELECT g, ('1.' || repeat('0', 16000) || '1')::numeric
       FROM generate_series(1, 50) g;`,
  )
  const parts = { path: { table: 'fine' }, query: { limit: 50 } }
  const { rows } = await project.client.ok('listRows', parts)
  expect(rows.map(({ n }) => n)).toEqual(rows.map(() => `1.${'0'.repeat(16_000)}1`))
}, 15_000)

it('keeps nothing of the service’s own waiting: a flood of made-up projects', async () => {
  const loadGuess = () => Promise.reject(new Error('Too many'))
  const flooded = { ...service.ctx, cache: { ...service.ctx.cache, loadGuess } }
  flooded.cache.clear()
  await expect(channelAccounts.find(flooded, project.id)).rejects.toThrow('Too many')
  expect(await channelAccounts.mustFind(flooded, project.id)).toMatchObject({
    projectId: project.id,
  })
})

it('waits for the next round: what a process cannot hold of a flood of definitions', async () => {
  const own = await service.project()
  const { businessAccountId } = await service.account(own.id)
  const flow = { businessAccountId, status: 'DRAFT', categories: ['SURVEY'], definition: {} }
  const data = [1, 2, 3, 4, 5].map((n) => ({ ...flow, id: `1000000000000000${n}`, name: `${n}` }))
  await service.ctx.db.sandboxFlow.createMany({ data })
  const { channel } = service.ctx
  const read: string[] = []
  const readFlow: typeof channel.readFlow = (_account, id) => {
    read.push(id)
    const value = { text: 'x'.repeat(LIMITS.flowCharactersRead / 2) }
    return Promise.resolve({ ok: true, value })
  }
  const round = async () => {
    read.length = 0
    await flowSync.sync({ ...service.ctx, channel: { ...channel, readFlow } }, own.id)
    return read.length
  }
  expect([await round(), await round(), await round(), await round()]).toEqual([2, 2, 1, 0])
})
