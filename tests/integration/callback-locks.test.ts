import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as newCustomers from '../../capabilities/messages/new-customers.ts'
import {
  inboundCallback,
  newWamid,
  type SandboxAccount,
  type SandboxCustomer,
  statusCallback,
  userIdOf,
} from '../../channel/sandbox-callbacks.ts'
import { oneOff, type Sql, sqlFaultOf } from '../../core/sql.ts'
import { deployHandlers } from '../support/bots.ts'
import { joined } from '../support/channel.ts'
import { through } from '../support/failing-sql.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

/** Ana's rows come before Eva's. */
const ANA = { phone: '+15558880001', name: 'Ana' }
const EVA = { phone: '+15558880002', name: 'Eva' }
const OPTED_OUT = 131_050
/** What is told in a storm, some of it together. */
const STORM = 240

type Known = { contactId: number; conversationId: number; wamid: string }

let service: TestService
let project: TestProject
let account: SandboxAccount
/** Of each, what was written last. */
let ana: Known
let eva: Known

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  account = await service.account(project.id)
  ana = await writes(ANA)
  eva = await writes(EVA)
})

const at = () => service.ctx.now()
const says = (
  from: SandboxCustomer,
  message: { type: string } & Record<string, unknown> = { type: 'text', text: { body: 'Hi' } },
  wamid = newWamid('1'),
) => inboundCallback({ account, from, message, wamid, at: at() })
const renamed = (from: SandboxCustomer) => says({ ...from, name: `${from.name} of today` })
const edits = (from: SandboxCustomer, { wamid }: Known) =>
  says(from, {
    type: 'edit',
    edit: { original_message_id: wamid, message: { type: 'text', text: { body: 'Hello' } } },
  })
const moves = (from: SandboxCustomer, to: string) =>
  says(from, { type: 'system', system: { type: 'user_changed_number', wa_id: to } })
const chooses = ({ phone }: typeof ANA) => {
  const user_id = userIdOf(phone)
  const chosen = { wa_id: phone.slice(1), user_id, category: 'marketing_messages', value: 'stop' }
  const value = {
    metadata: { phone_number_id: account.phoneNumberId },
    user_preferences: [{ ...chosen, timestamp: at().getTime() / 1000 }],
  }
  return { entry: [{ changes: [{ field: 'user_preferences', value }] }] }
}
const fares = (wamid: string, to: SandboxCustomer, more: { errorCode?: number } = {}) =>
  statusCallback({
    account,
    wamid,
    to,
    at: at(),
    status: more.errorCode === undefined ? 'delivered' : 'failed',
    ...more,
  })

/** One callback that holds everything of several. */
async function writes(from: SandboxCustomer): Promise<Known> {
  const wamid = newWamid('1')
  expect(await service.callback(project.id, says(from, undefined, wamid))).toBe(200)
  const { message } = await project.client.ok('getMessage', { path: { id: wamid } })
  return { wamid, contactId: message.contact_id, conversationId: message.conversation_id }
}

/** A message of ours that the channel has taken. */
async function sent({ contactId, conversationId }: Known): Promise<string> {
  const wamid = newWamid('2')
  const insert = `INSERT INTO messages
      (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
    VALUES ($1, $2, $3, $4, 'outbound', 'api', 'text', 'sent')`
  await service.ctx.sql.rows(oneOff(insert), [project.id, conversationId, contactId, wamid])
  return wamid
}

/** A send that was begun, and nothing more. */
async function begun({ contactId, conversationId }: Known): Promise<string> {
  const id = randomUUID()
  const message = JSON.stringify({ origin: 'api', type: 'text', content: 'Hello' })
  const insert = `INSERT INTO send_attempts
      (id, project_id, conversation_id, contact_id, message, created_at)
    VALUES ($1, $2, $3, $4, $5::jsonb, now())`
  const values = [id, project.id, conversationId, contactId, message]
  await service.ctx.sql.rows(oneOff(insert), values)
  return id
}

