import { BOT_LIMITS } from './bot-limits.ts'
import { DELIVERY_LIMITS } from './delivery-limits.ts'
import { UPLOAD_LIMITS } from './upload-limits.ts'

/** Every bound that an operator, a caller or another module can meet, with its unit in its name. */
export const LIMITS = {
  /** Body of an operation without a limit of its own. */
  bodyBytes: 1_048_576,
  /** JSON bodies that one process holds, other than those of this size, which are always let in. */
  bodyBytesAtOnce: 67_108_864,
  bodyBytesAlways: 65_536,
  /** The channel sends callbacks of up to 3 MB. */
  callbackBytes: 4_194_304,
  /** One of so many bytes that holds more values is not the channel's, which has one for every 27 of them. */
  callbackValues: 200_000,
  /** Callbacks that one process holds, other than those of this size, which are always let in. */
  callbackBytesAtOnce: 67_108_864,
  callbackBytesAlways: 65_536,
  /** Connections that callbacks hold at once, other than of statuses alone; and those of one project. */
  callbacksAtOnce: 7,
  callbacksAtOnceEach: 4,
  callbacksWaiting: 4_096,
  callbackWaitMs: 10_000,
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
  /** What it may hold: a mebibyte could be half a million, a hundred rows of all columns are 65,535. */
  jsonValues: 100_000,
  pageItemsDefault: 50,
  pageItemsMax: 100,
  /** Rows that are looked through for a page of those that meet a condition, before all of these are found. */
  rowsLookedThrough: 2_000,
  /** Of what a page is made of; it ends where it would be more: a page may be asked for again and again. */
  pageBytes: 1_048_576,
  /** States that a project's bots have introduced, beside those of the platform. */
  statesOfProject: 100,
  contactTags: 100,
  contactTagCharacters: 64,
  contactNameCharacters: 256,
  contactAttributes: 200,
  /** How long the live counts of one answer may take, all together. */
  audienceCountMs: 2_000,
  /** Live counts that a process makes at once; others wait for their turn, within that time. */
  audienceCountsAtOnce: 3,
  /** Of one project, so that what it counts leaves room for another's. */
  audienceCountsAtOnceEach: 2,
  audienceCountsWaiting: 256,
  /** Former contents that an edited message keeps. */
  messageEdits: 20,
  webhooksPerProject: 100,
  /** Of an address as the contract lets it be given, and as it is answered. */
  webhookUrlCharacters: 512,
  /** What a custom event carries, as JSON. */
  customEventBytes: 262_144,
  /** Faults that one answer names. */
  faultsTold: 50,
  /** A value that a send fills in. */
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
  /** Pages of a hundred templates that the channel lists for one account; it lets none have more. */
  templatePages: 100,
  templateWrites: 200,
  /** Pages of a hundred flows that the channel lists for one account. */
  flowPages: 100,
  /** Definitions that one listing has read; the others wait for the next one. */
  flowDefinitionsRead: 200,
  /** How large these may be as JSON, in all: one may have ten mebibytes. */
  flowCharactersRead: 16_777_216,
  /** Projects whose templates are fetched together, or their flows. */
  syncsAtOnce: 4,
  /** A little less than the time between two runs, so that no run finds a project just not due. */
  syncDueMs: 9 * 60 * 1000,
  syncRunMs: 9 * 60 * 1000,
  /** What a model may answer with, flow and words around it. */
  agentAnswerBytes: 1_048_576,
  /** Apps that a button hands its one-time code to. */
  templateApps: 5,
  /** Broadcasts that one process sends at the same time; they take turns when there are as many. */
  broadcastsAtOnce: 8,
  broadcastTurnMs: 5_000,
  /** How long a process leaves one alone that it could not send just now. */
  broadcastSkipMs: 5_000,
  /** Recipients of a wave that are queued in one transaction, which callbacks about the broadcast wait for. */
  recipientsReleased: 2_000,
  /** One statement over all recipients of a broadcast: 100,000 take about a second. */
  broadcastStatementMs: 10 * 60 * 1000,
  /** Recipients in flight in one process, and of one broadcast: 192 at 0.2 s each are the channel's 1,000 a second. */
  recipientsUnderWay: 256,
  recipientsUnderWayEach: 192,
  /** Recipients that are leased together. */
  recipientsTaken: 64,
  /** Recipients whose step is written together. */
  recipientsWritten: 100,
  recipientsWritesAtOnce: 4,
  recipientsApartMs: 5_000,
  /** How long a process has a recipient for itself, and how much of that a send must have left. */
  recipientLeaseMs: 60_000,
  recipientLeaseLeftMs: 35_000,
  /** How long a message may be at the channel without a word before nobody waits for one any more. */
  recipientUnknownMs: 10 * 60 * 1000,
  /** The pause before an outcome that could not be written is tried again, until that time is over. */
  settleAgainMs: 1_000,
  /** How long that is tried again by which something is undone, or written down, that nobody else knows. */
  undoneForMs: 60_000,
  /** How often a process looks for recipients. */
  recipientsPollMs: 500,
  /** Of so many polls of a worker, one counts what waits, for its metrics. */
  pollsPerCount: 20,
  /** How much of a number's pace is taken at once, and how much of what was missed is caught up on. */
  paceAheadMs: 250,
  paceCatchUpMs: 100,
  /** A longer queue, longer also than all that a process may have under way, comes from a clock that ran ahead. */
  paceQueueMs: 60_000,
  /** The longest that a number is closed after a refusal. */
  paceClosedMs: 60 * 60 * 1000,
  /** After how long without a refusal the next one counts as the first. */
  paceForgivenMs: 2 * 60 * 1000,
  /** Between two messages of one number to one customer. */
  pairGapMs: 6_000,
  /** How far back a conversation is looked through for the last message to its customer. */
  pairMessages: 20,
  /** How often a recipient is tried, and how long after the first failure. */
  broadcastTries: 5,
  broadcastRetryMs: 5_000,
  /** So many messages in a row that came to nothing for a passing reason are no longer their recipients' bad luck. */
  broadcastFailuresInRow: 5,
  /** When those whom the channel's marketing limit kept a broadcast from are written to again. */
  retargetAfterMs: 24 * 60 * 60 * 1000,
  /** How late a follow-up may begin: after that long, nobody expects it any more. */
  retargetUntilMs: 7 * 24 * 60 * 60 * 1000,
  /** Broadcasts that one run of a job moves on. */
  broadcastsPerRun: 100,
  /** The channel's customer-service window. */
  windowMs: 24 * 60 * 60 * 1000,
  /** One exchange with the channel, from connecting to the last byte of its answer. */
  channelTimeoutMs: 30_000,
  /** The largest file that the channel takes or has. */
  channelFileBytes: 104_857_600,
  /** What such a file may take on top of that: 100 MB at 5.6 Mbit/s. A smaller one, its share. */
  channelFileTimeoutMs: 150_000,
  /** How long a request waits for Redis before it passes uncounted. */
  limiterWaitMs: 100,
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** How long an upload may take to arrive, or to be downloaded. */
  uploadTimeoutMs: 60_000,
  connectionCheckMs: 1_000,
  /** How long a client may take nothing of an answer that has begun, or that answer's source be silent. */
  answerStalledMs: 60_000,
  /** The rest of a request that is answered before it is whole: how much is read of it, how long, and how long in vain. */
  readOnBytes: 16_777_216,
  readOnMs: 5_000,
  readOnIdleMs: 1_000,
  connectionsMax: 4_096,
  /** Requests that a client may send over a connection before the first of them is answered. */
  requestsAhead: 64,
  /** How long one look at the database's state is waited for by all who ask `/readyz` meanwhile. */
  readinessSharedMs: 1_000,
  /** Credentials and projects by which nothing was found yet, looked up at once; others wait. */
  guessesAtOnce: 4,
  guessesWaiting: 4_096,
  guessWaitMs: 5_000,
  /** How long a stopping process waits for the requests that it has begun. */
  drainMs: 25_000,
  /** How long it takes in who has connected, one in each turn, when they come without a pause. */
  acceptDrainMs: 5_000,
  /** How long it leaves an idle connection open, for a request that may be on its way. */
  idleDrainMs: 500,
  tableRowsDefault: 20,
  tableFilters: 20,
  tableCursorCharacters: 200,
  /** Tables that a list of them shows. */
  tablesListed: 1_000,
  /** Rows that one update or delete may reach. */
  rowsChanged: 1_000,
  /** What PostgreSQL takes of parameters in one statement. */
  statementParameters: 65_535,
  /** One answer of a project's tables. */
  tablePageBytes: 16 * 1024 * 1024,
  /** One statement on a project's tables. */
  tableStatementMs: 5_000,
  tableLockWaitMs: 1_000,
  /** The whole of a script that an operator applies. */
  tableScriptMs: 60_000,
  /** Connections of a process that read projects' tables, and that write them. */
  tableReaders: 8,
  tableWriters: 5,
  /** How many of them one set of a project's tables, `public` or `preview`, may hold. */
  tableReadersOfProject: 4,
  tableWritersOfProject: 3,
  /** How long a request waits for one of them. */
  tableConnectionWaitMs: 2_000,
  /** Looks of a process at what tables and columns there are, and those of one project. */
  catalogLooksAtOnce: 3,
  catalogLooksAtOnceEach: 2,
  catalogLooksWaiting: 512,
  /** Cursors whose position is kept by the service. */
  rowCursorsKeptMs: 24 * 60 * 60 * 1000,
  /** The channel drops a message that it could not deliver for 30 days; no callback comes later. */
  attemptsKeptMs: 31 * 24 * 60 * 60 * 1000,
  /** The channel repeats a callback for up to seven days. */
  parkedStatusesKeptMs: 8 * 24 * 60 * 60 * 1000,
  /** Each minute those are looked at that came since the last time, in up to so many steps of a batch of statuses. */
  parkedLateSteps: 200,
  /** What is behind by more than that is left to the rounds. */
  parkedLatelyMs: 10 * 60 * 1000,
  /** The youngest are looked at again: some are committed after younger ones, or before their message. */
  parkedAgainMs: 60 * 1000,
  /** Of the others, which may be millions, so many steps a minute. */
  parkedRoundSteps: 40,
  /** How long a process that died keeps others from fetching or renewing a medium, or changing a flow. */
  workLeaseMs: 20_000,
  workLeaseRenewMs: 5_000,
  /** How long a request waits for its turn at such work, and for how long between two looks at first, and at last. */
  workWaitMs: 200_000,
  workPollMs: 50,
  workPollMostMs: 500,
  unreadCallbacksKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** What one run of the job may take that deletes what is past its time; it runs each minute. */
  pruneRunMs: 20_000,
  ...UPLOAD_LIMITS,
  ...DELIVERY_LIMITS,
  ...BOT_LIMITS,
} as const
