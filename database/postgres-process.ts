import { execFile } from 'node:child_process'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify, types } from 'node:util'

/** A running server of a data folder; `ready` once it accepts connections. */
export type Postmaster = { pid: number; port: number; ready: boolean }

const STOP_LIMIT_MS = 10_000
export const POLL_MS = 10

/**
 * The server that runs on a data folder now, or undefined. Its pid file alone proves nothing: it
 * outlives a server that was killed, and its pid may belong to another program by now.
 */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(folder)
  const [pid, , , port, , , , status] = (text ?? '').split('\n')
  if (!pid || !(await serves(Number(pid), folder))) return undefined
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' }
}

/** Where PostgreSQL keeps in what state its data are, as a number of four bytes, and the one of data that were shut down. */
const STATE_AT = 16
const SHUT_DOWN = 1

/**
 * Whether the server of a folder has ended without having been shut down: it was killed, or found no way on, as
 * one does whose disk is full. Of these, the latter takes its pid file away.
 */
export async function wasCutOff(folder: string): Promise<boolean> {
  const control = await orNothing(readFile(join(folder, 'global', 'pg_control')))
  if (control?.readInt32LE(STATE_AT) === SHUT_DOWN) return false
  return control !== undefined && (await findPostmaster(folder)) === undefined
}

/**
 * Removes the pid file when it names a living process of something else, which would keep
 * PostgreSQL from starting. The file of a dead process is left to PostgreSQL, which replaces it.
 */
export async function removeForeignPidFile(folder: string): Promise<void> {
  const text = await readPidFile(folder)
  const pid = Number(text?.split('\n')[0])
  if (!pid || !isAlive(pid) || (await serves(pid, folder))) return
  const path = join(folder, 'postmaster.pid')
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
    // Another process may have done all this and started its server since the file was read.
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, path)
  } catch (error) {
    // Gone or there again: another process is at it, and PostgreSQL's own start decides.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw error
  }
  await rm(aside, { force: true })
}

/** Stops the server of a folder, if one runs, and waits until it has; throws after 10 s. */
export async function stopPostmaster(folder: string): Promise<void> {
  const running = await findPostmaster(folder)
  if (!running) return
  // SIGINT is PostgreSQL's "fast" shutdown: it ends sessions and leaves nothing to recover.
  signal(running.pid, 'SIGINT')
  const deadline = performance.now() + STOP_LIMIT_MS
  while (performance.now() < deadline) {
    if ((await findPostmaster(folder))?.pid !== running.pid) return
    await pause(POLL_MS)
  }
  throw new Error(
    `PostgreSQL (process ${running.pid}) has not stopped within ${STOP_LIMIT_MS / 1000} s.`,
  )
}

function readPidFile(folder: string): Promise<string | undefined> {
  return orNothing(readFile(join(folder, 'postmaster.pid'), 'utf8'))
}

/** What is read of a file; undefined when it is not there. */
function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Whether a process exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

/** Signals a process; false when it no longer exists. Another user's exists, but is not told. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

function hasCode(error: unknown, code: string): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === code
}

/** Whether a process is the server of this very folder; one that was copied has its own. */
async function serves(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    // A server works inside its folder; comparing inodes holds when the folder has been moved.
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return there.ino === here.ino && there.dev === here.dev
  } catch {
    // No /proc on this system, or the process is another user's: its command line still tells.
    const command = await commandOf(pid)
    return command.includes('postgres') && command.includes(folder)
  }
}

async function commandOf(pid: number): Promise<string> {
  const listed = () => promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)])
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() =>
    listed().then(
      ({ stdout }) => stdout,
      () => '', // ps fails when the process has ended
    ),
  )
}
