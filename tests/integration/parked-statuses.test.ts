import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as parkedStatuses from '../../capabilities/statuses/parked-statuses.ts'
import { apply } from '../../capabilities/statuses/statuses.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { type SqlClient, type Statement, statement } from '../../core/sql.ts'
import { ahead, startTestService, type TestProject, type TestService } from '../support/service.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let service: TestService

beforeAll(async () => {
  service = await startTestService({ behindMs: 2 * 60 * MINUTE_MS })
})
afterAll(() => service.stop())

const insertMessages = statement(
  'test-insert-messages',
  `INSERT INTO messages
     (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
   SELECT $1, $2, $3, wamid, 'outbound', 'api', 'text', 'sent' FROM unnest($4::text[]) AS wamid`,
)
const insertParked = statement(
  'test-insert-parked',
  `INSERT INTO parked_statuses (project_id, wamid, status, at, received_at)
   SELECT $1, wamid, 'delivered', $3, $3 FROM unnest($2::text[]) AS wamid`,
)
const insertForeign = statement(
  'test-insert-foreign',
  `INSERT INTO parked_statuses (project_id, wamid, status, at, received_at)
   SELECT $1, 'foreign-' || $4 || n, 'delivered', now(), $2::timestamptz + n * interval '1 ms'
     FROM generate_series(1, $3::int) n`,
)
const countDelivered = statement(
  'test-count-delivered',
  `SELECT count(*) FROM messages WHERE project_id = $1 AND status = 'delivered'`,
)
const countAhead = statement(
  'test-count-parked-ahead',
  `SELECT count(*), count(*) FILTER (WHERE received_at > now()) FROM parked_statuses
    WHERE project_id = $1`,
)

