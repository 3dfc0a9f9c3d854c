import type { Bed } from '../bed.ts'
import { type Rounds, server, takeShortTurns } from '../measure.ts'
import type { Filled, Recorded } from '../projects.ts'
import { request } from '../requests.ts'
import { type Goal, p50, ratesOf, type Result, samplesOf } from '../result.ts'
import { median, paired, spread } from '../timing.ts'
import { conversationsOf, type DeepList, messagesOf } from './deep-lists.ts'

const SCENARIO = 'depth'
const DEPTHS = { first: 0, '50 %': 0.5, '99 %': 0.99 }
const OFFSET_RUNS = 5
const KEYSET_RUNS = 50

/** The time for a page in a large list compared with a small one, at the top and deep down. */
export async function depth(
  bed: Bed,
  rounds: Rounds,
  projects: { large: Filled; small: Filled },
): Promise<Result> {
  const { large, small } = projects
  const ofConversations = await depthOf(bed, rounds, 'conversations', {
    large: conversationsOf(bed, large),
    small: conversationsOf(bed, small),
  })
  rounds.progress(
    `making conversations of ${large.conversations} and ${small.conversations} messages`,
  )
  const ofMessages = await depthOf(bed, rounds, 'messages', {
    large: await messagesOf(bed, large),
    small: await messagesOf(bed, small),
  })
  return {
    rates: [...ofConversations.rates, ...ofMessages.rates],
    goals: [...ofConversations.goals, ...ofMessages.goals],
    notes: [],
  }
}

async function depthOf(
  bed: Bed,
  rounds: Rounds,
  what: string,
  { large, small }: { large: DeepList; small: DeepList },
): Promise<Result> {
  const contestants = []
  for (const [depthName, share] of Object.entries(DEPTHS)) {
    for (const list of [small, large]) {
      const requests = [request('GET', await list.targetOf(share), list.secret)]
      const name = nameOf(list, what, depthName)
      contestants.push(server(bed.loader, { ...bed.product, name, requests }))
    }
  }
  const samples = await takeShortTurns(contestants, rounds)
  const goals = Object.keys(DEPTHS).map((depthName): Omit<Goal, 'scenario'> => ({
    id: 'G5',
    says: `p50 of a page ${where(depthName)} in ${large.items} ${what}, of ${small.items}`,
    bound: 'at most',
    threshold: 1.15,
    unit: '×',
    measured: paired(
      samplesOf(samples, nameOf(large, what, depthName)),
      samplesOf(samples, nameOf(small, what, depthName)),
      p50,
    ),
  }))
  rounds.progress(`the same pages of ${what} by OFFSET`)
  for (const depthName of ['50 %', '99 %'] as const) {
    goals.push({
      id: 'G5',
      says: `time in PostgreSQL of a page of ${what} ${depthName} deep, of its rows by OFFSET`,
      bound: 'at most',
      threshold: 0.01,
      unit: '×',
      measured: await shareOfOffset(bed, large, DEPTHS[depthName]),
    })
  }
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: goals.map((goal) => ({ ...goal, scenario: SCENARIO })),
    notes: [],
  }
}

const nameOf = ({ items }: DeepList, what: string, depthName: string) =>
  `${items} ${what}, ${depthName}`
const where = (depthName: string) => (depthName === 'first' ? 'at the top' : `${depthName} deep`)

async function shareOfOffset(bed: Bed, list: DeepList, share: number) {
  const key = await timesOf(bed, await list.byKey(share), KEYSET_RUNS)
  const offset = await timesOf(bed, list.byOffset(share), OFFSET_RUNS)
  return spread(offset.map((slow) => median(key) / slow))
}

async function timesOf({ admin }: Bed, { statement, values }: Recorded, runs: number) {
  const query = () => admin.query({ ...statement, values: [...values], rowMode: 'array' })
  await query()
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    await query()
    times.push(performance.now() - start)
  }
  return times
}
