import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { leaseRuns } from '../../capabilities/bots/bot-leases.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { jobs } from '../../jobs/index.ts'
import { startTestService, type TestService } from '../support/service.ts'

const PER_PROJECT = 8
const LOOKS_MOST = 200

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const clear = statement('test-clear-bot-runs', 'DELETE FROM bot_runs')
beforeEach(() => service.ctx.sql.rows(clear))

const write = statement(
  'test-write-bot-runs',
  `INSERT INTO bot_runs (project_id, conversation_id, message_id, created_at)
   SELECT $1, conversation_id, 1, now() FROM unnest($2::bigint[]) AS conversation_id`,
)
const putOff = statement(
  'test-put-off-bot-runs',
  'UPDATE bot_runs SET due_at = $2 WHERE project_id = $1',
)

/** Messages wait, one for each of these conversations, the oldest first. */
const wait = (projectId: string, conversations: number[]) =>
  service.ctx.sql.rows(write, [projectId, conversations])

/** As many conversations as one look goes through, and one more, from the named one on. */
const crowd = (from: number) => numbered(from, LIMITS.botConversationsLookedThrough + 1)
const numbered = (from: number, length: number) => Array.from({ length }, (_, n) => from + n)

/** The conversations of what begins, the oldest run first. */
async function begin(): Promise<string[]> {
  const busy = [{ projectId: 'busy', room: 0 }]
  const runs = await leaseRuns(service.ctx, { most: 100, perProject: PER_PROJECT, busy })
  return runs.map(({ projectId, conversationId }) => `${projectId} ${conversationId}`)
}

it('a customer with ever so many messages waiting keeps no other waiting', async () => {
  await wait('shop', Array(LIMITS.botRunsLookedThrough + 100).fill(5))
  await wait('shop', [9, 7, 9, 3])
  expect(await begin()).toEqual(['shop 5', 'shop 9', 'shop 7', 'shop 3'])
  expect(await begin()).toEqual([])
})

it('a customer whose first run waits, however many are behind it, keeps no other waiting', async () => {
  await wait('shop', Array(LIMITS.botRunsLookedThrough + 100).fill(5))
  await service.ctx.sql.rows(putOff, ['shop', new Date(service.ctx.now().getTime() + 5_000)])
  await wait('shop', [9, 7])
  expect(await begin()).toEqual(['shop 9', 'shop 7'])
  service.advance(5_000)
  expect(await begin()).toEqual(['shop 5'])
})

it('as many customers as one look goes through, all put off, keep no other waiting for ever', async () => {
  await wait('shop', crowd(1_000))
  await service.ctx.sql.rows(putOff, ['shop', new Date(service.ctx.now().getTime() + 5_000)])
  await wait('shop', [1, 100_000])
  const begun: string[] = []
  for (let look = 0; look < LOOKS_MOST && begun.length < 2; look++) begun.push(...(await begin()))
  expect(begun.toSorted()).toEqual(['shop 1', 'shop 100000'])
})

it('begins the oldest of a crowd first, and no more of a project than there is room for', async () => {
  await wait('shop', crowd(1_000).toReversed())
  await wait('other', Array(LIMITS.botRunsLookedThrough).fill(5))
  await wait('other', numbered(10, 20))
  await wait('busy', Array(LIMITS.botRunsLookedThrough).fill(6))
  await wait('busy', [7])
  const begun = await begin()
  expect(begun).toHaveLength(2 * PER_PROJECT)
  const newest = 1_000 + LIMITS.botConversationsLookedThrough
  expect(begun.slice(0, PER_PROJECT)).toEqual(
    numbered(0, PER_PROJECT).map((n) => `shop ${newest - n}`),
  )
  expect(begun.slice(PER_PROJECT)).toEqual(
    ['other 5'].concat(numbered(10, PER_PROJECT - 1).map((n) => `other ${n}`)),
  )
})

it('runs that nobody told of are looked for with the next sweep, and nothing is where there are none', async () => {
  const heard: string[] = []
  const stopHearing = service.ctx.sql.onAnnounced('bots', () => heard.push('bots'))
  await jobs['sweep-bot-runs'].run(service.ctx)
  expect(heard).toEqual([])
  await wait('shop', [5])
  await jobs['sweep-bot-runs'].run(service.ctx)
  stopHearing()
  expect(heard).toEqual(['bots'])
})
