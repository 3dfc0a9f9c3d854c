import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from 'redis'
import { connectOrCreate } from '../../database/connect.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../database/embedded.ts'
import { applyMigrations } from '../../database/migrations.ts'
import { freePort } from '../../scripts/free-port.ts'

/** Fast rather than safe: nothing of a test run is kept. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}
const TEMPLATE = 'template_service'
const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
const FOLDER = 'service-tests-'
const REDIS_LIMIT_MS = 5_000
const REDIS_POLL_MS = 20

/** A folder in memory, where the hundreds of files of each test's database are made in no time. */
const MEMORY = '/dev/shm'
/** More than PostgreSQL's files ever take in a run. */
const ROOM_BYTES = 2 * 1024 ** 3

type Servers = {
  /** What the tests leave in the folder for temporary files. */
  folder: string
  postgresFolder: string
  postgres?: EmbeddedPostgres
  redis?: ChildProcess
}

/** Setup and teardown each load a copy of this module; the process is what they share. */
const shared: typeof globalThis & { testServers?: Servers } = globalThis

/** Starts what the suite runs against, and tells the tests where it is through the environment. */
export async function startServers(): Promise<void> {
  const servers: Servers = {
    folder: await mkdtemp(join(tmpdir(), FOLDER)),
    postgresFolder: await mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), FOLDER)),
  }
  shared.testServers = servers
  // What the tests leave in the folder for such goes with the run.
  process.env.TMPDIR = servers.folder
  // Jest runs no teardown when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stopServers().finally(() => process.exit(1)))
  }
  try {
    process.env.TEST_POSTGRES_URL ||= await startPostgres(servers)
    await makeTemplate(process.env.TEST_POSTGRES_URL)
    if (!process.env.TEST_REDIS_URL) await startRedis(servers)
  } catch (error) {
    // Jest does not call the teardown after a failed setup.
    await stopServers()
    throw error
  }
}

/** Stops what `startServers` started; does nothing when it started nothing. */
export async function stopServers(): Promise<void> {
  const servers = shared.testServers
  if (!servers) return
  delete shared.testServers
  // Nothing else may be left that keeps this process alive until Redis has ended.
  servers.redis?.ref()
  if (servers.redis?.kill('SIGKILL')) await once(servers.redis, 'exit')
  if (servers.postgres) delete process.env.TEST_POSTGRES_URL
  await servers.postgres?.stop()
  for (const folder of [servers.folder, servers.postgresFolder]) {
    await rm(folder, { recursive: true, force: true })
  }
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}

async function startPostgres(servers: Servers): Promise<string> {
  const options = { dataDir: servers.postgresFolder, settings: TEST_SETTINGS }
  servers.postgres = await openEmbeddedPostgres(options)
  return servers.postgres.url
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const template = new URL(serverUrl)
  template.pathname = `/${TEMPLATE}`
  const client = await connectOrCreate(serverUrl)
  // A server of the caller's may have that of an earlier run.
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE])
  if (rowCount) await client.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE false`)
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`)
  await applyMigrations({ url: template.href, folder: MIGRATIONS })
  // PostgreSQL copies only a database that nobody is connected to.
  await client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false IS_TEMPLATE true`)
  await client.end()
}

async function startRedis(servers: Servers): Promise<void> {
  const port = await freePort()
  const persistence = ['--save', '', '--appendonly', 'no']
  const args = ['--port', String(port), '--bind', '127.0.0.1', ...persistence]
  const redis = spawn('redis-server', args, { cwd: servers.folder, stdio: 'ignore' })
  try {
    await once(redis, 'spawn')
  } catch {
    console.error('\n*** No redis-server and no TEST_REDIS_URL: Redis tests are SKIPPED ***\n')
    return
  }
  servers.redis = redis
  redis.unref()
  const url = `redis://127.0.0.1:${port}`
  await untilAnswers(url)
  process.env.TEST_REDIS_URL = url
}

async function untilAnswers(url: string): Promise<void> {
  const deadline = performance.now() + REDIS_LIMIT_MS
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.close()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await pause(REDIS_POLL_MS)
    }
  }
}
