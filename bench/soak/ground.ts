import { setTimeout as pause } from 'node:timers/promises'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Random, seededRandom } from '../../tests/support/random.ts'
import type { Bed } from '../bed.ts'
import { run, untilReady } from '../processes.ts'
import { type Filled, fillProject } from '../projects.ts'
import { settleTables } from '../seed.ts'
import { type Client, createClient, dataOf } from './client.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** One of the observed processes. */
export type Server = { name: string; url: string; pid: number }

/** Everything that a run uses. */
export type Ground = {
  bed: Bed
  project: Filled
  servers: readonly Server[]
  client: Client
  receiver: Receiver
  receiverUrl: string
  account: channelAccounts.OpenAccount
  contacts: readonly { id: string; phone: string }[]
  random: Random
}

export const CONVERSATIONS = 2_000
/** The number of contacts that share a tag and receive a broadcast together. */
export const GROUP = 50
export const TEMPLATE = { template_name: 'soak_update', language: 'en_US' }
export const STEADY_PATH = '/steady'
const REVIEW_LIMIT_MS = 30_000
const REVIEW_POLL_MS = 250
/** Far above what a run needs. */
const UPLOADS_PER_MINUTE = '1000000'
const TABLE = `CREATE TABLE visits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  who text NOT NULL,
  said text NOT NULL,
  seen integer NOT NULL DEFAULT 0,
  at timestamptz NOT NULL DEFAULT now()
)`

/** Settings of the servers that differ in this run; webhooks may reach `receiverPort`. */
export function settingsFor(receiverPort: number): Record<string, string> {
  return {
    BROADCAST_MESSAGES_PER_SECOND: '80',
    EGRESS_ALLOW: `127.0.0.1:${receiverPort}`,
    UPLOAD_REQUESTS_PER_MINUTE: UPLOADS_PER_MINUTE,
  }
}

/**
 * Starts the second server and the subscriber, and fills a project with customers, a table, a template and a
 * bot.
 */
export async function prepare(bed: Bed, receiverPort: number, seed: number): Promise<Ground> {
  const random = seededRandom(seed)
  const project = await fillProject(bed, {
    id: 'soak',
    conversations: CONVERSATIONS,
    isOpen: true,
  })
  const { ctx } = bed.opened
  const account = await channelAccounts.find(ctx, project.id)
  if (!account) throw new Error('The project has no channel account')
  await tableScripts.apply(ctx, project.id, 'public', TABLE)
  const servers = [
    { name: 'server 1', url: bed.product.url, pid: bed.product.pid },
    await startSecond(bed),
  ]
  const urls = servers.map(({ url }) => url)
  const client = createClient(urls, project.secret, seededRandom(seed + 1))
  const receiver = await startReceiver(receiverPort, seededRandom(seed + 2))
  const receiverUrl = `http://127.0.0.1:${receiverPort}`
  const contacts = await group(bed, project)
  await subscribe(client, receiverUrl + STEADY_PATH)
  await makeTemplate(client)
  await deploy(client, 1)
  const shared = { bed, project, servers, client, receiver, receiverUrl }
  return { ...shared, account, contacts, random }
}

async function startSecond({ settings, keep }: Bed): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...settings, PORT: String(port) }
  const child = keep(run(process.execPath, ['scripts/run.mjs', 'main'], env))
  await untilReady(child, async () => (await fetch(`${url}/readyz`)).ok)
  return { name: 'server 2', url, pid: child.pid }
}

/** Tags the contacts with their groups; answers them. */
async function group({ admin }: Bed, { id }: Filled): Promise<Ground['contacts']> {
  await admin.query(
    `UPDATE contacts k SET tags = ARRAY['group-' || n.place / ${GROUP}]
       FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM contacts
              WHERE project_id = $1) n WHERE n.id = k.id`,
    [id],
  )
  // PostgreSQL must count what this connection did before now, or it would be added to what is there.
  await admin.query('SELECT pg_stat_force_next_flush()')
  await settleTables(admin)
  const { rows } = await admin.query<{ id: string; phone: string }>(
    'SELECT id, phone FROM contacts WHERE project_id = $1 ORDER BY id',
    [id],
  )
  return rows
}

async function subscribe(client: Client, url: string): Promise<void> {
  const events = ['message.received', 'message.status', 'soak.answered']
  await client.ask('subscribe', 'POST /v1/webhooks', { expect: 201, body: { url, events } })
}

/** Creates the template and waits until the channel has approved it. */
async function makeTemplate(client: Client): Promise<void> {
  const body = {
    name: TEMPLATE.template_name,
    language: TEMPLATE.language,
    category: 'UTILITY',
    components: [
      {
        type: 'BODY',
        text: 'Hello {{1}}, your order is on its way.',
        example: { body_text: [['Ana']] },
      },
    ],
  }
  const made = await client.ask('template', 'POST /v1/templates', { expect: 201, body })
  const { id } = dataOf<{ template: { id: string } }>(made).template
  const deadline = performance.now() + REVIEW_LIMIT_MS
  for (;;) {
    const answer = await client.ask('template', `GET /v1/templates/${id}`, { expect: 200 })
    if (dataOf<{ template: { status: string } }>(answer).template.status === 'APPROVED') return
    if (performance.now() > deadline) throw new Error('The template was not approved')
    await pause(REVIEW_POLL_MS)
  }
}

/** Writes a new version of the bot and deploys it to production. */
export async function deploy(client: Client, version: number): Promise<void> {
  const content = `import type { BotContext } from './lib/bot.ts'

// Version ${version}
export async function onMessage(ctx: BotContext): Promise<void> {
  const said = ctx.message.content ?? ''
  await ctx.table('visits').insert([{ who: ctx.contact.phone ?? '', said }])
  await ctx.emit('soak.answered', { said })
  await ctx.send({ type: 'text', content: 'You said: ' + said })
  ctx.log.info(said)
}
`
  await client.ask('write code', 'PUT /v1/files/bot.ts', { expect: 200, body: { content } })
  const body = { message: `Version ${version}` }
  await client.ask('deploy', 'POST /v1/deployments', { expect: 201, body })
}
