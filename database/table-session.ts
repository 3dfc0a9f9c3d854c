import { Socket } from 'node:net'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { oneOff, type Row, sqlFaultOf, type Statement } from '../core/sql.ts'
import { SQL_STATES } from '../core/sql-states.ts'
import { statementTooSlow } from '../core/table-errors.ts'
import { endConnection, sessionOptions } from './connect.ts'
import { HearingClient, requirePrimary } from './primary.ts'
import { ask, askTogether } from './rows-query.ts'
import { addressFor } from './table-roles.ts'

/** How long after its own timeout a statement's session is ended from outside. */
const GRACE_MS = 1_000
const CONNECT_LIMIT_MS = 5_000
/** A session may have been altered by a project's code, so it serves one project only, and not for long. */
const LIFE_MS = 60_000
const STATEMENTS_MAX = 200
/** A slower statement is called slow: no other one is queued behind it. */
const SLOW_MS = 50
/** SQLSTATEs after which a prepared statement's name may be invalid in the session. */
const STALE = /^(26|42|0A)/
/** SQLSTATEs that PostgreSQL sends when it ends the session, just before the connection closes. */
export const ENDED = /^(08|57P)/
const TIMED_OUT: string[] = [SQL_STATES.queryCanceled, SQL_STATES.lockNotAvailable]

const READ_ONLY = 'default_transaction_read_only'
type Parameter = { parameterName: string; parameterValue: string }

const begin = oneOff('BEGIN')
const backendPid = oneOff('SELECT pg_catalog.pg_backend_pid()')

/** Settings of every session of a project's role; a change by the project lasts until the session ends. */
const SETTINGS = {
  search_path: 'pg_catalog',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  xmlbinary: 'base64',
  // All digits: one that is missing would be another number, and no page would end behind it.
  extra_float_digits: 1,
  work_mem: '8MB',
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  client_min_messages: 'error',
}

/** One session of one role. It accepts several statements at a time, and answers them in order. */
export type TableSession = {
  role: string
  /** Whether the statement under way is slow. */
  isSlow(): boolean
  /** Whether it accepts more statements; a session that does not is closed once it has answered. */
  isUsable(): boolean
  /** Whether the session failed, and not just the statement. */
  isBroken(): boolean
  run(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Begins a transaction together with its first statement, which must have no name, in one round trip. */
  begin(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Stops accepting statements. */
  retire(): void
  close(): Promise<void>
}

type Job = { sentAt: number; fault: ServiceError | null }

export type SessionOptions = {
  url: string
  role: string
  password: string
  isReadOnly: boolean
  /** Ends a session by its process id, whatever it is doing. */
  terminate: (pid: number) => Promise<void>
  /** Called with whether a named statement was answered quickly. */
  onTimed: (name: string, isQuick: boolean) => void
}

/** Opens a session. Throws errors of PostgreSQL and the network. */
export async function openSession(options: SessionOptions): Promise<TableSession> {
  const { role } = options
  const jobs: Job[] = []
  const names = new Set<string>()
  const openedAt = performance.now()
  let bytes = 0
  let broken = false
  let isStale = false
  const socket = new Socket()
  const client = connectionOf(options, socket)
  client.on('error', () => (broken = true))
  client.on('end', () => (broken = true))
  // Code of the project that a read runs may turn this off. PostgreSQL 14 and later report it, and the session is
  // not used again, so that no later read can write.
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
    if (parameterName === READ_ONLY && parameterValue !== 'on') isStale ||= options.isReadOnly
  })
  await client.connect()
  requirePrimary(client)
  const [row] = await ask(client, backendPid)
  const pid = Number(row?.[0])

  /** Ends the session because of the statement under way; the others may be sent again elsewhere. */
  const abandon = (job: Job | undefined, fault: ServiceError | null) => {
    if (job) job.fault = fault
    broken = true
    socket.destroy()
    void options.terminate(pid)
  }
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const [job] = jobs
    if (job && bytes > LIMITS.tablePageBytes && !broken) abandon(job, tooLarge())
  })
  let isCorked = false
  /** Statements of the same turn of the event loop leave in one write. */
  const gatherWrites = () => {
    if (isCorked) return
    isCorked = true
    socket.cork()
    process.nextTick(() => {
      isCorked = false
      socket.uncork()
    })
  }
  /** Sends a statement, and waits for its answer within its time. */
  const settle = async (name: string, send: () => Promise<Row[]>): Promise<Row[]> => {
    const job: Job = { sentAt: performance.now(), fault: null }
    jobs.push(job)
    if (name !== '') names.add(name)
    const limitMs = jobs.length * LIMITS.tableStatementMs + GRACE_MS
    const timer = setTimeout(() => abandon(job, statementTooSlow()), limitMs)
    try {
      gatherWrites()
      const answered = await send()
      options.onTimed(name, performance.now() - job.sentAt <= SLOW_MS)
      return answered
    } catch (error) {
      const state = sqlFaultOf(error)?.state ?? ''
      if (STALE.test(state)) isStale = true
      // The session has ended, so nothing must be sent to it again.
      if (ENDED.test(state)) broken = true
      // Statements behind one that timed out, itself or waiting for a lock, have waited long enough.
      const isTooSlow = TIMED_OUT.includes(state)
      if (isTooSlow) options.onTimed(name, false)
      if (isTooSlow && jobs.length > 1) abandon(jobs[1], null)
      throw job.fault ?? error
    } finally {
      clearTimeout(timer)
      jobs.splice(jobs.indexOf(job), 1)
      bytes = 0
      // The next statement begins only now.
      if (jobs[0]) jobs[0].sentAt = performance.now()
    }
  }
  return {
    role,
    isSlow: () => jobs[0] !== undefined && performance.now() - jobs[0].sentAt > SLOW_MS,
    isUsable: () =>
      !broken && !isStale && names.size < STATEMENTS_MAX && performance.now() - openedAt < LIFE_MS,
    isBroken: () => broken,
    retire: () => void (isStale = true),
    run: (asked, values) => settle(asked.name, () => ask(client, asked, values)),
    begin: (asked, values) =>
      settle(asked.name, async () => {
        const first = { statement: asked, values }
        const [, rows = []] = await askTogether(client, [{ statement: begin }, first])
        return rows
      }),
    async close() {
      if (jobs.length > 0) abandon(undefined, null)
      else if (broken) socket.destroy()
      else await endConnection(client)
    },
  }
}

function connectionOf({ url, role, password, isReadOnly }: SessionOptions, socket: Socket) {
  const settings = {
    ...SETTINGS,
    statement_timeout: LIMITS.tableStatementMs,
    lock_timeout: LIMITS.tableLockWaitMs,
    idle_in_transaction_session_timeout: LIMITS.tableStatementMs,
    [READ_ONLY]: isReadOnly ? 'on' : 'off',
  }
  return new HearingClient({
    connectionString: addressFor(url, role, password),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    application_name: 'messaging-automation-service tables',
    pipeline: true,
    stream: () => socket,
    options: sessionOptions(settings),
  })
}

function tooLarge(): ServiceError {
  const mebibytes = LIMITS.tablePageBytes / (1024 * 1024)
  return new ServiceError(
    'bad_request',
    `The rows are larger than ${mebibytes} MiB; ask for fewer rows or columns.`,
  )
}
