import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as botLog from '../../capabilities/bots/bot-log.ts'
import { pruneExpired } from '../../capabilities/retention.ts'
import { statement } from '../../core/sql.ts'
import { runOperator } from '../../scripts/operator/run.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ behindMs: 2 * WEEK_MS })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
})

const addLine = statement(
  'test-add-bot-log-line',
  `INSERT INTO bot_log_lines (project_id, run_id, conversation_id, version, level, text, at)
   VALUES ($1, 1, 1, 1, 'info', $2, $3)`,
)
const say = (text: string) =>
  service.ctx.sql.rows(addLine, [project.id, text, service.ctx.now()]).then(() => undefined)
const kept = async () => (await botLog.last(service.ctx, project.id, 10)).map(({ text }) => text)

it('keeps what a bot logged for seven days', async () => {
  await say('one')
  service.advance(1)
  await say('two')
  service.advance(WEEK_MS - 1)
  await pruneExpired(service.ctx)
  expect(await kept()).toEqual(['one', 'two'])
  service.advance(1)
  await pruneExpired(service.ctx)
  expect(await kept()).toEqual(['two'])
})

describe('following the log', () => {
  const stop = new AbortController().signal

  it('shows the last lines, then each that comes, until nobody reads on', async () => {
    await say('early')
    await say('last before')
    const lines: string[] = []
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push((JSON.parse(chunk.toString()) as { text: string }).text)
        // What is logged while it watches: two lines for the first, and for the third nobody is left.
        if (lines.length === 1)
          say('new')
            .then(() => say('newer'), done)
            .then(() => done(), done)
        else done(lines.length === 3 ? new Error('EPIPE') : null)
      },
    })
    const env = envOf(service)
    const io = { stdin: Readable.from([]), stdout, stderr: new Writable(), env, stop }
    const argv = ['bot', 'logs', '--project', project.id, '--limit', '1', '--follow']
    expect(await runOperator(argv, { ...io, isTerminal: false, isWatched: false })).toBe(0)
    expect(lines).toEqual(['last before', 'new', 'newer'])
  })

  it('shows whole lines on a terminal, however long they are', async () => {
    const long = `TypeError: nothing of that name is known\n    at onMessage (bot.ts:1042:7)`
    await say(long)
    const env = envOf(service)
    const { out } = await operate(env, ['bot', 'logs', '--project', project.id], true)
    expect(out).toContain('known     at onMessage (bot.ts:1042:7)\n')
  })

  it('shows nothing that steers the terminal', async () => {
    await say('\u009b31m red \u202e der')
    let shown = ''
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        shown += chunk.toString()
        done(new Error('EPIPE'))
      },
    })
    const env = envOf(service)
    const io = { stdin: Readable.from([]), stdout, stderr: new Writable(), env, stop }
    const argv = ['bot', 'logs', '--project', project.id, '--follow']
    await runOperator(argv, { ...io, isTerminal: true, isWatched: true })
    expect(shown).toContain('"\\u009b31m red \\u202e der"')
  })

  it('shows a line that was numbered before another, and came after it', async () => {
    const next = botLog.tail(service.ctx, project.id, 10)
    const texts = async () => (await next()).map(({ text }) => text)
    await say('first')
    expect(await texts()).toEqual(['first'])
    let commit = () => {}
    const held = new Promise<void>((resolve) => (commit = resolve))
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const late = service.ctx.sql.transaction(async (tx) => {
      await tx.rows(addLine, [project.id, 'late', service.ctx.now()])
      begin()
      await held
    })
    await begun
    await say('early')
    expect(await texts()).toEqual(['early'])
    commit()
    await late
    expect(await texts()).toEqual(['late'])
    expect(await texts()).toEqual([])
  })
})
