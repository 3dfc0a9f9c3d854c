import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { bots } from '../../scripts/chaos/bots.ts'
import { broken } from '../../scripts/chaos/scenario.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(180_000)

const SEED = 20_261_123

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('three servers that are killed while their bot answers 60 messages', () => {
  it('answer every one, in the order of each conversation', async () => {
    const lines: string[] = []
    const figures = await bots({
      size: 60,
      kills: 3,
      seed: SEED,
      databaseUrl: database.url,
      say: (line: string) => void lines.push(line),
    })
    expect([broken(figures), lines]).toEqual([[], ['Waiting for what is left']])
  })
})
