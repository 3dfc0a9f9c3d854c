import path from 'node:path'
import { PROJECT_ROOT } from './root.ts'
import {
  headerText,
  hostAndPort,
  httpUrl,
  integer,
  key,
  listOf,
  loginUrlOf,
  matching,
  oneOf,
  optional,
  postgresUrl,
  text,
  urlOf,
} from './setting-readers.ts'

/** So that none of the projects can have all connections that read, or all that write. */
export const TABLE_POOL_SIZE_MIN = 10

export type Setting<T> = { name: string; initial: string; says: string; read: (text: string) => T }

/** Every setting with its default and the sentence that `.env.example` prints. */
export const SETTINGS = {
  port: setting('PORT', '3000', 'The port of the HTTP server.', integer(0, 65_535)),
  host: setting('HOST', '0.0.0.0', 'The address that it listens on.', text),
  monitorPort: setting(
    'MONITOR_PORT',
    '',
    'A port for /healthz, /readyz and /metrics alone, which a worker has nowhere else; none when empty.',
    optional(integer(0, 65_535)),
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    "The service's address as callers see it; taken from each request when empty.",
    optional(httpUrl),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or newer; when empty, one is kept under DATA_DIR.',
    optional(postgresUrl),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '10',
    'Connections that each process shares out among its requests and jobs, beside one that listens and those for tables.',
    integer(2, 500),
  ),
  tablePoolSize: setting(
    'TABLE_POOL_SIZE',
    '13',
    "Connections that each process opens for projects' tables when they are asked for; each serves one project.",
    integer(TABLE_POOL_SIZE_MIN, 500),
  ),
  redisUrl: setting(
    'REDIS_URL',
    '',
    'Counts requests across processes; when empty, each process counts alone.',
    optional(loginUrlOf('redis:', 'rediss:')),
  ),
  dataDir: setting('DATA_DIR', '.data', 'Where local data lives.', (value) =>
    path.resolve(PROJECT_ROOT, text(value)),
  ),
  role: setting(
    'ROLE',
    'all',
    'What this process does: all, api or worker.',
    oneOf('all', 'api', 'worker'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'The least that is logged: error, warn, info or debug.',
    oneOf('error', 'warn', 'info', 'debug'),
  ),
  encryptionKey: setting(
    'ENCRYPTION_KEY',
    '',
    'Seals secrets in the database: 32 bytes in base64 or hex; when empty, one is kept under DATA_DIR.',
    optional(key),
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    '60',
    'Requests that one credential may make in a clock minute.',
    integer(1, 1_000_000_000),
  ),
  dailySendQuota: setting(
    'DAILY_SEND_QUOTA',
    '1000',
    'Messages that a project may send through the API in a UTC day, unless it has a quota of its own.',
    integer(0, 2_000_000_000),
  ),
  broadcastMessagesPerSecond: setting(
    'BROADCAST_MESSAGES_PER_SECOND',
    '80',
    'Messages of broadcasts that one phone number sends in a second, by all processes together.',
    integer(1, 1_000_000),
  ),
  idempotencyLockMs: setting(
    'IDEMPOTENCY_LOCK_MS',
    '60000',
    'After how many milliseconds a send that may have left, and was not recorded, lets go of its Idempotency-Key.',
    integer(1_000, 3_600_000),
  ),
  uploadBytesPerMinute: setting(
    'UPLOAD_BYTES_PER_MINUTE',
    '134217728',
    'Bytes that one credential may upload, or have downloaded, in a clock minute.',
    integer(1, 999_999_999_999),
  ),
  uploadRequestsPerMinute: setting(
    'UPLOAD_REQUESTS_PER_MINUTE',
    '20',
    'Uploads that one credential may make in a clock minute.',
    integer(1, 1_000_000_000),
  ),
  messagesKeptDays: setting(
    'MESSAGES_KEPT_DAYS',
    '',
    'How many days messages are kept, and the files that customers sent with them; 31 or more, for ever when empty.',
    optional(integer(31, 36_500)),
  ),
  mediaStoreUrl: setting(
    'MEDIA_STORE_URL',
    '',
    'An S3-compatible store, as s3+https://KEY:SECRET@HOST/BUCKET?region=REGION, without KEY:SECRET@ for the role of the machine; under DATA_DIR when empty.',
    optional(urlOf('s3+https:', 's3+http:')),
  ),
  webhookRetryDelaysMs: setting(
    'WEBHOOK_RETRY_DELAYS_MS',
    '5000,10000,20000,40000',
    'How long a failed delivery waits before each further attempt, in milliseconds.',
    listOf(integer(1, 86_400_000), 20),
  ),
  webhookTimeoutMs: setting(
    'WEBHOOK_TIMEOUT_MS',
    '10000',
    'How long one attempt may take in all, in milliseconds.',
    integer(100, 60_000),
  ),
  stopDelayMs: setting(
    'STOP_DELAY_MS',
    '0',
    'How long a server goes on answering when it is stopped, until balancers heed its /readyz.',
    integer(0, 60_000),
  ),
  keepAliveTimeoutMs: setting(
    'KEEP_ALIVE_TIMEOUT_MS',
    '5000',
    'How long a connection may idle between requests; behind a balancer, longer than that one lets it.',
    integer(1_000, 600_000),
  ),
  egressAllow: setting(
    'EGRESS_ALLOW',
    '',
    'Comma-separated host:port that webhooks and downloads may reach although private or plain http.',
    (value) => (value === '' ? [] : listOf(hostAndPort, 100)(value)),
  ),
  egressProxyUrl: setting(
    'EGRESS_PROXY_URL',
    '',
    'An HTTP proxy to the internet, as http://USER:PASSWORD@HOST:PORT; when empty, it is reached directly.',
    optional(loginUrlOf('http:', 'https:')),
  ),
  channelApiUrl: setting(
    'CHANNEL_API_URL',
    'https://graph.facebook.com',
    'Where connected projects reach the WhatsApp Cloud API.',
    httpUrl,
  ),
  channelApiVersion: setting(
    'CHANNEL_API_VERSION',
    'v25.0',
    'The version of that API.',
    matching(/^v\d{1,3}\.\d{1,2}$/, 'a version such as v25.0'),
  ),
  agentApiUrl: setting(
    'AGENT_API_URL',
    '',
    'An OpenAI-compatible API that builds flows, as https://HOST/v1; when empty, built-in rules do.',
    optional(httpUrl),
  ),
  agentApiKey: setting('AGENT_API_KEY', '', 'The key of that API.', optional(headerText)),
  agentModel: setting('AGENT_MODEL', '', 'The model that it is to use.', optional(text)),
  agentTimeoutMs: setting(
    'AGENT_TIMEOUT_MS',
    '90000',
    'How long it may take in all to build or change a flow, in milliseconds.',
    integer(1_000, 120_000),
  ),
}

function setting<T>(
  name: string,
  initial: string,
  says: string,
  read: (text: string) => T,
): Setting<T> {
  return { name, initial, says, read }
}
