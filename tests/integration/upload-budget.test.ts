import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { reserve } from '../../capabilities/media/upload-budget.ts'
import type { Credential, ProjectContext, ProjectGrant } from '../../core/context.ts'
import { isServiceError } from '../../core/errors.ts'
import type { UploadReservation } from '../../core/stores.ts'
import { type Fault, startFaultRedis } from '../support/fault-redis.ts'
import { redisUrl, roomInMinute, untilCounted, withRedis } from '../support/redis.ts'
import { startTestService, type TestService } from '../support/service.ts'

const MINUTE_MS = 60_000
const LIMITS = { UPLOAD_BYTES_PER_MINUTE: '1000', UPLOAD_REQUESTS_PER_MINUTE: '5' }
const describeRedis = redisUrl ? describe : describe.skip

const credential = () => randomUUID()

async function take(service: TestService, id: string, bytes: number): Promise<UploadReservation> {
  const reservation = await service.ctx.uploadBudget.reserve(id, bytes)
  if (!reservation) throw new Error('The store failed')
  return reservation
}

/** What 64 uploads at once are granted, each of which asks for as much. */
async function race(services: TestService[], id: string, bytes: number): Promise<number[]> {
  const asked = Array.from({ length: 64 }, (_, i) =>
    take(services[i % services.length]!, id, bytes),
  )
  return (await Promise.all(asked)).map(({ grantedBytes }) => grantedBytes)
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The rules that hold wherever the counts are kept. */
function keepsTheBudget(start: () => Promise<TestService>, nextMinute?: (s: TestService) => void) {
  let service: TestService
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())
  beforeEach(() => (nextMinute ? nextMinute(service) : roomInMinute(5)))

  it('grants what is asked for while there is enough, then what is left, then nothing', async () => {
    const id = credential()
    expect(await take(service, id, 900)).toMatchObject({
      grantedBytes: 900,
      remainingBytes: 100,
      remainingUploads: 4,
    })
    expect(await take(service, id, 500)).toMatchObject({ grantedBytes: 100, remainingBytes: 0 })
    expect(await take(service, id, 1)).toMatchObject({ grantedBytes: 0, remainingUploads: 3 })
  })

  it('grants five uploads a minute, however small, and none takes bytes after that', async () => {
    const id = credential()
    for (let made = 0; made < 5; made++) await take(service, id, 1)

    expect(await take(service, id, 1)).toMatchObject({
      grantedBytes: 0,
      remainingBytes: 995,
      remainingUploads: 0,
    })
  })

  it('grants more bytes to an upload that it has counted, also when no other is left', async () => {
    const id = credential()
    for (let made = 0; made < 5; made++) await take(service, id, 10)
    const more = await service.ctx.uploadBudget.reserve(id, 900, 0)
    expect(more).toMatchObject({ grantedBytes: 900, remainingBytes: 50, remainingUploads: 0 })
    await more?.settle(100)
    const rest = await service.ctx.uploadBudget.reserve(id, 5_000, 0)
    expect(rest).toMatchObject({ grantedBytes: 850, remainingBytes: 0 })
  })

  it('is given back what an upload did not use, once', async () => {
    const id = credential()
    const upload = await take(service, id, 1_000)
    await upload.settle(300)
    await upload.settle(0)

    expect(await take(service, id, 1_000)).toMatchObject({ grantedBytes: 700 })
  })

  it('is given back nothing by an upload that used more than it was granted', async () => {
    const id = credential()
    await take(service, id, 800).then((upload) => upload.settle(5_000))

    expect(await take(service, id, 1_000)).toMatchObject({ grantedBytes: 200 })
  })

  it("is each credential's own", async () => {
    await take(service, credential(), 1_000)
    expect(await take(service, credential(), 1_000)).toMatchObject({ grantedBytes: 1_000 })
  })
}

describe('the upload budget in one process', () => {
  const start = () => startTestService({ env: LIMITS })
  keepsTheBudget(start, (service) => {
    service.advance(MINUTE_MS - (service.ctx.now().getTime() % MINUTE_MS))
  })

  describe('by the clock', () => {
    let service: TestService
    beforeAll(async () => {
      service = await start()
      service.advance(MINUTE_MS - (service.ctx.now().getTime() % MINUTE_MS))
    })
    afterAll(() => service.stop())

    it('is whole again with the next minute, which a late upload gives nothing to', async () => {
      const id = credential()
      const late = await take(service, id, 1_000)
      service.advance(MINUTE_MS - 1)
      expect(await take(service, id, 1)).toMatchObject({ grantedBytes: 0, resetS: 1 })
      service.advance(1)
      await late.settle(0)

      expect(await take(service, id, 5_000)).toMatchObject({ grantedBytes: 1_000, resetS: 60 })
    })

    it('is not overdrawn by 64 uploads at once', async () => {
      service.advance(MINUTE_MS)
      expect(sum(await race([service], credential(), 300))).toBe(1_000)
    })
  })
})

