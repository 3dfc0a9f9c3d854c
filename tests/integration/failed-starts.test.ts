import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openContext } from '../../context.ts'
import { startService } from '../../service.ts'
import { failing } from '../support/failing-sql.ts'
import { freePort } from '../support/free-port.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { startTestService, type TestService } from '../support/service.ts'

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

  it('leaves neither the server nor the sandbox behind', async () => {
    const { ctx } = service
    const port = await freePort()
    const { sql, failed } = failing(ctx.sql, { 'find-agenda-tables': 1 })
    let sandboxUrl = ''
    const started = startService({
      ctx: { ...ctx, config: { ...ctx.config, role: 'all', port }, sql },
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
  })
})
