import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createVault } from '../../core/crypto.ts'
import { statement } from '../../core/sql.ts'
import { encryptionKeyFor } from '../../database/encryption-key.ts'
import { firstRun } from '../../first-run.ts'
import { untilWaiting } from '../support/locks.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** 32 bytes in base64, and the end of the line. */
const KEY_FILE_LENGTH = 45

let service: TestService
beforeEach(async () => {
  service = await startTestService()
})
afterEach(() => service.stop())

const keyRefusal = statement(
  'test-refuse-keys',
  'ALTER TABLE api_keys ADD CONSTRAINT no_keys CHECK (false)',
)
const rest = statement('test-rest', 'SELECT pg_sleep(0.1)')

describe('of several processes that start for the first time', () => {
  it('one makes the demo project and tells its key', async () => {
    const { ctx, url } = service
    // With connections that are open already, none is ahead of the others.
    await Promise.all(Array.from({ length: 8 }, () => ctx.sql.rows(rest)))
    const told = await Promise.all(Array.from({ length: 4 }, () => firstRun(ctx, url)))
    const secrets = told.filter((secret) => secret !== null)
    expect(secrets).toHaveLength(1)
    await service.client.as(secrets[0] ?? '').ok('ping')
    expect(await ctx.db.project.count()).toBe(1)
    expect(await ctx.db.apiKey.count()).toBe(1)
  })

  it('none leaves a project without a key that somebody has read', async () => {
    await service.ctx.sql.rows(keyRefusal)
    await expect(firstRun(service.ctx, service.url)).rejects.toThrow('no_keys')
    expect(await service.ctx.db.project.count()).toBe(0)
  })

  it('one tells its key though no customer can write in', async () => {
    const secret = await firstRun(service.ctx, 'http://127.0.0.1:1')
    await service.client.as(secret ?? '').ok('ping')
  })

  it('none takes the key of another one, committed this moment, for a wrong one', async () => {
    const { config, sql, db } = service.ctx
    await db.serviceSetting.deleteMany()
    const other = new pg.Client({ connectionString: service.databaseUrl })
    await other.connect()
    try {
      const { fingerprint } = createVault(config.encryptionKey!)
      await other.query('BEGIN')
      await other.query(`INSERT INTO service_settings VALUES ('encryption_key_fingerprint', $1)`, [
        fingerprint,
      ])
      const key = encryptionKeyFor(config, sql)
      const settled = key.catch(() => {})
      await untilWaiting(service.ctx)
      await other.query('COMMIT')
      await settled
      expect(await key).toEqual(config.encryptionKey)
    } finally {
      await other.end()
    }
  })

  it('all seal with the one key that is kept', async () => {
    const { config, sql, db } = service.ctx
    const dataDir = await mkdtemp(path.join(tmpdir(), 'first-start-'))
    try {
      for (let time = 0; time < 5; time++) {
        const folder = path.join(dataDir, String(time))
        const starting = { ...config, encryptionKey: null, dataDir: folder }
        await db.serviceSetting.deleteMany()
        const [first, ...others] = await Promise.all(
          Array.from({ length: 8 }, async (_, place) => {
            // At the same moment, and then each while those before it are at it.
            await pause(place * time)
            return encryptionKeyFor(starting, sql)
          }),
        )
        expect(first).toHaveLength(32)
        for (const other of others) expect(other).toEqual(first)
        expect(await readdir(folder)).toEqual(['encryption.key'])
        const { mode } = await stat(path.join(folder, 'encryption.key'))
        expect(mode & 0o777).toBe(0o600)
      }
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  it('none ever sees half a key', async () => {
    const { config, sql, db } = service.ctx
    const dataDir = await mkdtemp(path.join(tmpdir(), 'first-start-'))
    try {
      for (let time = 0; time < 20; time++) {
        const folder = path.join(dataDir, String(time))
        const file = path.join(folder, 'encryption.key')
        await db.serviceSetting.deleteMany()
        let isReady = false
        const ready = encryptionKeyFor({ ...config, encryptionKey: null, dataDir: folder }, sql)
        const settled = ready.finally(() => (isReady = true))
        while (!isReady) {
          if (existsSync(file)) expect(readFileSync(file, 'utf8')).toHaveLength(KEY_FILE_LENGTH)
          await nextTurn()
        }
        await settled
        expect(readFileSync(file, 'utf8')).toHaveLength(KEY_FILE_LENGTH)
      }
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  it.each(['hex', 'base64'] as const)(
    'a key that was put there in %s is taken',
    async (encoding) => {
      const { config, sql, db } = service.ctx
      const dataDir = await mkdtemp(path.join(tmpdir(), 'first-start-'))
      try {
        await db.serviceSetting.deleteMany()
        const key = Buffer.alloc(32, 9)
        await writeFile(path.join(dataDir, 'encryption.key'), `${key.toString(encoding)}\n`)
        const starting = { ...config, encryptionKey: null, dataDir }
        expect(await encryptionKeyFor(starting, sql)).toEqual(key)
        await writeFile(
          path.join(dataDir, 'encryption.key'),
          `${key.toString(encoding).slice(4)}\n`,
        )
        await expect(encryptionKeyFor(starting, sql)).rejects.toThrow('holds no key')
      } finally {
        await rm(dataDir, { recursive: true })
        await db.serviceSetting.deleteMany()
        await encryptionKeyFor(config, sql)
      }
    },
  )

  it('none makes a key in the place of one that cannot be read', async () => {
    const { config, sql } = service.ctx
    const dataDir = await mkdtemp(path.join(tmpdir(), 'first-start-'))
    try {
      await mkdir(path.join(dataDir, 'encryption.key'))
      const starting = { ...config, encryptionKey: null, dataDir }
      await expect(encryptionKeyFor(starting, sql)).rejects.toThrow('EISDIR')
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })

  it('none begins with another key', async () => {
    const config = { ...service.ctx.config, encryptionKey: Buffer.alloc(32, 7) }
    const refused = encryptionKeyFor(config, service.ctx.sql)
    await expect(refused).rejects.toThrow('sealed with another key')
    expect(await encryptionKeyFor(service.ctx.config, service.ctx.sql)).toEqual(
      service.ctx.config.encryptionKey,
    )
  })
})
