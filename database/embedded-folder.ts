import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode, ifThere } from '../core/caught-errors.ts'
import { isRecord, parseJson } from '../core/json-values.ts'
import { chooseLaunch, commandLine, PROGRAM_ENV } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { isAlive } from './postgres-process.ts'

/** The database superuser: only the service itself connects. */
export const USER = 'postgres'

/** What `postgres.json` holds: the user's password and the port that was used last. */
export type Access = { password: string; port: number }

const INIT_LIMIT_MS = 120_000
const PASSWORD_BYTES = 24

const run = promisify(execFile)

/** Removes unfinished databases left by processes that died while preparing them. */
export async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = Number(name.match(/^postgres\.(?:json\.)?(\d+)\.new$/)?.[1])
    if (!pid || (pid !== process.pid && isAlive(pid))) continue
    // Retried, because an initdb that outlived its parent may still be writing.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Reads `postgres.json`, or creates it with a new password. It is created before the data that it opens, and by
 * one process only, so processes that start together prepare the same database.
 */
export async function readAccess(dataDir: string): Promise<Access> {
  const path = join(dataDir, 'postgres.json')
  const stored = await readStored(path)
  if (stored) return stored
  if (await holdsData(dataDir)) {
    throw new Error(
      `${path}, with the password of the database beside it, is missing: restore it, ` +
        'or move both away to begin with an empty database.',
    )
  }
  const access = { password: randomBytes(PASSWORD_BYTES).toString('base64url'), port: 0 }
  const draft = await writeDraft(path, access)
  await link(draft, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(draft)
  return (await readStored(path)) ?? access
}

/** Stores the port, so that it stays the same at the next start if possible. */
export async function writeAccess(dataDir: string, access: Access): Promise<void> {
  const path = join(dataDir, 'postgres.json')
  await rename(await writeDraft(path, access), path)
}

/**
 * Creates the data folder `postgres` unless it exists. It is prepared under another name and renamed when
 * complete, so a folder of that name is always complete.
 */
export async function prepareData(
  dataDir: string,
  binaries: PostgresBinaries,
  password: string,
): Promise<void> {
  if (await holdsData(dataDir)) return
  const draft = join(dataDir, `postgres.${process.pid}.new`)
  await mkdir(draft)
  try {
    await runInitdb(draft, binaries, password)
    const made = rename(join(draft, 'data'), join(dataDir, 'postgres'))
    await made.catch((error: unknown) => {
      // A process that started at the same moment was faster; its folder is equally good.
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function runInitdb(draft: string, binaries: PostgresBinaries, password: string) {
  const launch = await chooseLaunch(draft, binaries.postgres)
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const { uid, gid } = await stat(draft)
  await chown(passwordFile, uid, gid)
  const options = [`--pgdata=${join(draft, 'data')}`, `--username=${USER}`]
  options.push(`--pwfile=${passwordFile}`, '--auth=scram-sha-256')
  // Sorts by code point on every machine, yet has upper and lower case for the letters of all scripts.
  options.push('--encoding=UTF8', '--no-locale', '--no-sync')
  options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  const [command, args] = commandLine(launch, binaries.initdb, options)
  const limits = { ...launch.ids, cwd: '/', env: PROGRAM_ENV, timeout: INIT_LIMIT_MS }
  await run(command, args, limits).catch((cause: Error & { stderr?: string }) => {
    const reason = (cause.stderr || cause.message).trim()
    throw new Error(`PostgreSQL could not prepare ${dirname(draft)}: ${reason}`, { cause })
  })
}

/** Whether the data folder exists. Throws when something else has its name. */
export async function holdsData(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'postgres')
  const names = (await ifThere(readdir(folder))) ?? []
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    throw new Error(`${folder} does not hold a PostgreSQL database: move it away.`)
  }
  return names.length > 0
}

async function readStored(path: string): Promise<Access | undefined> {
  const text = await ifThere(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const access = parseJson(text)
  if (!isRecord(access) || typeof access.password !== 'string') {
    throw new Error(`${path} holds no password of the database: restore it.`)
  }
  return { password: access.password, port: typeof access.port === 'number' ? access.port : 0 }
}

async function writeDraft(path: string, access: Access): Promise<string> {
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  return draft
}
