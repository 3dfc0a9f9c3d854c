import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createRedisCounters } from '../../counters/redis.ts'
import { createMetrics } from '../../core/metrics.ts'
import { type Fault, startFaultRedis } from '../support/fault-redis.ts'
import { redisUrl, roomInMinute, untilCounted, withRedis } from '../support/redis.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const describeRedis = redisUrl ? describe : describe.skip
const REQUESTS = 200
/** Three waits of a tenth of a second, one more per second, and what the requests themselves take. */
const BOUND_MS = 6_000

async function withService<T>(
  url: string,
  work: (service: TestService, key: string) => Promise<T>,
): Promise<T> {
  const service = await startTestService({ env: { REDIS_URL: url, RATE_LIMIT_PER_MINUTE: '60' } })
  try {
    return await work(service, (await service.project()).key)
  } finally {
    await service.stop()
  }
}

/** One request after the other, each of which must pass without a word about budgets. */
async function mustPassUncounted({ client, ctx }: TestService, key: string): Promise<void> {
  const before = await failures()
  const startedAt = performance.now()
  let told = 0
  for (let sent = 0; sent < REQUESTS; sent++) {
    const { status, headers } = await client.as(key).send('ping')
    expect(status).toBe(200)
    if (headers.has('ratelimit-limit')) told++
  }

  expect(told).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(BOUND_MS)
  expect((await failures()) - before).toBe(REQUESTS)

  async function failures(): Promise<number> {
    const { values } = await ctx.metrics.limiterFailures.get()
    return values[0]?.value ?? 0
  }
}

it("a send that passes uncounted tells of the day's budget alone", async () => {
  const redis = await startFaultRedis('gone')
  await withService(redis.url, async (service) => {
    const project = await service.project()
    await service.customer(project)
    const body = { type: 'text', phone: '+15550001234', content: 'Hi' }
    const { status, headers } = await project.client.send('sendMessage', { body })

    expect([status, headers.get('ratelimit-limit')]).toEqual([200, null])
    expect(headers.get('ratelimit-policy')).toBe('"sends";q=1000;w=86400')
  })
  await redis.stop()
})

/** Longer than a connection may be silent before it is given up, which the kernel's clock alone decides. */
const IDLE_MS = 3_000

describeRedis('a Redis that nobody asks', () => {
  it('is warned of by no line of the log, and counts at once when it is asked again', async () => {
    await withService(redisUrl ?? '', async ({ client, logLines }, key) => {
      await untilCounted(client.as(key))
      await pause(IDLE_MS)
      const { headers } = await client.as(key).send('ping')
      expect(headers.has('ratelimit-limit')).toBe(true)
      expect(logLines.filter((line) => line.includes('redis.failed'))).toEqual([])
    })
  })
})

describeRedis('a Redis that sees to it that scripts use only the keys that they name', () => {
  const user = `narrow_${process.pid}`
  afterEach(() => withRedis((redis) => redis.sendCommand(['ACL', 'DELUSER', user])))

  it('counts requests and bytes, as one does that has only a part of the keys', async () => {
    const keys = ['~requests:one', '~uploads:one']
    const may = ['on', '>secret', '+@all', ...keys]
    await withRedis((redis) => redis.sendCommand(['ACL', 'SETUSER', user, ...may]))
    await roomInMinute(5)
    const problems: string[] = []
    const counters = createRedisCounters({
      url: (redisUrl ?? '').replace('redis://', `redis://${user}:secret@`),
      limits: { bytes: 100, uploads: 5 },
      metrics: createMetrics(),
      onProblem: (error) => problems.push(String(error)),
    })
    await counters.connect()
    const { requestCounter, uploadBudget } = counters
    const used = [await requestCounter.count('one'), await requestCounter.count('one')]
    const upload = await uploadBudget.reserve('one', 80)
    await upload?.settle(30)
    const left = await uploadBudget.reserve('one', 100)
    counters.close()
    await withRedis((redis) => redis.del(['requests:one', 'uploads:one']))

    expect(problems).toEqual([])
    expect(used.map((count) => count?.used)).toEqual([1, 2])
    expect([upload?.grantedBytes, left?.grantedBytes]).toEqual([80, 70])
  })
})

