import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import {
  inboundCallback,
  postCallback,
  type SandboxAccount,
} from '../../channel/sandbox-callbacks.ts'
import { openContext, type Opened } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import { createLogger } from '../../core/logger.ts'
import { startService } from '../../service.ts'
import { type Client, createClient } from './client.ts'
import { createLocalEgress } from './local-egress.ts'
import { createDatabase } from './postgres.ts'

export const TEST_ENCRYPTION_KEY = '0123456789abcdef'.repeat(4)

export type TestProject = { id: string; key: string; keyId: string; client: Client }

type Options = {
  env?: Record<string, string>
  /** A database of another service of the same test; a new one by default. */
  databaseUrl?: string
  replaced?: Parameters<typeof openContext>[2]
  /**
   * How far its clock begins behind the database's, which nobody moves: room to move it in where what
   * waits for both is to happen.
   */
  behindMs?: number
}

/**
 * The whole service over its own database and real HTTP, with the sandbox answering at once and a
 * clock that stands still until the test moves it.
 */
export async function startTestService(options: Options = {}) {
  const database = options.databaseUrl ? null : await createDatabase()
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const dataDir = await mkdtemp(path.join(tmpdir(), 'service-data-'))
  let now = new Date(Math.floor(Date.now() / 1000) * 1000 - (options.behindMs ?? 0))
  const logLines: string[] = []
  const log = createLogger(
    'debug',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        logLines.push(chunk.toString())
        done()
      },
    }),
  )
  const config = loadConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    ROLE: 'api',
    RATE_LIMIT_PER_MINUTE: '1000000',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // On a busy machine, a request would meet a connection that has just been closed for idling.
    KEEP_ALIVE_TIMEOUT_MS: '60000',
    ...options.env,
  })
  const opened: Opened = await openContext(config, databaseUrl, {
    now: () => now,
    log,
    egress: createLocalEgress(config.egressAllow),
    ...options.replaced,
  })
  const { ctx } = opened
  const service = await startService(opened, {
    sentMs: 0,
    deliveredMs: 5,
    readMs: 10,
    reviewMs: 5,
  })
  const url = service.url ?? ''

  let made = 0
  /** A project with one key that holds every scope, or the given ones. */
  async function project(scopes: string[] = ['all']): Promise<TestProject> {
    const { id } = await projects.create(ctx, {
      id: `p${++made}-${process.pid}`,
      name: `Project ${made}`,
    })
    const { key, secret } = await keys.create(ctx, {
      projectId: id,
      name: 'Key',
      scopes,
      isTest: true,
    })
    return { id, key: secret, keyId: key.id, client: createClient(url, secret) }
  }

  /** The project's sandbox account, with the callback address of this very service. */
  async function account(projectId: string): Promise<SandboxAccount> {
    const found = await channelAccounts.find(ctx, projectId)
    if (!found) throw new Error(`There is no project ${projectId}`)
    return { ...found, callbackUrl: `${url}/channel/${projectId}/webhook` }
  }

  /** Posts a payload to the service as the channel does, signed; answers with the status. */
  async function callback(projectId: string, payload: unknown): Promise<number> {
    const { status } = await postCallback(await account(projectId), payload)
    return status
  }

  /** Lets a customer write in, which opens the window; answers with the conversation. */
  async function customer(
    { id, client }: TestProject,
    { phone = '+15550001234', text = 'Hello', name = 'Ana' } = {},
  ) {
    const message = { type: 'text', text: { body: text } }
    const from = { phone, name }
    await callback(id, inboundCallback({ account: await account(id), from, message, at: now }))
    const { conversations } = await client.ok('listConversations', { query: { phone } })
    const [conversation] = conversations
    if (!conversation) throw new Error('The customer did not arrive')
    return conversation
  }

  return {
    ctx,
    url,
    databaseUrl,
    sandbox: service.sandbox,
    logLines,
    project,
    account,
    callback,
    customer,
    client: createClient(url, null),
    /** Moves the service's clock. */
    advance: (ms: number) => void (now = new Date(now.getTime() + ms)),
    async stop() {
      await service.stop()
      await opened.close()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestService = Awaited<ReturnType<typeof startTestService>>

/** What a process works with whose clock is ahead by so much. */
export function ahead(ctx: Context, ms: number): Context {
  return { ...ctx, now: () => new Date(ctx.now().getTime() + ms) }
}
