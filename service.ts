import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from './app.ts'
import { createBotPool } from './bot/pool.ts'
import type { CheckRequest } from './capabilities/bots/bot-runs.ts'
import { startBots } from './capabilities/bots/bot-dispatcher.ts'
import { startSender } from './capabilities/broadcasts/broadcast-sender.ts'
import * as channelAccounts from './capabilities/channel-accounts/channel-accounts.ts'
import { startDispatcher } from './capabilities/webhooks/delivery-dispatcher.ts'
import * as sandboxFlows from './capabilities/flows/sandbox-flows.ts'
import * as sandboxTemplates from './capabilities/templates/sandbox-templates.ts'
import * as serverAddress from './capabilities/channel-accounts/server-address.ts'
import * as tableRestores from './capabilities/tables/table-restores.ts'
import { keepUploadFilesSwept } from './capabilities/media/upload-files.ts'
import { type Sandbox, type SandboxTiming, startSandbox } from './channel/sandbox.ts'
import { sandboxMediaPath } from './channel/sandbox-media-folder.ts'
import type { Opened } from './context.ts'
import { closeAll, type Closers, closeTogether, opening } from './core/closers.ts'
import type { Context } from './core/context.ts'
import { readContract } from './core/contract.ts'
import { LIMITS } from './core/limits.ts'
import { inDataFolder } from './core/make-folder.ts'
import { tellSeldom } from './core/seldom.ts'
import { createShared } from './core/shared.ts'
import { foreignWriters } from './database/foreign-rights.ts'
import { pendingMigrations } from './database/migrations.ts'
import { MIGRATIONS } from './database/open.ts'
import { handlers } from './handlers/index.ts'
import { jobs } from './jobs/index.ts'
import { startJobs } from './jobs/scheduler.ts'
import { listen } from './middleware/listen.ts'
import { createMonitor } from './middleware/monitor.ts'
import { createRequestChecks } from './middleware/request-checks.ts'
import { tellRefused } from './middleware/request-context.ts'
import { createServer, type HttpServer } from './middleware/server.ts'
import { createValidators } from './middleware/validate.ts'

export type Service = {
  /** Its URL on this machine; null for a worker. */
  url: string | null
  /** The URL of the monitoring port; null without `MONITOR_PORT`. */
  monitorUrl: string | null
  sandbox: Sandbox
  /**
   * Answers the requests that have arrived and finishes what has begun; resolves when nothing is left to do.
   */
  stop(): Promise<void>
}

/**
 * Starts what the role asks for: HTTP, jobs or both, and the channel sandbox. When a part cannot start, closes
 * what has started and throws.
 */
export function startService(
  opened: Opened,
  sandboxTiming: Partial<SandboxTiming> = {},
): Promise<Service> {
  const closers: Closers = []
  return opening(closers, () => start(opened, sandboxTiming, closers))
}

async function start(
  opened: Opened,
  sandboxTiming: Partial<SandboxTiming>,
  closers: Closers,
): Promise<Service> {
  const { ctx, pool, connectCounters, useSandbox } = opened
  const { config } = ctx
  const roles = await foreignWriters(ctx.sql)
  if (roles.length > 0) ctx.log.warn('database.open_to_others', { roles })
  await tableRestores.restoreAll(ctx)
  let stopping = false
  // Readiness may be asked for by anybody, as often as they like.
  const pending = createShared(() => pendingMigrations(pool, MIGRATIONS), LIMITS.readinessSharedMs)
  const isReady = async () => !stopping && (await pending()).length === 0

  // Opened first and closed last, so that monitoring sees the whole shutdown.
  const monitorUrl = await startMonitor(ctx, isReady, closers)
  const document = readContract()
  const validatorFor = await createValidators(document)
  closers.push(await inDataFolder(config.dataDir, () => keepUploadFilesSwept(ctx)))
  let http: HttpServer | null = null
  if (config.role !== 'worker') {
    await connectCounters()
    const app = await createApp(ctx, { document, handlers, isReady, validatorFor })
    http = createServer(app, config.keepAliveTimeoutMs, { onRefused: tellRefused(ctx) })
  }
  const url = http && (await listen(http.server, { ...config, setting: 'PORT' }, lost(ctx)))
  let drained: Promise<void> | undefined
  const drain = () => (drained ??= http?.drain())
  closers.push(drain)
  const sandbox = await startOwnSandbox(ctx, url, sandboxTiming)
  closers.push(sandbox.close)
  useSandbox(sandbox.url)
  const parts: Closers = []
  let ended: Promise<void> | undefined
  const endParts = () => (ended ??= closeTogether(parts))
  closers.push(endParts)
  if (config.role !== 'api') {
    await startWorker(opened, createRequestChecks(document, validatorFor), parts)
  }
  return {
    url,
    monitorUrl,
    sandbox,
    async stop() {
      stopping = true
      // Requests do not need the worker's parts: what they cause is stored, for whichever worker is there next.
      const drainSoon = async () => {
        if (http) await pause(config.stopDelayMs)
        await drain()
      }
      await closeTogether([endParts, drainSoon]).finally(() => closeAll(closers))
    },
  }
}

/** Answers the monitor's URL; null without `MONITOR_PORT`. */
async function startMonitor(
  ctx: Context,
  isReady: () => Promise<boolean>,
  closers: Closers,
): Promise<string | null> {
  const { monitorPort: port, host } = ctx.config
  if (port === null) return null
  const monitor = createMonitor(ctx, isReady)
  const url = await listen(monitor, { port, host, setting: 'MONITOR_PORT' }, lost(ctx))
  closers.push(() => {
    monitor.close()
    monitor.closeAllConnections()
  })
  return url
}

/** Logs connections that could not be accepted, at most every few seconds. */
function lost({ log }: Context) {
  return (error: unknown) => tellSeldom(log, 'error', 'server.failed', { error })
}

/**
 * The sandbox over the service's own accounts and records; callbacks go to this server, or to the one that
 * started last.
 */
function startOwnSandbox(
  ctx: Context,
  url: string | null,
  timing: Partial<SandboxTiming>,
): Promise<Sandbox> {
  return startSandbox({
    findAccount: async (by, id) => {
      const account = await channelAccounts.findSandboxAccount(ctx, by, id)
      const server = url ?? (await serverAddress.last(ctx))
      if (!account) return null
      const callbackUrl = channelAccounts.callbackUrlAt(server ?? '', account.projectId)
      return { ...account, callbackUrl }
    },
    templates: sandboxTemplates.storeOf(ctx),
    flows: sandboxFlows.storeOf(ctx),
    mediaFolder: sandboxMediaPath(ctx.config.dataDir),
    timing,
    onProblem: (message) => ctx.log.warn('sandbox.problem', { message }),
    now: ctx.now,
  })
}

/** Starts the background work: broadcasts, deliveries, bots and jobs. */
async function startWorker(
  { ctx, pool, onWork }: Opened,
  check: CheckRequest,
  parts: Closers,
): Promise<void> {
  parts.push(startSender(ctx).stop)
  const dispatcher = startDispatcher(ctx)
  parts.push(dispatcher.stop)
  onWork('deliveries', dispatcher.wake)
  const onProblem = (problem: string) => tellSeldom(ctx.log, 'warn', 'bot.problem', { problem })
  const bots = startBots(ctx, { pool: createBotPool(onProblem), check })
  parts.push(bots.stop)
  onWork('bots', bots.wake)
  const clock = await startJobs(ctx, pool, jobs)
  parts.push(clock.stop)
}