/** A contact who never wrote, as an import makes them. */
async function imported(phone: string): Promise<void> {
  const insert = `INSERT INTO contacts (project_id, phone, wa_id, match_key, tags)
    VALUES ($1, '+' || $2::text, $2::text, $2::text, '{}')`
  await service.ctx.sql.rows(oneOff(insert), [project.id, phone.slice(1)])
}

/** What PostgreSQL ended of the service's transactions and statements, by its own word for that. */
function endings(real: Sql, ended: string[]): Sql {
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      ended.push(sqlFaultOf(error)?.state ?? String(error))
      throw error
    }
  }
  return {
    ...real,
    rows: (asked, values) => noting(real.rows(asked, values)),
    transaction: (work) => noting(real.transaction(work)),
  }
}

/** The same database, where whoever has done that statement first stands still until `go`. */
function stopping(real: Sql, after: string) {
  let go = () => {}
  const going = new Promise<void>((resolve) => (go = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let isFirst = true
  const transaction: Sql['transaction'] = (work) =>
    real.transaction((tx) =>
      work({
        ...tx,
        rows: async (asked, values) => {
          const rows = await tx.rows(asked, values)
          if (asked.name !== after || !isFirst) return rows
          isFirst = false
          arrive()
          await going
          return rows
        },
      }),
    )
  return { sql: { ...real, transaction }, arrived, go: () => go() }
}

const take = (payload: unknown) => service.callback(project.id, payload)

/**
 * Has a callback stand still after that statement, `other` go as far as it can meanwhile, and both end; answers
 * what PostgreSQL ended of them.
 */
async function between(first: unknown, after: string, other: () => Promise<unknown>) {
  const ended: string[] = []
  let gate: ReturnType<typeof stopping> | undefined
  const make = (sql: Sql) => (gate = stopping(endings(sql, ended), after)).sql
  await through(service.ctx, make, async () => {
    const taken = take(first)
    await Promise.race([gate!.arrived, taken.then(() => Promise.reject(new Error('It passed')))])
    const answered = other()
    await Promise.race([answered, untilWaiting(service.ctx)])
    gate!.go()
    expect(await taken).toBe(200)
    await answered
  })
  return ended
}

describe('two callbacks at the same moment, neither of which waits for the other one’s rows', () => {
  const taken = async (payload: unknown) => expect(await take(payload)).toBe(200)

  it('where a customer writes who is moved', async () => {
    const moved = moves(ANA, '15558880009')
    expect(await between(moved, 'lock-customers', () => taken(renamed(ANA)))).toEqual([])
  })

  it('where each holds what one customer wrote and another has changed', async () => {
    const one = joined(says(EVA), edits(ANA, ana))
    const other = joined(says(ANA), edits(EVA, eva))
    expect(await between(one, 'record-inbound', () => taken(other))).toEqual([])
  })

  it('where a customer writes who is dialled by another number', async () => {
    const query = `UPDATE contacts SET wa_id = '22997318303', user_id = 'US.ana' WHERE id = $1`
    await service.ctx.sql.rows(oneOff(query), [ana.contactId])
    const one = says({ phone: '+22997318303' })
    const other = renamed({ userId: 'US.ana', name: 'Ana' })
    expect(await between(one, 'find-customers-by-wa-id', () => taken(other))).toEqual([])
  })

  it('where each tells one customer’s name and another’s choice', async () => {
    const one = joined(renamed(EVA), chooses(ANA))
    const other = joined(renamed(ANA), chooses(EVA))
    expect(await between(one, 'note-customers', () => taken(other))).toEqual([])
    expect(await between(one, 'record-opt-ins', () => taken(other))).toEqual([])
  })

  it('where one holds what customers wrote beside what became of messages to them', async () => {
    const wamid = await sent(ana)
    const one = joined(renamed(ANA), fares(wamid, ANA))
    const other = fares(wamid, ANA, { errorCode: OPTED_OUT })
    expect(await between(one, 'note-customers', () => taken(other))).toEqual([])
  })

  it('where one tells who was refused, and of another by which name he is known', async () => {
    const [toAna, toEva] = [await sent(ana), await sent(eva)]
    const refused = fares(toEva, EVA, { errorCode: OPTED_OUT })
    const one = joined(fares(toAna, { ...ANA, userId: 'US.ana' }), refused)
    const query = `UPDATE contacts SET user_id = NULL WHERE project_id = $1`
    await service.ctx.sql.rows(oneOff(query), [project.id])
    const other = joined(renamed(ANA), chooses(EVA))
    expect(await between(one, 'record-opt-ins', () => taken(other))).toEqual([])
  })

  it('where one records a send that was lost, and has a bot run for another', async () => {
    await deployHandlers(service, project, { onStatus: '() => {}' })
    const [toAna, attemptId] = [await sent(ana), await begun(eva)]
    const lost = { ...{ account, attemptId, wamid: newWamid('3'), to: EVA }, at: at() }
    const one = joined(fares(toAna, ANA), statusCallback({ ...lost, status: 'delivered' }))
    const other = joined(says(ANA), says(EVA))
    expect(await between(one, 'record-sends', () => taken(other))).toEqual([])
  })
})

it('statuses of unknown messages are kept in one order, whichever was told of first', async () => {
  const wamids = ['wamid.1', 'wamid.2']
  const park = `INSERT INTO parked_statuses (project_id, wamid, status, at, received_at)
    VALUES ($1, $2, 'delivered', now(), now())`
  const ended: string[] = []
  const noting = (sql: Sql) => endings(sql, ended)
  await through(service.ctx, noting, async () => {
    let done: Promise<number> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(park, [project.id, wamids[0]])
      done = take(joined(...wamids.toReversed().map((wamid) => fares(wamid, ANA))))
      await untilWaiting(service.ctx)
      await query(park, [project.id, wamids[1]])
    })
    expect(await done).toBe(200)
  })
  expect(ended).toEqual([])
})

