import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createChatApi } from '../../egress/chat-api.ts'
import { bodyOf, listen, type Listening } from '../support/channel.ts'
import { twoScreens } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

type Asked = { model?: string; messages: { role: string; content: string }[] }

const KEY = 'sk-agent-secret'
const TIMEOUT_MS = 1_000

let agent: Listening
let service: TestService
let project: TestProject
let asked: { url: string; key: string | undefined; body: Asked }[] = []
let answers: ((response: ServerResponse) => void)[] = []

beforeAll(async () => {
  agent = await listen(async (request, response) => {
    const body = JSON.parse((await bodyOf(request)).toString()) as Asked
    asked.push({ url: request.url ?? '', key: request.headers.authorization, body })
    const answer = answers.shift()
    if (answer) answer(response)
    else response.writeHead(500).end()
  })
  const settings = { AGENT_API_URL: `${agent.url}/v1`, AGENT_API_KEY: KEY, AGENT_MODEL: 'm-1' }
  service = await startTestService({ env: { ...settings, AGENT_TIMEOUT_MS: String(TIMEOUT_MS) } })
})
afterAll(async () => {
  await service.stop()
  await agent.close()
})
beforeEach(async () => {
  project = await service.project()
  asked = []
  answers = []
})

const says = (content: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
const raw = (status: number, text: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(text)
const valid = JSON.stringify(twoScreens())
const broken = JSON.stringify({ ...twoScreens(), version: '1.0' })
const body = { name: 'survey', prompt: 'A form with a name and a size' }

describe('a model', () => {
  it('is asked as the settings say, and its flow is made', async () => {
    answers = [says(`Here you are:\n\`\`\`json\n${valid}\n\`\`\``)]
    const { flow } = await project.client.ok('createFlow', { body })
    expect(flow.definition).toEqual(twoScreens())
    expect(asked).toMatchObject([
      { url: '/v1/chat/completions', key: `Bearer ${KEY}`, body: { model: 'm-1' } },
    ])
    expect(asked[0]?.body.messages.at(-1)?.content).toBe(JSON.stringify(body))
  })

  it('is asked at the whole address where one is given, with neither key nor name where none is', async () => {
    const agentApiUrl = `${agent.url}/v1/chat/completions`
    const model = createChatApi({ agentApiUrl, agentApiKey: null, agentModel: null })
    answers = [says('Yes')]
    expect(await model?.complete([], performance.now() + 10_000)).toEqual({ ok: true, text: 'Yes' })
    expect(asked).toEqual([{ url: '/v1/chat/completions', key: undefined, body: { messages: [] } }])
    await model?.close()
  })

  it('is not asked when no time is left, and its slowness is told as that', async () => {
    const settings = { agentApiUrl: agent.url, agentApiKey: null, agentModel: null }
    const model = createChatApi(settings)
    const tooLong = { ok: false, reason: 'the agent took too long' }
    expect(await model?.complete([], performance.now())).toEqual(tooLong)
    expect(asked).toEqual([])
    answers = [() => undefined]
    expect(await model?.complete([], performance.now() + 50)).toEqual(tooLong)
    await model?.close()
  })

  it('is told its faults and asked once more', async () => {
    answers = [says(broken), says(valid)]
    await project.client.ok('createFlow', { body })
    expect(asked[1]?.body.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'user'],
    ])
    expect(asked[1]?.body.messages.at(-1)?.content).toContain('/version')
  })

  it('is given the definition that an instruction is to change', async () => {
    answers = [says(valid)]
    const { flow } = await project.client.ok('createFlow', { body })
    const changed = { ...twoScreens() }
    changed.screens[0]!.title = 'Changed'
    answers = [says(JSON.stringify(changed))]
    const parts = { path: { id: flow.id }, body: { instruction: 'Change the first title' } }
    const updated = await project.client.ok('updateFlow', parts)
    expect(updated.flow.definition).toEqual(changed)
    const { instruction } = parts.body
    const request = JSON.stringify({ definition: twoScreens(), instruction })
    expect(asked.at(-1)?.body.messages.at(-1)?.content).toBe(request)
  })
})

it('changes nothing by an instruction for what is another definition by the time of its answer', async () => {
  answers = [says(valid)]
  const { flow } = await project.client.ok('createFlow', { body })
  const path = { id: flow.id }
  const definition = twoScreens()
  definition.screens[0]!.title = 'By somebody else'
  answers = [
    (response) => {
      void project.client
        .ok('updateFlow', { path, body: { definition } })
        .then(() => says(valid)(response))
    },
  ]
  const parts = { path, body: { instruction: 'Change the first title' } }
  await project.client.refused('updateFlow', 'flow_update_failed', parts)
  expect((await project.client.ok('getFlow', { path })).flow).toMatchObject({ definition })
})

const FAULTS: [what: string, answers: ((response: ServerResponse) => void)[]][] = [
  ['answers with an error', [raw(500, 'no')]],
  ['refuses the key', [raw(401, `{"error":"bad key ${KEY}"}`)]],
  ['sends elsewhere', [(response) => void response.writeHead(302, { location: '/x' }).end()]],
  ['answers with no JSON', [raw(200, '<html>')]],
  ['answers with no choice', [raw(200, '{"choices":[]}')]],
  ['answers with null', [raw(200, 'null')]],
  ['says nothing', [says('')]],
  ['says no flow, twice', [says('I cannot'), says('I cannot')]],
  ['makes a wrong flow, twice', [says(broken), says(broken)]],
  [
    'nests without end, twice',
    [1, 2].map(() => says(`{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)),
  ],
  ['says too much', [says('x'.repeat(1_100_000))]],
  ['breaks off', [(response) => void response.write('{"cho', () => response.destroy())]],
  ['hangs', [() => undefined]],
  ['hangs the second time', [says(broken), () => undefined]],
]
describe.each(FAULTS)('a model that %s', (_what, given) => {
  it('is 502 in time, and nothing is kept here or at the channel', async () => {
    answers = [...given]
    const startedAt = performance.now()
    const refused = await project.client.refused('createFlow', 'flow_generation_failed', { body })
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 2_000)
    expect(refused.status).toBe(502)
    expect(JSON.stringify(refused)).not.toContain(KEY)
    expect(asked).toHaveLength(given.length)
    expect((await project.client.ok('listFlows')).flows).toEqual([])
    const { businessAccountId } = await service.account(project.id)
    expect(await service.ctx.db.sandboxFlow.count({ where: { businessAccountId } })).toBe(0)
  })

  it('is 502 for a change, which is not made', async () => {
    answers = [says(valid)]
    const { flow } = await project.client.ok('createFlow', { body })
    answers = [...given]
    const parts = { path: { id: flow.id }, body: { instruction: 'Add an email' } }
    await project.client.refused('updateFlow', 'flow_update_failed', parts)
    expect((await project.client.ok('getFlow', { path: { id: flow.id } })).flow).toEqual(flow)
  })
})

it('keeps its key out of the log', () => {
  expect(service.logLines.join('')).not.toContain(KEY)
})
