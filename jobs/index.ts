import { sweepRuns } from '../capabilities/bots/bot-runs.ts'
import * as broadcastProgress from '../capabilities/broadcasts/broadcast-progress.ts'
import * as broadcastRetargets from '../capabilities/broadcasts/broadcast-retargets.ts'
import { sweepDeliveries } from '../capabilities/webhooks/delivery-orphans.ts'
import * as flowSync from '../capabilities/flows/flow-sync.ts'
import * as looseBytes from '../capabilities/media/loose-bytes.ts'
import * as parkedStatuses from '../capabilities/statuses/parked-statuses.ts'
import * as retention from '../capabilities/retention.ts'
import * as templateSync from '../capabilities/templates/template-sync.ts'
import type { Context } from '../core/context.ts'

export type Job = {
  /** How often it runs, in words that Agenda and PostgreSQL read alike. */
  every: string
  run: (ctx: Context) => Promise<void>
}

/** Every job; each may run twice, late, or on two workers at once, without harm. */
export const jobs = {
  'give-up-lost-recipients': { every: '1 minute', run: broadcastProgress.giveUpLost },
  'prune-expired': { every: '1 minute', run: (ctx) => retention.pruneExpired(ctx) },
  'sweep-bot-runs': { every: '15 seconds', run: sweepRuns },
  'retarget-broadcasts': { every: '1 minute', run: broadcastRetargets.retargetDue },
  'sweep-deliveries': { every: '15 seconds', run: sweepDeliveries },
  'sweep-loose-bytes': { every: '1 hour', run: looseBytes.sweep },
  'sweep-parked-statuses': { every: '1 minute', run: parkedStatuses.sweep },
  'sync-flows': { every: '10 minutes', run: flowSync.syncDue },
  'sync-templates': { every: '10 minutes', run: templateSync.syncDue },
} satisfies Record<string, Job>
