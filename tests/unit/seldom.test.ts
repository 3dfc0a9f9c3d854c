import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../../core/logger.ts'
import { tellSeldom } from '../../core/seldom.ts'

function startLogger() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const records = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log: createLogger('debug', stream), records }
}

describe('what fails over and over', () => {
  it('is told of at once, and then every ten seconds with how many were left out', () => {
    const { log, records } = startLogger()
    for (let at = 0; at <= 25_000; at += 500) {
      tellSeldom(log, 'warn', 'look.failed', { error: new Error(`at ${at}`) }, at)
    }
    expect(records().map(({ level, event, untold }) => ({ level, event, untold }))).toEqual([
      { level: 'warn', event: 'look.failed', untold: undefined },
      { level: 'warn', event: 'look.failed', untold: 19 },
      { level: 'warn', event: 'look.failed', untold: 19 },
    ])
    expect(records()[2]).toMatchObject({ error: { message: 'at 20000' } })
  })

  it('hides nothing else, of this log or another one', () => {
    const [one, other] = [startLogger(), startLogger()]
    tellSeldom(one.log, 'warn', 'look.failed', {}, 0)
    tellSeldom(one.log, 'error', 'poll.failed', {}, 1)
    tellSeldom(other.log, 'warn', 'look.failed', {}, 1)
    tellSeldom(one.log, 'warn', 'look.failed', {}, 10_000)
    expect(one.records().map(({ event }) => event)).toEqual([
      'look.failed',
      'poll.failed',
      'look.failed',
    ])
    expect(other.records()).toHaveLength(1)
  })
})
