import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { broken } from '../../scripts/chaos/scenario.ts'
import { webhooks } from '../../scripts/chaos/webhooks.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(240_000)

const SEED = 20_261_122

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('three servers that are killed while they deliver 240 events to nine registrations', () => {
  it('lose none, keep every id, try none more than five times, and turn off the dead one', async () => {
    const lines: string[] = []
    const figures = await webhooks({
      size: 240,
      kills: 4,
      seed: SEED,
      databaseUrl: database.url,
      say: (line: string) => void lines.push(line),
    })
    const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value

    expect(broken(figures)).toEqual([])
    expect(valueOf('deliveries to healthy registrations')).toBe(8 * 240)
    expect(valueOf('delivered')).toBeGreaterThan(8 * 240 - 20)
  })
})
