import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as projects from '../../capabilities/projects/projects.ts'
import { statement } from '../../core/sql.ts'
import { untilWaiting } from '../support/locks.ts'
import { attemptsOf, budgetOf, sendAs, type SendAnswer, templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const IN_FLIGHT = 64
const DAY_S = 86_400
const UTC_TODAY = "(now() AT TIME ZONE 'utc')::date"

const stub = createStubChannel()
let first: TestService
let second: TestService
let project: TestProject

beforeAll(async () => {
  const replaced = { channel: stub.channel }
  first = await startTestService({ replaced })
  second = await startTestService({ replaced, databaseUrl: first.databaseUrl })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})
beforeEach(async () => {
  stub.become('accepted')
  project = await first.project()
  await first.customer(project)
})

const text = (more: object = {}) => ({
  type: 'text',
  phone: '+15550001234',
  content: 'Hello',
  ...more,
})
const send = (body: object = text(), headers: Record<string, string> = {}, by = first) =>
  sendAs(by, project.key, body, headers)
const set = (change: { quota?: number; credits?: number }) =>
  projects.update(first.ctx, project.id, change)
const budget = () => budgetOf(first, project.id)

/** Sends through both services in turn, 64 at a time. */
async function sendMany(count: number): Promise<SendAnswer[]> {
  const answers: SendAnswer[] = []
  let begun = 0
  const lane = async () => {
    while (begun < count) {
      const by = begun++ % 2 === 0 ? first : second
      answers.push(await send(text(), {}, by))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return answers
}
const tally = (answers: SendAnswer[]) =>
  answers.reduce<Record<string, number>>((counts, { code }) => {
    const name = code ?? 'sent'
    return { ...counts, [name]: (counts[name] ?? 0) + 1 }
  }, {})

/** The last UTC midnight that the answer may have counted to. */
const nextMidnight = () => Math.floor(Date.now() / 1000 / DAY_S + 1) * DAY_S * 1000
let moves = 0
const move = (change: string) =>
  first.ctx.sql.rows(
    statement(`test-move-${++moves}`, `UPDATE send_budgets SET ${change} WHERE project_id = $1`),
    [project.id],
  )

/** Sends while another transaction changes the budget, which it commits once the send waits for it. */
async function sendWhile(change: string): Promise<SendAnswer> {
  const other = new pg.Client({ connectionString: first.databaseUrl })
  await other.connect()
  await other.query('BEGIN')
  await other.query(`UPDATE send_budgets SET ${change} WHERE project_id = $1`, [project.id])
  const asked = send()
  await untilWaiting(first.ctx)
  await other.query('COMMIT')
  await other.end()
  return asked
}

describe('the daily quota', () => {
  it('lets exactly 1,000 of 5,000 concurrent sends over two services pass', async () => {
    const { length } = stub.sends
    const answers = await sendMany(5_000)

    expect(tally(answers)).toEqual({ sent: 1_000, quota_exceeded: 4_000 })
    expect(stub.sends).toHaveLength(length + 1_000)
    expect(await budget()).toMatchObject({ used: 1_000, credits: null })
  }, 120_000)

  it('says on refusal which limit it is and when it ends, in details and in headers', async () => {
    await set({ quota: 2 })
    const answers = [await send(), await send()]
    const midnight = nextMidnight()
    const refused = await send()
    const waitS = (midnight - Date.now()) / 1000

    const { error } = JSON.parse(refused.text) as { error: { details: object } }
    const resetAt = new Date(midnight).toISOString()
    expect(refused).toMatchObject({ status: 429, code: 'quota_exceeded' })
    expect(error.details).toEqual({ limit_name: 'sends', limit: 2, remaining: 0, resetAt })
    const retryAfterS = Number(refused.headers.get('retry-after'))
    expect(Math.abs(retryAfterS - waitS)).toBeLessThan(2)

    const sends = [...answers, refused].map(({ headers }) => ({
      policy: headers.get('ratelimit-policy')?.split(', ')[1],
      state: headers
        .get('ratelimit')
        ?.split(', ')[1]
        ?.replace(/t=\d+$/, 't'),
    }))
    const policy = `"sends";q=2;w=${DAY_S}`
    expect(sends).toEqual([
      { policy, state: '"sends";r=1;t' },
      { policy, state: '"sends";r=0;t' },
      { policy, state: '"sends";r=0;t' },
    ])
    expect(refused.headers.get('ratelimit')).toContain(`t=${retryAfterS}`)
  })

  it.each(['-12', '+14', 'Europe/Berlin', 'America/St_Johns'])(
    'begins anew at midnight UTC, though the session counts in %s',
    async (zone) => {
      const separate = `?options=${encodeURIComponent(`-c TimeZone=${zone}`)}`
      const other = new pg.Client({ connectionString: `${first.databaseUrl}${separate}` })
      await other.connect()
      await set({ quota: 3 })
      await other.query(
        `UPDATE send_budgets SET day = ${UTC_TODAY} - 1, used = 3 WHERE project_id = $1`,
        [project.id],
      )
      await other.end()

      expect((await send()).status).toBe(200)
      const today = new Date().toISOString().slice(0, 10)
      expect(await budget()).toMatchObject({ used: 1, day: today })
    },
  )

  it('is not handed out again by a statement that began before midnight and ends after', async () => {
    await set({ quota: 3 })
    await move(`day = ${UTC_TODAY} + 1, used = 2`)
    const tomorrow = (await budget()).day

    expect((await send()).status).toBe(200)
    expect(await budget()).toMatchObject({ used: 3, day: tomorrow })
    expect((await send()).code).toBe('quota_exceeded')
  })

  it('begins anew when the day it was counted for lies further ahead than tomorrow', async () => {
    await set({ quota: 1 })
    // As a clock leaves it that was days ahead for a moment.
    await move(`day = ${UTC_TODAY} + 2, used = 1`)

    expect((await send()).status).toBe(200)
    const today = new Date().toISOString().slice(0, 10)
    expect(await budget()).toMatchObject({ used: 1, day: today })
    expect((await send()).code).toBe('quota_exceeded')
  })

  it('of 0 refuses every send', async () => {
    await set({ quota: 0 })
    const { length } = stub.sends
    expect(await send()).toMatchObject({ status: 429, code: 'quota_exceeded' })
    expect(stub.sends).toHaveLength(length)
    expect(await budget()).toMatchObject({ used: 0 })
  })

  it('is the project’s own where it has one; a change counts at once, in every process', async () => {
    for (const quota of [1, 2, 0, 3]) {
      await set({ quota })
      const { used } = await budget()
      for (const by of [first, second]) {
        const { headers } = await send(text(), {}, by)
        expect(headers.get('ratelimit-policy')).toContain(`"sends";q=${quota};`)
      }
      expect(await budget()).toMatchObject({ used: Math.min(used + 2, Math.max(quota, used)) })
    }
  })

  it('is counted for each project apart', async () => {
    await set({ quota: 1 })
    await send()
    expect((await send()).code).toBe('quota_exceeded')
    project = await first.project()
    await first.customer(project)
    expect((await send()).status).toBe(200)
  })
})

describe('a send that the channel refuses', () => {
  it('gives its place in the day and its credit back, once', async () => {
    await set({ credits: 101 })
    await send()
    stub.become('refused')
    const answers = await sendMany(100)

    expect(tally(answers)).toEqual({ upstream_error: 100 })
    expect(await budget()).toMatchObject({ credits: 100, used: 1 })
    expect(await attemptsOf(first, project.id)).toEqual([])
  })

  it('tells in its headers that its place is free again', async () => {
    await set({ quota: 10 })
    stub.become('refused')
    const { status, headers } = await send()
    expect(status).toBe(502)
    expect(headers.get('ratelimit')).toContain('"sends";r=10;')
  })

  it('gives back to the day from which it took, and to no other', async () => {
    await set({ credits: 5 })
    stub.become('refused')
    const { send: ask } = stub.channel
    stub.channel.send = async (...args) => {
      // Midnight comes while the channel thinks, and others have sent since.
      await move(`day = ${UTC_TODAY} + 1, used = 7`)
      return ask(...args)
    }
    const refused = await send()
    stub.channel.send = ask

    expect(refused.status).toBe(502)
    expect(await budget()).toMatchObject({ credits: 5, used: 7 })
  })

  it('gives nothing back while it is unknown whether the channel took it', async () => {
    await set({ credits: 5 })
    stub.become('unknown')
    expect(await send()).toMatchObject({ status: 502, code: 'upstream_error' })

    expect(await budget()).toMatchObject({ credits: 4, used: 1 })
    expect(await attemptsOf(first, project.id)).toHaveLength(1)
  })
})

describe('the credits', () => {
  it('are used up one by one by accepted sends, then every send is 402', async () => {
    await set({ credits: 2 })
    for (const left of [1, 0]) {
      expect((await send()).status).toBe(200)
      expect(await budget()).toMatchObject({ credits: left })
    }
    const { length } = stub.sends
    expect(await send()).toMatchObject({ status: 402, code: 'out_of_credits' })
    expect(stub.sends).toHaveLength(length)
    expect(await budget()).toMatchObject({ credits: 0, used: 2 })
    await set({ credits: 1 })
    expect((await send()).status).toBe(200)
  })

  it('let exactly 10 of 64 concurrent sends pass over two services, the rest being 402', async () => {
    for (let round = 0; round < 5; round++) {
      await set({ credits: 10 })
      expect(tally(await sendMany(64))).toEqual({ sent: 10, out_of_credits: 54 })
      expect(await budget()).toMatchObject({ credits: 0, used: 10 * (round + 1) })
    }
  })

  it('that another send uses up at that very moment are told as used up, not as a quota', async () => {
    await set({ credits: 1, quota: 1 })
    const takenMeanwhile = await sendWhile('credits = 0')
    expect(takenMeanwhile).toMatchObject({ status: 402, code: 'out_of_credits' })
    await set({ credits: 5 })
    const usedMeanwhile = await sendWhile(`day = ${UTC_TODAY}, used = 1`)
    expect(usedMeanwhile).toMatchObject({ status: 429, code: 'quota_exceeded' })
    expect(usedMeanwhile.headers.get('ratelimit')).toContain('"sends";r=0;')
  })

  it('are not counted for a project that has none to count', async () => {
    expect(tally(await sendMany(20))).toEqual({ sent: 20 })
    expect(await budget()).toMatchObject({ credits: null, used: 20 })
  })

  it('and the count of a day can never be negative', async () => {
    for (const change of ['credits = -1', 'used = -1']) {
      await expect(move(change)).rejects.toThrow('not_negative')
    }
  })
})

/** As another request has it that is still running. */
const holdKey = statement(
  'test-hold-key',
  `INSERT INTO idempotency_records (project_id, key, fingerprint, attempt_id, request_id,
                                    locked_until, expires_at)
   VALUES ($1, $2, '', gen_random_uuid(), 'other', now() + interval '1 hour', now() + interval '1 day')`,
)

describe('what stands in the way', () => {
  it('is told in the order window, credits, quota', async () => {
    await set({ credits: 0, quota: 0 })
    const never = text({ phone: '+15550009999' })
    expect((await send(never)).code).toBe('outside_24h_window')
    expect((await send()).code).toBe('out_of_credits')
    await set({ credits: 1 })
    expect((await send()).code).toBe('quota_exceeded')
    await set({ quota: 1 })
    expect((await send()).status).toBe(200)
    expect((await send()).code).toBe('out_of_credits')
    // More were sent by now than the day has.
    await set({ quota: 0 })
    expect((await send()).code).toBe('out_of_credits')
  })

  it('costs nothing when it is found before the channel, with a key as without', async () => {
    await set({ credits: 5 })
    const pending = await templateOf(first, project.id, { name: 'pending', status: 'PENDING' })
    const faulty = [
      { type: 'text', content: 'a' },
      text({ phone: '0612345678' }),
      text({ foo: 1 }),
      text({ phone: '+15550009999' }),
      text({ reply_to: '999999' }),
      { ...text(), phone: undefined, conversation_id: 999_999 },
      { ...pending, template_name: 'none' },
      pending,
    ]
    const { length } = stub.sends
    for (const [index, body] of faulty.entries()) {
      const keyed = { 'idempotency-key': `k${index}` }
      for (const headers of [{}, keyed, keyed] as Record<string, string>[]) {
        const { status } = await send(body, headers)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }
    }

    expect(stub.sends).toHaveLength(length)
    expect(await budget()).toMatchObject({ credits: 5, used: 0 })
    expect(await attemptsOf(first, project.id)).toEqual([])
  })

  it('is told after a key that another request has, to a stranger too', async () => {
    await set({ quota: 0 })
    const values = [project.id, 'order-1042']
    await first.ctx.sql.rows(holdKey, values)
    const body = await templateOf(first, project.id, { phone: '+15556660010' })
    const refused = await send(body, { 'idempotency-key': 'order-1042' })
    expect(refused.code).toBe('idempotency_key_mismatch')
  })

  it('is the same for a template to a number that has never written', async () => {
    const phone = '+15556660009'
    const body = await templateOf(first, project.id, { phone })
    const known = async () =>
      (await project.client.ok('listContacts', { query: { phone } })).contacts
    await set({ credits: 0 })
    expect((await send(body)).code).toBe('out_of_credits')
    await set({ credits: 1, quota: 0 })
    expect((await send(body)).code).toBe('quota_exceeded')
    // Nobody becomes a customer by a send that never was.
    expect(await known()).toEqual([])
    await set({ quota: 1 })
    expect((await send(body)).status).toBe(200)
    expect(await known()).toMatchObject([{ phone }])
    expect(await budget()).toMatchObject({ credits: 0, used: 1 })
  })
})
