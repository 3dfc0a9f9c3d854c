import { deepStrictEqual } from 'node:assert'
import * as rows from '../../capabilities/tables/table-rows.ts'
import type { ProjectContext } from '../../core/context.ts'
import type { Statement } from '../../core/sql.ts'
import type { Bed } from '../bed.ts'
import { type Rounds, server, takeShortTurns, takeTurns } from '../measure.ts'
import { startServer } from '../processes.ts'
import { request } from '../requests.ts'
import { cpu, type Goal, p50, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { cursorAfter, fillOrders, type Orders, TABLE } from '../tables.ts'
import { median, paired, spread } from '../timing.ts'

const CONNECTIONS = 32
const LIMIT = 20
const SCENARIO = 'tables'
/** Different values, so that not every page is the same. */
const VALUES = 500
const DEPTHS = { first: 0, '50 %': 0.5, '99 %': 0.99 }
const KEYSET_RUNS = 50
const OFFSET_RUNS = 5

/** Rows of a project's own table: by an index, and from the top of a large table to its end. */
export async function tables(
  bed: Bed,
  rounds: Rounds,
  sizes: { large: number; small: number },
): Promise<Result> {
  rounds.progress(`making tables of ${sizes.large} and ${sizes.small} rows`)
  const large = await fillOrders(bed, 'bench-tables-large', sizes.large)
  const small = await fillOrders(bed, 'bench-tables-small', sizes.small)
  const rate = await measureRate(bed, rounds, large)
  const depth = await measureDepth(bed, rounds, { large, small })
  return {
    rates: [...rate.rates, ...depth.rates],
    goals: [...rate.goals, ...depth.goals],
    notes: [],
  }
}

async function measureRate(bed: Bed, rounds: Rounds, orders: Orders): Promise<Result> {
  const { product, loader, databaseUrl } = bed
  const { statement } = await recordRead(bed, orders, targetQuery(1))
  const bare = async (kind: 'naive' | 'strong') =>
    bed.keep(await startServer('contestants/bare-rows', { databaseUrl, statement, kind }))
  const servers = {
    service: product,
    'naive bare': await bare('naive'),
    'strong bare': await bare('strong'),
  }
  await mustAnswerAlike(Object.values(servers), orders.secret)
  const requests = Array.from({ length: VALUES }, (_, n) =>
    request('GET', targetOf(targetQuery(1 + (n % orders.customers))), orders.secret),
  )
  const contestants = Object.entries(servers).map(([name, { pid, url }]) =>
    server(loader, { name, pid, url, requests }),
  )
  const samples = await takeTurns(contestants, rounds, CONNECTIONS)
  const compare = (other: string, by: typeof perSecond) =>
    paired(samplesOf(samples, 'service'), samplesOf(samples, other), by)
  const goals: Omit<Goal, 'scenario' | 'unit' | 'id'>[] = [
    {
      says: 'pages of rows per second, of the naive bare server',
      bound: 'at least',
      threshold: 1.15,
      measured: compare('naive bare', perSecond),
    },
    {
      says: 'pages of rows per second, of the strong bare server',
      bound: 'at least',
      threshold: 0.65,
      measured: compare('strong bare', perSecond),
    },
    {
      says: 'CPU per page of rows, of the naive bare server',
      bound: 'at most',
      threshold: 0.95,
      measured: compare('naive bare', cpu),
    },
  ]
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: goals.map((goal) => ({ ...goal, id: 'G2', scenario: SCENARIO, unit: '×' })),
    notes: [],
  }
}

