import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { createCloudApi } from './channel/cloud-api.ts'
import { createChangeCache } from './core/cache.ts'
import type { Config } from './core/config.ts'
import type { Context } from './core/context.ts'
import { createVault } from './core/crypto.ts'
import { createCursors } from './core/cursor.ts'
import { LIMITS } from './core/limits.ts'
import { createLogger } from './core/logger.ts'
import { createMetrics } from './core/metrics.ts'
import type { Egress } from './core/ports.ts'
import { encryptionKeyFor } from './database/encryption-key.ts'
import { listenForChanges } from './database/listener.ts'
import { createPool, createSql } from './database/pool.ts'
import { createWorkNotices, type WorkNotices } from './database/work-notices.ts'
import { PrismaClient } from './generated/prisma/client.ts'

export type Opened = {
  ctx: Context
  pool: Pool
  /** Tells the context where the sandbox listens, once it does. */
  useSandbox(url: string): void
  /** Calls `hear` whenever work of that kind was committed, by this process or another one. */
  onWork: WorkNotices['onWork']
  /** Closes what was opened, in reverse. */
  close(): Promise<void>
}

type Replaced = Partial<Pick<Context, 'now' | 'log' | 'channel' | 'egress'>>

/**
 * Opens everything that the service needs from its configuration. Throws when the database cannot be
 * reached, or its secrets are sealed with another key. Tests replace the clock, the log, the channel or
 * the way out.
 */
export async function openContext(
  config: Config,
  url: string,
  replaced: Replaced = {},
): Promise<Opened> {
  const log = replaced.log ?? createLogger(config.logLevel)
  const pool = createPool(url, config.databasePoolSize, (error) =>
    log.warn('database.connection_lost', { error }),
  )
  const db = new PrismaClient({ adapter: new PrismaPg(pool) })
  const sql = createSql(pool)
  const cache = createChangeCache()
  // Far within the lock: a key must not be taken from a send that is only slow.
  const timeoutMs = Math.min(LIMITS.channelTimeoutMs, config.idempotencyLockMs / 2)
  const channel = replaced.channel ?? createCloudApi({ timeoutMs })
  const egress = replaced.egress ?? CLOSED
  try {
    const key = await encryptionKeyFor(config, sql)
    const notices = createWorkNotices(
      sql,
      { works: ['deliveries'], intervalMs: LIMITS.deliveriesNoticeMs },
      (error) => log.warn('database.notice_failed', { error }),
    )
    const stopListening = await listenForChanges(url, {
      onWork: notices.receive,
      onChange: cache.clear,
      onListening: cache.trust,
    })
    let sandboxUrl: string | null = null
    const ctx: Context = {
      ...{ config, db, sql, cache, channel, egress, log },
      vault: createVault(key),
      cursors: createCursors(key),
      metrics: createMetrics(),
      sandboxUrl: () => sandboxUrl,
      now: replaced.now ?? (() => new Date()),
    }
    const close = async () => {
      notices.close()
      await stopListening()
      await channel.close()
      await egress.close()
      await db.$disconnect()
      await pool.end()
    }
    const useSandbox = (at: string) => void (sandboxUrl = at)
    return { ctx, pool, close, useSandbox, onWork: notices.onWork }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Lets nothing out. */
const CLOSED: Egress = {
  mayReach: async () => false,
  download: async () => ({ ok: false, fault: 'refused', message: 'Nothing may be reached.' }),
  post: async () => ({ statusCode: null, error: 'refused', durationMs: 0 }),
  close: async () => {},
}
