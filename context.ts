import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { createCloudApi } from './channel/cloud-api.ts'
import { createBatches } from './core/batches.ts'
import { createChangeCache } from './core/cache.ts'
import type { Config } from './core/config.ts'
import type { Context } from './core/context.ts'
import { createVault } from './core/crypto.ts'
import { createCursors } from './core/cursor.ts'
import { LIMITS } from './core/limits.ts'
import { createLogger } from './core/logger.ts'
import { createMetrics } from './core/metrics.ts'
import { encryptionKeyFor } from './database/encryption-key.ts'
import { listenForChanges } from './database/listener.ts'
import { createPool, createSql } from './database/pool.ts'
import { PrismaClient } from './generated/prisma/client.ts'

export type Opened = {
  ctx: Context
  pool: Pool
  /** Tells the context where the sandbox listens, once it does. */
  useSandbox(url: string): void
  /** Closes what was opened, in reverse. */
  close(): Promise<void>
}

type Replaced = Partial<Pick<Context, 'now' | 'log' | 'channel'>>

/**
 * Opens everything that the service needs from its configuration. Throws when the database cannot be
 * reached, or its secrets are sealed with another key. Tests replace the clock, the log or the channel.
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
  try {
    const key = await encryptionKeyFor(config, sql)
    const stopListening = await listenForChanges(url, {
      onChange: cache.clear,
      onListening: cache.trust,
    })
    let sandboxUrl: string | null = null
    const ctx: Context = {
      ...{ config, db, sql, cache, channel, log },
      batches: createBatches({
        atOnce: LIMITS.sendBatchesAtOnce,
        weightMax: LIMITS.sendBatchItems,
        apartMs: LIMITS.batchApartMs,
        onFailure: (group, size, error) => log.warn('batch.failed', { group, size, error }),
      }),
      vault: createVault(key),
      cursors: createCursors(key),
      metrics: createMetrics(),
      sandboxUrl: () => sandboxUrl,
      now: replaced.now ?? (() => new Date()),
    }
    const close = async () => {
      await stopListening()
      await channel.close()
      await db.$disconnect()
      await pool.end()
    }
    return { ctx, pool, close, useSandbox: (at) => void (sandboxUrl = at) }
  } catch (error) {
    await pool.end()
    throw error
  }
}
