import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import * as retention from '../../capabilities/retention.ts'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { failing } from '../support/failing-sql.ts'
import { createGatedChannel } from '../support/gated-channel.ts'
import { untilWaiting } from '../support/locks.ts'
import { attemptsOf, budgetOf, sendAs, templateOf } from '../support/sending.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const KEY = 'the-key'
const LOCK_MS = 60_000
/** Taken by nobody, though the sender cannot know. */
const GATEWAY = '+15557770017'

const gate = createGatedChannel()
let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService({ replaced: { channel: gate.channel } })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  for (const phone of ['+15550001234', GATEWAY]) await service.customer(project, { phone })
})

const text = (more: object = {}) => ({
  type: 'text',
  phone: '+15550001234',
  content: 'Hello',
  ...more,
})
const send = (body: object = text()) =>
  sendAs(service, project.key, body, { 'idempotency-key': KEY })
const asked = () =>
  service.sandbox.requests
    .filter(({ body }) => 'biz_opaque_callback_data' in body)
    .map(({ body }) => String(body.biz_opaque_callback_data))

const readRecord = statement(
  'test-read-record',
  `SELECT status, attempt_id, extract(epoch FROM expires_at - created_at) * 1000,
          extract(epoch FROM locked_until - created_at) * 1000
     FROM idempotency_records WHERE project_id = $1 AND key = $2`,
)
async function record() {
  const [row] = await service.ctx.sql.rows(readRecord, [project.id, KEY])
  if (!row) return null
  const [status, attemptId, keptMs, lockMs] = row
  return { status, attemptId, keptMs: Number(keptMs), lockMs: Number(lockMs) }
}
const age = (column: 'locked_until' | 'expires_at') =>
  statement(
    `test-age-${column}`,
    `UPDATE idempotency_records SET ${column} = now() + $3 * interval '1 second'
      WHERE project_id = $1 AND key = $2`,
  )
const [lockedUntil, expiresAt] = [age('locked_until'), age('expires_at')]
const endLock = () => service.ctx.sql.rows(lockedUntil, [project.id, KEY, -0.001])
const setLock = (seconds: number) => service.ctx.sql.rows(lockedUntil, [project.id, KEY, seconds])
const setExpiry = (seconds: number) => service.ctx.sql.rows(expiresAt, [project.id, KEY, seconds])

/** Has the next such statement of the service fail. */
function failOnce(name: string): void {
  const { sql } = service.ctx
  sql.rows = failing(sql, { [name]: 1 }).sql.rows
}

/** Tells, as the channel does, that it took an attempt. */
async function reportTaken(attemptId: string, to: string, wamid: string) {
  const account = await service.account(project.id)
  const at = service.ctx.now()
  const status = 'delivered' as const
  const payload = statusCallback({ account, wamid, attemptId, at, status, to: { phone: to } })
  expect(await service.callback(project.id, payload)).toBe(200)
}