const ago = (ms: number) => new Date(service.ctx.now().getTime() - ms)
const wamidsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`)
const deliveredOf = async ({ id }: TestProject) =>
  Number((await service.ctx.sql.rows(countDelivered, [id]))[0]?.[0])

/** Messages whose status came before them, as a callback at the moment of their send leaves it. */
async function left(project: TestProject, wamids: string[], receivedAt: Date) {
  const { id, contact } = await service.customer(project)
  await service.ctx.sql.rows(insertMessages, [project.id, id, contact.id, wamids])
  await service.ctx.sql.rows(insertParked, [project.id, wamids, receivedAt])
}

/** The same context; `hear` is told of each statement of a transaction before it is run. */
function heard(hear: (statement: Statement, values: readonly unknown[]) => void): Context {
  const { sql } = service.ctx
  const watched = (tx: SqlClient): SqlClient => ({
    ...tx,
    rows(one, values = []) {
      hear(one, values)
      return tx.rows(one, values)
    },
  })
  return {
    ...service.ctx,
    sql: { ...sql, transaction: (work) => sql.transaction((tx) => work(watched(tx))) },
  }
}

/** The same context, whose rounds come by nothing, as they do for long when millions are parked. */
function withoutRounds(ctx: Context): Context {
  const { sql } = ctx
  const rows = async (one: Statement, values: readonly unknown[] = []) => {
    const isRound = one.name === 'next-parked-statuses' && values[4] !== 'infinity'
    return isRound ? [] : sql.rows(one, values)
  }
  return { ...ctx, sql: { ...sql, rows } }
}

describe('statuses that were left parked', () => {
  it('are applied though those of another project cannot be, which is logged', async () => {
    const [broken, other] = [await service.project(), await service.project()]
    for (const project of [broken, other]) {
      await left(project, wamidsOf(`failing-${project.id}`, 1), ago(MINUTE_MS))
    }
    const ctx = heard((_, [projectId]) => {
      if (projectId === broken.id) throw new Error('canceling statement due to lock timeout')
    })
    await parkedStatuses.sweep(ctx)
    expect(await deliveredOf(broken)).toBe(0)
    expect(await deliveredOf(other)).toBe(1)
    expect(service.logLines.join('')).toContain('statuses.parked_failed')

    await parkedStatuses.sweep(service.ctx)
    expect(await deliveredOf(broken)).toBe(1)
  })

  it('are tried again for ten minutes while their project’s cannot be applied, and no longer', async () => {
    const broken = await service.project()
    const at = ago(MINUTE_MS / 2)
    await left(broken, wamidsOf('tried-again', 1), at)
    const failedAt: number[] = []
    const failing = heard((_, [projectId]) => {
      if (projectId !== broken.id) return
      failedAt.push(service.ctx.now().getTime() - at.getTime())
      throw new Error('canceling statement due to lock timeout')
    })
    for (let minute = 0; minute < 12; minute++) {
      await parkedStatuses.sweep(withoutRounds(failing))
      service.advance(MINUTE_MS)
    }
    expect(failedAt).toHaveLength(10)
    expect(Math.max(...failedAt)).toBeLessThanOrEqual(LIMITS.parkedLatelyMs)

    await left(broken, wamidsOf('tried-later', 1), ago(MINUTE_MS / 2))
    await parkedStatuses.sweep(withoutRounds(failing))
    for (let minute = 0; minute < 5; minute++) {
      service.advance(MINUTE_MS)
      await parkedStatuses.sweep(withoutRounds(failing))
    }
    await parkedStatuses.sweep(withoutRounds(service.ctx))
    expect(await deliveredOf(broken)).toBe(1)
    await parkedStatuses.sweep(service.ctx)
    expect(await deliveredOf(broken)).toBe(2)
  })

  it('are applied by the same sweep when another transaction was in its way', async () => {
    const project = await service.project()
    await left(project, wamidsOf('conflicting', 1), ago(MINUTE_MS))
    let conflicts = 2
    const ctx = heard(({ name }) => {
      if (name !== 'write-statuses' || conflicts-- <= 0) return
      throw Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' })
    })
    await parkedStatuses.sweep(ctx)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('are committed by as many as those of callbacks, however many there are', async () => {
    const project = await service.project()
    const count = 2 * LIMITS.statusBatchUpdates + 1
    await left(project, wamidsOf('many', count), ago(MINUTE_MS))
    const sizes: number[] = []
    const ctx = heard(({ name }, values) => {
      if (name === 'take-parked-statuses') sizes.push((values[1] as string[]).length)
    })
    await parkedStatuses.sweep(ctx)
    expect(await deliveredOf(project)).toBe(count)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.statusBatchUpdates)
  })

  it('are found in rounds when they are old, in so many minutes as millions of others take', async () => {
    const project = await service.project()
    const aMinute = LIMITS.parkedRoundSteps * LIMITS.statusBatchUpdates
    const { sql } = service.ctx
    await sql.rows(insertForeign, [project.id, ago(60 * MINUTE_MS), 2 * aMinute, 'a'])
    for (const receivedAt of [ago(30 * MINUTE_MS), ago(90 * MINUTE_MS)]) {
      const before = await deliveredOf(project)
      await left(project, wamidsOf(`old-${before}`, 1), receivedAt)
      let minutes = 0
      while ((await deliveredOf(project)) === before && minutes < 10) {
        await parkedStatuses.sweep(service.ctx)
        minutes++
      }
      expect(minutes).toBeGreaterThan(0)
      expect(minutes).toBeLessThanOrEqual(3)
    }
  })

  it('are found at once when they came lately, whatever else is parked', async () => {
    const project = await service.project()
    const aMinute = LIMITS.parkedRoundSteps * LIMITS.statusBatchUpdates
    const { sql } = service.ctx
    await sql.rows(insertForeign, [project.id, ago(9 * MINUTE_MS), aMinute + 1, 'b'])
    await left(project, wamidsOf('late', 1), ago(MINUTE_MS))
    await parkedStatuses.sweep(service.ctx)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('are found soon after they came, though more came lately than one sweep looks at', async () => {
    const project = await service.project()
    service.advance(LIMITS.parkedLatelyMs)
    const aSweep = LIMITS.parkedLateSteps * LIMITS.statusBatchUpdates
    const { sql } = service.ctx
    await sql.rows(insertForeign, [project.id, ago(9 * MINUTE_MS), aSweep + 1, 'c'])
    await left(project, wamidsOf('behind-many', 1), ago(MINUTE_MS))
    await parkedStatuses.sweep(service.ctx)
    await parkedStatuses.sweep(service.ctx)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('of a project that fails hold up nobody when more came lately than one sweep looks at', async () => {
    const [broken, other] = [await service.project(), await service.project()]
    service.advance(LIMITS.parkedLatelyMs)
    const aSweep = LIMITS.parkedLateSteps * LIMITS.statusBatchUpdates
    await left(broken, wamidsOf('fails-first', 1), ago(9.5 * MINUTE_MS))
    await service.ctx.sql.rows(insertForeign, [other.id, ago(9 * MINUTE_MS), aSweep + 1, 'f'])
    await left(other, wamidsOf('behind-a-failure', 1), ago(MINUTE_MS))
    const failing = heard((_, [projectId]) => {
      if (projectId === broken.id) throw new Error('canceling statement due to lock timeout')
    })
    await parkedStatuses.sweep(withoutRounds(failing))
    await parkedStatuses.sweep(withoutRounds(failing))
    expect(await deliveredOf(other)).toBe(1)
  })

  it('are looked at again in rounds alone, but for those that may have come late', async () => {
    const project = await service.project()
    service.advance(LIMITS.parkedLatelyMs)
    const aMinute = LIMITS.parkedRoundSteps * LIMITS.statusBatchUpdates
    await service.ctx.sql.rows(insertForeign, [project.id, ago(5 * MINUTE_MS), 2 * aMinute, 'd'])
    const looked: number[] = []
    const { sql } = service.ctx
    const ctx = {
      ...service.ctx,
      sql: {
        ...sql,
        async rows(one: Statement, values: readonly unknown[] = []) {
          const rows = await sql.rows(one, values)
          if (one.name === 'next-parked-statuses') looked.push(rows.length)
          return rows
        },
      },
    }
    const sum = () => looked.splice(0).reduce((a, b) => a + b, 0)
    await parkedStatuses.sweep(ctx)
    expect(sum()).toBeGreaterThanOrEqual(2 * aMinute)
    await left(project, wamidsOf('committed-late', 1), ago(MINUTE_MS - 1))
    await parkedStatuses.sweep(ctx)
    expect(sum()).toBeLessThanOrEqual(aMinute + 1)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('are found at once after a worker whose clock is ahead has looked', async () => {
    const project = await service.project()
    await service.ctx.sql.rows(insertForeign, [project.id, ago(-30 * MINUTE_MS), 1, 'e'])
    await parkedStatuses.sweep(ahead(service.ctx, 60 * MINUTE_MS))
    await left(project, wamidsOf('after-the-leap', 1), ago(0))
    await parkedStatuses.sweep(service.ctx)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('are found by a worker whose clock is always ahead as soon as by any other', async () => {
    const project = await service.project()
    const worker = withoutRounds(ahead(service.ctx, DAY_MS))
    await parkedStatuses.sweep(worker)
    await left(project, wamidsOf('of-the-present', 1), new Date())
    await parkedStatuses.sweep(worker)
    expect(await deliveredOf(project)).toBe(1)
  })

  it('came when the database says at the latest, whatever clock received them', async () => {
    const project = await service.project()
    const at = service.ctx.now()
    const [wamid = ''] = wamidsOf('received-ahead', 1)
    const none = { attemptId: null, waId: null, userId: null, error: null, refusal: null }
    await service.ctx.sql.transaction((tx) =>
      apply(
        tx,
        project.id,
        [{ wamid, status: 'delivered', at, ...none }],
        new Date(Date.now() + DAY_MS),
      ),
    )
    expect(await service.ctx.sql.rows(countAhead, [project.id])).toEqual([['1', '0']])
  })
})
