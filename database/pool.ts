import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { oneOff, type Sql, type Work } from '../core/sql.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { KEEP_ALIVE, patiently, SESSION, socketOf, withSettings } from './connect.ts'
import { HearingClient, requirePrimary } from './primary.ts'
import { ask, askFirst, askTogether } from './rows-query.ts'
import type { Shares } from './shares.ts'

const COMMIT = oneOff('COMMIT')
const ROLLBACK = oneOff('ROLLBACK')

/**
 * How long a borrowed connection may be silent. PostgreSQL would have answered or cancelled by then, so its
 * host is gone; TCP alone would tell only after a quarter of an hour.
 */
const SILENCE_MS = 20_000

const CONNECT_LIMIT_MS = 5_000

/**
 * The only pool of a process, shared by Prisma, the hot statements and the jobs. A borrowed connection that is
 * silent for `silenceMs` is closed, which fails its statement.
 */
export function createPool(
  url: string,
  size: number,
  onError: (error: Error) => void,
  silenceMs = SILENCE_MS,
): pg.Pool {
  const pool = new pg.Pool({
    Client: HearingClient,
    onConnect: requirePrimary,
    connectionString: withSettings(url, SESSION),
    max: size,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idleTimeoutMillis: 60_000,
    ...KEEP_ALIVE,
    application_name: 'messaging-automation-service',
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', onError)
  // The same holds for a borrowed connection that breaks between two statements; the next statement fails then.
  // The listener is added first of all: PostgreSQL may close a connection right after accepting it.
  pool.on('connect', (client) => void client.on('error', unheard))
  // The socket's own timeout is used: it costs next to nothing and covers every borrower. The connection is
  // closed, not reused, since a late answer would delay the next borrower.
  pool.on('connect', (client) => endWhenSilent(socketOf(client)))
  pool.on('acquire', (client) => void socketOf(client).setTimeout(silenceMs))
  pool.on('release', (_error, client) => void socketOf(client).setTimeout(0))
  return pool
}

/** How many connections of a pool are busy or idle, and how many callers wait for one. */
export function connectionsOf({ totalCount, idleCount, waitingCount }: pg.Pool, shares: Shares) {
  const waiting = waitingCount + shares.waiting()
  return { busy: totalCount - idleCount, idle: idleCount, waiting }
}

function endWhenSilent(socket: Socket): void {
  socket.on('timeout', () => {
    const seconds = (socket.timeout ?? 0) / 1000
    socket.destroy(new Error(`The database has not answered for ${seconds} s`))
  })
}

/**
 * Runs statements over the pool. `silenceMs` is that of the pool, in addition to what a statement allows later
 * ones.
 */
export function createSql(pool: pg.Pool, silenceMs = SILENCE_MS): Sql {
  const announced = new EventEmitter<Record<Work, []>>()
  const borrow = () => patiently(() => pool.connect(), CONNECT_LIMIT_MS)

  async function once<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await borrow()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // The session's cached form of a statement may be the fault.
      client.release(true)
      throw error
    }
  }

  return {
    rows: (asked, values) => once((client) => ask(client, asked, values)),
    together: (asked) => once((client) => askTogether(client, asked)),
    // Outside of a transaction, each statement is committed by the time it is answered.
    announce: (work) => void announced.emit(work),
    onAnnounced(work, hear) {
      announced.on(work, hear)
      return () => void announced.off(work, hear)
    },
    async transaction(work) {
      const client = await borrow()
      const ready = new Set<Work>()
      let isBegun = false
      let isLost = false
      try {
        const result = await work({
          rows: async (asked, values) => {
            const send = isBegun ? ask : askFirst
            isBegun = true
            const rows = await send(client, asked, values)
            const { allowsMs } = asked
            if (allowsMs) socketOf(client).setTimeout(allowsMs + silenceMs)
            return rows
          },
          announce: (made) => void ready.add(made),
        })
        if (isBegun) await ask(client, COMMIT)
        for (const made of ready) announced.emit(made)
        return result
      } catch (error) {
        if (isBegun) await ask(client, ROLLBACK).catch(() => (isLost = true))
        if (hasState(error, SQL_STATES.invalidStatementName)) isLost = true
        throw error
      } finally {
        // A connection that failed to roll back, or has lost its prepared statements, is not reused.
        client.release(isLost)
      }
    },
  }
}

function unheard(): void {}
