import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { broadcasts } from '../../scripts/chaos/broadcasts.ts'
import { broken } from '../../scripts/chaos/scenario.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

const SEED = 20_261_122

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

describe('two workers that are killed while they send a broadcast to 400', () => {
  it('send to nobody twice, lose nobody, and the counts add up', async () => {
    const figures = await broadcasts({
      size: 400,
      kills: 6,
      seed: SEED,
      databaseUrl: database.url,
      say: () => {},
    })
    const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value

    expect(broken(figures)).toEqual([])
    expect(valueOf('sends that came to the channel')).toBeGreaterThan(300)
  }, 240_000)
})
