import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { erase } from '../../capabilities/conversations/contact-erasure.ts'
import { inboundCallback, newWamid, statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { SandboxCustomer } from '../../channel/sandbox-callbacks.ts'
import { oneOff } from '../../core/sql.ts'
import {
  recipientsOf,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import { amid } from '../support/gate.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { envOf, operate } from '../support/operator.ts'
import { jpeg } from '../support/sample-files.ts'
import { budgetOf } from '../support/sending.ts'
import type { TestProject, TestService } from '../support/service.ts'
import { createStubChannel, refusal } from '../support/stub-channel.ts'
import { body, storeTemplate } from '../support/templates.ts'
import { storedFiles } from '../support/uploads.ts'

const ANA = { phone: '+34600111222', userId: 'ES.777', name: 'Ana Ruiz' }
const BEN = { phone: '+34600333444', userId: 'ES.888', name: 'Ben' }

/** The channel's ids of files that customers send. */
const [FILE, OTHER_FILE] = ['471100000000001', '471100000000002'] as const

/** What is kept for days alone, as docs/OPERATING.md says. */
const PASSING = [
  ...['events', 'deliveries', 'bot_log_lines', 'parked_statuses', 'unread_callbacks'],
  'idempotency_records',
]

const stub = createStubChannel()
let openMedia = async () => Readable.from([jpeg()])
const found = { url: 'https://channel.example.com/file', mimeType: 'image/jpeg', sizeBytes: null }

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startSendingService({
    ...stub.channel,
    findMedia: () => Promise.resolve({ ok: true, value: found }),
    openMedia: async () => ({ ok: true, value: await openMedia() }),
  })
})
beforeEach(async () => {
  project = await service.project()
  await storeTemplate(service, project, { name: 'hello', components: [body('Hello')] })
})
afterEach(() => {
  stub.become('accepted')
  openMedia = async () => Readable.from([jpeg()])
})
afterAll(() => service.stop())

type Message = Record<string, unknown> & { type: string }
const picture = (id: string): Message => ({ type: 'image', image: { id, mime_type: 'image/jpeg' } })
const text = (words: string): Message => ({ type: 'text', text: { body: words } })

async function hear(from: SandboxCustomer, message: Message = text('Hi'), wamid = newWamid('2')) {
  const account = await service.account(project.id)
  const payload = inboundCallback({ account, from, message, at: service.ctx.now(), wamid })
  expect(await service.callback(project.id, payload)).toBe(200)
  return wamid
}
async function report(wamid: string, to: SandboxCustomer, attemptId = '') {
  const account = await service.account(project.id)
  const told = {
    account,
    wamid,
    to,
    attemptId,
    status: 'delivered',
    at: service.ctx.now(),
  } as const
  expect(await service.callback(project.id, statusCallback(told))).toBe(200)
}
const reply = async ({ phone }: { phone: string }) =>
  (await project.client.ok('sendMessage', { body: { type: 'text', phone, content: 'Yes' } })).id
const invite = (phone: string) => {
  const template = { type: 'template', template_name: 'hello', language: 'en_US' } as const
  return project.client.ok('sendMessage', { body: { ...template, phone } })
}
const contacts = async () => (await project.client.ok('listContacts')).contacts
const conversations = async () => (await project.client.ok('listConversations')).conversations

const never = new AbortController().signal
const erasing = (
  contact: string,
  stop = never,
  onProgress: (messages: number) => void = () => {},
) => erase(service.ctx, project.id, contact, { onProgress, stop })
const command = async (contact: string) =>
  operate({ ...envOf(service), DATA_DIR: service.ctx.config.dataDir }, [
    'contact',
    'erase',
    contact,
    '--project',
    project.id,
  ])

const rowsOf = async (sql: string, values: unknown[] = []) =>
  (await service.ctx.sql.rows(oneOff(sql), values)).map(([one]) => one ?? '')

/** The rows of the project that hold one of these texts, by table. */
async function mentions(...texts: string[]): Promise<Record<string, number>> {
  const tables = await rowsOf(
    `SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'project_id' AND table_name <> ALL ($1)`,
    [PASSING],
  )
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [count] = await rowsOf(
      `SELECT count(*) FROM ${table} t WHERE project_id = $1
        AND to_jsonb(t)::text LIKE ANY (SELECT '%' || one || '%' FROM unnest($2::text[]) one)`,
      [project.id, texts],
    )
    if (Number(count) > 0) counts[table] = Number(count)
  }
  return counts
}

