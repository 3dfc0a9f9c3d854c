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

/** What the whole service shares; built once and passed as the first argument, never imported. */
export type Context = {
  config: Config
  /** For what operators administer (projects, keys, connections, accounts), and the sandbox's records. */
  db: PrismaClient
  /** For everything else: plain statements, in batches where there are many rows. */
  sql: Sql
  /** The same on behalf of a project's requests, which must leave connections to other projects. */
  sqlOf: (projectId: string) => Sql
  /** The projects' own tables. */
  tables: TableStore
  /** Batching of work that many requests need at the same moment. */
  batches: Batches
  /** Writes that continue after their request was answered. */
  afterwards: Afterwards
  cache: ChangeCache
  channel: Channel
  /** The model behind the agents; null when the built-in rules are used. */
  chat: ChatModel | null
  /** Requests to addresses that users give; nothing else may send any. */
  egress: Egress
  mediaStore: MediaStore
  botCode: BotCode
  /** The files that a project's code starts from, including those that the platform keeps. */
  starter: CodeFiles
  requestCounter: RequestCounter
  uploadBudget: UploadBudget
  /** The URL of the built-in channel; null when this process does not run one. */
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

/** For one project: functions that take this touch that project's rows only. */
export type ProjectContext = Context & {
  project: ProjectGrant
  credential: Credential
  requestId: string
  /** The request's claim to be done once; null without an Idempotency-Key. */
  idempotency: IdempotencyKey | null
  /** The budgets that the request has used; those added here appear in the answer's headers. */
  budgets: Budget[]
}

/** What changing a project's records needs, with or without a transaction. */
export type ChangeContext = Pick<ProjectContext, 'project' | 'now'> & { sql: SqlClient }

/** What work on a project's own tables and code needs, whoever asks for it. */
export type OwnContext = Context & { project: { id: string } }

/** A budget that a request draws on, as the `RateLimit` headers tell it. */
export type Budget = {
  name: string
  quota: number
  windowS: number
  remaining: number
  resetS: number
}
