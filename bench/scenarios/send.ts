import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as sendAttempts from '../../capabilities/messages/send-attempts.ts'
import * as sendSettlements from '../../capabilities/messages/send-settlements.ts'
import type { Bed } from '../bed.ts'
import { MARKS, type Template } from '../contestants/recorded-values.ts'
import { databaseWorkOf } from '../database-work.ts'
import {
  caller,
  type Contestant,
  type Rounds,
  type Samples,
  server,
  takeTurns,
} from '../measure.ts'
import { start, startServer } from '../processes.ts'
import { fillProject, type Filled, only, recordStatements } from '../projects.ts'
import { request, UNIQUE } from '../requests.ts'
import { addedMs, cpu, type Goal, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'
import { connectToSandbox } from './sandbox-account.ts'

const CONNECTIONS = 32
const CONVERSATIONS = 2_000
const REPLAYED = 100
const SCENARIO = 'send'
const CONTENT = 'Your order 1042 is on its way and will arrive before six this evening.'
const COUNTED_SECONDS = 2
/** A median of so many counts leaves out the one in which a job of every minute ran. */
const COUNTS = 3
const NAMES = {
  keyed: 'service, with a key',
  keyless: 'service, without a key',
  replayed: 'service, replaying an answer',
  bare: 'bare, same work with a key',
  bareUpstream: 'bare, upstream call only',
  own: 'upstream call alone (own client)',
  axios: 'upstream call alone (plain axios)',
}

/** Text messages, each with an Idempotency-Key, to a channel in another process that answers at once. */
export async function send(bed: Bed, rounds: Rounds): Promise<Result> {
  const wanted = { id: 'bench-send', conversations: CONVERSATIONS, isOpen: true }
  const project = await fillProject(bed, wanted)
  const contestants = await prepare(bed, project)
  const crowd = await takeTurns(contestants, rounds, CONNECTIONS)
  const single = await takeTurns(contestants, { ...rounds, seconds: rounds.seconds / 2 }, 1)
  const [service] = contestants
  if (!service) throw new Error('The service takes no part')
  return {
    rates: [...ratesOf(SCENARIO, crowd), ...ratesOf(`${SCENARIO}, one at a time`, single)],
    goals: goalsOf(crowd, single, await statementsOfSends(bed, service)),
    notes: notesOf(crowd),
  }
}

function goalsOf(crowd: Samples, single: Samples, statements: number[]): Goal[] {
  const compare = (samples: Samples, other: string, by: typeof perSecond) =>
    paired(samplesOf(samples, NAMES.keyed), samplesOf(samples, other), by)
  const goals: Omit<Goal, 'scenario' | 'id'>[] = [
    {
      says: 'sends per second, of the upstream call alone through plain axios',
      bound: 'at least',
      threshold: 0.5,
      unit: '×',
      measured: compare(crowd, NAMES.axios, perSecond),
    },
    {
      says: 'sends per second, of the upstream call alone through the service’s own client',
      bound: 'at least',
      threshold: 0.5,
      unit: '×',
      measured: compare(crowd, NAMES.own, perSecond),
    },
    {
      says: 'added to the upstream call (own client), one send at a time',
      bound: 'at most',
      threshold: 0.8,
      unit: 'ms',
      measured: compare(single, NAMES.own, addedMs),
    },
    {
      says: 'round trips to PostgreSQL for a send',
      bound: 'at most',
      threshold: 2,
      unit: 'statements',
      measured: spread(statements),
    },
  ]
  return goals.map((goal) => ({ ...goal, id: 'G12', scenario: SCENARIO }))
}

function notesOf(crowd: Samples): string[] {
  const text = (one: string, by: typeof perSecond, other: string) =>
    paired(samplesOf(crowd, one), samplesOf(crowd, other), by).median.toFixed(2)
  return [
    `A send's rate is ${text(NAMES.keyed, perSecond, NAMES.bare)} × the bare server's with the ` +
      `same statements, one by one, and the same upstream call (CPU ${text(NAMES.keyed, cpu, NAMES.bare)} ×), and ` +
      `${text(NAMES.keyed, perSecond, NAMES.bareUpstream)} × that of one which only calls ` +
      `upstream. With a key it is ${text(NAMES.keyed, perSecond, NAMES.keyless)} × as fast as ` +
      `without (CPU ${text(NAMES.keyed, cpu, NAMES.keyless)} ×), and a replay is ` +
      `${text(NAMES.replayed, perSecond, NAMES.keyed)} × as fast as a send. The service's own ` +
      `client is ${text(NAMES.own, perSecond, NAMES.axios)} × as fast as plain axios.`,
  ]
}

async function prepare(bed: Bed, project: Filled): Promise<Contestant[]> {
  const { product, loader, databaseUrl } = bed
  const account = await connectToSandbox(bed, project.id)
  const { rows } = await bed.admin.query<{ phone: string }>(
    'SELECT phone FROM contacts WHERE project_id = $1 ORDER BY id',
    [project.id],
  )
  const phones = rows.map(({ phone }) => phone)
  const requestTo = (phone: string, headers: Record<string, string>) =>
    request('POST', '/v1/messages', project.secret, bodyOf(phone), headers)
  const keyed = phones.map((phone) => requestTo(phone, { 'Idempotency-Key': UNIQUE }))
  const keyless = phones.map((phone) => requestTo(phone, {}))
  const replayed = await sendOnce(bed, project, phones.slice(0, REPLAYED))
  const bare = async (name: string, statements: SendStatements | null) => {
    const options = { databaseUrl, account, statements }
    const { pid, url } = bed.keep(await startServer('contestants/bare-send', options))
    return server(loader, { name, pid, url, requests: keyed })
  }
  const calls = (name: string, client: 'own' | 'axios') => {
    const child = bed.keep(start('contestants/upstream-calls'))
    return caller(name, child, { client, account, phones, content: CONTENT })
  }
  return [
    server(loader, { name: NAMES.keyed, ...product, requests: keyed }),
    server(loader, { name: NAMES.keyless, ...product, requests: keyless }),
    server(loader, {
      name: NAMES.replayed,
      ...product,
      requests: replayed.map((key, i) => requestTo(phones[i] ?? '', { 'Idempotency-Key': key })),
    }),
    await bare(NAMES.bare, await statementsOf(bed, project.id)),
    await bare(NAMES.bareUpstream, null),
    calls(NAMES.own, 'own'),
    calls(NAMES.axios, 'axios'),
  ]
}

function bodyOf(phone: string) {
  return { type: 'text', phone, content: CONTENT }
}

/** Sends a message to each number, and answers the keys that were used. */
async function sendOnce({ product }: Bed, { secret }: Filled, phones: string[]): Promise<string[]> {
  const keys: string[] = []
  for (const phone of phones) {
    const key = randomUUID()
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    }
    const body = JSON.stringify(bodyOf(phone))
    const answer = await fetch(`${product.url}/v1/messages`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`A send was not taken: ${await answer.text()}`)
    keys.push(key)
  }
  return keys
}

