import { emit } from '../../capabilities/webhooks/events.ts'
import type { Context } from '../../core/context.ts'
import type { Statement } from '../../core/sql.ts'
import { createPool } from '../../database/pool.ts'
import type { Load } from '../timing.ts'
import { fail } from './contestant.ts'
import { answerRuns, repeat } from './runs.ts'
import { openBenchContext, type Place } from './webhook-context.ts'

// Commits an event with its deliveries: as the service emits it, or with the same SQL through pg.

type Run = Load & {
  place: Place
  projectId: string
  data: string
  bare: { statement: Statement; values: unknown[] } | null
}

const POOL_SIZE = 10
let opened: Promise<Context> | undefined
let pool: ReturnType<typeof createPool> | undefined

answerRuns<Run>(async ({ place, projectId, data, bare, ...load }) => {
  if (bare) {
    const { statement, values } = bare
    const own = (pool ??= createPool(place.databaseUrl, POOL_SIZE, fail))
    return repeat(load, () => own.query({ ...statement, values }))
  }
  const ctx = await (opened ??= openBenchContext(place))
  return repeat(load, () => {
    const event = { name: 'bench.happened', data, at: ctx.now(), subject: null }
    return emit(ctx.sql, projectId, [event])
  })
})
