/** Every number that the code enforces, with its unit in its name. */
export const LIMITS = {
  /** Body of an operation without a limit of its own. */
  bodyBytes: 1_048_576,
  /** The channel sends callbacks of up to 3 MB. */
  callbackBytes: 4_194_304,
  /** Statuses of one project that are committed together; one callback may hold more. */
  statusBatchUpdates: 500,
  /** Connections that such batches hold at once. */
  statusBatchesAtOnce: 2,
  /** Sends that are begun, or recorded, in one statement. */
  sendBatchItems: 64,
  /** Connections that such batches hold at once. */
  sendBatchesAtOnce: 6,
  /** How long what was in a batch that failed is tried one by one. */
  batchApartMs: 5_000,
  /** How deep a JSON body may nest: far above any real one, far below what overflows a stack. */
  jsonDepth: 64,
  pageItems: 100,
  pageItemsDefault: 50,
  contactTags: 100,
  contactAttributes: 200,
  /** Former contents that an edited message keeps. */
  messageEdits: 20,
  /** The channel's customer-service window. */
  windowMs: 24 * 60 * 60 * 1000,
  /** One exchange with the channel, from connecting to the last byte of its answer. */
  channelTimeoutMs: 30_000,
  /** How long a request waits for Redis before it passes uncounted. */
  limiterWaitMs: 100,
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  connectionCheckMs: 1_000,
  connectionsMax: 4_096,
  /** How long a stopping process waits for the requests that it has begun. */
  drainMs: 25_000,
  /** How long it leaves an idle connection open, for a request that may be on its way. */
  idleDrainMs: 500,
  /** The channel drops a message that it could not deliver for 30 days; no callback comes later. */
  attemptsKeptMs: 31 * 24 * 60 * 60 * 1000,
  /** The channel repeats a callback for up to seven days. */
  parkedStatusesKeptMs: 8 * 24 * 60 * 60 * 1000,
  unreadCallbacksKeptMs: 30 * 24 * 60 * 60 * 1000,
} as const
