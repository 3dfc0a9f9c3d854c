import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openContext } from '../../context.ts'
import { closeAll, type Closers } from '../../core/closers.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import { openEmbeddedPostgres } from '../../database/embedded.ts'
import { applyMigrations } from '../../database/migrations.ts'
import { MIGRATIONS } from '../../database/open.ts'

/** A database, a context of this process over it, and the settings of the servers that share it. */
export type Bed = {
  ctx: Context
  env: Record<string, string>
  /** Ends something with the bed, before what was there earlier. */
  atEnd(close: () => Promise<unknown>): void
}

/** Makes an empty, migrated database, with `folder` to keep it in, and answers its address. */
export type OpenDatabase = (folder: string, atEnd: Bed['atEnd']) => Promise<string>

/** The servers are killed, PostgreSQL is not: nothing has to be on disk. */
const POSTGRES_SETTINGS = { fsync: 'off', synchronous_commit: 'off', max_connections: '200' }

/** Makes a bed, lets `work` use it, and ends everything that was started, also on Ctrl-C. */
export async function withBed<T>(
  settings: Record<string, string>,
  database: string | null | OpenDatabase,
  work: (bed: Bed) => Promise<T>,
): Promise<T> {
  const closers: Closers = []
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(closers).catch(complain))
  const interrupt = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    return await work(await prepare(settings, database ?? ownDatabase, closers))
  } finally {
    await close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

async function prepare(
  settings: Record<string, string>,
  database: string | OpenDatabase,
  closers: Closers,
): Promise<Bed> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-chaos-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const atEnd: Bed['atEnd'] = (closer) => void closers.push(closer)
  const url = typeof database === 'string' ? database : await database(folder, atEnd)
  const env = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    ROLE: 'api',
    ...settings,
  }
  const { ctx, close } = await openContext(loadConfig(env), url)
  closers.push(close)
  return { ctx, env, atEnd }
}

async function ownDatabase(folder: string, atEnd: Bed['atEnd']): Promise<string> {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings: POSTGRES_SETTINGS })
  atEnd(() => postgres.stop())
  await applyMigrations({ url: postgres.url, folder: MIGRATIONS })
  return postgres.url
}

/** Why a run failed counts for more than what could not be ended after it. */
function complain(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
}