describe('an upload of a request', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ env: LIMITS })
  })
  afterAll(() => service.stop())
  beforeEach(() => service.advance(MINUTE_MS - (service.ctx.now().getTime() % MINUTE_MS)))

  /** As a request of one credential. */
  function request(id: string): ProjectContext {
    const project: ProjectGrant = {
      id: 'p',
      name: 'P',
      status: 'active',
      scopes: [],
      dailySendQuota: null,
    }
    const credential: Credential = { id, kind: 'key', grants: [project], defaultProjectId: 'p' }
    return {
      ...service.ctx,
      project,
      credential,
      requestId: 'r',
      idempotency: null,
      budgets: [],
    }
  }

  async function refusal(work: Promise<unknown>) {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!isServiceError(error)) throw new Error('It was not refused')
    return error
  }

  it('tells of both budgets, and of the bytes as they are once it is settled', async () => {
    const ctx = request(credential())
    const allowance = await reserve(ctx, 600)
    expect(ctx.budgets).toEqual([
      { name: 'upload-bytes', quota: 1_000, windowS: 60, remaining: 400, resetS: 60 },
      { name: 'upload-requests', quota: 5, windowS: 60, remaining: 4, resetS: 60 },
    ])
    await allowance.settle(250)
    await allowance.settle(0)
    expect(ctx.budgets[0]).toMatchObject({ remaining: 750 })
  })

  it('may take more as it goes on, as one upload, and gives back the rest of all', async () => {
    const id = credential()
    const ctx = request(id)
    const allowance = await reserve(ctx, 100)
    await allowance.grow(50)
    expect(allowance.bytesMax()).toBe(100)
    await allowance.grow(700)
    expect(allowance.bytesMax()).toBe(700)
    expect(ctx.budgets).toMatchObject([{ remaining: 300 }, { remaining: 4 }])
    await allowance.settle(30)
    await allowance.settle(0)

    expect(ctx.budgets).toMatchObject([{ remaining: 970 }, { remaining: 4 }])
    expect(await take(service, id, 5_000)).toMatchObject({ grantedBytes: 970, remainingUploads: 3 })
  })

  it('that took what was left, and goes on into the next minute, takes more of that', async () => {
    const id = credential()
    await reserve(request(id), 950)
    const allowance = await reserve(request(id), 20)
    await allowance.grow(100)
    const { details } = await refusal((async () => allowance.mustCover(60, 50))())
    expect([allowance.bytesMax(), details?.remaining]).toEqual([50, 0])
    service.advance(MINUTE_MS)
    await allowance.grow(100)
    allowance.mustCover(100)
    await allowance.settle(90)

    expect(await take(service, id, 5_000)).toMatchObject({ grantedBytes: 960, remainingUploads: 4 })
  })

  it('is cut where the bytes end, and is refused only beyond', async () => {
    const id = credential()
    await reserve(request(id), 900)
    service.advance(20_000)
    const allowance = await reserve(request(id), 500)

    expect(allowance.bytesMax()).toBe(100)
    allowance.mustCover(100)
    const error = await refusal((async () => allowance.mustCover(101, 100))())
    expect([error.code, error.status, error.retryAfterS]).toEqual(['rate_limited', 429, 40])
    expect(error.details).toEqual({
      limit_name: 'upload-bytes',
      limit: 1_000,
      remaining: 0,
      resetAt: new Date(service.ctx.now().getTime() + 40_000).toISOString(),
    })
  })

  it('is refused with as much left as its headers tell, to which it gives back what it has not read', async () => {
    const id = credential()
    await reserve(request(id), 900)
    const ctx = request(id)
    const allowance = await reserve(ctx, 500)
    const error = await refusal((async () => allowance.mustCover(500, 30))())
    await allowance.settle(30)

    expect([error.details?.remaining, ctx.budgets[0]?.remaining]).toEqual([70, 70])
  })

  it('is refused until the very end of the minute, at whatever moment of a second', async () => {
    const id = credential()
    const end = service.ctx.now().getTime() + MINUTE_MS
    await reserve(request(id), 1_000)
    for (const pauseMs of [1, 400, 1_600, 57_900]) {
      service.advance(pauseMs)
      const { details } = await refusal(reserve(request(id), 1))
      expect(details?.resetAt).toBe(new Date(end).toISOString())
    }
  })

  it('is not refused for its bytes when it was granted all that it asked for', async () => {
    const allowance = await reserve(request(credential()), 500)
    allowance.mustCover(501)
    expect(allowance.bytesMax()).toBe(500)
  })

  it.each([
    ['upload-bytes', 1, 1_000],
    ['upload-requests', 5, 1],
  ])('is refused by name when nothing is left of %s', async (name, times, bytes) => {
    const id = credential()
    for (let made = 0; made < times; made++) await reserve(request(id), bytes)
    const error = await refusal(reserve(request(id), 1))

    expect([error.code, error.details?.limit_name]).toEqual(['rate_limited', name])
  })
})

