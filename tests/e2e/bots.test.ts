import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { type Client, createClient } from '../support/client.ts'
import { type Env, operate } from '../support/operator.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { TEST_ENCRYPTION_KEY } from '../support/service.ts'
import { until } from '../support/until.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const FROM = '+15550007788'
const BOT = `
import type { BotContext } from './lib/bot.ts'
import { greeting } from './words.ts'

export async function onMessage(ctx: BotContext): Promise<void> {
  const [order] = await ctx.table('orders').insert([{ item: ctx.message.content }])
  await ctx.setState('ordering')
  await ctx.addTags(['buyer'])
  await ctx.send({ type: 'text', content: greeting(String(order?.item)) })
  await ctx.emit('order.made', { item: order?.item })
  ctx.log.info('ordered', order)
  if (ctx.message.content === 'nothing') throw new Error('Nothing is no order')
}
`

let database: TestDatabase
let service: ServiceProcess
let receiver: Receiver
let folder: string
let env: Env
let client: Client
let projectId: string

beforeAll(async () => {
  database = await createDatabase()
  receiver = await startReceiver()
  folder = await mkdtemp(path.join(tmpdir(), 'service-bots-'))
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    EGRESS_ALLOW: new URL(receiver.url).host,
  }
  service = await startProcess({ ...env, LOG_LEVEL: 'warn' })
  client = createClient(service.url, printedKey(service))
  const { projects } = await client.ok('listProjects')
  projectId = projects[0]!.id
})
afterAll(async () => {
  await service.kill()
  await receiver.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Writes in as a customer, by the command line. */
async function writeIn(text: string): Promise<void> {
  const args = ['--project', projectId, '--from', FROM, '--text', text]
  expect((await operate(env, ['sandbox', 'inbound', ...args])).err).toBe('')
}

const conversationOf = async () =>
  (await client.ok('listConversations', { query: { phone: FROM } })).conversations[0]

async function answers() {
  const { id } = (await conversationOf())!
  const { messages } = await client.ok('listConversationMessages', { path: { id } })
  return messages.filter(({ origin }) => origin === 'bot').toReversed()
}

it('takes a bot from its first line to its answer, and shows what it did', async () => {
  await writeFileOf('words.ts', "export const greeting = (item: string) => 'One ' + item")
  await writeFileOf('bot.ts', BOT)
  const sql = path.join(folder, 'orders.sql')
  await writeFile(sql, 'CREATE TABLE orders (number serial PRIMARY KEY, item text)')
  await operate(env, ['tables', 'apply', '--project', projectId, '--file', sql])
  await client.ok('createWebhook', { body: { url: receiver.url, events: ['order.made'] } })
  const { deployment } = await client.ok('createDeployment', { body: { message: 'First' } })
  expect(deployment.status).toBe('production')

  await writeIn('tea')
  await until(async () => (await conversationOf()) !== undefined, 'the conversation')
  await until(async () => (await answers()).length === 1, 'the answer')
  expect((await answers())[0]).toMatchObject({ content: 'One tea', type: 'text' })
  await until(() => receiver.received.length === 1, 'the event')

  const conversation = (await conversationOf())!
  const { contact } = await client.ok('getContact', {
    path: { id: conversation.contact.id },
  })
  expect(conversation.state).toBe('ordering')
  expect(contact.tags).toEqual(['buyer'])
  const { rows } = await client.ok('listRows', { path: { table: 'orders' } })
  expect(rows).toEqual([{ number: 1, item: 'tea' }])
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    event: 'order.made',
    data: { item: 'tea' },
  })
})

it('logs what the bot said, and what went wrong in its own lines', async () => {
  await writeIn('nothing')
  const logs = async () => {
    const { out } = await operate(env, ['bot', 'logs', '--project', projectId])
    return (JSON.parse(out) as { lines: { level: string; text: string; version: number }[] }).lines
  }
  await until(async () => (await logs()).length === 3, 'the log')
  const lines = await logs()
  expect(lines.map(({ level, version }) => [level, version])).toEqual([
    ['info', 1],
    ['info', 1],
    ['error', 1],
  ])
  expect(lines[0]?.text).toBe('ordered {"number":1,"item":"tea"}')
  expect(lines[2]?.text).toMatch(/^Error: Nothing is no order\n[^]*bot\.ts:12:/)
})

it('counts what ran', async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toMatch(/^bot_runs_total\{result="done"\} 1$/m)
  expect(metrics).toMatch(/^bot_runs_total\{result="failed"\} 1$/m)
})

async function writeFileOf(file: string, content: string): Promise<void> {
  await client.ok('putFile', { path: { path: file }, body: { content } })
}
