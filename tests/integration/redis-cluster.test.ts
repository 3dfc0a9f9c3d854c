import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createMetrics } from '../../core/metrics.ts'
import { createRedisCounters } from '../../counters/redis.ts'
import { CLUSTER_PASSWORD, startRedisCluster } from '../support/redis-cluster.ts'
import { roomInMinute } from '../support/redis.ts'
import { until } from '../support/until.ts'

const version = /v=(\d+)/.exec(String(spawnSync('redis-server', ['--version']).stdout))?.[1]
const describeCluster = Number(version) >= 7 ? describe : describe.skip

/** So many that each node has some of them. */
const CREDENTIALS = Array.from({ length: 40 }, (_, n) => `key-${n}`)

describeCluster('a Redis that sends its clients to the other nodes of its cluster', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>
  let opened: ReturnType<typeof createRedisCounters>[] = []
  const problems: string[] = []
  beforeAll(async () => {
    cluster = await startRedisCluster()
  })
  afterEach(() => {
    for (const counters of opened) counters.close()
    opened = []
    expect(problems.join()).not.toContain(CLUSTER_PASSWORD)
    problems.length = 0
  })
  afterAll(() => cluster.stop())

  async function connectTo(node: number) {
    const counters = createRedisCounters({
      url: cluster.urls[node] ?? '',
      limits: { bytes: 100, uploads: 5 },
      metrics: createMetrics(),
      onProblem: (error) => problems.push(String(error)),
    })
    opened.push(counters)
    await counters.connect()
    return counters
  }
  type Counters = Awaited<ReturnType<typeof connectTo>>
  const countAll = ({ requestCounter }: Counters) =>
    Promise.all(CREDENTIALS.map((one) => requestCounter.count(one)))
  const untilAllCounted = (counters: Counters) =>
    until(
      async () => (await countAll(counters)).every((count) => count !== null),
      () => `all are counted: ${problems.join()}`,
    )

  it('counts all credentials, and all processes together', async () => {
    await roomInMinute(10)
    const [one, other] = [await connectTo(0), await connectTo(2)]
    await untilAllCounted(one)
    await untilAllCounted(other)
    const before = await countAll(one)
    const after = await countAll(other)
    expect(after.map((count) => count?.used)).toEqual(before.map((count) => count!.used + 1))
    const upload = await one.uploadBudget.reserve('key', 80)
    await upload?.settle(30)
    const left = await other.uploadBudget.reserve('key', 100)
    expect([upload?.grantedBytes, left?.grantedBytes]).toEqual([80, 70])
    expect(problems).toEqual([])
  })

  it('counts on when a node is lost, first those of the others and then all', async () => {
    const counters = await connectTo(1)
    await untilAllCounted(counters)
    await cluster.loseFirst()
    const counted = (await countAll(counters)).filter((count) => count !== null)
    expect(counted.length).toBeGreaterThan(0)
    await untilAllCounted(counters)
    expect(problems.length).toBeGreaterThan(0)
  })

  it('that is gone lets requests pass, and counts when it is back', async () => {
    const counters = await connectTo(1)
    await untilAllCounted(counters)
    await cluster.stop()
    const startedAt = performance.now()
    for (let n = 0; n < 50; n++) expect(await counters.requestCounter.count('key-1')).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    await cluster.startAgain()
    await untilAllCounted(counters)
  })
})
