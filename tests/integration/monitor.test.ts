import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openContext } from '../../context.ts'
import type { Config } from '../../core/config.ts'
import { startService } from '../../service.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** A process over the same database that can be watched, a worker unless it is told otherwise. */
async function startWatched(own: Partial<Config> = {}) {
  const { ctx, databaseUrl } = service
  const config = { ...ctx.config, role: 'worker' as const, monitorPort: 0, ...own }
  const opened = await openContext(config, databaseUrl, { log: ctx.log, egress: ctx.egress })
  const process = await startService(opened).catch(async (error: unknown) => {
    await opened.close()
    throw error
  })
  const url = process.monitorUrl ?? ''
  const stop = async () => {
    await process.stop()
    await opened.close()
  }
  return { ctx: opened.ctx, url, stop, page: (path: string) => fetch(url + path) }
}

describe('a worker', () => {
  it('tells on a port of its own whether it runs, whether it is ready, and what it has counted', async () => {
    const worker = await startWatched()
    try {
      for (const path of ['/healthz', '/readyz']) {
        expect([path, (await worker.page(path)).status]).toEqual([path, 200])
      }
      await until(
        async () =>
          /^jobs_total\{name="sweep-deliveries",result="done"\} [1-9]/m.test(await metrics()),
        'a job has run',
      )
      for (const name of [
        'webhook_deliveries_due',
        'webhooks_disabled_total',
        'bot_runs_waiting',
        'broadcast_recipients_waiting',
      ]) {
        expect(await metrics()).toMatch(new RegExp(`^${name} 0$`, 'm'))
      }
    } finally {
      await worker.stop()
    }
    async function metrics(): Promise<string> {
      return (await worker.page('/metrics')).text()
    }
  })

  it('shows from its start what must not rise, so that the first one is seen to', async () => {
    const worker = await startWatched()
    const metrics = await worker.page('/metrics').then((page) => page.text())
    await worker.stop()
    for (const series of [
      'broadcast_recipients_total{outcome="unknown"}',
      'bot_runs_total{result="given_up"}',
      'webhook_delivery_attempts_total{result="dropped"}',
      'channel_sends_total{outcome="unknown"}',
    ]) {
      expect(metrics).toContain(`${series} 0\n`)
    }
  })

  it('has nothing else there', async () => {
    const worker = await startWatched()
    try {
      for (const path of ['/', '/v1/ping', '/v1/openapi.json', '/docs', '/channel/p/webhook']) {
        expect([path, (await worker.page(path)).status]).toEqual([path, 404])
      }
    } finally {
      await worker.stop()
    }
  })
})

it('a server that is told to stop can be watched until it has', async () => {
  const server = await startWatched({ role: 'api', port: 0, stopDelayMs: 300 })
  const stopped = server.stop()
  expect((await server.page('/readyz')).status).toBe(503)
  expect((await server.page('/metrics')).status).toBe(200)
  await stopped
  await expect(server.page('/healthz')).rejects.toThrow('fetch failed')
})

it('a port that is taken is named with its setting', async () => {
  const { port } = new URL(service.url)
  await expect(startWatched({ monitorPort: Number(port) })).rejects.toThrow(
    `Port ${port} is taken; choose another with MONITOR_PORT.`,
  )
})
