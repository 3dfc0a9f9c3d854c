import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import type { Failed } from '../support/client.ts'
import { OPERATIONS, type Sweep, startSweep } from '../support/sweep.ts'

// Two thousand requests at once, some of which build code, perhaps on a busy machine.
jest.setTimeout(240_000)

const CONNECTIONS = 2_000
/** All but those that take away what the others ask for. */
const operations = OPERATIONS.all.map(([, one]) => one).filter(({ method }) => method !== 'delete')
/** The same instruction cannot be carried out twice, and a few builds at a time are all that there are. */
const EXPECTED: (string | undefined)[] = ['flow_update_failed', 'build_failed']

let sweep: Sweep

beforeAll(async () => {
  // So busy a client may use a connection again long after its last answer.
  sweep = await startSweep({ KEEP_ALIVE_TIMEOUT_MS: '60000' })
})
afterAll(() => sweep.service.stop())

it('answers 2,000 connections that ask for every operation at once, as documented and without a 5xx', async () => {
  const answers = await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, n) => {
      const operation = operations[n % operations.length]!
      const { status, body } = await sweep.send(operation, sweep.valid(operation))
      const code = (body as { error?: Failed } | null)?.error?.code
      return { operation: operation.id, status, code }
    }),
  )
  const failed = answers.filter(({ status }) => status >= 500)
  expect(failed.filter(({ code }) => !EXPECTED.includes(code))).toEqual([])
  expect(new Set(answers.map(({ operation }) => operation)).size).toBe(operations.length)
  const done = answers.filter(({ status }) => status < 300)
  expect(done.length).toBeGreaterThan(0.8 * CONNECTIONS)
})
