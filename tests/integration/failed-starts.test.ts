import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openContext } from '../../context.ts'
import { oneOff, type Sql } from '../../core/sql.ts'
import { startService } from '../../service.ts'
import { failing } from '../support/failing-sql.ts'
import { freePort } from '../../scripts/free-port.ts'
import { runProgram } from '../support/operator.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('a start that fails', () => {
  it('closes what was opened, the last one first', async () => {
    const { ctx, databaseUrl } = service
    const closed: string[] = []
    const note = (name: string) => async () => void closed.push(name)
    const config = { ...ctx.config, encryptionKey: Buffer.alloc(32, 7) }
    const opened = openContext(config, databaseUrl, {
      channel: { ...createStubChannel().channel, close: note('channel') },
      egress: { ...ctx.egress, close: note('egress') },
      log: ctx.log,
    })
    await expect(opened).rejects.toThrow('sealed with another key')
    expect(closed).toEqual(['egress', 'channel'])
  })

  it('leaves neither the server nor the sandbox behind, nor anything that looks for work', async () => {
    const { ctx } = service
    const port = await freePort()
    const { sql, failed } = failing(ctx.sql, { 'find-agenda-tables': 1 })
    let asked = 0
    const rows: Sql['rows'] = (...given) => {
      asked++
      return sql.rows(...given)
    }
    let sandboxUrl = ''
    const started = startService({
      ctx: { ...ctx, config: { ...ctx.config, role: 'all', port }, sql: { ...sql, rows } },
      pool: { query: () => Promise.reject(new Error('Not asked')) } as never,
      connectCounters: async () => {},
      useSandbox: (url) => void (sandboxUrl = url),
      onWork: () => {},
      close: async () => {},
    })
    await expect(started).rejects.toThrow('Connection terminated unexpectedly')
    expect(failed('find-agenda-tables')).toBe(1)
    for (const url of [`http://127.0.0.1:${port}/`, sandboxUrl]) {
      await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    }
    const before = asked
    // Longer than anything waits that looks for work.
    await ctx.sql.rows(oneOff('SELECT pg_sleep(1.5)'))
    expect(asked).toBe(before)
  })

  it.each([
    ['a file', fileURLToPath(import.meta.url)],
    ['none, and cannot be made', '/proc/nope'],
  ])(
    'for a data folder that is %s names the setting, whoever keeps the database',
    async (_, DATA_DIR) => {
      const env = { PORT: '0', DATABASE_URL: service.databaseUrl, DATA_DIR }
      const key = { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
      const s3 = { MEDIA_STORE_URL: 's3+http://k:s@127.0.0.1:9/media?region=x' }
      for (const more of [key, s3, { ...key, ...s3 }]) {
        const { code, err } = await runProgram({ ...env, ...more }, 'main')
        const says = `DATA_DIR is ${DATA_DIR}, which cannot be used: `
        expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(says) })
      }
    },
    120_000,
  )

  it.each([
    [
      { DATA_DIR: '/proc/nope', HOST: '127.0.0.1' },
      /^The database folder \/proc\/nope cannot be used/,
    ],
    [{ HOST: '192.0.2.1' }, /^HOST is 192\.0\.2\.1, which is no address of this machine\.$/m],
    [
      { HOST: '192.0.2.1', MEDIA_STORE_URL: 's3+http://k:s@127.0.0.1:9/media?region=x' },
      /^HOST is 192\.0\.2\.1, which is no address of this machine\.\n$/,
    ],
    [{ HOST: 'nonsense.invalid' }, /^HOST is nonsense\.invalid, which no name server /m],
  ])(
    'with %j is one sentence',
    async (bad, says) => {
      const { DATA_DIR } = bad as { DATA_DIR?: string }
      const database = DATA_DIR === undefined ? service.databaseUrl : ''
      const env = { PORT: '0', DATABASE_URL: database, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
      const { code, err } = await runProgram(Object.assign(env, bad), 'main')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(says) })
    },
    60_000,
  )
})
