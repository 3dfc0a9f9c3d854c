import type { Bed } from '../bed.ts'
import { type Rounds, server, takeTurns } from '../measure.ts'
import { startServer } from '../processes.ts'
import { fillProject } from '../projects.ts'
import { request } from '../requests.ts'
import { cpu, perSecond, ratesOf, type Result, samplesOf } from '../result.ts'
import { paired } from '../timing.ts'

const CONNECTIONS = 32
const SCENARIO = 'ping'

/** The whole path of a request, without any work behind it. */
export async function ping(bed: Bed, rounds: Rounds): Promise<Result> {
  const { secret } = await fillProject(bed, { id: 'bench-ping', conversations: 1, isOpen: false })
  const { product, loader } = bed
  const answer = await fetch(`${product.url}/v1/ping`, {
    headers: { Authorization: `Bearer ${secret}` },
  })
  const { data } = (await answer.json()) as { data: unknown }
  const bare = bed.keep(await startServer('contestants/bare-ping', { data }))
  const requests = [request('GET', '/v1/ping', secret)]
  const contestants = [
    server(loader, { name: 'service', ...product, requests }),
    server(loader, { name: 'bare node:http', ...bare, requests }),
  ]
  const samples = await takeTurns(contestants, rounds, CONNECTIONS)
  const compare = (by: typeof perSecond) =>
    paired(samplesOf(samples, 'service'), samplesOf(samples, 'bare node:http'), by)
  return {
    rates: ratesOf(SCENARIO, samples),
    goals: [
      {
        scenario: SCENARIO,
        id: 'G1',
        says: 'requests per second, of bare node:http with the same JSON',
        bound: 'at least',
        threshold: 0.4,
        unit: '×',
        measured: compare(perSecond),
      },
      {
        scenario: SCENARIO,
        id: 'G1',
        says: 'CPU per request, of bare node:http',
        bound: 'at most',
        threshold: 2.4,
        unit: '×',
        measured: compare(cpu),
      },
    ],
    notes: [],
  }
}
