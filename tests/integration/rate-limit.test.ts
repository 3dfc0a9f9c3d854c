import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as connections from '../../capabilities/projects/connections.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import { mintSecret } from '../../core/crypto.ts'
import type { Client } from '../support/client.ts'
import { redisUrl, roomInMinute, untilCounted, withRedis } from '../support/redis.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const LIMIT = 60
const MINUTE_MS = 60_000
const describeRedis = redisUrl ? describe : describe.skip

const rateHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => /^ratelimit|^retry-after/.test(name)))

async function pings(client: Client, times: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => client.send('ping')))
  return answers.map(({ status }) => status)
}
const passed = (statuses: number[]) => statuses.filter((status) => status === 200).length

describe('the budget of requests', () => {
  let service: TestService
  let project: TestProject

  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT) } })
  })
  afterAll(() => service.stop())

  beforeEach(async () => {
    project = await service.project()
    service.advance(MINUTE_MS - (service.ctx.now().getTime() % MINUTE_MS))
  })

  it('is 60 a clock minute: the 61st is refused until the very millisecond of the next one', async () => {
    service.advance(20_000)
    expect(passed(await pings(project.client, LIMIT))).toBe(LIMIT)
    service.advance(39_999)
    await project.client.refused('ping', 'rate_limited')
    service.advance(1)

    expect(passed(await pings(project.client, LIMIT + 5))).toBe(LIMIT)
  })

  it('refuses with the budget in details and headers, and says when to come again', async () => {
    service.advance(17_000)
    await pings(project.client, LIMIT)
    const { status, details, headers } = await project.client.refused('ping', 'rate_limited')

    expect(status).toBe(429)
    expect(details).toEqual({
      limit_name: 'requests',
      limit: LIMIT,
      remaining: 0,
      resetAt: new Date(service.ctx.now().getTime() + 43_000).toISOString(),
    })
    expect(rateHeaders(headers)).toEqual({
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '43',
      'ratelimit-policy': '"requests";q=60;w=60',
      ratelimit: '"requests";r=0;t=43',
      'retry-after': '43',
    })
  })

  it('ends with its minute, at whatever moment of a second it is asked', async () => {
    const end = new Date(service.ctx.now().getTime() + MINUTE_MS).toISOString()
    await pings(project.client, LIMIT)
    for (const pauseMs of [1, 400, 1_600, 57_900]) {
      service.advance(pauseMs)
      const { details } = await project.client.refused('ping', 'rate_limited')
      expect(details?.resetAt).toBe(end)
    }
  })

  it('is told on every answer to a counted request, whatever the answer', async () => {
    service.advance(1)
    const { client } = project
    const answers = [
      await client.send('ping'),
      await client.send('ping', { headers: { 'X-Service-Project': '' } }),
      await client.send('ping', { headers: { 'X-Service-Project': 'other' } }),
      await client.send('getContact', { path: { id: 1 } }),
      await client.send('getContact', { path: { id: 'x' } }),
      await client.send('updateContact', { path: { id: 1 }, body: '{' }),
      await client.send('updateContact', {
        path: { id: 1 },
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403, 404, 400, 400, 415])
    answers.forEach(({ headers }, index) => {
      const left = LIMIT - 1 - index
      expect(rateHeaders(headers)).toEqual({
        'ratelimit-limit': '60',
        'ratelimit-remaining': String(left),
        'ratelimit-reset': '60',
        'ratelimit-policy': '"requests";q=60;w=60',
        ratelimit: `"requests";r=${left};t=60`,
      })
    })
  })

  it("is each credential's own, of one project too", async () => {
    const made = { projectId: project.id, name: 'K', scopes: ['all'], isTest: true }
    const { secret } = await keys.create(service.ctx, made)
    const grants = [{ projectId: project.id, scopes: ['all'] }]
    const { token } = await connections.create(service.ctx, { name: 'Agent', grants })
    await pings(project.client, LIMIT + 1)

    for (const own of [secret, token]) {
      expect(passed(await pings(service.client.as(own), LIMIT + 3))).toBe(LIMIT)
    }
  })

  it('stays with a key whose secret is rotated', async () => {
    await pings(project.client, LIMIT)
    const { secret } = await keys.rotate(service.ctx, project.keyId)

    await service.client.as(secret).refused('ping', 'rate_limited')
  })

  it('is touched by no request that fails on its credential, and such a one tells of none', async () => {
    const failing = [null, mintSecret('pk_live_'), `${project.key}x`, 'mcp_at_x']
    for (const key of failing) {
      const { status, headers } = await service.client.as(key).send('ping')
      expect([status, rateHeaders(headers)]).toEqual([401, {}])
    }
    const { headers } = await project.client.send('ping')
    expect(headers.get('ratelimit-remaining')).toBe('59')
  })

  it('is not touched by the document, an unknown path or a wrong method', async () => {
    const asked: [string, string][] = [
      ['GET', '/v1/openapi.json'],
      ['GET', '/v1/no'],
      ['PUT', '/v1/ping'],
      ['HEAD', '/v1/ping'],
    ]
    for (const [method, address] of asked) {
      const { headers } = await project.client
        .raw(method, address)
        .catch(() => ({ headers: new Headers() }))
      expect(rateHeaders(headers)).toEqual({})
    }
    const { headers } = await project.client.send('ping')
    expect(headers.get('ratelimit-remaining')).toBe('59')
  })

  it('is checked before project, scope, type and body', async () => {
    await pings(project.client, LIMIT)
    const parts = { path: { id: 1 }, body: '{', headers: { 'X-Service-Project': '' } }
    await project.client.refused('updateContact', 'rate_limited', parts)
  })
})

