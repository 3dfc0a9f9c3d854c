import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from './app.ts'
import { createBotPool } from './bot/pool.ts'
import { startBots } from './capabilities/bot-dispatcher.ts'
import { startSender } from './capabilities/broadcast-sender.ts'
import * as channelAccounts from './capabilities/channel-accounts.ts'
import { startDispatcher } from './capabilities/delivery-dispatcher.ts'
import * as sandboxFlows from './capabilities/sandbox-flows.ts'
import * as sandboxTemplates from './capabilities/sandbox-templates.ts'
import * as serverAddress from './capabilities/server-address.ts'
import { keepUploadFilesSwept } from './capabilities/upload-files.ts'
import { type Sandbox, type SandboxTiming, startSandbox } from './channel/sandbox.ts'
import { sandboxMediaPath } from './channel/sandbox-media-folder.ts'
import type { Opened } from './context.ts'
import { closeAll, type Closers, closeTogether, opening } from './core/closers.ts'
import { readContract } from './core/contract.ts'
import { LIMITS } from './core/limits.ts'
import { createShared } from './core/shared.ts'
import { pendingMigrations } from './database/migrations.ts'
import { MIGRATIONS } from './database/open.ts'
import { handlers } from './handlers/index.ts'
import { jobs } from './jobs/index.ts'
import { startJobs } from './jobs/scheduler.ts'
import { createMonitor } from './middleware/monitor.ts'
import { createRequestChecks } from './middleware/request-checks.ts'
import { createServer } from './middleware/server.ts'
import { createValidators } from './middleware/validate.ts'

export type Service = {
  /** Where it answers on this machine; null for a worker. */
  url: string | null
  /** Where it can be watched on `MONITOR_PORT`; null without one. */
  monitorUrl: string | null
  sandbox: Sandbox
  /** Answers what has come and ends what has begun, nothing more; resolves when nothing is left to do. */
  stop(): Promise<void>
}

/**
 * Starts what the role asks for: HTTP, jobs or both, and the channel sandbox beside them; or nothing, when
 * a part of it cannot start, and throws that.
 */
export function startService(
  opened: Opened,
  sandboxTiming: Partial<SandboxTiming> = {},
): Promise<Service> {
  const closers: Closers = []
  return opening(closers, () => start(opened, sandboxTiming, closers))
}

async function start(
  { ctx, pool, connectCounters, useSandbox, onWork }: Opened,
  sandboxTiming: Partial<SandboxTiming>,
  closers: Closers,
): Promise<Service> {
  const { config } = ctx
  let stopping = false
  // Anybody may ask, and as often as they like.
  const pending = createShared(() => pendingMigrations(pool, MIGRATIONS), LIMITS.readinessSharedMs)
  const isReady = async () => !stopping && (await pending()).length === 0

  // The first to open is the last to close: who watches sees the end, too.
  const monitorUrl = config.monitorPort === null ? null : await startMonitor(config.monitorPort)
  const document = readContract()
  const validatorFor = await createValidators(document)
  closers.push(await keepUploadFilesSwept(ctx))
  const http = config.role === 'worker' ? null : await makeServer()
  const url = http ? localUrl(await listen(http.server, { ...config, setting: 'PORT' })) : null
  let drained: Promise<void> | undefined
  const drain = () => (drained ??= http?.drain())
  closers.push(drain)
  const sandbox = await startSandbox({
    findAccount: async (by, id) => {
      const account = await channelAccounts.findSandboxAccount(ctx, by, id)
      const server = url ?? (await serverAddress.last(ctx))
      if (!account) return null
      const callbackUrl = channelAccounts.callbackUrlAt(server ?? '', account.projectId)
      return { ...account, callbackUrl }
    },
    templates: sandboxTemplates.storeOf(ctx),
    flows: sandboxFlows.storeOf(ctx),
    mediaFolder: sandboxMediaPath(config.dataDir),
    timing: sandboxTiming,
    onProblem: (message) => ctx.log.warn('sandbox.problem', { message }),
    now: ctx.now,
  })
  closers.push(sandbox.close)
  useSandbox(sandbox.url)
  const parts: Closers = []
  let ended: Promise<void> | undefined
  const endParts = () => (ended ??= closeTogether(parts))
  closers.push(endParts)
  if (config.role !== 'api') await startWorker()

  async function startWorker() {
    const sender = startSender(ctx)
    parts.push(sender.stop)
    const dispatcher = startDispatcher(ctx)
    parts.push(dispatcher.stop)
    onWork('deliveries', dispatcher.wake)
    const onProblem = (problem: string) => void ctx.log.warn('bot.problem', { problem })
    const check = createRequestChecks(document, validatorFor)
    const bots = startBots(ctx, { pool: createBotPool(onProblem), check })
    parts.push(bots.stop)
    onWork('bots', bots.wake)
    const clock = await startJobs(ctx, pool, jobs)
    parts.push(clock.stop)
  }
  async function startMonitor(port: number) {
    const monitor = createMonitor(ctx, isReady)
    await listen(monitor, { port, host: config.host, setting: 'MONITOR_PORT' })
    closers.push(() => {
      monitor.close()
      monitor.closeAllConnections()
    })
    return localUrl(monitor)
  }
  async function makeServer() {
    await connectCounters()
    const app = await createApp(ctx, { document, handlers, isReady, validatorFor })
    return createServer(app, config.keepAliveTimeoutMs)
  }
  return {
    url,
    monitorUrl,
    sandbox,
    async stop() {
      stopping = true
      // No request needs the parts of a worker: what it causes is in the rows, for whoever is there next.
      const drainSoon = async () => {
        if (http) await pause(config.stopDelayMs)
        await drain()
      }
      await closeTogether([endParts, drainSoon]).finally(() => closeAll(closers))
    },
  }
}

type Place = { port: number; host: string; setting: string }

const LISTEN_REFUSALS: Record<string, (at: Place) => string> = {
  EADDRINUSE: ({ port, setting }) => `Port ${port} is taken; choose another with ${setting}.`,
  EACCES: ({ port, setting }) =>
    `Port ${port} may not be used by this user; choose another with ${setting}.`,
  EADDRNOTAVAIL: ({ host }) => `HOST is ${host}, which is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST is ${host}, which no name server knows.`,
  EAI_AGAIN: ({ host }) => `HOST is ${host}, which no name server answers for.`,
}

function listen(server: Server, { port, host, setting }: Place): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const says = LISTEN_REFUSALS[error.code ?? '']
      reject(says ? new Error(says({ port, host, setting }), { cause: error }) : error)
    })
    server.listen({ port, host, backlog: LIMITS.connectionsMax }, () => resolve(server))
  })
}

function localUrl(server: Server): string {
  const { port, address, family } = server.address() as AddressInfo
  const isAny = address === '0.0.0.0' || address === '::'
  const host = isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