describeRedis('a Redis that refuses what it is asked', () => {
  it('is told of in the log, with its own words and once', async () => {
    const redis = await startFaultRedis('pass', redisUrl)
    await withService(redis.url, async (service, key) => {
      await untilCounted(service.client.as(key))
      redis.become('full')
      await mustPassUncounted(service, key)
      const told = service.logLines.filter((line) => line.includes('redis.failed'))
      expect(told).toEqual([expect.stringContaining('OOM command not allowed')])
    })
    await redis.stop()
  })
})

it.each([
  ['the password', 's3cret/of+Redis'],
  ['the beginning of a long password', 's3cret'.repeat(50)],
])('a Redis that repeats %s is told of without it', async (_what, password) => {
  const redis = await startFaultRedis('old')
  const login = `redis://service:${encodeURIComponent(password)}@`
  await withService(redis.url.replace('redis://', login), async ({ logLines }) => {
    const told = () => logLines.filter((line) => line.includes('redis.failed'))
    await until(() => told().length > 0, 'it is told of')
    expect(told()).toEqual([expect.stringContaining('unknown command `HELLO`')])
    expect(logLines.join('')).not.toContain(password.slice(0, 12))
  })
  await redis.stop()
})

it('a Redis that refuses whoever connects is told of in words that say so', async () => {
  const redis = await startFaultRedis('denied')
  const problems: string[] = []
  const counters = createRedisCounters({
    // By its name: Node then reads the refusal before the client has asked anything.
    url: redis.url.replace('127.0.0.1', 'localhost'),
    limits: { bytes: 1, uploads: 1 },
    metrics: createMetrics(),
    onProblem: (error) => problems.push(String(error)),
  })
  await counters.connect()
  await until(() => redis.dialled() > 4, 'it is connected to again')
  counters.close()
  await redis.stop()
  const plain = /DENIED Redis is running in protected mode|Redis refuses connections|Socket closed/
  expect(problems.filter((problem) => !plain.test(problem))).toEqual([])
  expect(problems.length).toBeGreaterThan(0)
})

it('a Redis that is gone is told of once, however often it is connected to', async () => {
  const redis = await startFaultRedis('gone')
  await withService(redis.url, async ({ logLines }) => {
    await until(() => redis.dialled() > 4, 'it is connected to again')
    expect(logLines.filter((line) => line.includes('redis.failed'))).toHaveLength(1)
  })
  await redis.stop()
})

describe('a Redis that fails from the start costs no request and little time', () => {
  it('when nothing listens on its port', async () => {
    const redis = await startFaultRedis('gone')
    await redis.stop()
    await withService(redis.url, mustPassUncounted)
  })

  it.each<[string, Fault]>([
    ['it accepts connections and stays mute', 'mute'],
    ['it answers nonsense', 'garbage'],
    ['it hangs up at once', 'gone'],
  ])('when %s', async (_what, fault) => {
    const redis = await startFaultRedis(fault)
    await withService(redis.url, mustPassUncounted)
    await redis.stop()
  })
})

describeRedis(
  'a Redis that fails in the middle costs no request, and counts again when it is back',
  () => {
    it.each<[string, Fault]>([
      ['it dies', 'gone'],
      ['it becomes mute', 'mute'],
      ['it answers five seconds late', 'slow'],
      ['it answers nonsense', 'garbage'],
      ['it is full', 'full'],
    ])(
      'when %s',
      async (_what, fault) => {
        const redis = await startFaultRedis('pass', redisUrl)
        await withService(redis.url, async (service, key) => {
          await untilCounted(service.client.as(key))
          redis.become(fault)
          await mustPassUncounted(service, key)

          redis.become('pass')
          await untilCounted((await service.project()).client)
        })
        await redis.stop()
      },
      40_000,
    )
  },
)