async function measureDepth(
  bed: Bed,
  rounds: Rounds,
  { large, small }: { large: Orders; small: Orders },
): Promise<Result> {
  const contestants = []
  for (const [depth, share] of Object.entries(DEPTHS)) {
    for (const orders of [small, large]) {
      const target = targetOf(await deepQuery(bed, orders, share))
      const requests = [request('GET', target, orders.secret)]
      contestants.push(
        server(bed.loader, { ...bed.product, name: nameOf(orders, depth), requests }),
      )
    }
  }
  const samples = await takeShortTurns(contestants, rounds)
  const flat = Object.keys(DEPTHS).map((depth): Omit<Goal, 'scenario'> => ({
    id: 'G5',
    says: `p50 of a page of rows, ${depth} deep in ${large.rows}, of ${small.rows}`,
    bound: 'at most',
    threshold: 1.15,
    unit: '×',
    measured: paired(
      samplesOf(samples, nameOf(large, depth)),
      samplesOf(samples, nameOf(small, depth)),
      p50,
    ),
  }))
  rounds.progress('the same rows by OFFSET')
  for (const depth of ['50 %', '99 %'] as const) {
    flat.push({
      id: 'G5',
      says: `time in PostgreSQL of a page of rows ${depth} deep, of its rows by OFFSET`,
      bound: 'at most',
      threshold: 0.01,
      unit: '×',
      measured: await shareOfOffset(bed, large, DEPTHS[depth]),
    })
  }
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: flat.map((goal) => ({ ...goal, scenario: SCENARIO })),
    notes: [],
  }
}

type Query = { filters?: string; cursor?: string; limit: number }

const nameOf = ({ rows: count }: Orders, depth: string) => `${count} rows, ${depth}`

function targetQuery(customer: number): Query {
  const filters = JSON.stringify([{ column: 'customer', op: 'eq', value: customer }])
  return { filters, limit: LIMIT }
}

async function deepQuery(bed: Bed, orders: Orders, share: number): Promise<Query> {
  if (share === 0) return { limit: LIMIT }
  return { cursor: await cursorAfter(bed, orders, Math.floor(orders.rows * share)), limit: LIMIT }
}

function targetOf(query: Query): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `/v1/tables/${TABLE}/rows?${search.toString()}`
}

/** The service's own statement for a page, recorded and answered with no rows. */
async function recordRead({ opened: { ctx } }: Bed, { id }: Orders, query: Query) {
  let recorded: { statement: Statement; values: readonly unknown[] } | undefined
  const store: ProjectContext['tables'] = {
    ...ctx.tables,
    read: (_access, statement, values) => {
      recorded = { statement, values }
      return Promise.resolve([])
    },
  }
  await rows.list({ ...ctx, tables: store, project: { id } }, TABLE, query)
  if (!recorded) throw new Error('The page asked for nothing')
  return recorded
}

/** Throws unless all of them answer the same rows, each in its own format. */
async function mustAnswerAlike(servers: { url: string }[], secret: string): Promise<void> {
  const pages = await Promise.all(
    servers.map(async ({ url }) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const answer = await fetch(url + targetOf(targetQuery(7)), { headers })
      const { data } = (await answer.json()) as { data: { rows: { id: unknown; note: unknown }[] } }
      return data.rows.map(({ id, note }) => [Number(id), note])
    }),
  )
  for (const other of pages) deepStrictEqual(other, pages[0])
}

async function shareOfOffset(bed: Bed, orders: Orders, share: number) {
  const { statement, values } = await recordRead(bed, orders, await deepQuery(bed, orders, share))
  const keyset = () => bed.admin.query({ ...statement, values: [...values], rowMode: 'array' })
  const offset = () =>
    bed.admin.query({
      name: 'bench-rows-offset',
      text: `SELECT * FROM ${orders.table.target} ORDER BY id LIMIT $1 OFFSET $2`,
      values: [LIMIT + 1, Math.floor(orders.rows * share)],
      rowMode: 'array',
    })
  const fast = await timesOf(keyset, KEYSET_RUNS)
  return spread((await timesOf(offset, OFFSET_RUNS)).map((slow) => median(fast) / slow))
}

async function timesOf(query: () => Promise<unknown>, runs: number): Promise<number[]> {
  await query()
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    await query()
    times.push(performance.now() - start)
  }
  return times
}
