import { describe, expect, it, jest } from '@jest/globals'
import { faults } from '../../scripts/chaos/faults.ts'
import { broken } from '../../scripts/chaos/scenario.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(300_000)

const SEED = 20_261_124

describe('three servers while PostgreSQL, Redis, the channel, a clock and they themselves fail', () => {
  it('send each key once, answer every customer, tell every subscriber, and leave nothing undone', async () => {
    const lines: string[] = []
    const figures = await faults({
      size: 8,
      kills: 0,
      seed: SEED,
      databaseUrl: null,
      say: (line: string) => void lines.push(line),
    })
    const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value

    expect([broken(figures), lines]).toEqual([[], expect.anything()])
    expect(valueOf('PostgreSQL stopped at once')).toBeGreaterThan(0)
    expect(valueOf('looks at /readyz while PostgreSQL was away')).toBeGreaterThan(0)
    expect(valueOf('sends that the channel took')).toBeGreaterThan(0)
  })
})
