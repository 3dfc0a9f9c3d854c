import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openEmbeddedPostgres } from '../../database/embedded.ts'
import { applyMigrations } from '../../database/migrations.ts'
import { MIGRATIONS } from '../../database/open.ts'
import { findPostmaster } from '../../database/postgres-process.ts'
import type { OpenDatabase } from './bed.ts'

/** `immediate` leaves everything to recovery, as a power cut does; `fast` ends it in order. */
export type Stop = 'immediate' | 'fast'

/** A PostgreSQL of the scenario's own, on a disk that it waits for, which can be stopped. */
export type FaultyPostgres = {
  open: OpenDatabase
  /** Stops it, leaves it away for so long, and starts it again at the same address. */
  restart(stop: Stop, awayMs: number): Promise<void>
  /** When it was surely away, by `performance.now()`. */
  away: { from: number; to: number }[]
  stops: Record<Stop, number>
}

const SETTINGS = { max_connections: '150' }
const GONE_POLL_MS = 5
const GONE_LIMIT_MS = 20_000

/** Makes one; it starts when the bed opens it. */
export function createFaultyPostgres(): FaultyPostgres {
  let dataDir = ''
  let url = ''
  const start = () => openEmbeddedPostgres({ dataDir, settings: SETTINGS })
  const faulty: FaultyPostgres = {
    away: [],
    stops: { immediate: 0, fast: 0 },
    async open(folder, atEnd) {
      dataDir = folder
      const postgres = await start()
      atEnd(() => postgres.stop())
      url = postgres.url
      await applyMigrations({ url, folder: MIGRATIONS })
      return url
    },
    async restart(stop, awayMs) {
      const data = path.join(dataDir, 'postgres')
      const running = await findPostmaster(data)
      if (!running) throw new Error('PostgreSQL has ended by itself')
      process.kill(running.pid, stop === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await untilGone(data, running.pid)
      const from = performance.now()
      await pause(awayMs)
      faulty.away.push({ from, to: performance.now() })
      const again = await start()
      if (again.url !== url) throw new Error('PostgreSQL came back at another address')
      faulty.stops[stop]++
    },
  }
  return faulty
}

async function untilGone(data: string, pid: number): Promise<void> {
  const deadline = performance.now() + GONE_LIMIT_MS
  while ((await findPostmaster(data))?.pid === pid) {
    if (performance.now() > deadline) throw new Error('PostgreSQL does not stop')
    await pause(GONE_POLL_MS)
  }
}
