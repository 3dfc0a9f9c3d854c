import { isServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import type { TableAccess, TablePlace, TableStore } from '../core/ports.ts'
import { retrying } from '../core/retrying.ts'
import { oneOff, type Sql, type SqlClient, sqlFaultOf, statement } from '../core/sql.ts'
import { hasState, SQL_STATES } from '../core/sql-states.ts'
import { patiently } from './connect.ts'
import { incompleteSchemas } from './table-restores.ts'
import { createTableLocks, FREE, type Turn } from './table-locks.ts'
import { ENDED, openSession, type TableSession } from './table-session.ts'
import { createSessionPool, type Wish } from './table-session-pool.ts'
import {
  allowLogin,
  createSchema,
  dropSchema,
  resetPassword,
  restoreRights,
} from './table-roles.ts'
import { type PasswordForm, roleName, type TableRole, wantsPlain } from './table-roles.ts'
import { applyScript } from './table-script.ts'

const READ_TRIES = 2
/** A statement that fails twice with a conflict was delayed by others; the third try is the last. */
const WRITE_TRIES = 3
/** One for each form of passwords. */
const PASSWORD_TRIES = 2
/** Concurrent scripts for one schema conflict when they grant rights. */
const APPLY_TRIES = 6
/** How many statements are remembered as quick. */
const QUICK_MAX = 5_000

/** A session that writes serves one request at a time; one that reads, many. */
const WRITERS_SHARE = 0.4

const endSession = statement('end-table-session', 'SELECT pg_terminate_backend($1)')

type Options = {
  url: string
  /** How many sessions there may be at once. */
  size: number
  /** Over the service's own connections: used to end sessions that do not end by themselves. */
  sql: Sql
  /** Called with each session that is opened for reading or writing. */
  onLogin: () => void
  onError: (error: unknown) => void
}

type Login = { role: string; password: string }

/**
 * Access to project tables over sessions of their own roles. A session belongs to one role of one schema from
 * its login on, so nothing that a project's code does can reach further: there is no other role for `SET ROLE`
 * to become.
 */
export function createTableStore({ url, size, sql, onLogin, onError }: Options): TableStore {
  const terminate = (pid: number) => sql.rows(endSession, [pid]).then(() => {}, onError)
  const most = sharesOf(size)
  const readers = createSessionPool({
    most: most.readers,
    mostOfRole: LIMITS.tableReadersOfProject,
    unshared: 2,
    depth: 16,
  })
  const writers = createSessionPool({
    most: most.writers,
    mostOfRole: LIMITS.tableWritersOfProject,
    unshared: LIMITS.tableWritersOfProject,
    depth: 1,
  })
  const locks = createTableLocks()
  let form: PasswordForm = 'hashed'
  const isOtherFormWanted = (error: unknown): boolean => {
    if (!wantsPlain(error)) return false
    form = 'plain'
    return true
  }
  const settingPasswords = <T>(work: () => Promise<T>): Promise<T> =>
    retrying(PASSWORD_TRIES, isOtherFormWanted, work)
  const quick = new Set<string>()
  const onTimed = (name: string, isQuick: boolean) => {
    if (!isQuick) quick.delete(name)
    else if (name !== '' && !quick.has(name)) {
      if (quick.size >= QUICK_MAX) quick.clear()
      quick.add(name)
    }
  }
  /** A role may change its own password in PostgreSQL, and so may a project's code; the password is reset then. */
  const withPassword = async <T>({ role, password }: Login, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!hasState(error, SQL_STATES.invalidPassword)) throw error
      await settingPasswords(() => sql.transaction((tx) => resetPassword(tx, role, password, form)))
      return work()
    }
  }
  const wish = ({ schema, password }: TableAccess, kind: TableRole, name: string): Wish => {
    const role = roleName(schema, kind)
    const isReadOnly = kind === 'reader'
    const settings = { url, role, password, isReadOnly, terminate, onTimed }
    const open = async () => {
      const session = await patiently(() => openSession(settings), LIMITS.tableConnectionWaitMs)
      onLogin()
      return session
    }
    const isQuick = quick.has(name)
    return { role, isQuick, open: () => withPassword({ role, password }, open) }
  }
  /** Of a partitioned table some partitions may be locked, which does not concern statements on the others. */
  const past = <T>(
    { access, name, isPartitioned }: TablePlace,
    kind: TableRole,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> =>
    isPartitioned ? work(FREE) : locks.pass(`${kind} ${access.schema} ${name}`, work)
  return {
    creating: settingPasswords,
    create: (tx, { schema, password }) => createSchema(tx, schema, password, form),
    incomplete: (schemas) => incompleteSchemas(sql, schemas),
    allowLogin,
    drop: dropSchema,
    read(table, statement, values) {
      let { name } = statement
      return retrying(READ_TRIES, isLost, () =>
        past(table, 'reader', ({ isProbe, check }) => {
          const wished = wish(table.access, 'reader', isProbe ? '' : name)
          // Sent again, it has its session to itself: no other one on it can end it a second time.
          name = ''
          return readers.use(wished, (session) => {
            check()
            return session.run(statement, values)
          })
        }),
      )
    },
    write: (table, work) =>
      retrying(WRITE_TRIES, isConflict, () =>
        past(table, 'writer', ({ check }) =>
          writers.use(wish(table.access, 'writer', ''), (session) => {
            check()
            return transact(session, work)
          }),
        ),
      ),
    apply: (access, script, stop = new AbortController().signal) =>
      retrying(APPLY_TRIES, isConflict, () =>
        withPassword({ role: roleName(access.schema, 'owner'), password: access.password }, () =>
          applyScript({ url, access, script, stop, terminate }),
        ),
      ).then(() => restoreRights(sql, access.schema)),
    close: async () => void (await Promise.all([readers.close(), writers.close()])),
  }
}

