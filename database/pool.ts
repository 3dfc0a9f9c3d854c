import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { oneOff, type Sql, sqlFaultOf, type Work } from '../core/sql.ts'
import { KEEP_ALIVE } from './connect.ts'
import { ask, askFirst } from './rows-query.ts'
import type { Shares } from './shares.ts'

const COMMIT = oneOff('COMMIT')
const ROLLBACK = oneOff('ROLLBACK')
/** A prepared statement is not known to the session, which was told to forget it. */
const FORGOTTEN = '26000'

/**
 * Settings of every connection of the service: times and bytes as they are read here, whatever the database's
 * own settings are, and no statement that never ends. Making machine code of one that ends in milliseconds
 * takes longer than it does.
 */
const SESSION = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'bytea_output=hex',
  'jit=off',
  'statement_timeout=10000',
  'lock_timeout=5000',
  'idle_in_transaction_session_timeout=15000',
]

/**
 * How long a connection that is lent out may be silent. PostgreSQL would have answered, or ended it, by
 * then: its host is gone, of which TCP would tell only after a quarter of an hour.
 */
const SILENCE_MS = 20_000

/**
 * The one pool of a process; Prisma, the hot statements and the jobs share it. A connection that is silent
 * for `silenceMs` while somebody has it is ended, and fails what it was asked.
 */
export function createPool(
  url: string,
  size: number,
  onError: (error: Error) => void,
  silenceMs = SILENCE_MS,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    ...KEEP_ALIVE,
    options: SESSION.map((setting) => `-c ${setting}`).join(' '),
    application_name: 'messaging-automation-service',
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', onError)
  // So would one that is lent out and breaks between two statements, the next of which fails then. It
  // is listened to from its first moment: PostgreSQL may dismiss it in the same breath as it welcomes it.
  pool.on('connect', (client) => void client.on('error', unheard))
  // The socket keeps the time, which costs next to nothing, and serves whoever borrows the connection. It
  // is ended rather than given back: an answer that comes after all would hold up the next borrower.
  pool.on('connect', (client) => endWhenSilent(socketOf(client)))
  pool.on('acquire', (client) => void socketOf(client).setTimeout(silenceMs))
  pool.on('release', (_error, client) => void socketOf(client).setTimeout(0))
  return pool
}

/** How many connections of a pool are at work or idle, and how many wait for one. */
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

function socketOf({ connection }: pg.Client): Socket {
  return connection.stream as Socket
}

/**
 * Statements over the pool. `silenceMs` is that of the pool, on top of what a statement allows those
 * after it.
 */
export function createSql(pool: pg.Pool, silenceMs = SILENCE_MS): Sql {
  const announced = new EventEmitter<Record<Work, []>>()
  return {
    async rows(asked, values) {
      const client = await pool.connect()
      try {
        const rows = await ask(client, asked, values)
        client.release()
        return rows
      } catch (error) {
        // What the connection keeps of the statement may be what is wrong.
        client.release(true)
        throw error
      }
    },
    // Each statement of the pool is a transaction of its own, committed when it is answered.
    announce: (work) => void announced.emit(work),
    onAnnounced(work, hear) {
      announced.on(work, hear)
      return () => void announced.off(work, hear)
    },
    async transaction(work) {
      const client = await pool.connect()
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
        if (sqlFaultOf(error)?.state === FORGOTTEN) isLost = true
        throw error
      } finally {
        // A connection that could not even roll back, or has forgotten, is not given to the next one.
        client.release(isLost)
      }
    },
  }
}

function unheard(): void {}
