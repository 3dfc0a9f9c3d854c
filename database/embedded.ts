import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAboutFile, messageOf } from '../core/caught-errors.ts'
import { makeFolder } from '../core/make-folder.ts'
import { connectOrCreate, endConnection } from './connect.ts'
import {
  type Access,
  holdsData,
  prepareData,
  readAccess,
  removeAbandonedDrafts,
  USER,
  writeAccess,
} from './embedded-folder.ts'
import { chooseLaunch, commandLine, PROGRAM_ENV } from './postgres-account.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import {
  findPostmaster,
  POLL_MS,
  type Postmaster,
  removeForeignPidFile,
  stopPostmaster,
} from './postgres-process.ts'

/** `startedHere` is false when another process has started the server and may be using it. */
export type EmbeddedPostgres = { url: string; startedHere: boolean; stop(): Promise<void> }

type Options = {
  dataDir: string
  onProgress?: (line: string) => void
  /** Server settings such as `fsync`, for the server if this call starts it. */
  settings?: Record<string, string>
}

const DATABASE = 'service'
/** Long, because after a crash the server first replays its write-ahead log. */
const READY_LIMIT_MS = 60_000
const START_ATTEMPTS = 4
const RETRY_PAUSE_MS = 100
const LOG_LIMIT_BYTES = 10_000_000
const LOG_TAIL_LINES = 8

/**
 * Opens the PostgreSQL that lives under `dataDir`: makes its data on first use, adopts a server
 * that already runs there, else starts one, which outlives this process unless it is stopped.
 * Any number of processes may open the same folder at once. Throws one readable sentence.
 */
export async function openEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  try {
    return await openFolder(options)
  } catch (error) {
    if (!isAboutFile(error)) throw error
    throw new Error(
      `The database folder ${options.dataDir} cannot be used (${error.message}): ` +
        'choose another DATA_DIR, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

async function openFolder(options: Options): Promise<EmbeddedPostgres> {
  const { onProgress = () => {}, settings = {} } = options
  await makeFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const folder = join(dataDir, 'postgres')
  await removeAbandonedDrafts(dataDir)
  const access = await readAccess(dataDir)
  const binaries = await findPostgresBinaries()
  if (!(await holdsData(dataDir))) {
    onProgress(`Preparing a PostgreSQL database in ${folder}`)
    await prepareData(dataDir, binaries, access.password)
  }

  let refusal = 'it does not start'
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const running = await findPostmaster(folder)
    const server = running
      ? await untilReady(folder, running.pid, (now) => now?.pid !== running.pid)
      : await start({ dataDir, program: binaries.postgres, port: access.port, settings })
    if (server) {
      const url = urlOf(server, access)
      refusal = await refusalOf(url)
      if (!refusal) {
        const { port } = server
        if (port !== access.port) await writeAccess(dataDir, { ...access, port })
        return { url, startedHere: !running, stop: () => stopPostmaster(folder) }
      }
    }
    // It lost a race for its port or folder, processes of a killed server have not ended yet, or another
    // process is stopping the server.
    await pause(RETRY_PAUSE_MS * attempt)
  }
  const log = await logTail(dataDir)
  const maker = /was initialized by PostgreSQL version (\d+)/.exec(log)?.[1]
  if (maker) {
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${maker}, which the one that comes with this version cannot ` +
        'open: dump it with the version before, as docs/OPERATING.md says under "Moving".',
    )
  }
  throw new Error(`PostgreSQL in ${folder} cannot be used: ${refusal}. The end of its log: ${log}`)
}

type Start = { dataDir: string; program: string; port: number; settings: Record<string, string> }

/** Starts a server and waits until it is ready; undefined when it ends instead. */
async function start(options: Start): Promise<Postmaster | undefined> {
  const { dataDir, program, settings } = options
  const folder = join(dataDir, 'postgres')
  await removeForeignPidFile(folder)
  const flags = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(await freePort(options.port)),
    unix_socket_directories: '',
    log_checkpoints: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const launch = await chooseLaunch(folder, program)
  const [command, args] = commandLine(launch, program, ['-D', folder, ...flags])
  const log = await openLog(dataDir)
  try {
    const child = spawn(command, args, {
      ...launch.ids,
      cwd: '/',
      env: PROGRAM_ENV,
      // A Ctrl-C in the terminal must reach only the service, which stops the server last.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await once(child, 'spawn')
    child.unref()
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    return await untilReady(folder, child.pid, hasEnded)
  } finally {
    await log.close()
  }
}

type HasEnded = (now: Postmaster | undefined) => boolean

/** Waits until the server `pid` accepts connections; undefined when it has ended instead. */
async function untilReady(folder: string, pid: number | undefined, hasEnded: HasEnded) {
  const deadline = performance.now() + READY_LIMIT_MS
  while (performance.now() < deadline) {
    const now = await findPostmaster(folder)
    if (now?.ready && now.pid === pid) return now
    if (hasEnded(now)) return undefined
    await pause(POLL_MS)
  }
  throw new Error(
    `PostgreSQL in ${folder} is not ready after ${READY_LIMIT_MS / 1000} s. ` +
      `The end of its log: ${await logTail(dirname(folder))}`,
  )
}

function urlOf({ port }: Postmaster, { password }: Access): string {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`
}

/** Logs in, creating the database on first use; answers the reason when that fails. */
async function refusalOf(url: string): Promise<string> {
  try {
    const client = await connectOrCreate(url)
    await endConnection(client)
    return ''
  } catch (error) {
    return messageOf(error)
  }
}

/** The wanted port if it is free, else any free one. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  for (const port of [wanted, 0]) {
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      break
    } catch (error) {
      if (port === 0) throw error
    }
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No TCP port is free.')
  return address.port
}

async function openLog(dataDir: string): Promise<FileHandle> {
  const path = join(dataDir, 'postgres.log')
  const log = await open(path, 'a', 0o600)
  if ((await log.stat()).size > LOG_LIMIT_BYTES) await log.truncate()
  return log
}

async function logTail(dataDir: string): Promise<string> {
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(() => '(there is none)')
  return log.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join(' | ')
}
