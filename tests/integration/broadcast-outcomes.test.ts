import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { broadcastOf, startBroadcast, withSender } from '../support/broadcast-sending.ts'
import { untilWaiting } from '../support/locks.ts'
import { oneByOne } from '../support/one-by-one.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'

const stub = createStubChannel()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: stub.channel } })
})
afterEach(() => {
  stub.become('accepted')
  stub.sends.length = 0
})
afterAll(() => service.stop())

describe('what became of a message', () => {
  const OUTCOMES = {
    accepted: { answer: null, counts: { sent: 1 }, tries: 0 },
    refused: { answer: refusal('recipient', 131026), counts: { failed: 1 }, tries: 1 },
    'put off': { answer: refusal('transient', 131016), counts: { queued: 1 }, tries: 1 },
    silenced: { answer: refusal('throughput', 130429), counts: { queued: 1 }, tries: 0 },
  } as const
  const outcomes = Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]

  /** PostgreSQL as it is when the first `times` outcomes that are written are cut off. */
  function cutOff(times: number, when: 'before' | 'after') {
    const { sql } = service.ctx
    const seen = { writes: 0 }
    const together: typeof sql.together = async (asked) => {
      const isWrite = asked.some(({ statement: { name } }) => name === 'record-sends')
      const isCut = isWrite && seen.writes++ < times
      if (isCut && when === 'before') throw new Error('Cut off')
      const answer = await sql.together(asked)
      if (isCut) throw new Error('Cut off')
      return answer
    }
    return { seen, ctx: { ...service.ctx, sql: { ...sql, together } } satisfies Context }
  }

  it.each(outcomes.flatMap((what) => [[what, 'before'] as const, [what, 'after'] as const]))(
    'is written down once, %s, though PostgreSQL was gone %s the commit',
    async (what, when) => {
      const { answer, counts, tries } = OUTCOMES[what]
      const project = await service.project()
      stub.answerEach(() => answer)
      const { id } = await startBroadcast(service, project, { contacts: 1 })
      const { ctx } = cutOff(5, when)
      const waits: number[] = []
      const pause = async (ms: number) => void waits.push(ms)
      await withSender(ctx, (sender) => sender.run(), { pause })
      expect(stub.sends).toHaveLength(1)
      expect(waits.filter((ms) => ms === LIMITS.settleAgainMs)).toHaveLength(5)
      expect(await broadcastOf(service, project, id)).toMatchObject({ counts })
      const [row] = await service.ctx.db.broadcastRecipient.findMany({ where: { broadcastId: id } })
      expect(row).toMatchObject({ tries })
    },
  )

  it('is tried to be written down for as long as it is waited for, and no longer', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    let waitedMs = 0
    const pause = async (ms: number) => void (waitedMs += ms)
    await withSender(cutOff(Infinity, 'before').ctx, (sender) => sender.run(), { pause })
    expect(waitedMs).toBeGreaterThanOrEqual(LIMITS.recipientUnknownMs - LIMITS.settleAgainMs)
    expect(waitedMs).toBeLessThanOrEqual(LIMITS.recipientUnknownMs + LIMITS.settleAgainMs)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { queued: 1 } })
  })

  it('is not waited for by a process that stops', async () => {
    const project = await service.project()
    await startBroadcast(service, project, { contacts: 1 })
    const { ctx, seen } = cutOff(Infinity, 'before')
    let isWaiting: () => void
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve))
    const pause = async (ms: number, signal: AbortSignal) => {
      if (ms !== LIMITS.settleAgainMs) return
      isWaiting()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    await withSender(
      ctx,
      async (sender) => {
        const running = sender.run()
        await waiting
        await sender.stop()
        await running
      },
      { pause },
    )
    expect(seen.writes).toBe(2)
  })
})

describe('a dispatch whose commit counts, though its answer is lost', () => {
  const countAttempts = statement(
    'test-count-attempts',
    'SELECT count(*) FROM send_attempts WHERE project_id = $1',
  )

  /** PostgreSQL as it is when answers to some dispatches are lost: `lose` is told of how many recipients. */
  function losing(
    lose: (size: number) => boolean,
    committing: () => Promise<void> = async () => {},
  ) {
    const { sql } = service.ctx
    const together: typeof sql.together = (asked) =>
      new Promise((resolve, reject) => {
        let isLost = false
        const transaction: typeof sql.transaction = (work) =>
          sql.transaction(async (tx) => {
            const answers = await work({
              ...tx,
              async rows(one, values) {
                const rows = await tx.rows(one, values)
                isLost ||= one.name === 'dispatch-recipients' && lose(rows.length)
                return rows
              },
            })
            if (!isLost) return answers
            reject(new Error('Connection terminated unexpectedly'))
            await committing()
            return answers
          })
        oneByOne(transaction)(asked).then(resolve, reject)
      })
    return { ...service.ctx, sql: { ...sql, together } } satisfies Context
  }

  it('loses nobody: each of them is sent to after all, once, of a batch as alone', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 20 })
    let hasLostOne = false
    const lost: number[] = []
    const ctx = losing((size) => {
      const isLost = size > (hasLostOne ? 1 : 0) && lost.length < 2
      hasLostOne ||= isLost
      if (isLost) lost.push(size)
      return isLost
    })
    await withSender(ctx, (sender) => sender.run(), { pause: async () => {} })
    expect(lost).toEqual([1, expect.any(Number)])
    expect(lost[1]).toBeGreaterThan(1)
    expect(stub.sends).toHaveLength(20)
    expect(new Set(stub.sends.map(({ to }) => JSON.stringify(to))).size).toBe(20)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: 20 },
    })
  })

  it('leaves no attempt of those that never left, even when it is still being committed', async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, { contacts: 1 })
    let losses = 0
    const ctx = losing(
      () => losses++ === 0,
      () => untilWaiting(service.ctx),
    )
    await withSender(ctx, (sender) => sender.run())
    expect(stub.sends).toHaveLength(1)
    expect(await broadcastOf(service, project, id)).toMatchObject({ counts: { sent: 1 } })
    expect(await service.ctx.sql.rows(countAttempts, [project.id])).toEqual([['0']])
  })
})
