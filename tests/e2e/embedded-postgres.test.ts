import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../database/embedded.ts'
import { keepEmbedded } from '../../database/keep-embedded.ts'
import { stopPostmaster, wasCutOff } from '../../database/postgres-process.ts'
import { until } from '../support/until.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const OPENER = fileURLToPath(new URL('../support/postgres-opener.ts', import.meta.url))

let dataDir: string
let openers: ChildProcess[]

beforeEach(() => {
  openers = []
})

afterEach(async () => {
  for (const opener of openers) opener.kill('SIGKILL')
  await stopPostmaster(join(dataDir, 'postgres'))
})

async function newFolder(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-'))
}

async function removeFolder(): Promise<void> {
  await stopPostmaster(join(dataDir, 'postgres'))
  await rm(dataDir, { recursive: true, force: true })
}

function open(settings: Record<string, string> = { fsync: 'off' }) {
  return openEmbeddedPostgres({ dataDir, settings })
}

type Elsewhere = { url: string; startedHere: boolean; kill(): Promise<void> }

/** Opens the folder in another process, which stays until it is killed. */
async function openElsewhere(): Promise<Elsewhere> {
  const opener = startOpener()
  if (!opener.stdout) throw new Error('The opener has no output.')
  const [line] = await once(createInterface({ input: opener.stdout }), 'line')
  const kill = async () => {
    opener.kill('SIGKILL')
    await once(opener, 'exit')
  }
  return { ...JSON.parse(line), kill }
}

