import { note } from './capabilities/server-address.ts'
import { type Opened, openContext } from './context.ts'
import { type Config, loadConfig } from './core/config.ts'
import { isNativeError } from 'node:util/types'
import { claimDataFolder } from './database/claim.ts'
import { openDatabase } from './database/open.ts'
import { firstRun, welcome } from './first-run.ts'
import { MIGRATIONS, type Service, startService } from './service.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Runs the service until a signal comes. Ends the process with code 1 when it cannot start. */
export async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.reverse()) await closer()
  }
  try {
    const service = await start(config, closers)
    stopOnSignal(async () => {
      await service.stop()
      await close()
    })
  } catch (error) {
    await close()
    throw error
  }
}

async function start(config: Config, closers: (() => Promise<void>)[]): Promise<Service> {
  const database = await openDatabase(config, MIGRATIONS, say)
  closers.push(database.close)
  if (database.isEmbedded) closers.push(await claimDataFolder(database.url, config.dataDir))
  const opened = await openContext(config, database.url)
  closers.push(opened.close)
  const service = await startService(opened)
  if (service.url) await announce(opened, service.url)
  else opened.ctx.log.info('service.started', { role: config.role })
  return service
}

async function announce({ ctx }: Opened, url: string): Promise<void> {
  await note(ctx, url)
  const secret = await firstRun(ctx, url)
  say(welcome(ctx.config.publicUrl ?? url, secret, performance.now()))
  ctx.log.info('service.started', { role: ctx.config.role, url })
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const end = (code: number) => {
    if (stopping) process.exit(1)
    stopping = true
    // Agenda leaves timers behind, so the process is ended rather than left to run dry.
    stop().then(
      () => process.exit(code),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  process.on('unhandledRejection', (error) => {
    process.stderr.write(`Unhandled: ${isNativeError(error) ? error.stack : String(error)}\n`)
    end(1)
  })
}

function fail(error: unknown): never {
  process.stderr.write(`${isNativeError(error) ? error.message : String(error)}\n`)
  process.exit(1)
}

main().catch(fail)
