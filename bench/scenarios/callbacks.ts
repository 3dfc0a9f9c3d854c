import { randomBytes } from 'node:crypto'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import {
  encodeCallback,
  type SandboxAccount,
  signCallback,
  statusCallback,
} from '../../channel/sandbox-callbacks.ts'
import type { Bed } from '../bed.ts'
import { databaseWorkOf } from '../database-work.ts'
import { type Contestant, type Rounds, type Samples, server, takeTurns } from '../measure.ts'
import { startServer } from '../processes.ts'
import { fillProject } from '../projects.ts'
import { wire } from '../requests.ts'
import { cpu, type Goal, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'

const CONNECTIONS = 64
const SCENARIO = 'callbacks'
const MESSAGES = 20_000
const LARGE = 1_000
/** Each message is delivered and then read once per round; longer rounds would run out of messages. */
const SECONDS_MAX = 2
/** 1,000 messages a second, with up to four statuses each. */
const WORST_CASE_PER_SECOND = 4_000
const PHONE = '+15550005000'
const STEPS = ['delivered', 'read'] as const

/** Signed callbacks with one status each, answered after the commit; and one with a thousand statuses. */
export async function callbacks(bed: Bed, rounds: Rounds): Promise<Result> {
  const wanted = { id: 'bench-callbacks', conversations: 1, isOpen: true }
  const { id } = await fillProject(bed, wanted)
  const account = await accountOf(bed, id)
  const wamids = await sendMessages(bed, id)
  const contestants = await prepare(bed, account, wamids)
  const seconds = Math.min(rounds.seconds, SECONDS_MAX)
  const samples = await takeTurns(contestants, { ...rounds, seconds }, CONNECTIONS)
  const largeMs: number[] = []
  for (let round = 0; round < rounds.rounds; round++) {
    largeMs.push(await databaseMsOfLarge(bed, account, wamids.slice(0, LARGE)))
  }
  const bare = 'bare, one UPDATE each'
  const cpuRatio = paired(samplesOf(samples, 'service'), samplesOf(samples, bare), cpu)
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: goalsOf(samples, bare, largeMs),
    notes: [`A callback's CPU is ${cpuRatio.median.toFixed(2)} × the bare server's.`],
  }
}

function goalsOf(samples: Samples, bare: string, largeMs: number[]): Goal[] {
  const own = samplesOf(samples, 'service')
  const goals: Omit<Goal, 'scenario' | 'id'>[] = [
    {
      says: 'callbacks per second, of a bare server with one UPDATE for each',
      bound: 'at least',
      threshold: 2,
      unit: '×',
      measured: paired(own, samplesOf(samples, bare), perSecond),
    },
    {
      says: 'callbacks per second, of the 4,000 that a number at its fastest causes',
      bound: 'at least',
      threshold: 2.5,
      unit: '×',
      measured: spread(own.map((sample) => sample.perSecond / WORST_CASE_PER_SECOND)),
    },
    {
      says: 'p99 of a callback, 64 at a time',
      bound: 'at most',
      threshold: 50,
      unit: 'ms',
      measured: spread(own.map(({ p99Ms }) => p99Ms)),
    },
    {
      says: 'PostgreSQL’s time for a callback of 1,000 statuses',
      bound: 'at most',
      threshold: 100,
      unit: 'ms',
      measured: spread(largeMs),
    },
  ]
  return goals.map((goal) => ({ ...goal, id: 'G11', scenario: SCENARIO }))
}

async function accountOf({ opened: { ctx }, product }: Bed, id: string): Promise<SandboxAccount> {
  const account = await channelAccounts.find(ctx, id)
  if (!account) throw new Error('The project has no channel account')
  return { ...account, callbackUrl: `${product.url}/channel/${id}/webhook` }
}

/** Messages that the channel has accepted and not reported on yet, with ids like the channel's. */
async function sendMessages({ admin }: Bed, projectId: string): Promise<string[]> {
  const wamids = Array.from(
    { length: MESSAGES },
    () => `wamid.${randomBytes(27).toString('base64')}`,
  )
  await admin.query(
    `INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin, type,
       content, status, sent_at)
     SELECT $1, c.id, c.contact_id, w, 'outbound', 'api', 'text', 'Your order is on its way.',
            'sent', now()
       FROM conversations c, unnest($2::text[]) w WHERE c.project_id = $1`,
    [projectId, wamids],
  )
  return wamids
}

async function prepare(bed: Bed, account: SandboxAccount, wamids: string[]): Promise<Contestant[]> {
  const { product, loader, databaseUrl } = bed
  const { pathname } = new URL(account.callbackUrl)
  const requests = STEPS.flatMap((status) =>
    wamids.map((wamid) => {
      const body = encodeCallback(report(account, wamid, status))
      return wire(`POST ${pathname}`, headersOf(account, body), body.toString('latin1'))
    }),
  )
  const projectId = pathname.split('/')[2] ?? ''
  const options = { databaseUrl, projectId, appSecret: account.appSecret }
  const bare = bed.keep(await startServer('contestants/bare-callback', options))
  const contestants = [
    server(loader, { name: 'service', ...product, requests }),
    server(loader, { name: 'bare, one UPDATE each', ...bare, requests }),
  ]
  return contestants.map(({ name, measure }) => ({
    name,
    measure: async (load) => {
      await startOver(bed, projectId)
      const sample = await measure(load)
      await mustHaveCounted(bed, projectId, sample.perSecond * load.seconds)
      return sample
    },
  }))
}

function report(account: SandboxAccount, wamid: string, status: (typeof STEPS)[number]) {
  return statusCallback({ account, wamid, status, to: { phone: PHONE }, at: new Date() })
}

function headersOf(account: SandboxAccount, body: Buffer) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'facebookexternalua',
    'X-Hub-Signature-256': signCallback(body, account.appSecret),
  }
}

/** Resets all statuses, so that every callback of a round changes something. */
async function startOver({ admin }: Bed, projectId: string): Promise<void> {
  await admin.query(
    `UPDATE messages SET status = 'sent', delivered_at = NULL, read_at = NULL
      WHERE project_id = $1 AND direction = 'outbound' AND status <> 'sent'`,
    [projectId],
  )
  await admin.query('VACUUM (ANALYZE) messages')
}

/**
 * An answer without an effect measures nothing. The last callbacks, which ended after the round, are left out.
 */
async function mustHaveCounted({ admin }: Bed, projectId: string, answered: number) {
  const { rows } = await admin.query<{ count: string }>(
    `SELECT count(delivered_at) + count(read_at) AS count FROM messages
      WHERE project_id = $1 AND origin = 'api'`,
    [projectId],
  )
  const least = Math.min(Math.floor(answered), MESSAGES * STEPS.length) - CONNECTIONS
  if (Number(rows[0]?.count) < least) throw new Error('Callbacks were answered without effect')
}

async function databaseMsOfLarge(
  bed: Bed,
  account: SandboxAccount,
  wamids: string[],
): Promise<number> {
  await startOver(bed, 'bench-callbacks')
  const [first, ...others] = wamids.map((wamid) => report(account, wamid, 'delivered'))
  if (!first) throw new Error('There are no messages')
  const entry = [first, ...others].flatMap((callback) => callback.entry)
  const body = encodeCallback({ ...first, entry })
  const { busyMs } = await databaseWorkOf(bed.admin, async () => {
    const headers = headersOf(account, body)
    const sent = { method: 'POST', headers, body: new Uint8Array(body) }
    const answer = await fetch(account.callbackUrl, sent)
    if (!answer.ok) throw new Error(`The callback was not taken: ${await answer.text()}`)
  })
  return busyMs
}
