import type { Logger } from 'winston'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Batches } from './batches.ts'
import type { BotCode, CodeFiles } from './bots.ts'
import type { ChangeCache } from './cache.ts'
import type { Config } from './config.ts'
import type { Scope } from './contract.ts'
import type { Vault } from './crypto.ts'
import type { Cursors } from './cursor.ts'
import type { Metrics } from './metrics.ts'
import type { Afterwards } from './persisting.ts'
import type { Channel, ChatModel, TableStore } from './ports.ts'
import type { Egress } from './egress.ts'
import type { IdempotencyKey } from './replay.ts'
import type { Sql, SqlClient } from './sql.ts'
import type { MediaStore, RequestCounter, UploadBudget } from './stores.ts'

/** What the whole service shares; built once, passed as the first argument, never imported. */
export type Context = {
  config: Config
  /** What operators administer: projects, keys, connections, accounts; and the sandbox's own records. */
  db: PrismaClient
  /** Everything else: statements, in batches where there are many rows. */
  sql: Sql
  /** The same for what a request asks in the name of a project, which leaves connections for others. */
  sqlOf: (projectId: string) => Sql
  /** The projects' own tables. */
  tables: TableStore
  /** Work that many requests want at the same moment, done together. */
  batches: Batches
  /** What is still to be written when its request has been answered. */
  afterwards: Afterwards
  cache: ChangeCache
  channel: Channel
  /** The model behind the agents; null when the built-in rules stand in for it. */
  chat: ChatModel | null
  /** Requests to addresses that users give; nothing else may send one. */
  egress: Egress
  mediaStore: MediaStore
  botCode: BotCode
  /** What a project's code begins with, and what of it the platform keeps. */
  starter: CodeFiles
  requestCounter: RequestCounter
  uploadBudget: UploadBudget
  /** The built-in channel's address, where this process runs one. */
  sandboxUrl: () => string | null
  vault: Vault
  cursors: Cursors
  log: Logger
  metrics: Metrics
  /** The only clock of the domain; tests move it. */
  now: () => Date
}

export type ProjectStatus = 'active' | 'paused' | 'deleted'

/** A project as a credential reaches it. */
export type ProjectGrant = {
  id: string
  name: string
  status: ProjectStatus
  scopes: Scope[]
  /** Messages a UTC day; null for the service's default. */
  dailySendQuota: number | null
}

export type Credential = {
  id: string
  kind: 'key' | 'token'
  /** Reachable projects in the order in which they were attached; a key has exactly one. */
  grants: ProjectGrant[]
  /** The project that a read uses when it names none; null for a connection without projects. */
  defaultProjectId: string | null
}

/** For one project: a function that takes this works on that project's rows alone. */
export type ProjectContext = Context & {
  project: ProjectGrant
  credential: Credential
  requestId: string
  /** The request's claim to be done once; null without an Idempotency-Key. */
  idempotency: IdempotencyKey | null
  /** The budgets that the request draws on; what is pushed here is told in the answer's headers. */
  budgets: Budget[]
}

/** What it takes to change a project's records, by itself or within a transaction. */
export type ChangeContext = Pick<ProjectContext, 'project' | 'now'> & { sql: SqlClient }

/** What work on a project's own tables and code needs to know, whoever asks for it. */
export type OwnContext = Context & { project: { id: string } }

/** A budget that a request draws on, as the `RateLimit` headers tell it. */
export type Budget = {
  name: string
  quota: number
  windowS: number
  remaining: number
  resetS: number
}
