import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as retention from '../../capabilities/retention.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxAccount } from '../../channel/sandbox-callbacks.ts'
import { statement } from '../../core/sql.ts'
import { LIMITS } from '../../core/limits.ts'
import { jobs } from '../../jobs/index.ts'
import { permutations, seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PHONE = '+15553330000'
const { run: sweepParked } = jobs['sweep-parked-statuses']
type Status = 'sent' | 'delivered' | 'read' | 'failed'

let service: TestService
let project: TestProject
let account: SandboxAccount
let conversationId: number
let contactId: number

beforeAll(async () => {
  service = await startTestService({ behindMs: 3 * LIMITS.parkedStatusesKeptMs })
  project = await service.project()
  account = await service.account(project.id)
  const conversation = await service.customer(project, { phone: PHONE })
  conversationId = conversation.id
  contactId = conversation.contact.id
})
afterAll(() => service.stop())

const insert = statement(
  'test-insert-sent',
  `INSERT INTO messages
     (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
   VALUES ($1, $2, $3, $4, 'outbound', 'api', 'text', 'sent')`,
)
/** A message that the channel has taken and not yet reported on. */
async function sentMessage(wamid = newWamid('1')) {
  await service.ctx.sql.rows(insert, [project.id, conversationId, contactId, wamid])
  return wamid
}
const SECOND = { sent: 1, delivered: 2, read: 3, failed: 4 }
const instantOf = (status: Status) => new Date(service.ctx.now().getTime() + SECOND[status] * 1000)
const report = (wamid: string, status: Status) =>
  service.callback(
    project.id,
    statusCallback({ account, wamid, status, to: { phone: PHONE }, at: instantOf(status) }),
  )
const messageOf = async (id: string) =>
  (await project.client.ok('getMessage', { path: { id } })).message
const countParked = statement(
  'test-count-parked',
  'SELECT count(*) FROM parked_statuses WHERE wamid = $1',
)
const parkedOf = async (wamid: string) =>
  Number((await service.ctx.sql.rows(countParked, [wamid]))[0]?.[0])

describe('the statuses of a message', () => {
  it.each(permutations(['sent', 'delivered', 'read'] as const))(
    'end at read, each with its timestamp, when they come as %s, %s, %s, with repetitions',
    async (...order) => {
      const random = seededRandom(order.join().length)
      for (const times of [1, 2, 3]) {
        const wamid = await sentMessage()
        const repeated = order.flatMap((status) => Array<Status>(times).fill(status))
        for (const status of repeated) expect(await report(wamid, status)).toBe(200)
        await Promise.all(random.shuffled(repeated).map((status) => report(wamid, status)))
        expect(await messageOf(wamid)).toMatchObject({
          status: 'read',
          error: null,
          failed_at: null,
          sent_at: instantOf('sent').toISOString(),
          delivered_at: instantOf('delivered').toISOString(),
          read_at: instantOf('read').toISOString(),
        })
      }
    },
  )

  it('end at read when all of them come at the same moment', async () => {
    const three = ['sent', 'delivered', 'read'] as const
    const all = [...three, ...three, ...three]
    for (let round = 0; round < 5; round++) {
      const wamid = await sentMessage()
      await Promise.all(
        seededRandom(round)
          .shuffled(all)
          .map((status) => report(wamid, status)),
      )
      expect(await messageOf(wamid)).toMatchObject({ status: 'read' })
    }
  })

  it('ignore a failure after delivered, and a delivery after failed, but note the time', async () => {
    const delivered = await sentMessage()
    for (const status of ['delivered', 'failed'] as const) await report(delivered, status)
    expect(await messageOf(delivered)).toMatchObject({
      status: 'delivered',
      error: null,
      failed_at: instantOf('failed').toISOString(),
    })

    const failed = await sentMessage()
    for (const status of ['failed', 'delivered', 'read'] as const) await report(failed, status)
    expect(await messageOf(failed)).toMatchObject({
      status: 'failed',
      error: { code: '131026' },
      delivered_at: instantOf('delivered').toISOString(),
    })
  })
})

describe('the statuses of a message that failed', () => {
  const orders = permutations(['sent', 'delivered', 'read', 'failed'] as const)

  it.each(orders)(
    'end by which of failure and delivery came first: %s, %s, %s, %s, with repetitions',
    async (...order) => {
      // A failure is final, and one after a delivery is none: of these two the first to come decides.
      const isFailed =
        order.indexOf('failed') < Math.min(order.indexOf('delivered'), order.indexOf('read'))
      const expected = {
        status: isFailed ? 'failed' : 'read',
        error: isFailed ? { code: '131026' } : null,
        sent_at: instantOf('sent').toISOString(),
        delivered_at: instantOf('delivered').toISOString(),
        read_at: instantOf('read').toISOString(),
        failed_at: instantOf('failed').toISOString(),
      }
      const wamid = await sentMessage()
      for (const status of order)
        for (const _ of [1, 2]) expect(await report(wamid, status)).toBe(200)
      for (const status of seededRandom(3).shuffled(order)) await report(wamid, status)
      expect(await messageOf(wamid)).toMatchObject(expected)
    },
  )

  it('end the same when failure and anything but a delivery come, in either order', async () => {
    for (const order of [
      ['sent', 'failed'],
      ['failed', 'sent'],
    ] as const) {
      const wamid = await sentMessage()
      for (const status of order) await report(wamid, status)
      expect(await messageOf(wamid)).toMatchObject({ status: 'failed', error: { code: '131026' } })
    }
  })
})

describe('a status whose message is unknown', () => {
  it('is kept, and applied by the next sweep once the message is there', async () => {
    const wamid = newWamid('2')
    for (const status of ['delivered', 'sent', 'delivered'] as const) {
      expect(await report(wamid, status)).toBe(200)
    }
    await sweepParked(service.ctx)
    expect(await parkedOf(wamid)).toBe(2)

    await sentMessage(wamid)
    service.advance(60_000)
    await Promise.all([1, 2, 3].map(() => sweepParked(service.ctx)))
    expect(await messageOf(wamid)).toMatchObject({ status: 'delivered' })
    expect(await parkedOf(wamid)).toBe(0)
  })

  it('does not touch the message of another project that has the same id', async () => {
    const wamid = await sentMessage()
    const other = await service.project()
    const foreign = await service.account(other.id)
    const read = { wamid, status: 'read' as const, to: { phone: PHONE }, at: service.ctx.now() }
    await service.callback(other.id, statusCallback({ account: foreign, ...read }))
    await sweepParked(service.ctx)
    expect(await messageOf(wamid)).toMatchObject({ status: 'sent', read_at: null })
  })

  it('is forgotten after its time', async () => {
    const wamid = newWamid('3')
    await report(wamid, 'read')
    service.advance(LIMITS.parkedStatusesKeptMs - 1_000)
    await retention.pruneExpired(service.ctx)
    expect(await parkedOf(wamid)).toBe(1)
    service.advance(2_000)
    await retention.pruneExpired(service.ctx)
    expect(await parkedOf(wamid)).toBe(0)
  })

  it('never becomes one of a message that a customer wrote, and is forgotten too', async () => {
    const wamid = newWamid('4')
    const message = { type: 'text', text: { body: 'Hi' } }
    const from = { phone: PHONE }
    const at = service.ctx.now()
    await service.callback(project.id, inboundCallback({ account, from, message, at, wamid }))
    await report(wamid, 'read')
    service.advance(LIMITS.parkedStatusesKeptMs + 1_000)
    await sweepParked(service.ctx)
    await retention.pruneExpired(service.ctx)
    expect(await messageOf(wamid)).toMatchObject({ status: 'received', read_at: null })
    expect(await parkedOf(wamid)).toBe(0)
  })
})
