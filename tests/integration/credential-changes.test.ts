import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import * as connections from '../../capabilities/projects/connections.ts'
import * as credentials from '../../capabilities/projects/credentials.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { mintSecret } from '../../core/crypto.ts'
import { HEARD_WITHIN_MS } from '../../core/cache.ts'
import { oneOff, type Sql } from '../../core/sql.ts'
import { type Confirm, listenForChanges } from '../../database/listener.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { startRelay } from '../support/relay.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
/** Another service over the same database, with a cache of its own. */
let other: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  other = await startTestService({ databaseUrl: service.databaseUrl })
  project = await service.project()
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

async function newKey(): Promise<{ id: string; secret: string }> {
  const made = { projectId: project.id, name: 'K', scopes: ['all'], isTest: true }
  const { key, secret } = await keys.create(service.ctx, made)
  return { id: key.id, secret }
}

describe('a change made through one process counts in the others', () => {
  it('with the next request after it, 300 times over', async () => {
    for (let round = 0; round < 300; round++) {
      const { id, secret } = await newKey()
      const elsewhere = other.client.as(secret)
      await elsewhere.ok('ping')
      await keys.revoke(service.ctx, id)
      await elsewhere.refused('ping', 'invalid_api_key')
    }
  })

  it('for scopes, pauses, tokens and rotations alike', async () => {
    const { id, secret } = await newKey()
    const { token, connection } = await connections.create(service.ctx, {
      name: 'Agent',
      grants: [{ projectId: project.id, scopes: ['all'] }],
    })
    const [key, agent] = [other.client.as(secret), other.client.as(token)]
    await key.ok('listContacts')
    await agent.ok('ping')

    await keys.setScopes(service.ctx, id, ['code:read'])
    await key.refused('listContacts', 'insufficient_scope')
    await projects.setStatus(service.ctx, project.id, 'paused')
    await key.refused('ping', 'project_inactive')
    await projects.setStatus(service.ctx, project.id, 'active')
    await key.ok('ping')
    await connections.revoke(service.ctx, connection.id)
    await agent.refused('ping', 'invalid_token')
    await keys.rotate(service.ctx, id)
    await key.refused('ping', 'invalid_api_key')
  })

  it('even while nobody can hear of changes, because the listening connections are cut', async () => {
    const admin = new pg.Client({ connectionString: service.databaseUrl })
    await admin.connect()
    try {
      for (let round = 0; round < 5; round++) {
        const { id, secret } = await newKey()
        const elsewhere = other.client.as(secret)
        await elsewhere.ok('ping')
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
            WHERE application_name = 'messaging-automation-service listener'
              AND datname = current_database()`,
        )
        await keys.revoke(service.ctx, id)
        await elsewhere.refused('ping', 'invalid_api_key')

        expect(rowCount).toBe(2)
        await untilListening(admin, 2)
      }
      const told = (event: string) => other.logLines.filter((line) => line.includes(`"${event}"`))
      await until(() => told('database.listening').length === 5, 'it says that it listens again')
      expect(told('database.not_listening')).toHaveLength(5)
    } finally {
      await admin.end()
    }
  })
})

describe('a connection that somebody else is just revoking', () => {
  it('is changed no more', async () => {
    const grants = [{ projectId: project.id, scopes: ['all'] }]
    const { id } = (await connections.create(service.ctx, { name: 'Agent', grants })).connection
    let detaching: Promise<unknown> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query('UPDATE connections SET revoked_at = now() WHERE id = $1', [id])
      detaching = connections.detach(service.ctx, id, project.id)
      detaching.catch(() => {})
      await untilWaiting(service.ctx)
    })
    await expect(detaching).rejects.toThrow(`There is no connection ${id} in use.`)
    const grant = await service.ctx.db.connectionGrant.findFirst({ where: { connectionId: id } })
    expect(grant?.projectId).toBe(project.id)
  })
})

describe('credentials that nobody has', () => {
  it('are looked up four at a time, however many come at once', async () => {
    const { ctx } = service
    let underWay = 0
    let most = 0
    const rows: Sql['rows'] = async (...asked) => {
      most = Math.max(most, ++underWay)
      try {
        return await ctx.sql.rows(...asked)
      } finally {
        underWay--
      }
    }
    const slow = { ...ctx, sql: { ...ctx.sql, rows } }
    const looks = Array.from({ length: 20 }, () => credentials.find(slow, mintSecret('pk_live_')))
    expect(await Promise.all(looks)).toEqual(Array(20).fill(null))
    expect(most).toBe(4)
  })
})

describe('a connection that listens for changes', () => {
  it('is made anew when it answers no more', async () => {
    const relay = await startRelay(service.databaseUrl)
    const told: boolean[] = []
    let confirm: Confirm = () => Promise.resolve()
    const stop = await listenForChanges(relay.url, {
      onChange: () => {},
      onWork: () => {},
      onListening: (isListening, confirmNow = confirm) => {
        told.push(isListening)
        confirm = confirmNow
      },
    })
    relay.vanish()
    await expect(confirm()).rejects.toThrow('timeout')
    await until(() => told.length === 3, 'it listens again')
    expect(told).toEqual([true, false, true])
    await confirm()
    await stop()
    await relay.stop()
  })

  it('is cut off at a stop where its server does not answer any more', async () => {
    const relay = await startRelay(service.databaseUrl)
    const stop = await listenForChanges(relay.url, {
      onChange: () => {},
      onWork: () => {},
      onListening: () => {},
    })
    relay.freeze()
    await stop()
    await relay.stop()
  })
})

it('who asks whether all changes were told waits for one that is committed and on its way', async () => {
  const relay = await startRelay(service.databaseUrl)
  const seen: string[] = []
  let confirm: Confirm = () => Promise.resolve()
  const stop = await listenForChanges(relay.url, {
    onChange: () => void seen.push('told'),
    onWork: () => {},
    onListening: (_isListening, confirmNow = confirm) => void (confirm = confirmNow),
  })
  await confirm()
  // Who asks a few milliseconds after another one does so by his answer.
  await pause(2 * HEARD_WITHIN_MS)
  const arrive = relay.delay()
  await service.ctx.sql.rows(oneOff('NOTIFY credentials_changed'))
  const confirmed = confirm().then(() => seen.push('confirmed'))
  await service.ctx.sql.rows(oneOff('SELECT 1'))
  expect(seen).toEqual([])
  arrive()
  await confirmed
  expect(seen).toEqual(['told', 'confirmed'])
  await stop()
  await relay.stop()
})

it('a listener that reaches no database tells so once, however often it tries', async () => {
  let tries = 0
  const told: string[] = []
  const stop = await listenForChanges('postgresql://service@127.0.0.1:1/service', {
    onChange: () => {},
    onWork: () => {},
    onListening: () => void tries++,
    onDeaf: (error) => void told.push(String(error)),
    onHearing: () => void told.push('hearing'),
  })
  await until(() => tries >= 3, 'it tries again and again')
  await stop()
  expect(told).toEqual([expect.stringContaining('ECONNREFUSED')])
})

describe('a connection that listens for changes, and that is lost', () => {
  afterEach(() => void jest.useRealTimers())

  it('is not made anew once its process stops', async () => {
    const admin = new pg.Client({ connectionString: service.databaseUrl })
    await admin.connect()
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`,
    )
    const before = rows.map(({ pid }) => pid)
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] })
    const idle = jest.getTimerCount()
    let lost = () => {}
    const isLost = new Promise<void>((resolve) => (lost = resolve))
    const stop = await listenForChanges(service.databaseUrl, {
      onChange: () => {},
      onWork: () => {},
      onListening: (isListening) => void (isListening || lost()),
    })
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> ALL ($1::int[])`,
      [before],
    )
    await isLost
    await stop()
    expect(jest.getTimerCount()).toBe(idle)
    jest.useRealTimers()
    await admin.end()
  })
})

const LISTENING_POLLS = 100

async function untilListening(admin: pg.Client, expected: number): Promise<void> {
  for (let poll = 0; poll < LISTENING_POLLS; poll++) {
    const { rowCount } = await admin.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'`,
    )
    if (rowCount === expected) return
    await pause(50)
  }
  throw new Error('The listeners did not come back')
}