/** How many of a number of sessions read, and how many write. */
export function sharesOf(size: number): { readers: number; writers: number } {
  const writers = Math.floor(size * WRITERS_SHARE)
  return { readers: size - writers, writers }
}

/** The session failed under the statement, perhaps because of another statement on it. */
function isLost(error: unknown): boolean {
  if (isServiceError(error)) return false
  const state = sqlFaultOf(error)?.state
  return state === undefined || ENDED.test(state) || state === SQL_STATES.invalidStatementName
}

function isConflict(error: unknown): boolean {
  if (hasState(error, SQL_STATES.serializationFailure, SQL_STATES.deadlockDetected)) return true
  const { state, message = '' } = sqlFaultOf(error) ?? {}
  // PostgreSQL reports concurrent changes of its catalogs only as this internal error.
  return state === SQL_STATES.internalError && message.startsWith('tuple concurrently')
}

/** Takes a round trip for each statement, and one to commit. */
async function transact<T>(session: TableSession, work: (tx: SqlClient) => Promise<T>): Promise<T> {
  let isBegun = false
  const rows: SqlClient['rows'] = (one, values = []) => {
    if (isBegun) return session.run(one, values)
    isBegun = true
    return session.begin(one, values)
  }
  try {
    // Changes of a project's own tables make no work for the service.
    const result = await work({ rows, announce: () => {} })
    if (isBegun) await end(session, 'COMMIT')
    return result
  } catch (error) {
    // The end of a session rolls its transaction back as well.
    if (isBegun && !session.isBroken()) await end(session, 'ROLLBACK').catch(session.retire)
    throw error
  }
}

/** Ends a transaction, and discards settings, locks and subscriptions that a project's triggers have left. */
async function end(session: TableSession, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  const ended = session.run(oneOff(how), [])
  // Sent at once: it is answered after the transaction's end, however that turns out.
  const tidied = session.run(oneOff('DISCARD ALL'), [])
  const [, tidy] = await Promise.allSettled([ended, tidied])
  if (tidy.status === 'rejected') session.retire()
  await ended
}
