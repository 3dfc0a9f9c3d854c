import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Channel } from '../../core/ports.ts'
import { statement } from '../../core/sql.ts'
import { until } from '../support/until.ts'
import { failing, losing, through } from '../support/failing-sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let id: string
/** What happens before the channel hears of a flow's new name. */
let first: () => Promise<unknown> = async () => {}
beforeAll(async () => {
  const api = createCloudApi()
  const channel: Channel = {
    ...api,
    async renameFlow(...asked) {
      const before = first
      first = async () => {}
      await before()
      return api.renameFlow(...asked)
    },
  }
  service = await startTestService({ replaced: { channel } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  const prompt = 'A contact form with name and phone.'
  const { flow } = await project.client.ok('createFlow', { body: { name: 'contact', prompt } })
  id = flow.id
})

const rename = (name: string) => project.client.send('updateFlow', { path: { id }, body: { name } })

describe('work that one request does at a time', () => {
  it('is done and told so, though its lease cannot be given back, and does not hold up the next', async () => {
    const gone = (sql: typeof service.ctx.sql) => failing(sql, { 'give-work-lease-back': 2 }).sql
    await through(service.ctx, gone, async () => {
      expect(await rename('first')).toMatchObject({ status: 200 })
      expect(await rename('second')).toMatchObject({ status: 200 })
    })
  }, 20_000)

  it.each([0, 2])(
    'does not hold up the next when nobody heard that it was leased, and %d times it could not be given back',
    async (times) => {
      const lost = (sql: typeof service.ctx.sql) =>
        losing(sql, 'take-work-lease', { 'give-work-lease-back': times })
      await through(service.ctx, lost, async () => {
        expect(await rename('first')).toMatchObject({ status: 500 })
        await until(async () => (await rename('second')).status === 200, 'it is done', 10_000)
      })
    },
    20_000,
  )
})

const secondsLeft = statement(
  'test-lease-left',
  'SELECT extract(epoch FROM locked_until - now()) FROM media_leases WHERE project_id = $1',
)
const leftOfLease = async () => {
  const [row] = await service.ctx.sql.rows(secondsLeft, [project.id])
  return Number(row?.[0])
}
/** The lease is over by the database's clock. */
const lapse = () =>
  service.ctx.db.mediaLease.updateMany({
    where: { projectId: project.id },
    data: { lockedUntil: new Date(0) },
  })

/** Does something while the work of a first request is under way, whose name is then told to the channel. */
async function duringFirst(work: () => Promise<unknown>) {
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  let answer: ReturnType<typeof rename> | undefined
  await new Promise<void>((arrive) => {
    first = () => {
      arrive()
      return held
    }
    answer = rename('first')
  })
  try {
    await work()
  } finally {
    go()
  }
  return answer
}

const nameNow = async () => (await project.client.ok('getFlow', { path: { id } })).flow.name

describe('work that is under way', () => {
  it('keeps others waiting for no longer than half a minute when its process dies', async () => {
    const answer = await duringFirst(async () => expect(await leftOfLease()).toBeLessThan(30))
    expect(answer).toMatchObject({ status: 200 })
  })

  it('keeps its lease for as long as it lasts, and no longer', async () => {
    // All but what is done again and again.
    const doNotFake = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const
    const once = ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const
    jest.useFakeTimers({ doNotFake: [...doNotFake, ...once] })
    try {
      await duringFirst(async () => {
        await lapse()
        jest.advanceTimersByTime(LIMITS.workLeaseMs / 2)
        await until(async () => (await leftOfLease()) > 10, 'it is kept')
      })
      expect(jest.getTimerCount()).toBe(0)
    } finally {
      jest.useRealTimers()
    }
    expect(await leftOfLease()).toBeNaN()
  })

  it('writes nothing once another request has taken it over', async () => {
    const answer = await duringFirst(async () => {
      await lapse()
      expect(await rename('second')).toMatchObject({ status: 200 })
    })
    expect(answer).toMatchObject({ status: 500 })
    expect(await nameNow()).toBe('second')
  })

  it('is waited for with ever fewer looks', async () => {
    let looks = 0
    const counting = (sql: typeof service.ctx.sql): typeof sql => ({
      ...sql,
      rows: (asked, values) => {
        if (asked.name === 'take-work-lease') looks++
        return sql.rows(asked, values)
      },
    })
    let second: Promise<unknown> | undefined
    await duringFirst(() =>
      through(service.ctx, counting, async () => {
        second = rename('second')
        await pause(2_000)
      }),
    )
    expect(await second).toMatchObject({ status: 200 })
    expect(looks).toBeLessThan(20)
  })
})
