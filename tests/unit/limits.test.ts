import { describe, expect, it } from '@jest/globals'
import { loadConfig } from '../../core/config.ts'
import { TABLE_POOL_SIZE_MIN } from '../../core/settings.ts'
import { LIMITS } from '../../core/limits.ts'
import { sharesOf } from '../../database/table-store.ts'
import { jobs } from '../../jobs/index.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** What supervisors grant a process that is told to stop. */
const GRANTED_MS = 30_000

const {
  channelTimeoutMs,
  channelFileTimeoutMs,
  recipientLeaseMs,
  recipientLeaseLeftMs,
  uploadTimeoutMs,
  uploadWaitMs,
} = LIMITS

/** The longest that a file is on its way, from its first byte to the channel's answer. */
const UPLOAD_MS = uploadTimeoutMs + uploadWaitMs + channelFileTimeoutMs + channelTimeoutMs

/** Limits that rest on others: what each promise needs of them, the smaller one first. */
const RESTING: [promise: string, smaller: number, larger: number][] = [
  [
    'a message of a broadcast has its answer before another process may send it',
    channelTimeoutMs,
    recipientLeaseLeftMs,
  ],
  [
    'a recipient that is leased has time to wait before it is sent to',
    recipientLeaseLeftMs,
    recipientLeaseMs,
  ],
  ['nobody waits for a send in vain', recipientLeaseMs, LIMITS.recipientUnknownMs],
  ['the file of an upload outlasts the upload', UPLOAD_MS, LIMITS.uploadFilesKeptMs],
  [
    'who waits for a medium waits for longer than it takes',
    channelTimeoutMs + channelFileTimeoutMs,
    LIMITS.workWaitMs,
  ],
  ['work that goes on keeps its lease', 3 * LIMITS.workLeaseRenewMs, LIMITS.workLeaseMs],
  ['a run that goes on keeps its lease', 2 * LIMITS.botLeaseRenewMs, LIMITS.botLeaseMs],
  ['a run that waits is not taken for lost', LIMITS.botPostponedMostMs, LIMITS.botClockAheadMs],
  ['a build waits for the one before it', LIMITS.buildTimeoutMs, LIMITS.buildWaitMs],
  ['a build finds what it reads', LIMITS.buildWaitMs, LIMITS.codeBlobsKeptMs],
  ['a status outlasts the channel’s last callback', 7 * DAY_MS, LIMITS.parkedStatusesKeptMs],
  ['an attempt outlasts the channel’s last word', 30 * DAY_MS, LIMITS.attemptsKeptMs],
  ['a copy is renewed before it ends', LIMITS.mediaIdMarginMs, LIMITS.mediaIdKeptMs],
  ['a project is due whenever templates are fetched', LIMITS.syncDueMs, everyMs('sync-templates')],
  ['a project is due whenever flows are fetched', LIMITS.syncDueMs, everyMs('sync-flows')],
  ['a sync ends before the next one', LIMITS.syncRunMs, everyMs('sync-templates')],
  ['a pruning ends before the next one', LIMITS.pruneRunMs, everyMs('prune-expired')],
  ['a stop ends while it is granted', LIMITS.drainMs, GRANTED_MS],
  ['a body has less time than a file', LIMITS.requestTimeoutMs, uploadTimeoutMs],
  ['a head has less time than its body', LIMITS.headersTimeoutMs, LIMITS.requestTimeoutMs],
  [
    'callbacks leave connections to requests',
    LIMITS.callbacksAtOnce + LIMITS.statusBatchesAtOnce,
    loadConfig({}).databasePoolSize,
  ],
]

const FEWEST_SESSIONS = sharesOf(TABLE_POOL_SIZE_MIN)

/** What one project has at most, and all together. */
const SHARED: [what: string, each: number, all: number][] = [
  ['callbacks', LIMITS.callbacksAtOnceEach, LIMITS.callbacksAtOnce],
  ['uploads', LIMITS.uploadsAtOnceEach, LIMITS.uploadsAtOnce],
  ['counts', LIMITS.audienceCountsAtOnceEach, LIMITS.audienceCountsAtOnce],
  ['looks', LIMITS.catalogLooksAtOnceEach, LIMITS.catalogLooksAtOnce],
  ['builds', LIMITS.buildsAtOnceEach, LIMITS.buildsAtOnce],
  ['recipients', LIMITS.recipientsUnderWayEach, LIMITS.recipientsUnderWay],
  ['sessions that read', LIMITS.tableReadersOfProject, FEWEST_SESSIONS.readers],
  ['sessions that write', LIMITS.tableWritersOfProject, FEWEST_SESSIONS.writers],
  ['runs', LIMITS.botRunsPerProject, LIMITS.botRunsPerThread],
  ['runs that take long', LIMITS.botSlowRunsPerProject, LIMITS.botRunsPerSlowThread],
  ['attempts of a webhook', LIMITS.attemptsAtOncePerWebhook, LIMITS.attemptsAtOncePerHost],
  ['attempts of a host', LIMITS.attemptsAtOncePerHost, LIMITS.attemptsAtOnce],
  ['attempts that may hang', LIMITS.attemptsUnderWayDoubtful, LIMITS.attemptsUnderWay],
]

describe('a limit that rests on another one', () => {
  it.each(RESTING)('leaves it room: %s', (_promise, smaller, larger) => {
    expect(smaller).toBeLessThan(larger)
  })

  it.each(SHARED)('leaves others some of all: %s of one', (_what, each, all) => {
    expect(each).toBeLessThan(all)
  })
})

describe('the jobs that ask the channel', () => {
  it('run every ten minutes, within which what was made elsewhere appears', () => {
    for (const name of ['sync-templates', 'sync-flows'] as const) {
      expect(everyMs(name)).toBe(10 * MINUTE_MS)
    }
  })
})

function everyMs(name: keyof typeof jobs): number {
  const [, count, unit] = /^(\d+) (second|minute|hour)s?$/.exec(jobs[name].every) ?? []
  const unitMs = { second: 1_000, minute: MINUTE_MS, hour: 60 * MINUTE_MS }
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}