describeRedis('the upload budget in Redis', () => {
  const env = { ...LIMITS, REDIS_URL: redisUrl ?? '' }
  keepsTheBudget(() => startTestService({ env }))

  it('is shared by two processes, and not overdrawn by 64 uploads at once', async () => {
    const one = await startTestService({ env })
    const two = await startTestService({ env, databaseUrl: one.databaseUrl })
    await roomInMinute(5)
    expect(sum(await race([one, two], credential(), 300))).toBe(1_000)
    await two.stop()
    await one.stop()
  })

  it.each([
    ['', (_upload: UploadReservation) => undefined],
    [
      ', also those that something was given back to',
      (upload: UploadReservation) => upload.settle(10),
    ],
  ])('lies under keys that end by themselves, but not before their minute%s', async (_, use) => {
    const service = await startTestService({ env })
    const id = credential()
    await use(await take(service, id, 100))
    const life = await withRedis((redis) => redis.ttl(`uploads:${id}`))
    await service.stop()

    expect(life > 60 && life <= 120).toBe(true)
  })

  it('gives nothing back to another minute than it was taken from', async () => {
    const service = await startTestService({ env })
    await roomInMinute(5)
    const id = credential()
    const upload = await take(service, id, 1_000)
    // As the next minute would have it, in which others have taken all.
    await withRedis((redis) => redis.hIncrBy(`uploads:${id}`, 'minute', 1))
    await upload.settle(0)
    const kept = await withRedis((redis) => redis.hGet(`uploads:${id}`, 'bytes'))
    await service.stop()

    expect(kept).toBe('1000')
  })

  it('does not count below zero when Redis has forgotten the minute', async () => {
    const service = await startTestService({ env })
    await roomInMinute(5)
    const id = credential()
    const upload = await take(service, id, 1_000)
    await withRedis((redis) => redis.del(`uploads:${id}`))
    await upload.settle(0)
    const isKept = await withRedis((redis) => redis.exists(`uploads:${id}`))
    const next = await take(service, id, 5_000)
    await service.stop()

    expect(isKept).toBe(0)
    expect(next.grantedBytes).toBe(1_000)
  })

  it('does not count below zero when it has forgotten the minute, and counted on since', async () => {
    const service = await startTestService({ env })
    await roomInMinute(15)
    const id = credential()
    const upload = await take(service, id, 1_000)
    await withRedis((redis) => redis.del(`uploads:${id}`))
    await take(service, id, 100)
    await upload.settle(0)
    const next = await take(service, id, 5_000)
    await service.stop()

    expect(next.grantedBytes).toBe(1_000)
  })
})

describeRedis('uploads while Redis fails', () => {
  it.each<Fault>(['gone', 'mute', 'garbage'])(
    'pass unmetered when it is %s, soon without waiting, and are metered again when it is back',
    async (fault) => {
      const redis = await startFaultRedis('pass', redisUrl)
      const service = await startTestService({ env: { ...LIMITS, REDIS_URL: redis.url } })
      const project = await service.project()
      await untilCounted(project.client)
      const before = await take(service, credential(), 10)
      redis.become(fault)
      await before.settle(0)
      const startedAt = performance.now()
      for (let made = 0; made < 50; made++) {
        expect(await service.ctx.uploadBudget.reserve(credential(), 5_000)).toBeNull()
      }
      expect(performance.now() - startedAt).toBeLessThan(3_000)

      redis.become('pass')
      await untilCounted(project.client)
      expect(await take(service, credential(), 5_000)).toMatchObject({ grantedBytes: 1_000 })
      await service.stop()
      await redis.stop()
    },
  )
})
