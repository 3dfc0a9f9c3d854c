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
import type { Config } from './core/config.ts'
import { readContract } from './core/contract.ts'
import { LIMITS } from './core/limits.ts'
import { createRecent } from './core/recent.ts'
import { pendingMigrations } from './database/migrations.ts'
import { MIGRATIONS } from './database/open.ts'
import { handlers } from './handlers/index.ts'
import { jobs } from './jobs/index.ts'
import { startJobs } from './jobs/scheduler.ts'
import { createRequestChecks } from './middleware/request-checks.ts'
import { createServer } from './middleware/server.ts'
import { createValidators } from './middleware/validate.ts'

export type Service = {
  /** Where it answers on this machine; null for a worker. */
  url: string | null
  sandbox: Sandbox
  /** Answers what has begun, then stops; resolves when nothing is left to do. */
  stop(): Promise<void>
}

/** Starts what the role asks for: HTTP, jobs or both, and the channel sandbox beside them. */
export async function startService(
  { ctx, pool, connectCounters, useSandbox, onWork }: Opened,
  sandboxTiming: Partial<SandboxTiming> = {},
): Promise<Service> {
  const { config } = ctx
  let stopping = false
  // Anybody may ask, and as often as they like.
  const pending = createRecent(() => pendingMigrations(pool, MIGRATIONS), LIMITS.readinessKeptMs)
  const isReady = async () => !stopping && (await pending()).length === 0

  const document = readContract()
  const validatorFor = await createValidators(document)
  const stopSweeping = await keepUploadFilesSwept(ctx)
  const http = config.role === 'worker' ? null : await makeServer()
  const url = http ? localUrl(await listen(http.server, config)) : null
  const sandbox = await startSandbox({
    findAccount: async (by, id) => {
      const account = await channelAccounts.findSandboxAccount(ctx, by, id)
      const server = url ?? (await serverAddress.last(ctx))
      return (
        account && { ...account, callbackUrl: `${server}/channel/${account.projectId}/webhook` }
      )
    },
    templates: sandboxTemplates.storeOf(ctx),
    flows: sandboxFlows.storeOf(ctx),
    mediaFolder: sandboxMediaPath(config.dataDir),
    timing: sandboxTiming,
    onProblem: (message) => ctx.log.warn('sandbox.problem', { message }),
    now: ctx.now,
  })
  useSandbox(sandbox.url)
  const clock = config.role === 'api' ? null : await startJobs(ctx, pool, jobs)
  const dispatcher = config.role === 'api' ? null : startDispatcher(ctx)
  if (dispatcher) onWork('deliveries', dispatcher.wake)
  const bots = config.role === 'api' ? null : startBots(ctx, botParts())
  if (bots) onWork('bots', bots.wake)
  const sender = config.role === 'api' ? null : startSender(ctx)

  function botParts() {
    const onProblem = (problem: string) => void ctx.log.warn('bot.problem', { problem })
    return { pool: createBotPool(onProblem), check: createRequestChecks(document, validatorFor) }
  }
  async function makeServer() {
    await connectCounters()
    const app = await createApp(ctx, { document, handlers, isReady, validatorFor })
    return createServer(app, config.keepAliveTimeoutMs)
  }
  return {
    url,
    sandbox,
    async stop() {
      stopping = true
      if (http) await pause(config.stopDelayMs)
      await http?.drain()
      await clock?.stop()
      await bots?.stop()
      await dispatcher?.stop()
      await sender?.stop()
      await sandbox.close()
      stopSweeping()
    },
  }
}

function listen(server: Server, { port, host }: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      reject(isTaken ? new Error(`Port ${port} is taken; choose another with PORT.`) : error)
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