describe('a callback and a send at the same moment', () => {
  it('do not wait for each other’s rows where both open a conversation', async () => {
    const phone = '+15558880003'
    await imported(phone)
    const ctx = { ...service.ctx, project: { id: project.id } }
    const opens = () => newCustomers.ensure(ctx as Parameters<typeof newCustomers.ensure>[0], phone)
    const first = says({ phone, name: 'Zoe' })
    expect(await between(first, 'open-conversations', opens)).toEqual([])
    expect(await between(says({ phone, name: 'Zoe F.' }), 'note-customers', opens)).toEqual([])
  })
})

describe('a storm of callbacks of every kind about a few customers', () => {
  it.each([1, 2, 3])(
    'is taken without one of them being ended, whoever is first: %d',
    async (seed) => {
      const random = seededRandom(seed)
      const known = new Map([ANA, EVA].map((one) => [one, one === ANA ? ana : eva]))
      for (const n of [3, 4, 5]) {
        const one = { phone: `+1555888000${n}`, name: `No. ${n}` }
        known.set(one, await writes(one))
      }
      const parts = await Promise.all(
        Array.from({ length: STORM }, async (_, n) => {
          const [[customer, rows]] = random.shuffled([...known]) as [[typeof ANA, Known]]
          const kinds = [
            () => renamed({ ...customer, name: `${customer.name}, ${n}` }),
            () => edits(customer, rows),
            () => moves(customer, `1555999${1_000 + n}`),
            () => chooses(customer),
            async () => fares(await sent(rows), customer, { errorCode: OPTED_OUT }),
            async () => fares(await sent(rows), { ...customer, userId: `US.${rows.contactId}` }),
          ]
          return kinds[n % kinds.length]!()
        }),
      )
      const ended: string[] = []
      await through(
        service.ctx,
        (sql) => endings(sql, ended),
        async () => {
          const storm = random.shuffled(parts)
          const callbacks = []
          while (storm.length > 0)
            callbacks.push(joined(...storm.splice(0, 1 + (storm.length % 4))))
          const answers = await Promise.all(callbacks.map(take))
          expect(new Set(answers)).toEqual(new Set([200]))
        },
      )
      expect(ended).toEqual([])
    },
  )
})
