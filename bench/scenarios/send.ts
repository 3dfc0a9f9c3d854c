import { randomUUID } from 'node:crypto'
import * as channelAccounts from '../../capabilities/channel-accounts.ts'
import * as sendAttempts from '../../capabilities/send-attempts.ts'
import type { ChannelAccount } from '../../core/ports.ts'
import type { Bed } from '../bed.ts'
import { caller, type Contestant, request, type Rounds, server, takeTurns } from '../measure.ts'
import { start, startServer } from '../processes.ts'
import { fillProject, type Filled, only, recordStatements } from '../projects.ts'
import { addedMs, cpu, type Goal, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired, spread } from '../timing.ts'

const CONNECTIONS = 32
const CONVERSATIONS = 2_000
const SCENARIO = 'send'
const CONTENT = 'Your order 1042 is on its way and will arrive before six this evening.'
const COUNTED_SECONDS = 0.5

/** A text message to a channel that answers at once, in a process of its own. */
export async function send(bed: Bed, rounds: Rounds): Promise<Result> {
  const project = await fillProject(bed, {
    id: 'bench-send',
    conversations: CONVERSATIONS,
    isOpen: true,
  })
  const contestants = await prepare(bed, project)
  const crowd = await takeTurns(contestants, rounds, CONNECTIONS)
  const single = await takeTurns(contestants, { ...rounds, seconds: rounds.seconds / 2 }, 1)
  const compare = (samples: typeof crowd, other: string, by: typeof perSecond) =>
    paired(samplesOf(samples, 'service'), samplesOf(samples, other), by)
  const [service] = contestants
  if (!service) throw new Error('The service takes no part')
  const goals: Omit<Goal, 'scenario' | 'id'>[] = [
    {
      says: 'sends per second, of the upstream call alone',
      bound: 'at least',
      threshold: 0.5,
      unit: '×',
      measured: compare(crowd, 'upstream call alone', perSecond),
    },
    {
      says: 'added to the upstream call, one send at a time',
      bound: 'at most',
      threshold: 0.8,
      unit: 'ms',
      measured: compare(single, 'upstream call alone', addedMs),
    },
    {
      says: 'round trips to PostgreSQL for a send',
      bound: 'at most',
      threshold: 2,
      unit: 'statements',
      measured: spread([await statementsPerSend(bed, service)]),
    },
  ]
  const text = (by: typeof perSecond, other: string) => compare(crowd, other, by).median.toFixed(2)
  return {
    rates: [...ratesOf(SCENARIO, crowd), ...ratesOf(`${SCENARIO}, one at a time`, single)],
    goals: goals.map((goal) => ({ ...goal, id: 'G12', scenario: SCENARIO })),
    notes: [
      `A send's rate is ${text(perSecond, 'bare, same work')} × the bare server's with the same ` +
        `statements and upstream call (CPU ${text(cpu, 'bare, same work')} ×), and ` +
        `${text(perSecond, 'bare, upstream call only')} × that of one which only calls upstream.`,
    ],
  }
}

async function prepare(bed: Bed, project: Filled): Promise<Contestant[]> {
  const { product, loader, databaseUrl } = bed
  const account = await connectToSandbox(bed, project.id)
  const { rows } = await bed.admin.query<{ phone: string }>(
    'SELECT phone FROM contacts WHERE project_id = $1 ORDER BY id',
    [project.id],
  )
  const phones = rows.map(({ phone }) => phone)
  const requests = phones.map((phone) =>
    request('POST', '/v1/messages', project.secret, { type: 'text', phone, content: CONTENT }),
  )
  const statements = await statementsOf(bed, project.id)
  const bare = async (name: string, own: typeof statements | null) => {
    const options = { databaseUrl, projectId: project.id, account, statements: own }
    const { pid, url } = bed.keep(await startServer('contestants/bare-send', options))
    return server(loader, { name, pid, url, requests })
  }
  const calls = bed.keep(start('contestants/upstream-calls'))
  return [
    server(loader, { name: 'service', ...product, requests }),
    await bare('bare, same work', statements),
    await bare('bare, upstream call only', null),
    caller('upstream call alone', calls, { account, phones, content: CONTENT }),
  ]
}

async function connectToSandbox(bed: Bed, projectId: string): Promise<ChannelAccount> {
  const { ctx } = bed.opened
  const phoneNumberId = '100000000000001'
  const accessToken = `bench-${randomUUID()}`
  const options = { phoneNumberId, accessToken }
  const { url } = bed.keep(await startServer('contestants/sandbox', options))
  await channelAccounts.connect(ctx, projectId, {
    phoneNumberId,
    businessAccountId: '100000000000002',
    appId: '100000000000003',
    accessToken,
    appSecret: 'bench',
    verifyToken: 'bench',
    apiUrl: url,
  })
  const account = await channelAccounts.find(ctx, projectId)
  if (!account) throw new Error('The channel account was not kept')
  return channelAccounts.addressOf(ctx, account)
}

/** The two statements of a send, as the service runs them. */
async function statementsOf(bed: Bed, projectId: string) {
  const none = { content: null, reply_to: null, client_ref: null }
  const draft = { origin: 'api', type: 'text', ...none } as const
  const begin = await recordStatements(bed, projectId, (ctx) =>
    sendAttempts.open(ctx, randomUUID(), { matchKey: '1' }, draft, ctx.now()),
  )
  const record = await recordStatements(bed, projectId, (ctx) =>
    sendAttempts.settle(ctx.sql, projectId, [{ attemptId: randomUUID(), wamid: '1' }], ctx.now()),
  )
  return { begin: only(begin).statement, record: only(record).statement }
}

/** What PostgreSQL counts while the service alone is sending; its jobs' few are rounded off. */
async function statementsPerSend({ admin }: Bed, service: Contestant): Promise<number> {
  const track = async (what: 'top' | 'none') => {
    await admin.query(`ALTER SYSTEM SET pg_stat_statements.track = '${what}'`)
    await admin.query('SELECT pg_reload_conf()')
  }
  const sent = async () => {
    const { rows } = await admin.query<{ count: string }>('SELECT count(*) FROM messages')
    return Number(rows[0]?.count)
  }
  const before = await sent()
  await track('top')
  await admin.query('SELECT pg_stat_statements_reset()')
  await service.measure({ connections: 1, seconds: COUNTED_SECONDS })
  await track('none')
  const { rows } = await admin.query<{ calls: string }>(
    'SELECT sum(calls) AS calls FROM pg_stat_statements',
  )
  return Math.round((Number(rows[0]?.calls) / ((await sent()) - before)) * 10) / 10
}
