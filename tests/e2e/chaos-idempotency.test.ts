import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { idempotency } from '../../scripts/chaos/idempotency.ts'
import { broken } from '../../scripts/chaos/scenario.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(240_000)

const SEED = 20_261_122

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('three servers that are killed while clients race for 60 keys', () => {
  it('send each key once, answer all alike, and replay every answer', async () => {
    const lines: string[] = []
    const figures = await idempotency({
      size: 60,
      kills: 6,
      seed: SEED,
      databaseUrl: database.url,
      say: (line: string) => void lines.push(line),
    })
    const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value

    expect(broken(figures)).toEqual([])
    expect(valueOf('keys replayed with the same bytes')).toBe(60)
    expect(valueOf('sends that the channel took')).toBeGreaterThan(40)
    expect(valueOf('calls cut off')).toBeGreaterThan(0)
  })
})
