/** What holds for projects' code: its files, its builds and its runs. Read them as `LIMITS`. */
export const BOT_LIMITS = {
  /** What a bot's code has of memory, in one instance. */
  botMemoryBytes: 64 * 1024 * 1024,
  /** An instance that has grown beyond this is not used again. */
  botMemoryKeptBytes: 24 * 1024 * 1024,
  /** One run of a bot, from its first step to the end of its last call. */
  botRunMs: 5_000,
  /** What it may compute in that time. */
  botComputingMs: 1_000,
  /** What it may compute beside others; one that needs more begins again, where only such bots run. */
  botQuickComputingMs: 25,
  /** Tidying up after a run. */
  botFinishMs: 20,
  /** What a bot's code may compute while it is looked at before it is deployed. */
  botCheckComputingMs: 1_000,
  botCheckMs: 5_000,
  /** How long code may compute where it cannot be stopped but with its thread. */
  botStuckMs: 250,
  botStuckSlowMs: 1_500,
  /** How long a bot that once took too much runs among its like. */
  botSlowMs: 60_000,
  /** What one project's bot may compute beside others, per second and in one go. */
  botQuickShareMs: 250,
  botQuickBurstMs: 500,
  /** Threads for bots that compute little, and for the others. */
  botQuickThreads: 2,
  botSlowThreads: 1,
  /** Runs that a thread has begun and not ended. */
  botRunsPerThread: 32,
  botRunsPerSlowThread: 4,
  /** Runs of one project that a process has begun, and of those in the slow thread. */
  botRunsPerProject: 8,
  botSlowRunsPerProject: 1,
  botSlowRunsHeld: 2,
  /** Runs that a process holds. */
  botRunsHeld: 128,
  /**
   * Memory of the instances that wait in a thread for their bots' next runs. None has less than 16 MiB, so
   * these are as many as a thread runs at once: 32, and fewer when some have grown. A small bot has used
   * about one of its MiB; one that means harm may have used all.
   */
  botIdleBytes: 512 * 1024 * 1024,
  /** Code of bots that a thread keeps, which has a quarter of a gibibyte in all; a character has two bytes there. */
  botBundlesKept: 64,
  botBundlesKeptCharacters: 33_554_432,
  /** Code of bots that a process keeps, beside that in its threads. */
  botCodeKeptBytes: 67_108_864,
  /** What a run may ask for. */
  botCalls: 200,
  /**
   * What a call may say, and all calls of a run: reading it takes the service's own time. A call carries the
   * largest event, and rows as wide as those that a table may answer with.
   */
  botCallCharacters: 524_288,
  botToldCharacters: 2_097_152,
  /** Messages in a row of a bot to one customer: what answers its own statuses would never end. */
  botSendsUnanswered: 50,
  /** What a table may answer with, and all that a run may hear: reading it takes the service's own time. */
  botRowsCharacters: 524_288,
  botHeardCharacters: 4_194_304,
  /** What the rows of an insert may be with their defaults: what a call may say, and as much again. */
  botInsertedCharacters: 1_048_576,
  /** Lines that a run may log, and how long they may be. */
  botLines: 100,
  botLineCharacters: 2_000,
  botLogKeptMs: 7 * 24 * 60 * 60 * 1000,
  /** Runs that are looked through for those that may begin: the oldest of a project. */
  botRunsLookedThrough: 500,
  /** Conversations that are gone through when these are all in the way of each other. */
  botConversationsLookedThrough: 500,
  /** A run that another process has begun is this process's when it was not heard of for so long. */
  botLeaseMs: 6_000,
  botLeaseRenewMs: 2_000,
  /** How often a process looks for runs that nobody told it of. */
  botPollMs: 500,
  /** How often a run is begun in all, when its process dies, it breaks what it runs in, or the service fails it. */
  botBegunMost: 5,
  /** How often it begins anew at once, when what it ran in is gone, before it is given back for later. */
  botLossesMost: 3,
  /** How long a run waits that cannot go on, for what it asked for has no outcome yet. */
  botPostponedMs: 1_000,
  /** One that is counted waits for twice as long each time, up to this, and less than `botClockAheadMs`. */
  botPostponedMostMs: 8_000,
  /** What waits for longer was put off by a clock that is ahead, and is begun at once. */
  botClockAheadMs: 10_000,
  /** Log lines that one look at the log shows. */
  botLogLinesShown: 1_000,
  codeFileBytes: 1_048_576,
  codePathCharacters: 255,
  /** The platform's own included. */
  codeFiles: 500,
  /** What of a project's files can be imported, in all. */
  botSourceBytes: 8 * 1024 * 1024,
  /** The one script that runs. */
  botBundleBytes: 4 * 1024 * 1024,
  /** Versions of a project's code that it can go back to: the newest, and what is in production. */
  deploymentsKept: 1_000,
  /** How long content that no file has any more is kept: far longer than a build takes. */
  codeBlobsKeptMs: 60 * 60 * 1000,
  /** One build, and what each of its processes may hold of memory. */
  buildTimeoutMs: 10_000,
  buildMemoryBytes: 512 * 1024 * 1024,
  /** The script and its source map, as the build's process writes them. */
  buildOutputBytes: 32 * 1024 * 1024,
  buildsAtOnce: 2,
  /** Of one project, so that what it builds leaves room for another's. */
  buildsAtOnceEach: 1,
  buildsWaiting: 8,
  /** Longer than one build takes, for the project's own may be before it. */
  buildWaitMs: 15_000,
} as const
