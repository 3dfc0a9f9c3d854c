/** What holds for the deliveries of webhooks. Read them as `LIMITS`. */
export const DELIVERY_LIMITS = {
  /** Failed events in a row after which a registration is turned off. */
  failedEventsInRow: 10,
  /** How far a retry may be from its time, as a share of the delay. */
  retryJitter: 0.1,
  /**
   * Attempts of one process that are under way at once, of one host and of one registration. An attempt that
   * has waited for longer than that counts for its registration alone: it hangs, or may, and nobody else is
   * to wait for it until it times out.
   */
  attemptsAtOnce: 128,
  attemptsAtOncePerHost: 40,
  attemptsAtOncePerWebhook: 10,
  attemptSlowMs: 1_000,
  /** For a registration whose last attempt failed: it may be hanging. */
  attemptsAtOnceFailing: 2,
  /** Half of them, for registrations that failed last or have an attempt that hangs: others find the rest. */
  attemptsAtOnceDoubtful: 64,
  attemptsAtOncePerHostDoubtful: 20,
  /**
   * All that are under way, those that hang too: a socket each. What those registrations leave of them is
   * room for as many others as may begin at once.
   */
  attemptsUnderWay: 512,
  attemptsUnderWayDoubtful: 384,
  /** Outcomes that are not written yet; no attempt begins while there are more. */
  outcomesUnwritten: 1_000,
  /** Outcomes that are written together. */
  outcomesAtOnce: 500,
  /** Registrations whose deliveries one process makes at the same time; they take turns. */
  webhooksLeased: 500,
  /** How long a registration keeps its place while others wait for one. */
  webhookTurnMs: 2_000,
  /** Deliveries of one registration that a process holds in memory, waiting or under way. */
  deliveriesHeldPerWebhook: 150,
  /** Deliveries that are read together, and how large their data may be in all. */
  deliveriesRead: 500,
  deliveriesReadBytes: 8_388_608,
  /**
   * Data that a process holds of deliveries that wait, in all and of one registration. While it is more in
   * all, nothing is read but for those that hold less than their share.
   */
  deliveriesHeldBytes: 33_554_432,
  deliveriesHeldBytesPerWebhook: 2_097_152,
  /**
   * The share of each, in data and in number: for as many as are leased, that makes the whole. Who has not
   * just answered well, or has an attempt that hangs, holds no more.
   */
  deliveriesHeldBytesShare: 65_536,
  deliveriesHeldShare: 20,
  /** How often a process looks for deliveries that nobody told it of. */
  deliveriesPollMs: 500,
  /** How often a process tells others of new deliveries, at the most. */
  deliveriesNoticeMs: 10,
  /** Deliveries, and the events that they tell of, are kept this long. */
  deliveriesKeptMs: 7 * 24 * 60 * 60 * 1000,
} as const
