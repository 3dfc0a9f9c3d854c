import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { createBuilder } from './bot/build.ts'
import { checkBundle } from './bot/load.ts'
import { readStarter } from './bot/starter-files.ts'
import { createCloudApi } from './channel/cloud-api.ts'
import type { HearRefusal } from './channel/cloud-request.ts'
import { createBatches } from './core/batches.ts'
import { createChangeCache } from './core/cache.ts'
import { closeAll, type Closers, opening } from './core/closers.ts'
import type { Config } from './core/config.ts'
import type { Context } from './core/context.ts'
import { createVault } from './core/crypto.ts'
import { createCursors } from './core/cursor.ts'
import { LIMITS } from './core/limits.ts'
import { createLogger } from './core/logger.ts'
import { createMetrics } from './core/metrics.ts'
import { createAfterwards } from './core/persisting.ts'
import { tellSeldom } from './core/seldom.ts'
import { openCounters } from './counters/open.ts'
import { encryptionKeyFor } from './database/encryption-key.ts'
import { listenForChanges } from './database/listener.ts'
import { connectionsOf, createPool, createSql } from './database/pool.ts'
import { createShares } from './database/shares.ts'
import { createTableStore } from './database/table-store.ts'
import { createWorkNotices, type WorkNotices } from './database/work-notices.ts'
import { createAgents } from './egress/agents.ts'
import { createChatApi } from './egress/chat-api.ts'
import { createTunneledConnect } from './egress/connect.ts'
import { createEgress } from './egress/egress.ts'
import { createTunnel } from './egress/tunnel.ts'
import { PrismaClient } from './generated/prisma/client.ts'
import { openMediaStore } from './storage/open.ts'

export type Opened = {
  ctx: Context
  pool: Pool
  /** Connects to the store that counts requests and uploads, which only a server needs. */
  connectCounters(): Promise<void>
  /** Tells the context where the sandbox listens, once it does. */
  useSandbox(url: string): void
  /** Calls `hear` when work of this kind was committed, by this process or another one. */
  onWork: WorkNotices['onWork']
  /** Closes everything, in reverse order. */
  close(): Promise<void>
}

type Replaced = Partial<Pick<Context, 'now' | 'log' | 'channel' | 'egress'>> & {
  /** For what forgets the secrets that another key has sealed. */
  takesAnyKey?: boolean
}

/**
 * Opens everything that the service needs, or nothing. Throws when the database cannot be reached, or its
 * secrets are encrypted with another key. Tests replace the clock, the log and what reaches the network.
 */
export function openContext(config: Config, url: string, replaced: Replaced = {}): Promise<Opened> {
  const closers: Closers = []
  return opening(closers, () => open(config, url, replaced, closers))
}

async function open(
  config: Config,
  url: string,
  replaced: Replaced,
  closers: Closers,
): Promise<Opened> {
  const log = replaced.log ?? createLogger(config.logLevel)
  const pool = createPool(url, config.databasePoolSize, (error) =>
    log.warn('database.connection_lost', { error }),
  )
  closers.push(() => pool.end())
  const db = new PrismaClient({ adapter: new PrismaPg(pool) })
  closers.push(() => db.$disconnect())
  const sql = createSql(pool)
  const shares = createShares(sql, config.databasePoolSize)
  const metrics = createMetrics(() => connectionsOf(pool, shares))
  const tables = createTableStore({
    url,
    sql,
    size: config.tablePoolSize,
    onLogin: () => metrics.tableLogins.inc(),
    onError: (error) => log.warn('tables.session_not_ended', { error }),
  })
  closers.push(tables.close)
  const cache = createChangeCache()
  const now = replaced.now ?? (() => new Date())
  const onProblem = (error: unknown) => tellSeldom(log, 'warn', 'redis.failed', { error })
  const counters = openCounters(config, { now, metrics, onProblem })
  closers.push(counters.close)
  const { requestCounter, uploadBudget } = counters
  // Well within the lock: a key must not be taken from a send that is merely slow.
  const timeoutMs = Math.min(LIMITS.channelTimeoutMs, config.idempotencyLockMs / 2)
  const hear: HearRefusal = ({ projectId }, { code, subcode, httpStatus, traceId }) => {
    // Meta's support finds requests by this id; an answer without one is not from Meta.
    if (traceId === null) return
    log.info('channel.refused', { project: projectId, code, subcode, httpStatus, traceId })
  }
  const { tunnel, connect } = wayOut(config)
  const channel = replaced.channel ?? createCloudApi({ timeoutMs, hear, connect })
  closers.push(() => channel.close())
  const chat = createChatApi(config, connect)
  closers.push(() => chat?.close())
  const egress = replaced.egress ?? createEgress({ allow: config.egressAllow, log, tunnel })
  closers.push(() => egress.close())
  const notices = createWorkNotices(
    sql,
    { works: ['deliveries', 'bots'], intervalMs: LIMITS.deliveriesNoticeMs },
    (error) => log.warn('database.notice_failed', { error }),
  )
  closers.push(notices.close)
  const agents = connect && ((most: number) => createAgents(connect, most))
  const mediaStore = await openMediaStore(config, now, agents)
  closers.push(() => mediaStore.close())
  const stopListening = await listenForChanges(url, {
    onWork: notices.receive,
    onChange: cache.clear,
    onListening: cache.trust,
    onDeaf: (error) => void log.warn('database.not_listening', { error }),
    onHearing: () => void log.info('database.listening'),
  })
  closers.push(stopListening)
  // Only after listening has begun: a change of key counts the processes that listen, and any later one meets
  // the new key.
  const key = await encryptionKeyFor(config, sql, replaced.takesAnyKey)
  const afterwards = createAfterwards()
  closers.push(afterwards.close)
  let sandboxUrl: string | null = null
  const ctx: Context = {
    config,
    db,
    sql,
    sqlOf: shares.sqlOf,
    tables,
    cache,
    channel,
    chat,
    egress,
    log,
    batches: createBatches({
      atOnce: LIMITS.sendBatchesAtOnce,
      weightMax: LIMITS.sendBatchItems,
      apartMs: LIMITS.batchApartMs,
      onFailure: (group, size, error) => log.warn('batch.failed', { group, size, error }),
    }),
    afterwards,
    botCode: { build: createBuilder(), check: checkBundle },
    starter: readStarter(),
    vault: createVault(key),
    cursors: createCursors(key),
    metrics,
    now,
    requestCounter,
    uploadBudget,
    mediaStore,
    sandboxUrl: () => sandboxUrl,
  }
  const useSandbox = (at: string) => void (sandboxUrl = at)
  const { connect: connectCounters } = counters
  const close = () => closeAll(closers)
  return { ctx, pool, close, useSandbox, connectCounters, onWork: notices.onWork }
}

/** Through the proxy of the settings, if they name one. */
function wayOut({ egressProxyUrl, egressAllow }: Config) {
  if (egressProxyUrl === null) return { tunnel: null }
  const tunnel = createTunnel(egressProxyUrl)
  const allow = new Set(egressAllow)
  const connect = createTunneledConnect({ tunnel, allow, timeoutMs: LIMITS.tunnelMs })
  return { tunnel, connect }
}
