import { inboundCallback, postCallback } from '../../channel/sandbox-callbacks.ts'
import { dataOf } from './client.ts'
import { type Ground, TEMPLATE } from './ground.ts'
import type { Action } from './pace.ts'
import { slowActions } from './slow-actions.ts'

/** What callers remember of their previous actions. */
type Memory = {
  /** The latest sends that were answered: their keys, bodies and message ids. */
  sent: { key: string; body: object; wamid: string }[]
  sends: number
  /** The latest row of the table. */
  row: number
  /** The number of customers' messages that were accepted. */
  inbound: number
}

const REMEMBERED = 500
/** The number of rows that are kept in the table. */
const ROWS_KEPT = 2_000
const PAGE = 20
const NONE = 'wh_000000000000000000000000'

/** Everything that callers and customers do, and the number of customers' messages accepted so far. */
export function mixOf(ground: Ground): { actions: Action[]; inbound: () => number } {
  const memory: Memory = { sent: [], sends: 0, row: 1, inbound: 0 }
  const actions = [
    ...sending(ground, memory),
    ...reading(ground, memory),
    ...tableWork(ground, memory),
    ...refused(ground),
    ...slowActions(ground),
  ]
  return { actions, inbound: () => memory.inbound }
}

function sending(ground: Ground, memory: Memory): Action[] {
  const { client, contacts, random } = ground
  const phone = () => random.pick(contacts).phone
  const send = async (what: string, body: object) => {
    const key = `soak-${++memory.sends}`
    const headers = { 'idempotency-key': key }
    const answer = await client.ask(what, 'POST /v1/messages', { expect: 200, body, headers })
    memory.sent.push({ key, body, wamid: dataOf<{ id: string }>(answer).id })
    if (memory.sent.length > REMEMBERED) memory.sent.shift()
  }
  const repeat = async () => {
    if (memory.sent.length === 0) return
    const { key, body, wamid } = random.pick(memory.sent)
    const headers = { 'idempotency-key': key }
    const asked = { expect: 200, body, headers }
    const answer = await client.ask('repeat a send', 'POST /v1/messages', asked)
    const { id } = dataOf<{ id: string }>(answer)
    if (id !== wamid || answer.headers['idempotent-replayed'] !== 'true') {
      throw new Error('a repeated send was sent again', { cause: `${key}: ${id}, not ${wamid}` })
    }
  }
  const variables = { '1': 'Ana' }
  return [
    {
      name: 'send a text',
      share: 160,
      run: () => send('send a text', { type: 'text', phone: phone(), content: 'On its way.' }),
    },
    {
      name: 'send a template',
      share: 60,
      run: () =>
        send('send a template', { type: 'template', phone: phone(), ...TEMPLATE, variables }),
    },
    { name: 'repeat a send', share: 30, run: repeat },
    { name: 'customer writes', share: 150, run: () => write(ground, memory) },
  ]
}

/** A customer writes, and the channel reports it. */
async function write(ground: Ground, memory: Memory): Promise<void> {
  const { account, bed, contacts, random, servers } = ground
  const callbackUrl = `${random.pick(servers).url}/channel/${account.projectId}/webhook`
  const from = { phone: random.pick(contacts).phone, name: 'Ana' }
  const message = {
    type: 'text',
    // Unique, so that each message can be checked to have been answered once.
    text: { body: `Where is my order ${memory.inbound++}, please?` },
  }
  const sender = { ...account, callbackUrl }
  const at = bed.opened.ctx.now()
  const { status } = await postCallback(
    sender,
    inboundCallback({ account: sender, from, message, at }),
  )
  if (status !== 200) throw new Error(`customer writes: ${status}`)
}

