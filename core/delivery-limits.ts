/** Limits of webhook deliveries; read them as `LIMITS`. */
export const DELIVERY_LIMITS = {
  /** Consecutive failed events after which a registration is turned off. */
  failedEventsInRow: 10,
  /** The random variation of a retry's delay, as a share of it. */
  retryJitter: 0.1,
  /**
   * Concurrent attempts of one process, of one host and of one registration. An attempt slower than the last
   * value counts against its registration alone: it may be hanging, and nobody else should wait for its
   * timeout.
   */
  attemptsAtOnce: 128,
  attemptsAtOncePerHost: 40,
  attemptsAtOncePerWebhook: 10,
  attemptSlowMs: 1_000,
  /** For a registration whose last attempt failed, since its receiver may be hanging. */
  attemptsAtOnceFailing: 2,
  /** Half of the places, for registrations that failed last or have a slow attempt: the other half stays free. */
  attemptsAtOnceDoubtful: 64,
  attemptsAtOncePerHostDoubtful: 20,
  /**
   * All attempts under way including slow ones, each with a socket. The difference of the two values is
   * reserved for registrations that are not doubtful.
   */
  attemptsUnderWay: 512,
  attemptsUnderWayDoubtful: 384,
  /** Outcomes not stored yet; no attempt begins beyond this. */
  outcomesUnwritten: 1_000,
  /** Outcomes stored in one statement. */
  outcomesAtOnce: 500,
  /** Registrations that one process delivers to at the same time; they take turns. */
  webhooksLeased: 500,
  /** How long a registration keeps its place while others wait. */
  webhookTurnMs: 2_000,
  /** Deliveries of one registration in the memory of a process, waiting or under way. */
  deliveriesHeldPerWebhook: 150,
  /** Deliveries read in one statement, and the size of their data together. */
  deliveriesRead: 500,
  deliveriesReadBytes: 8_388_608,
  /**
   * Data of waiting deliveries in the memory of a process, in all and of one registration. Beyond the total,
   * only registrations below their share are read.
   */
  deliveriesHeldBytes: 33_554_432,
  deliveriesHeldBytesPerWebhook: 2_097_152,
  /**
   * The share of a registration in data and in number; the shares of all leased ones make up the total. A
   * registration that failed last or has a slow attempt gets no more than its share.
   */
  deliveriesHeldBytesShare: 65_536,
  deliveriesHeldShare: 20,
  /**
   * Where all that is in memory of a registration waits for conversations under way: how many of their
   * deliveries are passed over to find others, and the least time between two such reads of which the first
   * found few.
   */
  deliveriesPassed: 5_000,
  deliveriesPastMs: 500,
  /** How often a process looks for deliveries without being notified. */
  deliveriesPollMs: 500,
  /** The least time between two notices to other processes. */
  deliveriesNoticeMs: 10,
  /** How long settled deliveries and their events are kept. */
  deliveriesKeptMs: 7 * 24 * 60 * 60 * 1000,
} as const
