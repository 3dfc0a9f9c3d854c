import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastAudits from '../../capabilities/broadcasts/broadcast-audits.ts'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import { stopped } from '../../scripts/operator/command.ts'
import { runOperator } from '../../scripts/operator/run.ts'
import { createBroadcast, putRecipients } from '../support/broadcasts.ts'
import { inTheWay } from '../support/locks.ts'
import { startLosingPostgres } from '../support/losing-postgres.ts'
import { operate } from '../support/operator.ts'
import {
  startTestService,
  TEST_ENCRYPTION_KEY,
  type TestProject,
  type TestService,
} from '../support/service.ts'

/** What a command asks of PostgreSQL once it has begun its work, and more. */
const LAST = 12

let service: TestService
let project: TestProject
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  folder = await mkdtemp(join(tmpdir(), 'broadcast-operator-'))
  env = { DATABASE_URL: service.databaseUrl, DATA_DIR: folder, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function answer(...argv: string[]) {
  const { code, out, err } = await operate(env, ['broadcast', ...argv])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
async function refusal(...argv: string[]): Promise<string> {
  const { code, out, err } = await operate(env, ['broadcast', ...argv])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  return err.trimEnd()
}
const create = (draft: Parameters<typeof createBroadcast>[2] = {}, own = project) =>
  createBroadcast(service, own, draft)
const get = async (id: string) =>
  (await project.client.ok('getBroadcast', { path: { id } })).broadcast
const actorsOf = async (id: string) =>
  (await broadcastAudits.list(service.ctx, id)).map(({ action, actor }) => `${action} by ${actor}`)

describe('an operator', () => {
  it('approves a broadcast in waves, releases the next one, and cancels the rest', async () => {
    const created = await create()
    const { id } = created
    const plan = ['--wave-size', '1', '--next-wave-at', '2099-01-01T10:00:00+01:00']
    const { broadcast } = await answer('approve', id, ...plan, '--next-wave-count', '2')
    expect(broadcast).toEqual(await get(id))
    expect(broadcast).toMatchObject({
      status: 'sending',
      wave_size: 1,
      wave_scheduled_at: '2099-01-01T09:00:00.000Z',
      wave_scheduled_count: 2,
    })

    await putRecipients(service, created, ['queued', 'held', 'held', 'held', 'held'])
    const released = await answer('release', id, '--count', '1', '--by', 'Olga')
    expect(released.broadcast.counts).toMatchObject({ queued: 2, held: 3 })
    const canceled = await answer('cancel', id)
    expect(canceled.broadcast).toMatchObject({ status: 'canceled', counts: { canceled: 5 } })

    const { username } = userInfo()
    expect(await actorsOf(id)).toEqual([
      ...[`approved by ${username}`, 'released by Olga', `canceled by ${username}`],
    ])
  })

  it('is told how many each release sends to, and how many are held still', async () => {
    const created = await create()
    const { id } = created
    const plan = ['--wave-size', '1', '--next-wave-at', '2099-01-01T10:00:00Z']
    await answer('approve', id, ...plan, '--next-wave-count', '2')
    await putRecipients(service, created, ['sent', 'held', 'held', 'held', 'held', 'held'])
    expect(await answer('release', id)).toMatchObject({ released: 2, still_held: 3 })
    // No wave is due any more: all that are left are the next one.
    const { broadcast, ...told } = await answer('release', id)
    expect(told).toEqual({ released: 3, still_held: 0 })
    expect(broadcast).toEqual(await get(id))
    expect(await refusal('release', id)).toBe(`Broadcast ${id} holds nobody back.`)
  })

  it.each([
    ['approve', 'approved', []],
    ['release', 'released', ['held', 'held', 'held', 'held', 'held']],
    ['cancel', 'canceled', ['held']],
  ] as const)(
    'is told whether it was done, whenever PostgreSQL goes away: %s',
    async (verb, action, recipients) => {
      const postgres = await startLosingPostgres(service.databaseUrl)
      const through = { ...env, DATABASE_URL: postgres.url }
      const make = async () => {
        const created = await create()
        if (recipients.length === 0) return created.id
        const plan = ['--wave-size', '1', '--next-wave-at', '2099-01-01T10:00:00Z']
        await answer('approve', created.id, ...plan, '--next-wave-count', '2')
        await putRecipients(service, created, [...recipients])
        return created.id
      }
      const run = (id: string) => operate(through, ['broadcast', verb, id])
      try {
        const first = await make()
        const count = await postgres.count(() => run(first))
        const done: boolean[] = []
        for (let question = Math.max(0, count - LAST); question < count; question++) {
          const id = await make()
          const { code, out } = await postgres.lose(question, () => run(id))
          const acts = (await broadcastAudits.list(service.ctx, id)).map((act) => act.action)
          const isDone = acts.includes(action)
          expect({ question, code }).toEqual({ question, code: isDone ? 0 : 1 })
          const { status, counts } = await get(id)
          if (isDone) expect(JSON.parse(out).broadcast).toMatchObject({ status, counts })
          done.push(isDone)
        }
        expect(new Set(done)).toEqual(new Set([false, true]))
      } finally {
        await postgres.stop()
      }
    },
  )

  it('sees the broadcasts of a project, the newest first', async () => {
    const own = await service.project()
    const first = await create({ name: 'First' }, own)
    service.advance(1_000)
    const second = await create({ name: 'Second' }, own)
    const { broadcasts } = await answer('list', '--project', own.id.toUpperCase())
    expect(broadcasts).toMatchObject([
      { id: second.id, name: 'Second', status: 'pending_approval', template: 'news en_US' },
      { id: first.id, recipient_count: 0, counts: null, creator_name: 'Key' },
    ])
    const limited = await operate(env, ['broadcast', 'list', '--project', own.id, '--limit', '1'])
    expect(limited).toMatchObject({ code: 0, err: 'There are more than these 1.\n' })
  })

  it('sees all of one, and what was done to it', async () => {
    const { id } = await create()
    await answer('approve', id, '--by', 'Olga')
    const { broadcast, acts } = await answer('show', id)
    expect(broadcast).toEqual(await get(id))
    expect(acts).toMatchObject([
      { action: 'approved', actor: 'Olga', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it('sees on a terminal what each number of one counts', async () => {
    const created = await create()
    await answer('approve', created.id)
    await putRecipients(service, created, ['queued', 'sent', 'failed'])
    const { out } = await operate(env, ['broadcast', 'show', created.id], true)
    expect(out).toMatch(/^counts +total 3, queued 1, sent 1, delivered 0, .*held 0$/m)
    expect(out).toMatch(/^audience +.*filter \(match all, conditions /m)
  })

  it('watches one until it has ended', async () => {
    const created = await create()
    const { id } = created
    await answer('approve', id)
    await putRecipients(service, created, ['queued', 'sent', 'failed'])
    const [lines, out]: string[][] = [[], []]
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines?.push(chunk.toString())
        if (lines?.length !== 1) return done()
        const data = { status: 'completed', queued: 0, sent: 2 }
        service.ctx.db.broadcast.update({ where: { id }, data }).then(() => done(), done)
      },
    })
    const stdout = new Writable({
      write: (chunk: Buffer, _encoding, done) => (out?.push(chunk.toString()), done()),
    })
    const io = {
      stdin: Readable.from([]),
      stdout,
      stderr,
      env,
      isTerminal: false,
      isWatched: false,
      stop: new AbortController().signal,
    }
    expect(await runOperator(['broadcast', 'watch', id], io)).toBe(0)

    expect(lines).toEqual([
      'sending: 3 in all, 1 queued, 1 sent, 1 failed\n',
      'completed: 3 in all, 2 sent, 1 failed\n',
    ])
    expect(JSON.parse(out?.join('') ?? '')).toEqual({ broadcast: await get(id) })
  })

  it('is told of one that he watches and that waits for approval', async () => {
    const { id } = await create()
    const { code, err } = await operate(env, ['broadcast', 'watch', id])
    expect(code).toBe(0)
    expect(err).toBe(`pending_approval\nIt waits for approval: operator broadcast approve ${id}\n`)
  })

  it('stops watching one that goes on when the time is up', async () => {
    const { id } = await create()
    await answer('approve', id)
    const { code, err } = await operate(env, ['broadcast', 'watch', id, '--for', '1'])
    expect({ code, err }).toEqual({ code: 0, err: 'sending\n' })
  })

  it('is told why one that he watches does not go on', async () => {
    const own = await service.project()
    const watch = async (id: string) =>
      (await operate(env, ['broadcast', 'watch', id, '--for', '1'])).err.split('\n')
    const { db } = service.ctx

    const one = await create({}, own)
    await answer('approve', one.id)
    await putRecipients(service, one, ['queued', 'sent'])
    const line = 'sending: 2 in all, 1 queued, 1 sent'
    expect(await watch(one.id)).toEqual([line, ''])
    const { phoneNumberId } = await service.account(own.id)
    await pace.reserve(service.ctx, phoneNumberId, 1)
    await pace.close(service.ctx, phoneNumberId, { firstMs: 600_000, longestMs: 600_000 })
    const closed = await db.channelPace.findUniqueOrThrow({ where: { phoneNumberId } })
    const until = closed.closedUntil?.toISOString()
    expect(await watch(one.id)).toEqual([
      line,
      `The channel has had too much from this number: it goes on at ${until}.`,
      '',
    ])
    await db.project.update({ where: { id: own.id }, data: { status: 'paused' } })
    const resume = `operator project resume ${own.id}`
    expect(await watch(one.id)).toEqual([line, `The project is paused: ${resume}`, ''])
    await db.project.update({ where: { id: own.id }, data: { status: 'deleted' } })
    expect(await watch(one.id)).toEqual([line, 'The project is deleted: nothing more is sent.', ''])
    await db.project.update({ where: { id: own.id }, data: { status: 'active' } })
    await db.channelPace.delete({ where: { phoneNumberId } })

    await db.broadcast.update({ where: { id: one.id }, data: { queued: 0, held: 1 } })
    const held = 'sending: 2 in all, 1 sent, 1 held'
    const release = `operator broadcast release ${one.id}`
    expect(await watch(one.id)).toEqual([held, `The rest is held: ${release}`, ''])
    const waveScheduledAt = new Date('2099-01-01T10:00:00.000Z')
    await db.broadcast.update({ where: { id: one.id }, data: { waveScheduledAt } })
    const next = `The next wave goes at 2099-01-01T10:00:00.000Z; sooner: ${release}`
    expect(await watch(one.id)).toEqual([held, next, ''])
  })

  it('watches one without counting its audience until the end', async () => {
    const { id, recipient_count } = await create()
    await answer('approve', id)
    const told = new EventEmitter()
    const first = once(told, 'line')
    const stderr = new Writable({ write: (_chunk, _encoding, done) => (told.emit('line'), done()) })
    let watched: ReturnType<typeof operate> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query('LOCK TABLE contacts', [])
      watched = operate(env, ['broadcast', 'watch', id, '--for', '1'], false, undefined, { stderr })
      await first
    })
    expect(JSON.parse((await watched)?.out ?? '').broadcast).toMatchObject({ recipient_count })
  })

  it('stops watching one that goes on when he says so', async () => {
    const { id } = await create()
    await answer('approve', id)
    const stopping = new AbortController()
    const stderr = new Writable({
      write(_chunk, _encoding, done) {
        stopping.abort(stopped(130))
        done()
      },
    })
    const replaced = { stderr, stop: stopping.signal }
    const watched = await operate(env, ['broadcast', 'watch', id], false, undefined, replaced)
    expect(watched).toMatchObject({ code: 130, out: '' })
  })

  it('is told what cannot be done', async () => {
    const { id } = await create()
    expect(await refusal('release', id)).toBe(
      `Broadcast ${id} is pending_approval; only one that is sending can be released.`,
    )
    expect(await refusal('approve', id, '--next-wave-at', '2099-01-01T10:00:00Z')).toBe(
      'A next wave needs the size of the first one.',
    )
    expect(await refusal('approve', id, '--next-wave-at', 'tomorrow')).toContain(
      '--next-wave-at is "tomorrow", but must be an instant such as 2026-12-01T09:00:00Z.',
    )
    for (const none of ['2099-02-30T10:00:00Z', '9999-12-31T23:59:59-12:00']) {
      expect(await refusal('approve', id, '--next-wave-at', none)).toContain('must be an instant')
    }
    expect(await refusal('approve', 'news')).toBe('There is no broadcast news.')
    expect(await refusal('list', '--project', 'nobody')).toBe('There is no project nobody.')
    expect((await get(id)).status).toBe('pending_approval')
  })
})
