import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { createClient } from 'redis'
import { type Opened, openContext } from '../context.ts'
import { closeAll, type Closers } from '../core/closers.ts'
import { loadConfig } from '../core/config.ts'
import { openEmbeddedPostgres } from '../database/embedded.ts'
import { applyMigrations } from '../database/migrations.ts'
import { MIGRATIONS } from '../database/open.ts'
import { freePort } from '../scripts/free-port.ts'
import { bundlePrograms, type Child, run, start, untilReady } from './processes.ts'

/** Far above the load of a run, so that every request is counted and none is refused. */
export const RATE_LIMIT = 1_000_000_000
/** Far above what it can send, since the pace is not what is measured. */
const MESSAGES_PER_SECOND = 1_000_000
const DAILY_SEND_QUOTA = 2_000_000_000

const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  shared_preload_libraries: 'pg_stat_statements',
}

/** What all contestants share, and how it is stopped. */
export type Bed = {
  opened: Opened
  /** A superuser's own connection, for filling tables and counting. */
  admin: pg.Client
  databaseUrl: string
  /** Deleted at the end. */
  folder: string
  /** The settings of the service, for further processes of it. */
  settings: Record<string, string>
  redisUrl: string | null
  /** The service as its users run it. */
  product: Child & { url: string }
  loader: Child
  /** Registers a server to be stopped at the end. */
  keep<T extends Child>(child: T): T
}

type Options = {
  profileDir: string | null
  progress: (line: string) => void
  /** Settings of the service that differ in this run. */
  settings?: Record<string, string>
}

/** Creates a fresh database and starts everything that is measured; stops it all when `work` has ended. */
export async function withBed(options: Options, work: (bed: Bed) => Promise<void>): Promise<void> {
  const closers: Closers = []
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(closers).catch(complain))
  const interrupt = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    await work(await prepare(options, closers))
  } finally {
    await close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

async function prepare(options: Options, closers: Closers): Promise<Bed> {
  const { progress } = options
  const folder = await mkdtemp(path.join(tmpdir(), 'service-bench-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  progress('Starting PostgreSQL and Redis')
  await bundlePrograms()
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings: POSTGRES_SETTINGS })
  closers.push(() => postgres.stop())
  const { url: databaseUrl } = postgres
  await applyMigrations({ url: databaseUrl, folder: MIGRATIONS })
  const admin = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  await admin.connect()
  closers.push(() => admin.end())
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  await admin.query("ALTER SYSTEM SET pg_stat_statements.track = 'none'")
  await admin.query('SELECT pg_reload_conf()')

  const redisUrl = await startRedis(folder, closers)
  const settings = {
    BROADCAST_MESSAGES_PER_SECOND: String(MESSAGES_PER_SECOND),
    DAILY_SEND_QUOTA: String(DAILY_SEND_QUOTA),
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    PORT: String(await freePort()),
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
    REDIS_URL: redisUrl ?? '',
    ...options.settings,
  }
  const opened = await openContext(loadConfig(settings), databaseUrl)
  closers.push(() => opened.close())
  // With a project in the database, the service does not create its demo project.
  await opened.ctx.db.project.create({ data: { id: 'bench', name: 'Bench' } })

  const keep = <T extends Child>(child: T) => {
    closers.push(() => child.stop())
    return child
  }
  const profiling =
    options.profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`]
  progress('Starting the service')
  const url = `http://127.0.0.1:${settings.PORT}`
  const command = [...profiling, 'scripts/run.mjs', 'main']
  const product = { ...keep(run(process.execPath, command, settings)), url }
  await untilReady(product, async () => (await fetch(`${url}/readyz`)).ok)
  const shared = { opened, admin, databaseUrl, folder, settings, redisUrl }
  return { ...shared, product, loader: keep(start('load')), keep }
}

/** The Redis of TEST_REDIS_URL, or one started for this run; null when redis-server is not installed. */
async function startRedis(folder: string, closers: Closers): Promise<string | null> {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL
  const port = await freePort()
  const persistence = ['--save', '', '--appendonly', 'no', '--dir', folder]
  const redis = run('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...persistence])
  closers.push(() => redis.stop())
  if (redis.pid === 0) return null
  const url = `redis://127.0.0.1:${port}`
  await untilReady(redis, async () => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    await client.connect()
    client.destroy()
    return true
  })
  return url
}

/** The reason why a run failed matters more than what could not be stopped afterwards. */
function complain(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
}
