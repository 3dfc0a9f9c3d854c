import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import type { SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { deployCode } from '../../tests/support/bot-code.ts'
import type { Bed } from '../bed.ts'
import { caller, type Contestant, type Rounds, server, takeTurns } from '../measure.ts'
import { start } from '../processes.ts'
import { type Filled, fillProject } from '../projects.ts'
import { request } from '../requests.ts'
import { type Goal, p99, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'

const SCENARIO = 'bots'
const CUSTOMERS = 32
const FLOOD = 1_000
const NAMES = {
  many: `message to answer, ${CUSTOMERS} customers`,
  alone: 'message to answer, one customer',
  calm: 'the same beside many messages',
  storm: 'the same beside a storm of bots',
  apiCalm: 'API beside many messages',
  apiStorm: 'API beside a storm of bots',
}
const ECHO = "(ctx) => ctx.send({ type: 'text', content: ctx.message.content })"
/** Bots that use as much as they are allowed. */
const STORM = {
  loop: '() => { for (;;); }',
  memory: '() => { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)) }',
  output: "(ctx) => { for (let i = 0; i < 5000; i++) ctx.log.info('x'.repeat(2000)) }",
  never: '() => new Promise(() => {})',
}

/**
 * From a customer's message to the bot's answer at the channel, alone and beside bots that use all they can.
 */
export async function bots(bed: Bed, rounds: Rounds): Promise<Result> {
  const customers = bed.keep(start('contestants/bot-customers'))
  const [{ url }] = (await once(customers.process, 'message')) as [{ url: string }]
  const quiet = await project(bed, 'bench-bot', ECHO, url)
  const wild = []
  for (const [name, code] of Object.entries(STORM)) {
    wild.push(await project(bed, `bench-${name}`, code, url))
  }
  const storm = { accounts: wild.map(({ account }) => account), messages: FLOOD }
  // The same messages to projects without a bot: the cost of receiving them is not caused by bots.
  const silent = []
  for (const name of Object.keys(STORM)) {
    silent.push(await project(bed, `bench-no-${name}`, null, url))
  }
  const calm = { accounts: silent.map(({ account }) => account), messages: FLOOD }
  const none = { accounts: [], messages: 0 }
  const by = (name: string, more: object): Contestant =>
    caller(name, customers, { account: quiet.account, ...more })
  const requests = [request('GET', '/v1/conversations?limit=10', quiet.secret)]
  const api = (name: string) => server(bed.loader, { name, ...bed.product, requests })
  const many = await takeTurns([by(NAMES.many, { storm: none })], rounds, CUSTOMERS)
  const samples = await takeTurns(
    [
      by(NAMES.alone, { storm: none }),
      by(NAMES.calm, { storm: calm }),
      by(NAMES.storm, { storm }),
      during(api(NAMES.apiCalm), by('calm', { storm: calm })),
      during(api(NAMES.apiStorm), by('storm', { storm })),
    ],
    rounds,
    1,
  )
  const ids = [...wild, quiet].map(({ id }) => id)
  await bed.admin.query('DELETE FROM bot_runs WHERE project_id = ANY ($1)', [ids])
  return {
    rates: [many, samples].flatMap((each) => ratesOf(SCENARIO, each)),
    goals: goalsOf(
      paired(samplesOf(samples, NAMES.apiStorm), samplesOf(samples, NAMES.apiCalm), p99),
      paired(samplesOf(samples, NAMES.storm), samplesOf(samples, NAMES.calm), p99),
      spread(samplesOf(samples, NAMES.alone).map(({ p50Ms }) => p50Ms)),
    ),
    notes: [`The storm: ${Object.keys(STORM).join(', ')}, each with ${FLOOD} messages at once.`],
  }
}

function goalsOf(api: Goal['measured'], answers: Goal['measured'], p50: Goal['measured']): Goal[] {
  const common = { scenario: SCENARIO, id: 'G16', bound: 'at most' as const }
  return [
    {
      ...common,
      says: 'p99 of the API beside a storm of bots, of that beside the messages alone',
      threshold: 2,
      unit: '×',
      measured: api,
    },
    {
      ...common,
      says: "p99 of another bot's answers beside a storm, of those beside the messages alone",
      threshold: 2,
      unit: '×',
      measured: answers,
    },
    {
      ...common,
      says: 'p50 from a message to the answer at the channel',
      threshold: 50,
      unit: 'ms',
      measured: p50,
    },
  ]
}

/** Measures one contestant while another one works. */
function during(measured: Contestant, other: Contestant): Contestant {
  return {
    name: measured.name,
    async measure(load) {
      const [sample] = await Promise.all([measured.measure(load), other.measure(load)])
      return sample
    },
  }
}

/** A project, with or without a bot, connected to a channel that answers at once. */
async function project(
  bed: Bed,
  id: string,
  onMessage: string | null,
  channelUrl: string,
): Promise<Filled & { account: SandboxAccount }> {
  const { ctx } = bed.opened
  const filled = await fillProject(bed, { id, conversations: 10, isOpen: true })
  const appSecret = randomUUID()
  await channelAccounts.connect(ctx, id, {
    phoneNumberId: `1${Math.floor(performance.now() * 1000)}`,
    businessAccountId: '1',
    appId: '1',
    accessToken: 'unused',
    appSecret,
    verifyToken: 'unused',
    apiUrl: channelUrl,
  })
  if (onMessage !== null) {
    await deployCode(ctx, id, `var bot = { onMessage: ${onMessage} }`)
  }
  const account = await channelAccounts.find(ctx, id)
  if (!account) throw new Error('The project has no channel account')
  return {
    ...filled,
    account: { ...account, callbackUrl: `${bed.product.url}/channel/${id}/webhook` },
  }
}
