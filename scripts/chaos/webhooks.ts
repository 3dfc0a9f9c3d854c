import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { emit } from '../../capabilities/webhooks/events.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { type Statement, statement } from '../../core/sql.ts'
import { type Bed, withBed } from './bed.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { seededRandom } from './random.ts'
import type { Options, Scenario } from './scenario.ts'
import { figuresOf } from './webhook-figures.ts'
import { DEAD_PATH, startFaultyReceiver } from './webhook-receiver.ts'

const SERVERS = 3
const HEALTHY = 8
const SUBJECTS = 40
const EVENT = 'chaos.happened'
/**
 * The timeout is longer than a busy machine stalls a server: one that stalls past it gives up requests that never
 * left, and their events come late or count as tried. A lease is over 6 s after its server's death.
 */
const SETTINGS = {
  WEBHOOK_TIMEOUT_MS: '3000',
  WEBHOOK_RETRY_DELAYS_MS: '50,100,200,400',
}
const KILL_AFTER_MS = [0, 400] as const
const PROGRESS_KILLS = 10
const DRAIN_LIMIT_MS = 300_000
const DRAIN_POLL_MS = 100

const insert = statement(
  'chaos-webhook',
  `INSERT INTO webhooks (id, project_id, url, events, is_active, secret)
   VALUES ($1, 'chaos', $2, '{${EVENT}}', true, $3)`,
)
const countPending = statement(
  'chaos-pending',
  `SELECT count(*) FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.status = 'pending' AND w.is_active`,
)

/**
 * Events happen while the servers that deliver them are killed and come back, to subscribers that fail
 * now and then, and to one that always does. However it went, every event must have come to everyone
 * who takes it, under one id, and nothing may have been tried more often than five times.
 */
export const webhooks: Scenario = (options) =>
  withBed(SETTINGS, options.databaseUrl, async (bed) => {
    await projects.create(bed.ctx, { id: 'chaos', name: 'Chaos' })
    const receiver = await startFaultyReceiver(options.seed)
    bed.atEnd(() => receiver.close())
    for (let n = 0; n < HEALTHY; n++) await register(bed, `wh_${n}`, `${receiver.url}/${n}`)
    await register(bed, 'wh_dead', receiver.url + DEAD_PATH)
    const fleet = await startFleet(SERVERS, {
      ...bed.env,
      ROLE: 'all',
      EGRESS_ALLOW: new URL(receiver.url).host,
    })
    bed.atEnd(() => fleet.stop())

    await happenAndKill(options, bed, fleet)
    options.say('Waiting for what is left')
    await untilDrained(bed, countPending)
    return figuresOf(bed.ctx, { receiver, options, healthy: HEALTHY })
  })

async function register({ ctx }: Bed, id: string, url: string): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await ctx.sql.rows(insert, [id, url, ctx.vault.seal(secret, `webhooks.secret.${id}`)])
}

/** As many batches of events as there are kills, and a kill amid the deliveries of each. */
async function happenAndKill({ size, kills, seed, say }: Options, { ctx }: Bed, fleet: Fleet) {
  const random = seededRandom(seed + 1)
  const batches = Math.max(1, kills)
  for (let batch = 0; batch < batches; batch++) {
    const from = Math.floor((size * batch) / batches)
    const to = Math.floor((size * (batch + 1)) / batches)
    const events = Array.from({ length: to - from }, (_, index) => {
      const n = from + index
      const subject = `s${n % SUBJECTS}`
      return { name: EVENT, data: JSON.stringify({ n, subject }), at: ctx.now(), subject }
    })
    await emit(ctx.sql, 'chaos', events)
    if (kills === 0) break
    await pause(random.between(...KILL_AFTER_MS))
    await fleet.untilAlive(1)
    fleet.killOne(random)
    if ((batch + 1) % PROGRESS_KILLS === 0) say(`${batch + 1} of ${kills} kills`)
  }
}

async function untilDrained({ ctx }: Bed, count: Statement): Promise<void> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  for (;;) {
    const [row] = await ctx.sql.rows(count)
    if (row?.[0] === '0') return
    if (performance.now() > deadline) return
    await pause(DRAIN_POLL_MS)
  }
}