function reading({ client, contacts, random }: Ground, memory: Memory): Action[] {
  const get = (name: string, share: number, target: () => string): Action => ({
    name,
    share,
    run: async () => void (await client.ask(name, `GET ${target()}`, { expect: 200 })),
  })
  const someone = () => random.pick(contacts).id
  const wamid = () => encodeURIComponent(random.pick(memory.sent).wamid)
  const lists = ['media', 'webhooks', 'templates', 'flows', 'broadcasts', 'deployments', 'files']
  return [
    {
      name: 'page conversations',
      share: 60,
      run: async () => {
        const first = `/v1/conversations?limit=${PAGE}`
        const page = await client.ask('list conversations', `GET ${first}`, { expect: 200 })
        const { nextCursor } = dataOf<{ nextCursor: string }>(page)
        const next = `GET ${first}&cursor=${encodeURIComponent(nextCursor)}`
        await client.ask('list conversations', next, { expect: 200 })
      },
    },
    get('list messages', 80, () => `/v1/conversations/${someone()}/messages?limit=${PAGE}`),
    get('get a conversation', 40, () => `/v1/conversations/${someone()}`),
    get('get a message', 30, () =>
      memory.sent.length === 0 ? '/v1/ping' : `/v1/messages/${wamid()}`,
    ),
    get('list contacts', 40, () => `/v1/contacts?tag=group-${random.between(0, 30)}`),
    get('list things', 60, () => `/v1/${random.pick(lists)}`),
    {
      name: 'change a contact',
      share: 60,
      run: async () => {
        const body = {
          name: `Customer ${random.between(1, 999)}`,
          attributes: { seats: random.between(1, 9) },
        }
        await client.ask('change a contact', `PATCH /v1/contacts/${someone()}`, {
          expect: 200,
          body,
        })
      },
    },
    {
      name: 'move a conversation',
      share: 20,
      run: async () => {
        const body = { state: random.pick(['done', 'unstructured']) }
        const line = `PATCH /v1/conversations/${someone()}`
        await client.ask('move a conversation', line, { expect: 200, body })
      },
    },
  ]
}

function tableWork({ client, random }: Ground, memory: Memory): Action[] {
  const target = (op: string, value: number) => {
    const filters = JSON.stringify([{ column: 'id', op, value }])
    return `/v1/tables/visits/rows?filters=${encodeURIComponent(filters)}`
  }
  const recent = () => Math.max(1, memory.row - random.between(0, ROWS_KEPT))
  const ask = async (what: string, line: string, expect: number, body?: object) =>
    client.ask(what, line, body === undefined ? { expect } : { expect, body })
  return [
    {
      name: 'read rows',
      share: 80,
      run: async () => void (await ask('read rows', `GET ${target('gte', recent())}`, 200)),
    },
    {
      name: 'insert rows',
      share: 40,
      run: async () => {
        const rows = [{ who: 'caller', said: 'x'.repeat(random.between(10, 100)) }]
        const answer = await ask('insert rows', 'POST /v1/tables/visits/rows', 201, { rows })
        const [row] = dataOf<{ rows: { id: number }[] }>(answer).rows
        memory.row = Math.max(memory.row, row?.id ?? 0)
      },
    },
    {
      name: 'update rows',
      share: 20,
      run: async () => {
        const body = { values: { seen: random.between(1, 1_000) } }
        await ask('update rows', `PATCH ${target('eq', recent())}`, 200, body)
      },
    },
    {
      name: 'delete rows',
      share: 10,
      run: async () => {
        const line = `DELETE ${target('lt', memory.row - ROWS_KEPT)}`
        await ask('delete rows', line, 200)
      },
    },
  ]
}

/** Mistakes of callers. */
function refused({ client }: Ground): Action[] {
  const secret = `pk_live_${'0'.repeat(48)}`
  return [
    {
      name: 'bad credential',
      share: 20,
      run: async () =>
        void (await client.ask('bad credential', 'GET /v1/contacts', { expect: 401, secret })),
    },
    {
      name: 'not found',
      share: 15,
      run: async () =>
        void (await client.ask('not found', `GET /v1/webhooks/${NONE}`, { expect: 404 })),
    },
    {
      name: 'bad body',
      share: 10,
      run: async () => {
        const body = { type: 'text', phone: '+15550001234' }
        await client.ask('bad body', 'POST /v1/messages', { expect: 400, body })
      },
    },
  ]
}
