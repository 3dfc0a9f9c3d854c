import * as conversations from '../../capabilities/conversations.ts'
import type { Bed } from '../bed.ts'
import { type Rounds, server, takeTurns } from '../measure.ts'
import { type Filled, only, recordStatements } from '../projects.ts'
import { request } from '../requests.ts'
import { type Goal, p50, ratesOf, type Result, samplesOf } from '../result.ts'
import { median, paired, spread } from '../timing.ts'

const LIMIT = 50
const SCENARIO = 'depth'
const DEPTHS = { first: 0, '50 %': 0.5, '99 %': 0.99 }
const OFFSET_RUNS = 5
const KEYSET_RUNS = 50
/** A page's latency needs fewer requests than a rate. */
const SHARE_OF_SECONDS = 0.25

type Position = { at: string; id: string }

/** How much longer a page takes in a large project than in a small one, and deep down in it. */
export async function depth(
  bed: Bed,
  rounds: Rounds,
  { large, small }: { large: Filled; small: Filled },
): Promise<Result> {
  const contestants = []
  for (const project of [small, large]) {
    for (const [depthName, share] of Object.entries(DEPTHS)) {
      const position = await positionAt(bed, project, share)
      const name = nameOf(project, depthName)
      const requests = [request('GET', targetOf(bed, project, position), project.secret)]
      contestants.push(server(bed.loader, { ...bed.product, name, requests }))
    }
  }
  const seconds = rounds.seconds * SHARE_OF_SECONDS
  const samples = await takeTurns(contestants, { ...rounds, seconds }, 1)
  const flat = Object.keys(DEPTHS).map((depthName): Omit<Goal, 'scenario'> => ({
    id: 'G5',
    says:
      `p50 of a page ${where(depthName)} in ${large.conversations} conversations, ` +
      `of ${small.conversations}`,
    bound: 'at most',
    threshold: 1.15,
    unit: '×',
    measured: paired(
      samplesOf(samples, nameOf(large, depthName)),
      samplesOf(samples, nameOf(small, depthName)),
      p50,
    ),
  }))
  rounds.progress('the same pages by OFFSET')
  const byOffset: Omit<Goal, 'scenario'>[] = []
  for (const depthName of ['50 %', '99 %'] as const) {
    byOffset.push({
      id: 'G5',
      says: `time in PostgreSQL of a page ${depthName} deep, of its rows by OFFSET`,
      bound: 'at most',
      threshold: 0.01,
      unit: '×',
      measured: await shareOfOffset(bed, large, DEPTHS[depthName]),
    })
  }
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: [...flat, ...byOffset].map((goal) => ({ ...goal, scenario: SCENARIO })),
    notes: [],
  }
}

const nameOf = ({ conversations: count }: Filled, depthName: string) => `${count}, ${depthName}`
const where = (depthName: string) => (depthName === 'first' ? 'at the top' : `${depthName} deep`)

async function positionAt(
  { admin }: Bed,
  project: Filled,
  share: number,
): Promise<Position | null> {
  if (share === 0) return null
  const { rows } = await admin.query<Position>(
    `SELECT last_activity_at::text AS at, id FROM conversations WHERE project_id = $1
      ORDER BY last_activity_at DESC, id DESC LIMIT 1 OFFSET $2`,
    [project.id, Math.floor(project.conversations * share)],
  )
  const [row] = rows
  if (!row) throw new Error('The project has fewer conversations than it should')
  return row
}

function targetOf({ opened: { ctx } }: Bed, { id }: Filled, position: Position | null): string {
  const path = `/v1/conversations?limit=${LIMIT}`
  if (!position) return path
  return `${path}&cursor=${ctx.cursors.encode(listName(id), [position.at, position.id])}`
}

/** How the capability names its list without filters. */
function listName(projectId: string): unknown[] {
  return ['listConversations', projectId, null, null, null]
}

/**
 * The service's statement against one that skips rows, which is spared the joins: it would be slower
 * still with them.
 */
async function shareOfOffset(bed: Bed, project: Filled, share: number) {
  const { admin, opened } = bed
  const position = await positionAt(bed, project, share)
  if (!position) throw new Error('The first page has no OFFSET')
  const cursor = opened.ctx.cursors.encode(listName(project.id), [position.at, position.id])
  const { statement, values } = only(
    await recordStatements(bed, project.id, (ctx) =>
      conversations.list(ctx, { limit: LIMIT, cursor }),
    ),
  )
  const keyset = () => admin.query({ ...statement, values: [...values], rowMode: 'array' })
  const skip = [project.id, LIMIT + 1, Math.floor(project.conversations * share)]
  const offset = () =>
    admin.query({
      name: 'bench-offset',
      text: `SELECT * FROM conversations WHERE project_id = $1
        ORDER BY last_activity_at DESC, id DESC LIMIT $2 OFFSET $3`,
      values: skip,
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