describeRedis('a budget in Redis', () => {
  let one: TestService
  let two: TestService
  let project: TestProject

  beforeAll(async () => {
    const env = { RATE_LIMIT_PER_MINUTE: String(LIMIT), REDIS_URL: redisUrl! }
    one = await startTestService({ env })
    two = await startTestService({ env, databaseUrl: one.databaseUrl })
    const probe = await one.project()
    await untilCounted(probe.client)
    await untilCounted(two.client.as(probe.key))
  })
  afterAll(async () => {
    await two.stop()
    await one.stop()
  })
  beforeEach(async () => {
    project = await one.project()
  })

  const both = () => [one.client.as(project.key), two.client.as(project.key)]

  it('is shared by two processes: of 1,000 requests at once exactly 60 pass', async () => {
    await roomInMinute(15)
    const statuses = await Promise.all(both().map((client) => pings(client, 500)))

    expect(passed(statuses.flat())).toBe(LIMIT)
    expect(statuses.flat().filter((status) => status === 429)).toHaveLength(1_000 - LIMIT)
  })

  it('tells each of those that come at once what its own request has left', async () => {
    await roomInMinute(15)
    const answers = await Promise.all(
      both().flatMap((client) => Array.from({ length: 30 }, () => client.send('ping'))),
    )
    const left = answers.map(({ headers }) => Number(headers.get('ratelimit-remaining')))

    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, n) => n))
  })

  it('lies under keys that all end by themselves, but not before their minute does', async () => {
    await project.client.ok('ping')
    const life = await withRedis((redis) => redis.ttl(`requests:${project.keyId}`))

    expect(life).toBeGreaterThan(60)
    expect(life).toBeLessThanOrEqual(120)
  })

  it('tells in headers how long the minute of Redis still lasts', async () => {
    const left = async () => {
      const [now] = await withRedis((redis) => redis.sendCommand<[string, string]>(['TIME']))
      return 60 - (Number(now) % 60)
    }
    await roomInMinute(15)
    // Of a minute that has just begun, the whole is left.
    while ((await left()) === 60) await pause(100)
    const most = await left()
    const { headers } = await project.client.send('ping')
    const resetS = Number(headers.get('ratelimit-reset'))

    expect(resetS).toBeLessThanOrEqual(most)
    expect(resetS).toBeGreaterThanOrEqual(await left())
    expect(headers.get('ratelimit')).toBe(`"requests";r=${LIMIT - 1};t=${resetS}`)
  })

  it('is kept when Redis forgets the script', async () => {
    await roomInMinute(5)
    await project.client.ok('ping')
    await withRedis((redis) => redis.scriptFlush())

    for (const [index, client] of both().entries()) {
      const { headers } = await client.send('ping')
      expect(headers.get('ratelimit-remaining')).toBe(String(LIMIT - 2 - index))
    }
  })
})
