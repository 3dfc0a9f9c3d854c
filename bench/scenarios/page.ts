import { deepStrictEqual } from 'node:assert'
import * as conversations from '../../capabilities/conversations/conversations.ts'
import { type Bed, RATE_LIMIT } from '../bed.ts'
import { type Rounds, server, takeTurns } from '../measure.ts'
import { startServer } from '../processes.ts'
import { type Filled, only, recordStatements } from '../projects.ts'
import { request } from '../requests.ts'
import { cpu, type Goal, p99, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired } from '../timing.ts'

const CONNECTIONS = 32
const LIMIT = 50
const SCENARIO = 'page'
const TARGET = `/v1/conversations?limit=${LIMIT}`

/** The latest 50 conversations of a project that has very many. */
export async function page(bed: Bed, rounds: Rounds, { id, secret }: Filled): Promise<Result> {
  const { product, loader, databaseUrl, redisUrl } = bed
  const { statement, values } = only(
    await recordStatements(bed, id, (ctx) => conversations.list(ctx, { limit: LIMIT })),
  )
  const bare = async (kind: 'naive' | 'strong') => {
    const options = { databaseUrl, statement, values, kind }
    return bed.keep(await startServer('contestants/bare-page', options))
  }
  const ordinary = { databaseUrl, redisUrl, rateLimit: RATE_LIMIT }
  const servers = {
    service: product,
    'naive bare': await bare('naive'),
    'strong bare': await bare('strong'),
    'ordinary stack': bed.keep(await startServer('ordinary-stack', ordinary)),
  }
  await mustAnswerAlike(Object.values(servers), secret)
  const requests = [request('GET', TARGET, secret)]
  const contestants = Object.entries(servers).map(([name, { pid, url }]) =>
    server(loader, { name, pid, url, requests }),
  )
  const samples = await takeTurns(contestants, rounds, CONNECTIONS)
  const compare = (other: string, by: typeof perSecond) =>
    paired(samplesOf(samples, 'service'), samplesOf(samples, other), by)
  const goals: Omit<Goal, 'scenario' | 'unit'>[] = [
    {
      id: 'G3',
      says: 'pages per second, of the naive bare server',
      bound: 'at least',
      threshold: 1.5,
      measured: compare('naive bare', perSecond),
    },
    {
      id: 'G3',
      says: 'pages per second, of the strong bare server',
      bound: 'at least',
      threshold: 0.8,
      measured: compare('strong bare', perSecond),
    },
    {
      id: 'G3',
      says: 'p99, of the naive bare server',
      bound: 'at most',
      threshold: 1,
      measured: compare('naive bare', p99),
    },
    {
      id: 'G4',
      says: 'pages per second, of the ordinary stack',
      bound: 'at least',
      threshold: 4,
      measured: compare('ordinary stack', perSecond),
    },
    {
      id: 'G4',
      says: 'CPU per page, of the ordinary stack',
      bound: 'at most',
      threshold: 0.2,
      measured: compare('ordinary stack', cpu),
    },
  ]
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: goals.map((goal) => ({ ...goal, scenario: SCENARIO, unit: '×' })),
    notes: [],
  }
}

/** Throws unless all of them answer the same page, apart from the cursors. */
async function mustAnswerAlike(servers: { url: string }[], secret: string): Promise<void> {
  const pages = await Promise.all(
    servers.map(async ({ url }) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const answer = await fetch(url + TARGET, { headers })
      return ((await answer.json()) as { data: { conversations: unknown[] } }).data.conversations
    }),
  )
  for (const other of pages) deepStrictEqual(other, pages[0])
}
