import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { loadConfig } from '../../core/config.ts'
import { claimDataFolder } from '../../database/claim.ts'
import { openEmbeddedPostgres } from '../../database/embedded.ts'
import { keepEmbedded } from '../../database/keep-embedded.ts'
import { type Database, MIGRATIONS, openDatabase } from '../../database/open.ts'
import { findPostmaster, stopPostmaster } from '../../database/postgres-process.ts'
import { until } from '../support/until.ts'

// PostgreSQL prepares its data and starts, perhaps on a busy machine.
jest.setTimeout(120_000)
const PATIENCE_MS = 60_000

let dataDir: string
let database: Database
const postgres = () => join(dataDir, 'postgres')

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'keep-'))
  database = await openDatabase(loadConfig({ DATA_DIR: dataDir }), MIGRATIONS, () => {})
})
afterAll(async () => {
  await stopPostmaster(postgres())
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** What a server that keeps its PostgreSQL hears, once it knows which one that is. */
async function keep() {
  const heard: string[] = []
  const stop = keepEmbedded({
    dataDir,
    url: database.url,
    onBack: () => void heard.push('it is back'),
    onProblem: (error) => void heard.push(String(error)),
  })
  await findPostmaster(postgres())
  return { heard, stop }
}

it('a server whose PostgreSQL was stopped, and started by somebody else, has its folder for itself again', async () => {
  const { heard, stop } = await keep()
  await stopPostmaster(postgres())
  const { url } = await openEmbeddedPostgres({ dataDir })
  await until(() => heard.length > 0, 'the server hears of it', PATIENCE_MS)
  expect(heard).toEqual(['it is back'])
  await expect(claimDataFolder(url, dataDir)).rejects.toThrow(`A server already runs on ${dataDir}`)
  await stop()
  const release = await claimDataFolder(url, dataDir)
  await release()
})

it('a server whose PostgreSQL comes back at another port says that it is to be started again', async () => {
  const { heard, stop } = await keep()
  await stopPostmaster(postgres())
  const squatter = createServer().listen(Number(new URL(database.url).port), '127.0.0.1')
  await once(squatter, 'listening')
  await openEmbeddedPostgres({ dataDir })
  await until(() => heard.length > 0, 'the server hears of it', PATIENCE_MS)
  expect(heard[0]).toBe('Error: PostgreSQL got another port: restart this server.')
  await stop()
  squatter.close()
})