/** Lets the customers of the project have written so many messages more. */
const writeOften = (times: number) =>
  rowsOf(
    `INSERT INTO messages
        (project_id, conversation_id, contact_id, wamid, direction, origin, type, status)
      SELECT c.project_id, c.id, c.contact_id, 'long.' || n, 'inbound', 'customer', 'text', 'received'
        FROM conversations c, generate_series(1, $2::int) n WHERE c.project_id = $1`,
    [project.id, times],
  )

describe('an erased contact', () => {
  it('leaves nothing of itself, and all of another', async () => {
    await hear({ userId: ANA.userId, name: ANA.name })
    const { id: wamid } = await invite(ANA.phone)
    await report(wamid, ANA)
    await hear(ANA, picture(FILE))
    await hear(BEN, picture(OTHER_FILE))
    for (const slug of [FILE, OTHER_FILE]) await project.client.ok('getMedia', { path: { slug } })
    const [ben, ana] = await contacts()
    service.advance(60_000)
    const plan = { contacts: 0, category: 'UTILITY' }
    const { id: broadcast } = await startBroadcast(service, project, plan)
    await sendAll(service.ctx)
    const sent = (await recipientsOf(project, broadcast)).map((one) => one.wamid!)
    expect(sent).toHaveLength(2)
    const attributes = { address: 'Calle Mayor 1' }
    await project.client.ok('updateContact', { path: { id: ana!.id }, body: { attributes } })
    const bytes = (await storedFiles(service)).length
    const traces = [
      ANA.phone.slice(1),
      ANA.userId,
      'Ana Ruiz',
      'Calle Mayor',
      FILE,
      wamid,
      sent[0]!,
    ]
    expect(Object.keys(await mentions(...traces)).sort()).toEqual([
      ...['broadcast_recipients', 'contacts', 'media', 'messages'],
    ])
    const others = await mentions(BEN.phone.slice(1), BEN.userId, 'Ben', OTHER_FILE, sent[1]!)

    const { out, code } = await command(ANA.phone)
    const erased = { contact_id: ana!.id, messages: 4, files: 1, recipients: 1 }
    expect([code, JSON.parse(out)]).toEqual([0, { erased }])
    expect(await mentions(...traces)).toEqual({})
    expect(await storedFiles(service)).toHaveLength(bytes - 1)
    expect(
      await rowsOf('SELECT 1 FROM joined_contacts WHERE project_id = $1', [project.id]),
    ).toEqual([])
    expect(await mentions(BEN.phone.slice(1), BEN.userId, 'Ben', OTHER_FILE, sent[1]!)).toEqual(
      others,
    )
    expect(await contacts()).toMatchObject([{ id: ben!.id }])
    expect(await conversations()).toMatchObject([{ contact: { id: ben!.id } }])
    await project.client.refused('getContact', 'not_found', { path: { id: ana!.id } })
  })

  it('is named by its id, by one that was joined with it, or by its number in any form', async () => {
    await hear({ userId: ANA.userId, name: ANA.name })
    const { id: wamid } = await invite(ANA.phone)
    const [former] = await contacts()
    await report(wamid, ANA)
    const [lasting] = await contacts()
    expect(former!.id).not.toBe(lasting!.id)
    expect(await erasing(String(former!.id))).toMatchObject({ contact_id: lasting!.id })
    await hear(ANA)
    const [next] = await contacts()
    expect(next!.id).toBeGreaterThan(lasting!.id)
    expect(await erasing('+34 600-111.222')).toMatchObject({ contact_id: next!.id, messages: 1 })
    await hear(ANA)
    const [last] = await contacts()
    expect(await erasing(String(last!.id))).toMatchObject({ contact_id: last!.id })
  })

  it.each(['34600111222', '999999999', 'Ana', '+34 600', '9'.repeat(30)])(
    'must be one of the project’s: %s',
    async (unknown) => {
      await hear(ANA)
      const other = await service.project()
      const { code, err } = await command(unknown)
      expect(code).toBe(1)
      expect(err).toMatch(`The project has no contact ${unknown}. Name it by its id, or by its`)
      const [{ id } = { id: 0 }] = await contacts()
      await expect(
        erase(service.ctx, other.id, String(id), { onProgress: () => {}, stop: never }),
      ).rejects.toMatchObject({ code: 'not_found' })
      expect(await contacts()).toHaveLength(1)
    },
  )

  it('who writes later is a new contact, and what is reported of former messages is taken', async () => {
    await hear(ANA)
    const sent = await reply(ANA)
    const [{ id } = { id: 0 }] = await conversations()
    await erasing(ANA.phone)
    await report(sent, ANA)
    await project.client.refused('getMessage', 'not_found', { path: { id: sent } })
    await hear(ANA, { ...text('Again'), context: { id: sent } })
    const [conversation] = await conversations()
    expect(conversation!.id).toBeGreaterThan(id)
    expect(conversation).toMatchObject({ unread_count: 1, contact: { phone: ANA.phone } })
    await project.client.refused('getConversation', 'not_found', { path: { id } })
  })

  it('of a long conversation goes in steps; stopped, they are gone on with', async () => {
    await hear(ANA)
    await writeOften(5_000)
    const stop = new AbortController()
    const told: number[] = []
    const stopping = erasing(ANA.phone, stop.signal, (messages) => {
      told.push(messages)
      stop.abort(new Error('The command was stopped.'))
    })
    await expect(stopping).rejects.toThrow('The command was stopped.')
    expect(told).toEqual([2_000])
    expect(await contacts()).toHaveLength(1)
    expect(await erasing(ANA.phone)).toMatchObject({ messages: 3_001 })
    expect(await contacts()).toEqual([])
  })
})