describe('a send of which nobody knows whether the channel took it', () => {
  it('keeps its key until the lock is over, then is sent anew, both attempts on record', async () => {
    const before = asked().length
    const body = text({ phone: GATEWAY })
    expect(await send(body)).toMatchObject({ status: 502, code: 'upstream_error' })
    expect(await record()).toMatchObject({ status: null, lockMs: LOCK_MS, keptMs: 86_400_000 })
    const [first] = await attemptsOf(service, project.id)

    const waiting = await send(body)
    expect(waiting).toMatchObject({ status: 409, code: 'idempotency_in_progress', isReplay: false })
    expect(waiting.headers.get('retry-after')).toBe('1')
    expect(asked()).toHaveLength(before + 1)

    await endLock()
    expect(await send(text({ phone: GATEWAY, content: 'Other' }))).toMatchObject({
      code: 'idempotency_key_mismatch',
    })
    expect(await send(body)).toMatchObject({ status: 502, code: 'upstream_error' })
    expect(asked()).toHaveLength(before + 2)
    const attempts = await attemptsOf(service, project.id)
    expect(attempts).toHaveLength(2)
    expect(attempts).toContain(first)
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 2 })
  })

  it('is answered with its wamid as soon as its callback has come, within the lock', async () => {
    const body = text({ phone: GATEWAY })
    await send(body)
    const [attemptId] = await attemptsOf(service, project.id)
    const { length } = asked()
    await reportTaken(attemptId!, GATEWAY, `wamid.within.${project.id}`)

    const first = await send(body)
    expect(first).toMatchObject({
      status: 200,
      wamid: `wamid.within.${project.id}`,
      isReplay: true,
    })
    expect(await send(body)).toMatchObject({ isReplay: true, text: first.text })
    expect(await record()).toMatchObject({ status: '200', attemptId })
    expect(asked()).toHaveLength(length)
    expect(await attemptsOf(service, project.id)).toEqual([])
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 1 })
  })

  it('is not sent anew when its callback came, however long the lock is over', async () => {
    const body = text({ phone: GATEWAY })
    expect(await send(body)).toMatchObject({ status: 502, code: 'upstream_error' })
    const [attemptId] = await attemptsOf(service, project.id)
    await reportTaken(attemptId!, GATEWAY, `wamid.late.${project.id}`)
    await endLock()
    const { length } = asked()
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(body)))

    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, isReplay: true })
    expect(asked()).toHaveLength(length)
    const { message } = await project.client.ok('getMessage', { path: { id: answers[0]!.wamid! } })
    expect(message).toMatchObject({ status: 'delivered', content: 'Hello' })
  })

  it('keeps its key though the database fails while it is looked for', async () => {
    const body = text({ phone: GATEWAY })
    failOnce('find-wamid-by-attempt')
    expect(await send(body)).toMatchObject({ status: 500, code: 'server_error' })
    const { length } = asked()
    expect(await send(body)).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    expect(asked()).toHaveLength(length)
  })

  it.each(['find-wamid-by-attempt', 'complete-idempotency-record'])(
    'is not sent anew when its callback was faster and %s failed',
    async (name) => {
      const body = text({ phone: GATEWAY })
      const { arrival, open } = gate.shut()
      const first = send(body)
      await arrival
      const [attemptId] = await attemptsOf(service, project.id)
      await reportTaken(attemptId!, GATEWAY, `wamid.fast.${project.id}`)
      failOnce(name)
      open()
      expect(await first).toMatchObject({ status: 500, code: 'server_error' })
      const { length } = asked()
      expect(await send(body)).toMatchObject({
        status: 200,
        wamid: `wamid.fast.${project.id}`,
        isReplay: true,
      })
      expect(asked()).toHaveLength(length)
    },
  )

  it('is sent anew when its lock ends later than any lock can last', async () => {
    const body = text({ phone: GATEWAY })
    await send(body)
    const { length } = asked()
    // The longest that can be set, on a process that asked a little later.
    await setLock(60 * 60 + 10)
    expect(await send(body)).toMatchObject({ code: 'idempotency_in_progress' })
    expect(asked()).toHaveLength(length)

    await setLock(3 * 24 * 60 * 60)
    expect(await send(body)).toMatchObject({ status: 502, code: 'upstream_error' })
    expect(asked()).toHaveLength(length + 1)
    expect(await record()).toMatchObject({ lockMs: LOCK_MS })
  })

  it('that is reported after it was sent anew appears too, and the key keeps to the other', async () => {
    const body = text({ phone: GATEWAY })
    await send(body)
    const [first] = await attemptsOf(service, project.id)
    await endLock()
    await send(body)
    const [second] = (await attemptsOf(service, project.id)).filter((id) => id !== first)
    await reportTaken(first!, GATEWAY, `wamid.late.${project.id}`)
    expect(await send(body)).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    await reportTaken(second!, GATEWAY, `wamid.anew.${project.id}`)

    expect(await send(body)).toMatchObject({ status: 200, wamid: `wamid.anew.${project.id}` })
    for (const id of [`wamid.late.${project.id}`, `wamid.anew.${project.id}`]) {
      const { message } = await project.client.ok('getMessage', { path: { id } })
      expect(message).toMatchObject({ status: 'delivered' })
    }
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 2 })
  })
})

