import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { OperationId } from '../../core/contract.ts'
import { type Drawn, faultOf, requestsOf } from '../support/fuzz.ts'
import { identified, requestFor } from '../support/resources.ts'
import { OPERATIONS, startSweep, type Sweep } from '../support/sweep.ts'

/** Fewer may by chance be all taken, or all refused. */
const RUNS = 80
/** `npm run fuzz -- --seed N --runs M` sets others. */
const { seed, runs } = (globalThis as { fuzz?: { seed: number; runs: number } }).fuzz ?? {
  seed: 20_261_121,
  runs: RUNS,
}
/** So that requests are not refused for their number alone. */
const BUDGETS = {
  DAILY_SEND_QUOTA: '1000000',
  UPLOAD_REQUESTS_PER_MINUTE: '1000000',
  UPLOAD_BYTES_PER_MINUTE: '999999999999',
}
const RUN_LIMIT_MS = 1_000

// What deletes comes last, so that the others find what they name.
const operations = OPERATIONS.all.toSorted(
  ([, a], [, b]) => Number(a.method === 'delete') - Number(b.method === 'delete'),
)

let sweep: Sweep
beforeAll(async () => {
  sweep = await startSweep(BUDGETS)
})
afterAll(() => sweep.service.stop())

describe.each(operations)('%s', (_id, operation) => {
  it(
    'answers whatever it is asked as the contract says, and takes nothing that it forbids',
    async () => {
      const outcomes = new Set<'taken' | 'refused'>()
      const property = fc.asyncProperty(requestsOf(operation), async (drawn: Drawn) => {
        const path = drawn.path ?? identified(operation, sweep.resources, 'own')
        const { query: due = {} } = requestFor(operation, path)
        const query = { ...(drawn.path === null ? texts(due) : {}), ...drawn.query }
        const fault = faultOf(operation, { ...drawn, query })
        const { status, body } = await sweep.project.client.send(operation.id as OperationId, {
          ...drawn,
          path,
          query,
          ...('body' in drawn ? { body: JSON.stringify(drawn.body) } : {}),
        })
        const answer = JSON.stringify(body).slice(0, 500)
        outcomes.add(status < 400 ? 'taken' : 'refused')
        if (status >= 500 && !isUnmakeable(body)) throw new Error(`${status}: ${answer}`)
        if (fault !== null && status < 400) throw new Error(`Took it, although ${fault}: ${answer}`)
      })
      await fc.assert(property, { seed, numRuns: runs })
      // Requests of one sort alone would show little.
      if (runs >= RUNS) expect(outcomes.size).toBe(2)
      expect(({} as { polluted?: true }).polluted).toBeUndefined()
    },
    20_000 + runs * RUN_LIMIT_MS,
  )
})

/** What fits its schema may ask for what cannot be made: that has 502s of its own. */
function isUnmakeable(body: unknown): boolean {
  const { error } = body as { error?: { code: string } }
  return ['flow_generation_failed', 'flow_update_failed', 'build_failed'].includes(
    error?.code ?? '',
  )
}

function texts(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
