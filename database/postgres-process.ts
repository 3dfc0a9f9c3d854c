import { execFile } from 'node:child_process'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hasCode, ifThere } from '../core/caught-errors.ts'

/** A running server of a data folder; `ready` once it accepts connections. */
export type Postmaster = { pid: number; port: number; ready: boolean }

const STOP_LIMIT_MS = 10_000
export const POLL_MS = 10

/**
 * The server that is running on a data folder, or undefined. Its pid file alone proves nothing: it outlives a
 * killed server, and its pid may belong to another program by now.
 */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(folder)
  const [pid, , , port, , , , status] = (text ?? '').split('\n')
  if (!pid || !(await serves(Number(pid), folder))) return undefined
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' }
}

/**
 * The position of the cluster state, a number of four bytes, in `pg_control`; and its value after a shutdown.
 */
const STATE_AT = 16
const SHUT_DOWN = 1

/**
 * Whether the server of a folder has ended without a shutdown: it was killed, or it gave up, as on a full disk.
 * In the latter case it removes its pid file.
 */
export async function wasCutOff(folder: string): Promise<boolean> {
  const control = await ifThere(readFile(join(folder, 'global', 'pg_control')))
  if (control?.readInt32LE(STATE_AT) === SHUT_DOWN) return false
  return control !== undefined && (await findPostmaster(folder)) === undefined
}

/**
 * Removes the pid file when it names a living process of something else, which would keep PostgreSQL from
 * starting. The file of a dead process is left to PostgreSQL, which replaces it.
 */
export async function removeForeignPidFile(folder: string): Promise<void> {
  const text = await readPidFile(folder)
  const pid = Number(text?.split('\n')[0])
  if (!pid || !isAlive(pid) || (await serves(pid, folder))) return
  const path = join(folder, 'postmaster.pid')
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
    // Since the file was read, another process may have done this and started its server.
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, path)
  } catch (error) {
    // Gone or back again: another process is doing the same, and PostgreSQL's own start decides.
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error
  }
  await rm(aside, { force: true })
}

/** Stops the server of a folder, if one runs, and waits until it has; throws after 10 s. */
export async function stopPostmaster(folder: string): Promise<void> {
  const running = await findPostmaster(folder)
  if (!running) return
  // SIGINT is PostgreSQL's "fast" shutdown: it ends sessions and needs no recovery afterwards.
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
  return ifThere(readFile(join(folder, 'postmaster.pid'), 'utf8'))
}

/** Whether a process exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0)
}

/**
 * Signals a process; false when it does not exist. One of another user counts as existing, but cannot be
 * signalled.
 */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

/** Whether a process is the server of this very folder, and not of a copy. */
async function serves(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    // A server's working directory is its folder; inodes are compared, since the folder may have been moved.
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return there.ino === here.ino && there.dev === here.dev
  } catch {
    // No /proc on this system, or the process belongs to another user: its command line tells.
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