describe('a send whose process is gone', () => {
  /** Leaves a send standing before the channel, as one does whose process died there. */
  async function orphan(body: object) {
    const { arrival, open } = gate.shut()
    const lost = send(body)
    await arrival
    gate.lift()
    return { lost, open }
  }

  it('before the channel took it is taken over after the lock, by one of many', async () => {
    const { lost, open } = await orphan(text())
    expect(await send()).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    await endLock()
    const { length } = asked()
    const answers = await Promise.all(Array.from({ length: 64 }, () => send()))

    expect(asked()).toHaveLength(length + 1)
    const sent = answers.filter(({ status }) => status === 200)
    const running = answers.filter(({ code }) => code === 'idempotency_in_progress')
    expect(sent.length + running.length).toBe(64)
    expect(sent.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    expect(await attemptsOf(service, project.id)).toHaveLength(1)
    open()
    await lost
  })

  it('though it had only stalled, leaves the answer to its heir, and a trace of its own', async () => {
    const { lost, open } = await orphan(text())
    await endLock()
    const taken = await send()
    open()
    const late = await lost

    expect([taken.status, late.status]).toEqual([200, 200])
    expect(late.wamid).not.toBe(taken.wamid)
    expect(await send()).toMatchObject({ isReplay: true, text: taken.text })
    for (const id of [taken.wamid!, late.wamid!]) {
      await project.client.ok('getMessage', { path: { id } })
    }
    expect(await attemptsOf(service, project.id)).toEqual([])
  })

  it('though it had only stalled, and ends before its heir, leaves the answer to that', async () => {
    const { lost, open } = await orphan(text())
    await endLock()
    const heir = await orphan(text())
    open()
    const late = await lost
    heir.open()
    const taken = await heir.lost

    expect([late.status, taken.status]).toEqual([200, 200])
    expect(late.wamid).not.toBe(taken.wamid)
    expect(await send()).toMatchObject({ isReplay: true, text: taken.text })
  })

  it('though it had only stalled, and is refused then, leaves the key to its heir', async () => {
    const phone = '+15557770013'
    await service.customer(project, { phone })
    const { lost, open } = await orphan(text({ phone }))
    await endLock()
    const heir = await orphan(text({ phone }))
    open()
    expect(await lost).toMatchObject({ status: 502, code: 'upstream_error' })
    expect((await send(text({ phone }))).code).toBe('idempotency_in_progress')
    heir.open()
    await heir.lost
  })

  it('is taken over by a refusal, which is then the answer', async () => {
    const { lost, open } = await orphan(text())
    await endLock()
    const lastInboundAt = new Date(service.ctx.now().getTime() - 25 * 60 * 60 * 1000)
    await service.ctx.db.conversation.updateMany({
      where: { projectId: project.id },
      data: { lastInboundAt },
    })
    const refused = await send()
    open()
    await lost

    expect(refused).toMatchObject({ status: 409, code: 'outside_24h_window', isReplay: false })
    expect(await send()).toMatchObject({ isReplay: true, text: refused.text })
  })

  const lose = statement(
    'test-lose-answer',
    `UPDATE idempotency_records SET status = NULL, answer = NULL, locked_until = now()
      WHERE project_id = $1 AND key = $2`,
  )

  it('after the message was recorded is answered with that', async () => {
    const first = await send()
    await service.ctx.sql.rows(lose, [project.id, KEY])
    const { length } = asked()

    expect(await send()).toMatchObject({ isReplay: true, text: first.text })
    expect(asked()).toHaveLength(length)
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 1 })
  })

  it('before it made the customer of a template holds the key no longer than the lock', async () => {
    const body = await templateOf(service, project.id, { phone: '+15556660002', status: 'PENDING' })
    const refused = await send(body)
    expect(refused).toMatchObject({ status: 409, code: 'template_not_approved' })
    await service.ctx.db.template.updateMany({ data: { status: 'APPROVED' } })
    service.ctx.cache.clear()
    await service.ctx.sql.rows(lose, [project.id, KEY])

    expect(await send(body)).toMatchObject({ status: 200, isReplay: false })
  })
})