type SendStatements = { begin: Template; record: Template }

/** The two statements of a send with a key, as the service executes them. */
async function statementsOf(bed: Bed, projectId: string): Promise<SendStatements> {
  const { attemptId, wamid, key, matchKey, now } = MARKS
  const text = { origin: 'api', type: 'text', content: CONTENT } as const
  const attempt = {
    attemptId,
    recipient: { matchKey },
    draft: { ...text, template: null, reply_to: null, client_ref: null },
    needsWindow: true,
    dailyLimit: bed.opened.ctx.config.dailySendQuota,
    needsCustomer: false,
  }
  const idempotency = { key, fingerprint: Buffer.alloc(32) }
  const begin = await recordStatements(
    bed,
    projectId,
    // A recording is answered with no row, which this call rejects.
    (ctx) => sendAttempts.open(ctx, attempt).catch(() => null),
    { now: () => now, idempotency },
  )
  const answered = { key, answer: { data: { id: wamid, status: 'sent' } } }
  const record = await recordStatements(bed, projectId, (ctx) =>
    sendSettlements.settle(ctx.sql, projectId, [{ attemptId, wamid, answered }], now),
  )
  return { begin: only(begin), record: only(record) }
}

async function statementsOfSends(bed: Bed, service: Contestant): Promise<number[]> {
  const counts: number[] = []
  while (counts.length < COUNTS) counts.push(await statementsPerSend(bed, service))
  return counts
}

/**
 * The statements executed while only the service is sending, less those that its jobs execute in the same time.
 */
async function statementsPerSend({ admin }: Bed, service: Contestant): Promise<number> {
  const sent = async () => {
    const { rows } = await admin.query<{ count: string }>('SELECT count(*) FROM messages')
    return Number(rows[0]?.count)
  }
  const idle = await databaseWorkOf(admin, () => pause(COUNTED_SECONDS * 1_000))
  const before = await sent()
  const busy = await databaseWorkOf(admin, () =>
    service.measure({ connections: 1, seconds: COUNTED_SECONDS }),
  )
  const perSend = (busy.statements - idle.statements) / ((await sent()) - before)
  return Math.round(perSend * 10) / 10
}
