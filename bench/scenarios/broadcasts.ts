import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startDue } from '../../capabilities/broadcasts/broadcast-starts.ts'
import type { Bed } from '../bed.ts'
import { caller, type Contestant, type Rounds, server, takeTurns } from '../measure.ts'
import { cpuTimeUs, start } from '../processes.ts'
import type { Filled } from '../projects.ts'
import { request } from '../requests.ts'
import { type Goal, p50, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { median, paired, type Sample, spread } from '../timing.ts'
import { approve, prepare, ROUND } from './broadcast-ground.ts'
import { makingDue } from './due-broadcasts.ts'
import { connectToSandbox } from './sandbox-account.ts'

const SCENARIO = 'broadcasts'
const LARGE = 100_000
const DEEP = 90_000
const PAGE = 50
/** The number of calls to the channel that the service has under way at once. */
const CONNECTIONS = 64
const COUNT_RUNS = 20
const MATERIALISED = 5
const POLL_MS = 20
const ROUND_LIMIT_MS = 60_000
const NAMES = {
  service: 'service, whole broadcast',
  own: 'upstream call alone (own client)',
  axios: 'upstream call alone (plain axios)',
  first: 'recipients, first page',
  deep: `recipients, offset ${DEEP}`,
}

/** Sends whole broadcasts to a channel that answers at once, creates large ones, and pages through one. */
export async function broadcasts(bed: Bed, rounds: Rounds): Promise<Result> {
  const large = await prepare(bed, { id: 'bench-audience', conversations: LARGE, isOpen: false })
  const { ratios, id } = await materialise(bed, large, rounds)
  const pages = await takeTurns(pagesOf(bed, large, id), { ...rounds, seconds: 0.5 }, 1)
  const conversations = ROUND * (rounds.rounds + 1)
  const crowd = await prepare(bed, { id: 'bench-broadcast', conversations, isOpen: false })
  const sends = await takeTurns(await sendersOf(bed, crowd), rounds, CONNECTIONS)
  const compare = (name: string) =>
    paired(samplesOf(sends, NAMES.service), samplesOf(sends, name), perSecond)
  const goals: Omit<Goal, 'scenario'>[] = [
    {
      id: 'G6',
      says: `p50 of a page of recipients at offset ${DEEP} of ${LARGE}, of the first`,
      bound: 'at most',
      threshold: 1.3,
      unit: '×',
      measured: paired(samplesOf(pages, NAMES.deep), samplesOf(pages, NAMES.first), p50),
    },
    {
      id: 'G6',
      says: 'time in PostgreSQL of the total of a page, of count(*)',
      bound: 'at most',
      threshold: 0.1,
      unit: '×',
      measured: await totals(bed, id),
    },
    {
      id: 'G10',
      says: `making ${LARGE} recipients of an audience, of a bare INSERT … SELECT`,
      bound: 'at most',
      threshold: 1.3,
      unit: '×',
      measured: spread(ratios),
    },
    {
      id: 'G10',
      says: 'messages a second, of the upstream call alone (own client)',
      bound: 'at least',
      threshold: 0.65,
      unit: '×',
      measured: compare(NAMES.own),
    },
    {
      id: 'G10',
      says: 'messages a second, of the upstream call alone through plain axios',
      bound: 'at least',
      threshold: 2,
      unit: '×',
      measured: compare(NAMES.axios),
    },
  ]
  return {
    rates: [...ratesOf(SCENARIO, pages), ...ratesOf(SCENARIO, sends)],
    goals: goals.map((goal) => ({ ...goal, scenario: SCENARIO })),
    notes: [],
  }
}

/** Freezes a large audience several times, alternating with the bare statement; keeps the last broadcast. */
async function materialise(bed: Bed, project: Filled, { progress }: Rounds) {
  const { admin, opened } = bed
  const ratios: number[] = []
  let id = ''
  for (let run = 0; run < MATERIALISED; run++) {
    progress(`${LARGE} recipients, ${run + 1} of ${MATERIALISED}`)
    await admin.query('DELETE FROM broadcast_recipients')
    await admin.query('VACUUM broadcast_recipients')
    // The time is far in the future for the service itself, and all but one recipient are held.
    const scheduledAt = new Date(Date.now() + 86_400_000)
    id = await approve(bed, project, { conditions: [], scheduledAt, waveSize: 1 })
    const due = makingDue(opened.ctx, id)
    const bare = () =>
      timed(() =>
        admin.query(
          `INSERT INTO broadcast_recipients
             (broadcast_id, seq, project_id, contact_id, phone, name, held)
           SELECT $1::uuid, row_number() OVER (ORDER BY id), project_id, id, phone,
                  coalesce(name, profile_name), true
             FROM contacts WHERE project_id = $2`,
          [randomUUID(), project.id],
        ),
      )
    const own = () => timed(() => startDue(due))
    // The second one finds larger indexes.
    const first = run % 2 === 0 ? null : await bare()
    const ownMs = await own()
    const bareMs = first ?? (await bare())
    ratios.push(ownMs / bareMs)
    progress(`${Math.round(ownMs)} ms, bare ${Math.round(bareMs)} ms`)
  }
  await admin.query('VACUUM ANALYZE broadcast_recipients')
  return { ratios, id }
}

function pagesOf({ loader, product }: Bed, { secret }: Filled, id: string): Contestant[] {
  const page = (name: string, offset: number) => {
    const path = `/v1/broadcasts/${id}/recipients?limit=${PAGE}&offset=${offset}`
    return server(loader, { ...product, name, requests: [request('GET', path, secret)] })
  }
  return [page(NAMES.first, 0), page(NAMES.deep, DEEP)]
}

async function totals({ admin }: Bed, id: string) {
  const times = async (text: string) => {
    const taken: number[] = []
    for (let run = 0; run < COUNT_RUNS; run++) {
      taken.push(await timed(() => admin.query(text, [id])))
    }
    return taken.slice(1)
  }
  const kept = await times('SELECT total, queued, sent, failed FROM broadcasts WHERE id = $1')
  const counted = await times('SELECT count(*) FROM broadcast_recipients WHERE broadcast_id = $1')
  return spread(counted.map((slow) => median(kept) / slow))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function sendersOf(bed: Bed, project: Filled): Promise<Contestant[]> {
  const account = await connectToSandbox(bed, project.id)
  const { rows } = await bed.admin.query<{ phone: string }>(
    'SELECT phone FROM contacts WHERE project_id = $1 ORDER BY id LIMIT 2000',
    [project.id],
  )
  const content = 'Hello there, your order is on its way.'
  const calls = (name: string, client: 'own' | 'axios') => {
    const child = bed.keep(start('contestants/upstream-calls'))
    return caller(name, child, { client, account, content, phones: rows.map(({ phone }) => phone) })
  }
  let round = 0
  const service = { name: NAMES.service, measure: () => sendRound(bed, project, round++) }
  return [service, calls(NAMES.own, 'own'), calls(NAMES.axios, 'axios')]
}

/** Sends one broadcast to the contacts of a round, until it is complete. */
async function sendRound(bed: Bed, project: Filled, round: number): Promise<Sample> {
  const { admin, product } = bed
  const cpuBefore = cpuTimeUs(product.pid)
  const value = `round-${round}`
  const id = await approve(bed, project, { conditions: [{ field: 'tags', op: 'contains', value }] })
  const deadline = performance.now() + ROUND_LIMIT_MS
  for (;;) {
    const { rows } = await admin.query<{ status: string; sent: number }>(
      'SELECT status, sent FROM broadcasts WHERE id = $1',
      [id],
    )
    const [state] = rows
    if (state?.status === 'completed') {
      if (state.sent !== ROUND) throw new Error(`${state.sent} of ${ROUND} were sent to`)
      const cpuUs = (cpuTimeUs(product.pid) - cpuBefore) / ROUND
      const tookMs = await lasted(bed, id)
      return { perSecond: (1_000 * ROUND) / tookMs, p50Ms: NaN, p99Ms: NaN, cpuUs }
    }
    if (performance.now() > deadline) throw new Error(`A broadcast does not end: ${state?.status}`)
    await pause(POLL_MS)
  }
}

/** The time from the departure of the first message to the record of the last one. */
async function lasted({ admin }: Bed, id: string): Promise<number> {
  const { rows } = await admin.query<{ ms: string }>(
    `SELECT 1000 * extract(epoch FROM completed_at - (
       SELECT min(dispatched_at) FROM broadcast_recipients WHERE broadcast_id = $1)) AS ms
       FROM broadcasts WHERE id = $1`,
    [id],
  )
  return Number(rows[0]?.ms)
}
