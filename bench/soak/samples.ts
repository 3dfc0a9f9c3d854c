import { readdirSync, readFileSync } from 'node:fs'
import { createClient as connectToRedis } from 'redis'
import { cpuTimeUs } from '../processes.ts'
import type { Client } from './client.ts'
import type { Ground, Server } from './ground.ts'

/** The size of a table; `rows` and `dead` as counted by PostgreSQL. */
export type TableSize = { rows: number; dead: number; bytes: number; indexBytes: number }

/** Everything measured at one moment of the monotonic clock. */
export type Sample = {
  atMs: number
  figures: Readonly<Record<string, number>>
  tables: ReadonlyMap<string, TableSize>
}

export type Sampler = { take(): Promise<void>; samples: readonly Sample[]; close(): void }

const MEGABYTE = 1_048_576
/** The names of figures, and the metrics that they come from. */
const METRICS: Record<string, { metric: string; factor: number }> = {
  'heap, MB': { metric: 'nodejs_heap_size_used_bytes', factor: 1 / MEGABYTE },
  'external memory, MB': { metric: 'nodejs_external_memory_bytes', factor: 1 / MEGABYTE },
  'active resources': { metric: 'nodejs_active_resources_total', factor: 1 },
  'event loop p99, ms': { metric: 'nodejs_eventloop_lag_p99_seconds', factor: 1_000 },
}

/** Measures the servers, PostgreSQL and Redis when it is told to. */
export async function createSampler(ground: Ground): Promise<Sampler> {
  const { redisUrl } = ground.bed
  const redis = redisUrl === null ? null : connectToRedis({ url: redisUrl })
  redis?.on('error', () => {})
  await redis?.connect()
  const samples: Sample[] = []
  const redisFigures = async (): Promise<Record<string, number>> => {
    if (!redis) return {}
    const used = /used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]
    return { 'Redis, MB': Number(used) / MEGABYTE, 'Redis keys': await redis.dbSize() }
  }
  return {
    samples,
    async take() {
      const atMs = performance.now()
      const servers = await Promise.all(
        ground.servers.map((one) => lookAt(one, ground.client, atMs)),
      )
      const [backends, tables] = [await backendsOf(ground), await tablesOf(ground)]
      const machine = { 'somebody waits for a CPU, %': cpuPressure() }
      const shared = { 'PostgreSQL backends': backends, ...(await redisFigures()), ...machine }
      samples.push({ atMs, figures: Object.assign({}, ...servers, shared), tables })
    },
    close: () => void redis?.destroy(),
  }
}

async function lookAt({ name, url, pid }: Server, client: Client, atMs: number) {
  await client.ask('readyz', 'GET /readyz', { expect: 200, url })
  const metrics = (
    await client.ask('metrics', 'GET /metrics', { expect: 200, url })
  ).bytes.toString()
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  const figures: Record<string, number> = { 'RSS, MB': read('VmRSS') / 1_024 }
  for (const [figure, { metric, factor }] of Object.entries(METRICS)) {
    figures[figure] = factor * Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(metrics)?.[1])
  }
  figures['open files'] = readdirSync(`/proc/${pid}/fd`).length
  figures['threads'] = read('Threads')
  figures['CPU, % of a core'] = cpuShare(pid, atMs)
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [`${name}: ${key}`, value]),
  )
}

const cpuBefore = new Map<number, { atMs: number; usedUs: number }>()

/** Since the previous sample; NaN for a new process. */
function cpuShare(pid: number, atMs: number): number {
  const before = cpuBefore.get(pid)
  const usedUs = cpuTimeUs(pid)
  cpuBefore.set(pid, { atMs, usedUs })
  return before ? (usedUs - before.usedUs) / (10 * (atMs - before.atMs)) : Number.NaN
}

/**
 * The share of the last ten seconds in which a process of this machine waited for a CPU; NaN where that is
 * unknown.
 */
function cpuPressure(): number {
  try {
    return Number(/^some avg10=(\S+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

async function backendsOf({ bed }: Ground): Promise<number> {
  const { rows } = await bed.admin.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  return Number(rows[0]?.count)
}

async function tablesOf({ bed, project }: Ground): Promise<Map<string, TableSize>> {
  const { rows } = await bed.admin.query<Record<string, string>>(
    `SELECT s.schemaname AS schema, s.relname AS name, s.n_live_tup AS rows, s.n_dead_tup AS dead,
            pg_total_relation_size(s.relid) AS bytes, pg_indexes_size(s.relid) AS index_bytes
       FROM pg_stat_user_tables s`,
  )
  const size = (row: Record<string, string>) => ({
    rows: Number(row.rows),
    dead: Number(row.dead),
    bytes: Number(row.bytes),
    indexBytes: Number(row.index_bytes),
  })
  const nameOf = ({ schema, name = '' }: Record<string, string>) =>
    schema === 'public' ? name : `${name} of project ${project.id}`
  return new Map(rows.map((row) => [nameOf(row), size(row)]))
}