function startOpener(): ChildProcess {
  const opener = spawn(process.execPath, ['--import', 'tsx', OPENER, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  openers.push(opener)
  return opener
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

async function pidFile(): Promise<string[]> {
  return (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
}

describe('the first opening', () => {
  beforeEach(newFolder)
  afterEach(removeFolder)

  it('makes a durable UTF-8 database that only this machine and its password reach', async () => {
    const { url, startedHere } = await open({})
    const settings = `current_database(), current_setting('server_encoding'),
      current_setting('fsync'), current_setting('listen_addresses'),
      current_setting('unix_socket_directories')`
    expect(await query(url, `SELECT ${settings}`)).toEqual([
      ['service', 'UTF8', 'on', '127.0.0.1', ''],
    ])
    expect(startedHere).toBe(true)
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
    const stranger = new URL(url)
    stranger.password = 'guess'
    await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('starts over when an earlier one was killed while it prepared the data', async () => {
    const opener = startOpener()
    for (;;) {
      const draft = (await readdir(dataDir)).find((name) => /^postgres\.\d+\.new$/.test(name))
      if (draft && (await readdir(join(dataDir, draft))).includes('data')) break
    }
    opener.kill('SIGKILL')
    await once(opener, 'exit')

    const { url } = await open()
    expect(await query(url, 'SELECT 1')).toEqual([[1]])
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
  })

  it('starts over when the one that was killed had the process id that this one has, as in a container', async () => {
    const draft = join(dataDir, `postgres.${process.pid}.new`)
    await mkdir(join(draft, 'data'), { recursive: true })
    await writeFile(join(dataDir, `postgres.json.${process.pid}.new`), '{')
    const { url } = await open()
    expect(await query(url, 'SELECT 1')).toEqual([[1]])
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log'])
  })

  it('refuses a folder of something else, and leaves it alone', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'thesis.txt'), 'words')
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow('does not hold a PostgreSQL')
    expect(await readFile(join(dataDir, 'postgres', 'thesis.txt'), 'utf8')).toBe('words')
  })

  it('shares one server with others at the same moment', async () => {
    const servers = await Promise.all([openElsewhere(), openElsewhere(), openElsewhere()])
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1)
    expect(servers.filter(({ startedHere }) => startedHere)).toHaveLength(1)
  })
})

describe('a later opening', () => {
  // Making the data takes longer than all else here, so these share one folder.
  beforeAll(async () => {
    await newFolder()
    await (await open()).stop()
  })
  afterAll(removeFolder)

  it('refuses data whose password is lost, and leaves it alone', async () => {
    const path = join(dataDir, 'postgres.json')
    const access = await readFile(path)
    await rm(path)
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow('is missing')
    for (const cut of ['', access.subarray(0, 20), 'null']) {
      await writeFile(path, cut)
      const says = `${path} holds no password of the database: restore it.`
      await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(says)
    }
    await writeFile(path, access)
    expect(await query((await open()).url, 'SELECT 1')).toEqual([[1]])
  })

  it('finds the data of the earlier one, at the same address', async () => {
    const first = await open()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    await first.stop()
    const second = await open()
    expect(second).toMatchObject({ url: first.url, startedHere: true })
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([[42]])
  })

  it('adopts the server that a killed process has left, and can stop it', async () => {
    const elsewhere = await openElsewhere()
    await elsewhere.kill()
    const here = await open()
    expect(here).toMatchObject({ url: elsewhere.url, startedHere: false })
    expect(await query(here.url, 'SELECT 1')).toEqual([[1]])
    await here.stop()
    await expect(query(here.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('starts a new server after the old one was killed', async () => {
    const first = await open()
    await query(first.url, 'CREATE TABLE survived AS SELECT 42 AS answer')
    const isCutOff = () => wasCutOff(join(dataDir, 'postgres'))
    expect(await isCutOff()).toBe(false)
    process.kill(Number((await pidFile())[0]), 'SIGKILL')
    await until(isCutOff, 'its end')
    const second = await open()
    expect(second.startedHere).toBe(true)
    expect(await query(second.url, 'SELECT answer FROM survived')).toEqual([[42]])
    await second.stop()
    expect(await isCutOff()).toBe(false)
  })

  it('is started again by whoever keeps it also when it could not be at once, as on a full disk', async () => {
    const { url } = await open()
    const log = join(dataDir, 'postgres', 'pg_wal')
    const problems: string[] = []
    let isBack = false
    const kept = {
      onBack: () => (isBack = true),
      onProblem: (e: unknown) => problems.push(String(e)),
    }
    const release = keepEmbedded({ dataDir, url, ...kept })
    try {
      await rename(log, `${log}.away`)
      process.kill(Number((await pidFile())[0]), 'SIGKILL')
      // PostgreSQL does not get through its recovery, and ends by itself.
      await until(() => problems.length > 0, 'a start that fails')
      expect(problems[0]).toContain('"pg_wal" does not exist')
      expect(isBack).toBe(false)
      await rename(`${log}.away`, log)
      await until(
        () => isBack,
        () => `a start after it: ${problems.at(-1)}`,
      )
      expect(await query(url, 'SELECT 1')).toEqual([[1]])
    } finally {
      await release()
    }
  })

  it('is not misled by a pid file whose pid is another program by now', async () => {
    const first = await open()
    const [, ...rest] = await pidFile()
    await first.stop()
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
    openers.push(other)
    await once(other, 'spawn')
    const stale = [other.pid, ...rest].join('\n')
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), stale)

    const second = await open()
    expect(second.startedHere).toBe(true)
    expect(await query(second.url, 'SELECT 1')).toEqual([[1]])
    expect(other.exitCode).toBeNull()
  })

  it('takes another port when its own is taken', async () => {
    const first = await open()
    await first.stop()
    const port = Number(new URL(first.url).port)
    const squatter = createServer().listen(port, '127.0.0.1')
    await once(squatter, 'listening')
    try {
      const second = await open()
      expect(new URL(second.url).port).not.toBe(String(port))
      expect(await query(second.url, 'SELECT 1')).toEqual([[1]])
    } finally {
      squatter.close()
    }
  })

  it('begins a log anew that has grown large, which nobody else may read', async () => {
    const log = join(dataDir, 'postgres.log')
    expect((await stat(log)).mode & 0o777).toBe(0o600)
    await writeFile(log, 'x'.repeat(10_000_001))
    const { stop } = await open()
    await stop()
    expect((await stat(log)).size).toBeLessThan(10_000_000)
  })

  it('says why when the server cannot start, with the end of its log', async () => {
    const settings = { shared_buffers: 'plenty' }
    await expect(openEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
      /cannot be used: it does not start\. The end of its log: .*"shared_buffers": "plenty"/,
    )
  })

  it('says what to do about data that another version of PostgreSQL has made', async () => {
    const file = join(dataDir, 'postgres', 'PG_VERSION')
    const version = await readFile(file)
    await writeFile(file, '17\n')
    const refusal =
      /was made by PostgreSQL 17, .*: dump it with the version before, as docs\/OPERATING/
    await expect(open()).rejects.toThrow(refusal)
    await writeFile(file, version)
  })

  it('shares one server with others at the same moment', async () => {
    const servers = await Promise.all([openElsewhere(), openElsewhere(), openElsewhere()])
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1)
    expect(servers.filter(({ startedHere }) => startedHere)).toHaveLength(1)
  })
})
