import { setTimeout as pause } from 'node:timers/promises'
import { isNativeError } from 'node:util/types'
import { note } from './capabilities/channel-accounts/server-address.ts'
import { type Opened, openContext } from './context.ts'
import { messageOf } from './core/caught-errors.ts'
import { closeAll, type Closers, opening } from './core/closers.ts'
import { type Config, loadConfig } from './core/config.ts'
import { tellSeldom } from './core/seldom.ts'
import { onEndingSignal } from './core/signals.ts'
import { claimDataFolder } from './database/claim.ts'
import { keepEmbedded } from './database/keep-embedded.ts'
import { MIGRATIONS, openDatabase } from './database/open.ts'
import { firstRun, welcome } from './first-run.ts'
import { startService } from './service.ts'

/**
 * How long a step of a start may last after a stop was asked for; less than the 30 s that supervisors grant.
 */
const STEP_LIMIT_MS = 20_000

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Runs the service until a signal comes. Ends the process with code 1 when it cannot start. */
async function main(): Promise<void> {
  const closers: Closers = []
  const stopping = new AbortController()
  const steps = () => start(loadConfig(process.env), closers, stopping.signal)
  const started = opening(closers, steps).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  // Installed before the first step. A step under way cannot be undone yet, so it is waited for.
  stopOnSignal(async () => {
    stopping.abort()
    await Promise.race([started, pause(STEP_LIMIT_MS)])
    await closeAll(closers)
  })
  await started
}

async function start(config: Config, closers: Closers, stopping: AbortSignal): Promise<void> {
  const database = await openDatabase(config, MIGRATIONS, say)
  let isOwner = false
  closers.push(() => database.close({ isOwner }))
  if (database.isEmbedded) {
    closers.push(await claimDataFolder(database.url, config.dataDir))
    isOwner = true
  }
  stopping.throwIfAborted()
  const opened = await openContext(config, database.url)
  closers.push(opened.close)
  if (database.isEmbedded) {
    closers.push(keepEmbedded({ ...config, url: database.url, ...told(opened) }))
  }
  stopping.throwIfAborted()
  const service = await startService(opened)
  closers.push(service.stop)
  if (service.url) await announce(opened, service.url)
  opened.ctx.log.info('service.started', { role: config.role, url: service.url })
}

function told({ ctx: { log } }: Opened) {
  return {
    onBack: () => void log.warn('database.started_again'),
    onProblem: (error: unknown) =>
      tellSeldom(log, 'error', 'database.not_started_again', { error }),
  }
}

async function announce({ ctx }: Opened, url: string): Promise<void> {
  await note(ctx, url)
  const secret = await firstRun(ctx, url)
  say(welcome(ctx.config.publicUrl ?? url, secret, performance.now()))
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const end = (code: number) => {
    if (stopping) process.exit(1)
    stopping = true
    // Agenda leaves timers behind, so the process is ended explicitly.
    stop().then(() => process.exit(code), fail)
  }
  onEndingSignal(
    () => end(0),
    () => process.exit(1),
  )
  // The reader of the log may be gone first: a terminal that was closed, or `| tee` after Ctrl-C.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('unhandledRejection', (error) => {
    process.stderr.write(`Unhandled: ${isNativeError(error) ? error.stack : String(error)}\n`)
    end(1)
  })
}

function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}

main().catch(fail)