describe('while a contact is erased', () => {
  it('a send that is under way arrives and is not stored, and its key answers the same again', async () => {
    await hear(ANA)
    const sends = stub.hold()
    const content = { type: 'text', phone: ANA.phone, content: 'Calle Mayor 1' } as const
    const headers = { 'Idempotency-Key': 'once' }
    const sending = project.client.ok('sendMessage', { body: content, headers })
    await sends.arrival
    await erasing(ANA.phone)
    expect(await mentions('Calle Mayor', ANA.phone.slice(1))).toEqual({})
    sends.open()
    const sent = await sending
    expect(await project.client.ok('sendMessage', { body: content, headers })).toEqual(sent)
    await project.client.refused('getMessage', 'not_found', { path: { id: sent.id } })
    const { length } = stub.sends
    const [attempt] = stub.sends.slice(-1)
    await report(sent.id, ANA, attempt!.attemptId)
    expect(stub.sends).toHaveLength(length)
    expect(await conversations()).toEqual([])
    expect(service.logLines.join('')).not.toMatch('send.record_failed')
    expect(await rowsOf('SELECT 1 FROM send_attempts WHERE project_id = $1', [project.id])).toEqual(
      [],
    )
  })

  it('a send that is recorded at that very moment is not stored, and nothing fails', async () => {
    await hear(ANA)
    const sends = stub.hold()
    const sending = reply(ANA)
    await sends.arrival
    const during = amid(service.ctx, 'hold-conversation-to-erase', async () => {
      sends.open()
      await untilWaiting(service.ctx)
    })
    await erase(during, project.id, ANA.phone, { onProgress: () => {}, stop: never })
    await project.client.refused('getMessage', 'not_found', { path: { id: await sending } })
    expect(await mentions(ANA.phone.slice(1))).toEqual({})
    expect(service.logLines.join('')).not.toMatch('send.record_failed')
  })

  it('a send that the channel refuses then gives its credit back', async () => {
    await hear(ANA)
    await service.ctx.db.sendBudget.update({
      where: { projectId: project.id },
      data: { credits: 5 },
    })
    stub.answerEach(async () => {
      await erasing(ANA.phone)
      return refusal('opt_out', 131050)
    })
    const content = { type: 'text', phone: ANA.phone, content: 'Yes' } as const
    await project.client.refused('sendMessage', 'upstream_error', { body: content })
    expect(await budgetOf(service, project.id)).toMatchObject({ credits: 5, used: 0 })
  })

  it('a file of it that is being fetched is not kept', async () => {
    await hear(ANA, picture(FILE))
    const before = await storedFiles(service)
    openMedia = async () => {
      await erasing(ANA.phone)
      return Readable.from([jpeg()])
    }
    await project.client.refused('getMedia', 'not_found', { path: { slug: FILE } })
    expect(await mentions(FILE)).toEqual({})
    const loose = await rowsOf('SELECT store_key FROM loose_bytes')
    const left = (await storedFiles(service)).filter((file) => !before.includes(file))
    expect(left.filter((file) => !loose.some((key) => file.includes(key)))).toEqual([])
  })

  it('what it writes just then is of a new contact', async () => {
    await hear(ANA)
    let heard: Promise<string> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query('SELECT 1 FROM conversations WHERE project_id = $1 FOR UPDATE', [project.id])
      heard = hear(ANA, text('Just now'))
      await untilWaiting(service.ctx)
      await query('DELETE FROM messages WHERE project_id = $1', [project.id])
      await query('DELETE FROM conversations WHERE project_id = $1', [project.id])
      await query('DELETE FROM contacts WHERE project_id = $1', [project.id])
    })
    await heard
    expect(await conversations()).toMatchObject([{ last_message: { content: 'Just now' } }])
  })

  it('more may be written than goes in one step, which goes too', async () => {
    await hear(ANA)
    let isWritten = false
    const during = amid(service.ctx, 'erase-attempts', async () => {
      if (!isWritten) await writeOften(2_500)
      isWritten = true
    })
    const erased = await erase(during, project.id, ANA.phone, { onProgress: () => {}, stop: never })
    expect(erased).toMatchObject({ messages: 2_501 })
    expect(await contacts()).toEqual([])
  })

  it('it may be joined with another, who is erased then', async () => {
    await hear({ userId: ANA.userId, name: ANA.name })
    const { id: wamid } = await invite(ANA.phone)
    const { sql } = service.ctx
    let isJoined = false
    const transaction: typeof sql.transaction = async (work) => {
      if (!isJoined) await report(wamid, ANA)
      isJoined = true
      return sql.transaction(work)
    }
    const during = { ...service.ctx, sql: { ...sql, transaction } }
    const [, lasting] = await contacts()
    const erased = await erase(during, project.id, ANA.phone, { onProgress: () => {}, stop: never })
    expect(erased).toEqual({ contact_id: lasting!.id, messages: 2, files: 0, recipients: 0 })
    expect(await contacts()).toEqual([])
  })

  it('whatever else happens goes well, and in the end nothing is left', async () => {
    for (let round = 0; round < 5; round++) {
      project = await service.project()
      await storeTemplate(service, project, { name: 'hello', components: [body('Hello')] })
      await hear(ANA)
      const sent = await reply(ANA)
      const all = [
        ...[1, 2, 3, 4].map(() => hear(ANA)),
        ...[1, 2].map(() => report(sent, ANA)),
        ...[1, 2].map(() => invite(ANA.phone)),
        erasing(ANA.phone),
        ...[1, 2].map(() => hear({ ...ANA, name: 'Ana' })),
      ]
      for (const { reason } of (await Promise.allSettled(all)) as PromiseRejectedResult[]) {
        if (reason !== undefined) throw reason
      }
      if ((await contacts()).length > 0) await erasing(ANA.phone)
      expect(await mentions(ANA.phone.slice(1), ANA.userId)).toEqual({})
    }
  })

  it('a run of the bot for it is gone, and not taken up again', async () => {
    await hear(ANA)
    const hold = `WITH run AS (
        INSERT INTO bot_runs (project_id, conversation_id, message_id, created_at)
        SELECT project_id, id, last_message_id, now() FROM conversations WHERE project_id = $1 RETURNING id
      ) INSERT INTO bot_calls (run_id, call, answer) SELECT id, 'event', 'Ana' FROM run RETURNING run_id`
    const [run] = await rowsOf(hold, [project.id])
    await erasing(ANA.phone)
    expect(await rowsOf('SELECT id FROM bot_runs WHERE project_id = $1', [project.id])).toEqual([])
    expect(await rowsOf('SELECT run_id FROM bot_calls WHERE run_id = $1', [run])).toEqual([])
  })
})
