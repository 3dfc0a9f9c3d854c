import { BOT_LIMITS } from './bot-limits.ts'
import { DELIVERY_LIMITS } from './delivery-limits.ts'
import { UPLOAD_LIMITS } from './upload-limits.ts'

/** Every limit that an operator, a caller or another module can meet, with its unit in its name. */
export const LIMITS = {
  /** The body of an operation without a limit of its own. */
  bodyBytes: 1_048_576,
  /** JSON bodies in the memory of one process; smaller ones than the second value are not counted. */
  bodyBytesAtOnce: 67_108_864,
  bodyBytesAlways: 65_536,
  /** The channel sends callbacks of up to 3 MB. */
  callbackBytes: 4_194_304,
  /** JSON values in one callback; the channel's own callbacks have about one in 27 bytes. */
  callbackValues: 200_000,
  /** Callbacks in the memory of one process; smaller ones than the second value are not counted. */
  callbackBytesAtOnce: 67_108_864,
  callbackBytesAlways: 65_536,
  /** Connections for callbacks, in all and for one project; batched statuses have their own. */
  callbacksAtOnce: 7,
  callbacksAtOnceEach: 4,
  callbacksWaiting: 4_096,
  callbackWaitMs: 10_000,
  /** Statuses of one project committed in one transaction; a single callback may have more. */
  statusBatchUpdates: 500,
  /** Status batches at once, each on a connection. */
  statusBatchesAtOnce: 2,
  /** Sends opened, or recorded, in one statement. */
  sendBatchItems: 64,
  /** Such batches at once, each on a connection. */
  sendBatchesAtOnce: 6,
  /** How long the items of failed batches are tried one by one. */
  batchApartMs: 5_000,
  /** The nesting of a JSON body: far above any real one, far below what overflows a stack. */
  jsonDepth: 64,
  /** Values in a JSON body: a mebibyte can hold half a million; a hundred rows of all columns have 65,535. */
  jsonValues: 100_000,
  pageItemsDefault: 50,
  pageItemsMax: 100,
  /** Rows scanned in order for a page with a condition, before all rows that meet it are sorted. */
  rowsLookedThrough: 2_000,
  /** A page ends before its rows would exceed this, since pages may be requested at any rate. */
  pageBytes: 1_048_576,
  /** States introduced by a project's bots, in addition to the platform's. */
  statesOfProject: 100,
  contactTags: 100,
  contactTagCharacters: 64,
  contactNameCharacters: 256,
  contactAttributes: 200,
  /** The time for all live counts of one answer together. */
  audienceCountMs: 2_000,
  /** Live counts of one process at once; others wait within that time. */
  audienceCountsAtOnce: 3,
  /** Of one project, so that it leaves room for others. */
  audienceCountsAtOnceEach: 2,
  audienceCountsWaiting: 256,
  /** Earlier versions kept of an edited message. */
  messageEdits: 20,
  webhooksPerProject: 100,
  /** The URL as given and as answered. */
  webhookUrlCharacters: 512,
  /** The payload of a custom event, as JSON. */
  customEventBytes: 262_144,
  /** The levels of lists and objects in it: as many as a call of a bot may have. */
  customEventLevels: BOT_LIMITS.botCallDepth,
  /** Faults listed in one answer. */
  faultsTold: 50,
  /** One value in a send of a template. */
  templateValueCharacters: 1_024,
  templateHeaderCharacters: 60,
  templateBodyCharacters: 1_024,
  templateFooterCharacters: 60,
  templateButtons: 10,
  templateButtonCharacters: 25,
  templateUrlCharacters: 2_000,
  templatePhoneCharacters: 20,
  templateCodeCharacters: 20,
  templateCodeMinutes: 90,
  /** Pages of a hundred templates read from the channel for one account; no account may have more. */
  templatePages: 100,
  templateWrites: 200,
  /** Pages of a hundred flows read from the channel for one account. */
  flowPages: 100,
  /** Definitions read in one sync; the rest are read in the next one. */
  flowDefinitionsRead: 200,
  /** The size of these definitions together, as JSON; a single one may have ten mebibytes. */
  flowCharactersRead: 16_777_216,
  /** Projects whose templates or flows are synced at the same time. */
  syncsAtOnce: 4,
  /** A little less than the interval of the job, so that no run finds a project almost due. */
  syncDueMs: 9 * 60 * 1000,
  syncRunMs: 9 * 60 * 1000,
  /** The answer of a model: the flow and any prose around it. */
  agentAnswerBytes: 1_048_576,
  /** Apps in a button that hands over a one-time code. */
  templateApps: 5,
  /** Broadcasts that one process sends at the same time; others take turns with them. */
  broadcastsAtOnce: 8,
  broadcastTurnMs: 5_000,
  /** How long a process leaves a broadcast alone that it could not send. */
  broadcastSkipMs: 5_000,
  /** Recipients of a wave queued in one transaction, which blocks callbacks about the broadcast. */
  recipientsReleased: 2_000,
  /** One statement over all recipients of a broadcast: 100,000 take about a second. */
  broadcastStatementMs: 10 * 60 * 1000,
  /** In one process, and of one broadcast: 256 at 0.25 s each are the channel's maximum of 1,000 a second. */
  recipientsUnderWay: 384,
  recipientsUnderWayEach: 256,
  /** Connections of one process to one channel host: those of all broadcasts, and 128 that they leave to others. */
  channelConnections: 512,
  /** Recipients leased in one statement. */
  recipientsTaken: 64,
  /** Recipients whose outcome is stored in one statement. */
  recipientsWritten: 100,
  recipientsWritesAtOnce: 4,
  recipientsApartMs: 5_000,
  /** The lease on a recipient, and how much of it must be left when a send begins. */
  recipientLeaseMs: 60_000,
  recipientLeaseLeftMs: 35_000,
  /** How long a message may be without any status before its recipient is given up. */
  recipientUnknownMs: 10 * 60 * 1000,
  /** The delay before the write of an outcome is retried; the retries end after that time. */
  settleAgainMs: 1_000,
  /** How long an undo, or a write that nobody else could repeat, is retried. */
  undoneForMs: 60_000,
  /** How often a process looks for recipients. */
  recipientsPollMs: 500,
  /** What waits is counted for the metrics at every so many polls. */
  pollsPerCount: 20,
  /** How much of a number's pace is reserved at once, and how much that was missed may be caught up. */
  paceAheadMs: 250,
  paceCatchUpMs: 100,
  /** A longer queue, which exceeds all that processes may have under way, stems from a clock that was ahead. */
  paceQueueMs: 60_000,
  /** The longest time for which a number is closed after a refusal. */
  paceClosedMs: 60 * 60 * 1000,
  /** After so long without a refusal, the next one counts as the first. */
  paceForgivenMs: 2 * 60 * 1000,
  /** The least time between two messages of one number to one customer. */
  pairGapMs: 6_000,
  /** How many messages of a conversation are searched for the last one to its customer. */
  pairMessages: 20,
  /** How often a recipient is tried, and the delay after the first failure. */
  broadcastTries: 5,
  broadcastRetryMs: 5_000,
  /** After so many passing failures in a row, the fault is not considered the recipients' any more. */
  broadcastFailuresInRow: 5,
  /** The delay of the follow-up to recipients whom the channel's marketing limit excluded. */
  retargetAfterMs: 24 * 60 * 60 * 1000,
  /** A follow-up later than this is not expected by anyone any more, and is not sent. */
  retargetUntilMs: 7 * 24 * 60 * 60 * 1000,
  /** Broadcasts that one run of a job starts or advances. */
  broadcastsPerRun: 100,
  /** The channel's customer-service window. */
  windowMs: 24 * 60 * 60 * 1000,
  /** One exchange with the channel, from connecting to the last byte of its answer. */
  channelTimeoutMs: 30_000,
  /** Until a proxy has opened a way to an address of the settings. */
  tunnelMs: 10_000,
  /** The largest file that the channel accepts or serves. */
  channelFileBytes: 104_857_600,
  /** The extra time for a file of that size, 100 MB at 5.6 Mbit/s; a smaller file gets its share. */
  channelFileTimeoutMs: 150_000,
  /** How long a request waits for Redis before it passes uncounted. */
  limiterWaitMs: 100,
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** The time for an upload to arrive, or to be downloaded. */
  uploadTimeoutMs: 60_000,
  connectionCheckMs: 1_000,
  /** How long a client may read nothing of its answer, or the source of the answer be silent. */
  answerStalledMs: 60_000,
  /** How much of a request is read after an early answer, for how long, and for how long without any data. */
  readOnBytes: 16_777_216,
  readOnMs: 5_000,
  readOnIdleMs: 1_000,
  connectionsMax: 4_096,
  /** Requests that a client may pipeline on one connection. */
  requestsAhead: 64,
  /** How long concurrent requests for `/readyz` share one check of the database. */
  readinessSharedMs: 1_000,
  /** Concurrent look-ups of credentials and projects that were never found before; others wait. */
  guessesAtOnce: 4,
  guessesWaiting: 4_096,
  guessWaitMs: 5_000,
  /** How long a stopping process waits for requests under way. */
  drainMs: 25_000,
  /** How long it accepts pending connections, one per turn of the event loop, if they keep coming. */
  acceptDrainMs: 5_000,
  /** How long it keeps an idle connection open for a request that may be on its way. */
  idleDrainMs: 500,
  tableRowsDefault: 20,
  tableFilters: 20,
  tableCursorCharacters: 200,
  /** Tables in a list. */
  tablesListed: 1_000,
  /** Rows that one update or delete may change. */
  rowsChanged: 1_000,
  /** PostgreSQL's maximum of parameters in one statement. */
  statementParameters: 65_535,
  /** One answer from a project's tables. */
  tablePageBytes: 16 * 1024 * 1024,
  /** One statement on a project's tables. */
  tableStatementMs: 5_000,
  tableLockWaitMs: 1_000,
  /** A whole script applied by an operator. */
  tableScriptMs: 60_000,
  /** Connections of one process for one of a project's two sets of tables, `public` or `preview`. */
  tableReadersOfProject: 4,
  tableWritersOfProject: 3,
  /** How long a request waits for such a connection. */
  tableConnectionWaitMs: 2_000,
  /** Concurrent reads of the catalog by one process, and for one project. */
  catalogLooksAtOnce: 3,
  catalogLooksAtOnceEach: 2,
  catalogLooksWaiting: 512,
  /** As long as a request waits for any of the service's own connections. */
  catalogLookWaitMs: 5_000,
  /** Cursors whose position is stored by the service. */
  rowCursorsKeptMs: 24 * 60 * 60 * 1000,
  /** The channel drops a message that it could not deliver for 30 days; no callback comes later. */
  attemptsKeptMs: 31 * 24 * 60 * 60 * 1000,
  /** The channel repeats a callback for up to seven days. */
  parkedStatusesKeptMs: 8 * 24 * 60 * 60 * 1000,
  /** Steps, of one batch each, for the statuses that arrived since the last run a minute ago. */
  parkedLateSteps: 200,
  /** Statuses older than this are left to the rounds. */
  parkedLatelyMs: 10 * 60 * 1000,
  /** The youngest are examined again: some are committed after younger ones, or before their message. */
  parkedAgainMs: 60 * 1000,
  /** Steps a minute for all others, which may be millions. */
  parkedRoundSteps: 40,
  /** How long a process that died blocks others from fetching or renewing a medium, or changing a flow. */
  workLeaseMs: 20_000,
  workLeaseRenewMs: 5_000,
  /** How long a request waits for its turn at such work, and the shortest and longest interval of its looks. */
  workWaitMs: 200_000,
  workPollMs: 50,
  workPollMostMs: 500,
  unreadCallbacksKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** The time for one run of the retention job, which runs each minute. */
  pruneRunMs: 20_000,
  ...UPLOAD_LIMITS,
  ...DELIVERY_LIMITS,
  ...BOT_LIMITS,
} as const