describe('after 24 hours', () => {
  it('less a second the answer is replayed; and a second, the key is as new', async () => {
    const first = await send()
    expect(await record()).toMatchObject({ keptMs: 24 * 60 * 60 * 1000 })
    await setExpiry(1)
    expect(await send()).toMatchObject({ isReplay: true, text: first.text })
    await setExpiry(-1)
    const other = text({ content: 'Another request' })
    const second = await send(other)

    expect(second).toMatchObject({ status: 200, isReplay: false })
    expect(second.wamid).not.toBe(first.wamid)
    expect(await record()).toMatchObject({ keptMs: 24 * 60 * 60 * 1000 })
    expect(await send(other)).toMatchObject({ isReplay: true, text: second.text })
    expect(await send()).toMatchObject({ code: 'idempotency_key_mismatch' })
  })

  it('a refusal is forgotten too, and one of many sends', async () => {
    const body = text({ phone: '+15550002000' })
    expect(await send(body)).toMatchObject({ status: 409, code: 'outside_24h_window' })
    await service.customer(project, { phone: '+15550002000' })
    await setExpiry(-1)
    const { length } = asked()
    await Promise.all(Array.from({ length: 32 }, () => send(body)))

    expect(asked()).toHaveLength(length + 1)
    expect(await send(body)).toMatchObject({ status: 200, isReplay: true })
  })

  it('a key serves for a template to a number that has never written', async () => {
    await send()
    await setExpiry(-1)
    const body = await templateOf(service, project.id, { phone: '+15556660003' })

    expect(await send(body)).toMatchObject({ status: 200, isReplay: false })
    expect(await send(body)).toMatchObject({ status: 200, isReplay: true })
  })

  it('records are pruned, and not a second before, by whatever clock a process has', async () => {
    await send()
    service.advance(25 * 60 * 60 * 1000)
    await retention.pruneExpired(service.ctx)
    expect(await record()).not.toBeNull()
    await setExpiry(-1)
    await retention.pruneExpired(service.ctx)
    expect(await record()).toBeNull()
  })
})

describe('a send that was held up for half its lock', () => {
  it('does not leave, costs nothing, and lets the same request try again', async () => {
    const { databaseUrl } = service
    const hasty = await startTestService({ databaseUrl, env: { IDEMPOTENCY_LOCK_MS: '1000' } })
    const { length } = asked()
    const other = new pg.Client({ connectionString: databaseUrl })
    await other.connect()
    await other.query('BEGIN')
    await other.query('UPDATE send_budgets SET used = used WHERE project_id = $1', [project.id])
    const slow = sendAs(hasty, project.key, text(), { 'idempotency-key': KEY })
    await untilWaiting(service.ctx)
    await other.query('SELECT pg_sleep(0.6)')
    await other.query('COMMIT')
    await other.end()

    expect(await slow).toMatchObject({ status: 500, code: 'server_error' })
    expect(hasty.sandbox.requests).toEqual([])
    expect(await budgetOf(service, project.id)).toMatchObject({ used: 0 })
    expect(await attemptsOf(service, project.id)).toEqual([])
    expect(await record()).toBeNull()
    expect(await send()).toMatchObject({ status: 200, isReplay: false })
    expect(asked()).toHaveLength(length + 1)
    await hasty.stop()
  })
})
