/** Limits of projects' code: its files, builds and runs; read them as `LIMITS`. */
export const BOT_LIMITS = {
  /** The memory of one instance of a bot. */
  botMemoryBytes: 64 * 1024 * 1024,
  /** An instance larger than this is not reused. */
  botMemoryKeptBytes: 24 * 1024 * 1024,
  /** One run of a bot, from its first step to the end of its last call. */
  botRunMs: 5_000,
  /** The CPU time of one run. */
  botComputingMs: 1_000,
  /** The CPU time that a run may use beside others; one that needs more starts again among the slow ones. */
  botQuickComputingMs: 25,
  /** The time for cleaning up after a run. */
  botFinishMs: 20,
  /** The CPU time, and the whole time, for loading a bot's code before its deployment. */
  botCheckComputingMs: 1_000,
  botCheckMs: 5_000,
  /** How long code may compute that can only be stopped together with its thread, in quick and slow threads. */
  botStuckMs: 250,
  botStuckSlowMs: 1_500,
  /** How long a bot runs among the slow ones after it has exceeded its share. */
  botSlowMs: 60_000,
  /** The CPU time of one project's bot in quick threads, per second and in one burst. */
  botQuickShareMs: 250,
  botQuickBurstMs: 500,
  /** Threads for quick bots, and for slow ones. */
  botQuickThreads: 2,
  botSlowThreads: 1,
  /** Concurrent runs in one thread, quick and slow. */
  botRunsPerThread: 32,
  botRunsPerSlowThread: 4,
  /** Concurrent runs of one project in a process; those in the slow thread; and the slow ones that it may hold. */
  botRunsPerProject: 8,
  botSlowRunsPerProject: 1,
  botSlowRunsHeld: 2,
  /** Runs leased by one process. */
  botRunsHeld: 128,
  /**
   * Memory of idle instances kept in a thread for further runs of their bots. None has less than 16 MiB, so
   * there are as many as a thread runs at once: 32, and fewer when some have grown. A small bot has touched
   * about one of its MiB; a malicious one may have touched all.
   */
  botIdleBytes: 512 * 1024 * 1024,
  /** Code of bots cached in a thread, a quarter of its memory of a gibibyte: a character takes two bytes there. */
  botBundlesKept: 64,
  botBundlesKeptCharacters: 33_554_432,
  /** Code of bots cached in a process, apart from its threads. */
  botCodeKeptBytes: 67_108_864,
  /** Calls of one run. */
  botCalls: 200,
  /**
   * The size of one call, and of all calls of a run: parsing them takes the service's own time. One call can
   * carry the largest event, and rows as wide as those that a table answers with.
   */
  botCallCharacters: 524_288,
  botToldCharacters: 2_097_152,
  /**
   * Formats of dates, numbers and words: how many a run uses, how many a thread keeps, and the characters that one
   * is asked for and fed with at once. A format takes 30 KB, and a number of 8,192 digits takes 2 ms.
   */
  botFormats: 200,
  botFormatsKept: 400,
  botFormatCharacters: 8_192,
  /** How deeply a call's arguments nest: writing them takes the square of it, some milliseconds for these. */
  botCallDepth: 1_000,
  /** Consecutive messages of a bot to one customer: a bot that answers its own statuses would never stop. */
  botSendsUnanswered: 50,
  /** The size of a table's answer, and of all answers to a run: making them takes the service's own time. */
  botRowsCharacters: 524_288,
  botHeardCharacters: 4_194_304,
  /** The rows of an insert with their defaults: the size of a call, twice. */
  botInsertedCharacters: 1_048_576,
  /** Lines that a run may log, and their length. */
  botLines: 100,
  botLineCharacters: 2_000,
  botLogKeptMs: 7 * 24 * 60 * 60 * 1000,
  /** Runs of a project, from the oldest on, that are searched for runs that may start. */
  botRunsLookedThrough: 500,
  /** Conversations that are searched when all of those runs have to wait for each other. */
  botConversationsLookedThrough: 500,
  /** A run's lease, after which another process may take it, and how often it is renewed. */
  botLeaseMs: 6_000,
  botLeaseRenewMs: 2_000,
  /** How often a process looks for runs without being notified. */
  botPollMs: 500,
  /** How often a run is started in all, when its process dies, it breaks its machine, or the service fails. */
  botBegunMost: 5,
  /** How often a run is restarted at once after its thread was lost, before it is given back for later. */
  botLossesMost: 3,
  /** How long a run waits when one of its calls has no known outcome yet. */
  botPostponedMs: 1_000,
  /** The wait doubles with each counted start, up to this, which is less than `botClockAheadMs`. */
  botPostponedMostMs: 8_000,
  /** A run put off for longer was put off by a clock that is ahead, and may start at once. */
  botClockAheadMs: 10_000,
  /** Log lines shown at once. */
  botLogLinesShown: 1_000,
  codeFileBytes: 1_048_576,
  codePathCharacters: 255,
  /** Including the platform's own. */
  codeFiles: 500,
  /** All importable files of a project together. */
  botSourceBytes: 8 * 1024 * 1024,
  /** The built script. */
  botBundleBytes: 4 * 1024 * 1024,
  /** Versions of a project's code that can be deployed again, the newest ones and the current production. */
  deploymentsKept: 1_000,
  /** How long unreferenced content is kept: far longer than a build takes. */
  codeBlobsKeptMs: 60 * 60 * 1000,
  /** The time for one build, and the memory of each of its processes. */
  buildTimeoutMs: 10_000,
  /** How long a build that is given up may take to end its processes itself. */
  buildEndMs: 1_000,
  buildMemoryBytes: 512 * 1024 * 1024,
  /** The script with its source map, as written by the build's process. */
  buildOutputBytes: 32 * 1024 * 1024,
  buildsAtOnce: 2,
  /** Of one project, so that it leaves room for others. */
  buildsAtOnceEach: 1,
  buildsWaiting: 8,
  /** Longer than one build takes, since the project's own previous build may be ahead. */
  buildWaitMs: 15_000,
} as const
