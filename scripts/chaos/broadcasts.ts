import { setTimeout as pause } from 'node:timers/promises'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { giveUpLost } from '../../capabilities/broadcasts/broadcast-progress.ts'
import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { statement } from '../../core/sql.ts'
import { type Bed, withBed } from './bed.ts'
import { figuresOf } from './broadcast-figures.ts'
import { startCallbackRelay } from './callback-relay.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { connectChannel } from './idempotency-channel.ts'
import { type Random, seededRandom } from './random.ts'
import type { Options, Scenario } from './scenario.ts'

const WORKERS = 2
const SETTINGS = { ROLE: 'all' }
/** From the moment when enough have left to the kill. */
const KILL_AFTER_MS = [0, 40] as const
const POLL_MS = 10
const PROGRESS_KILLS = 10
const WAIT_LIMIT_MS = 120_000
const FIRST_WAVE_SHARE = 0.5

const insertContacts = statement(
  'chaos-contacts',
  `INSERT INTO contacts (project_id, phone, wa_id, match_key, name, tags, opted_in, opted_in_at)
   SELECT 'chaos', '+' || d, d, d, 'Customer ' || n, '{}', true, now()
     FROM (SELECT n, '1556' || 1000 + n || CASE WHEN n % 20 = 0 THEN '0014'
                    WHEN n % 20 = 1 THEN '0018' ELSE '5000' END AS d
             FROM generate_series(1, $1::int) n) AS row`,
)
const insertTemplate = statement(
  'chaos-template',
  `INSERT INTO templates (id, project_id, name, language, category, status, components)
   VALUES ('1', 'chaos', 'offer', 'en_US', 'MARKETING', 'APPROVED',
     '[{"type": "BODY", "text": "Hello {{1}}"}]')`,
)
// The channel of this run lists no templates: they are never due to be fetched, however long it lasts.
const noSync = statement(
  'chaos-no-sync',
  `INSERT INTO template_syncs (project_id, started_at) VALUES ('chaos', now())
   ON CONFLICT (project_id) DO UPDATE SET started_at = excluded.started_at`,
)
// As though a lease's minute were over after three seconds: the dead do not need it any more.
const endLeases = statement(
  'chaos-end-leases',
  `UPDATE broadcast_recipients SET lease_until = now() - interval '1 ms'
    WHERE lease_until < now() + interval '57 s' AND dispatched_at IS NULL AND status = 'queued'`,
)
// Before the broadcast has started it has no recipients, and all of them are still to be sent to.
const waiting = statement(
  'chaos-waiting',
  `SELECT CASE WHEN EXISTS (SELECT FROM broadcasts WHERE started_at IS NULL) THEN $1::int
               ELSE (SELECT count(*) FROM broadcast_recipients
                      WHERE status = 'queued' AND dispatched_at IS NULL) END`,
)
// What a living worker has marked as leaving comes to the channel, which answers at once, long before that.
const isLeaving = statement(
  'chaos-leaving',
  `SELECT EXISTS (SELECT FROM broadcast_recipients
                   WHERE status = 'queued' AND dispatched_at > now() - interval '3 s')`,
)
// As though the ten minutes were over in which a callback might still have come.
const longAgo = statement(
  'chaos-long-ago',
  `UPDATE broadcast_recipients SET dispatched_at = dispatched_at - interval '10 minutes 1 second'
    WHERE status = 'queued' AND dispatched_at IS NOT NULL`,
)

/**
 * A broadcast in two waves is sent by workers that are killed and come back, to a channel that now and
 * then takes a message and gives no answer, or reports on it before it answers. However it went, nobody
 * may have been sent to twice, nobody may be lost, and the counts must add up.
 */
export const broadcasts: Scenario = (options) =>
  withBed(SETTINGS, options.databaseUrl, async (bed) => {
    const { say, seed, size } = options
    await projects.create(bed.ctx, { id: 'chaos', name: 'Chaos' })
    const made = { projectId: 'chaos', name: 'Chaos', scopes: ['all'], isTest: true }
    const { secret } = await keys.create(bed.ctx, made)
    await bed.ctx.sql.rows(insertContacts, [size])
    await bed.ctx.sql.rows(insertTemplate)
    await bed.ctx.sql.rows(noSync)
    const fleet = await startFleet(WORKERS, bed.env)
    bed.atEnd(() => fleet.stop())
    const relay = await startCallbackRelay(fleet, seededRandom(seed + 1))
    bed.atEnd(() => relay.close())
    const channel = await connectChannel(bed, 'chaos', relay.url)
    const id = await approve(bed, fleet, secret, options)

    const left = async () => Number((await bed.ctx.sql.rows(waiting, [size]))[0]?.[0])
    const random = seededRandom(seed + 2)
    await killWhile(options, fleet, random, (count) =>
      until(bed, async () => (await left()) <= size - count, `${count} recipients`),
    )
    say('Waiting for the rest')
    await until(bed, async () => (await left()) === 0, 'the rest')
    const isQuiet = async () => (await bed.ctx.sql.rows(isLeaving))[0]?.[0] === 'f'
    await until(bed, isQuiet, 'what is leaving')
    await channel.idle()
    await bed.ctx.sql.rows(longAgo)
    await giveUpLost(bed.ctx)
    const outcome = { sends: channel.sends(), options }
    return figuresOf(bed.ctx, id, { ...outcome, problems: channel.problems.length })
  })

/** Makes the broadcast as a caller does, and approves it as an operator does. */
async function approve({ ctx }: Bed, fleet: Fleet, bearer: string, { seed, size }: Options) {
  const url = await fleet.anyUrl(seededRandom(seed))
  const response = await fetch(`${url}/v1/broadcasts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Chaos',
      template_name: 'offer',
      template_language: 'en_US',
      audience: { filter: { match: 'all', conditions: [] } },
      template_variables: { '1': { field: 'name', fallback: 'there' } },
      wave_size: Math.max(1, Math.floor(size * FIRST_WAVE_SHARE)),
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The broadcast could not be created: ${text}`)
  const { id } = (JSON.parse(text) as { data: { broadcast: { id: string } } }).data.broadcast
  const nextWaveAt = new Date(ctx.now().getTime() + 1_000)
  await broadcastApprovals.approve(ctx, id, { by: 'chaos', nextWaveAt })
  return id
}

/** Spreads the kills over the sends: each comes when its share of the recipients has left. */
async function killWhile(
  { kills, size, say }: Options,
  fleet: Fleet,
  random: Random,
  untilLeft: (count: number) => Promise<void>,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    await untilLeft(Math.floor((size * kill) / kills))
    await pause(random.between(...KILL_AFTER_MS))
    await fleet.untilAlive(1)
    fleet.killOne(random)
    if ((kill + 1) % PROGRESS_KILLS === 0) say(`${kill + 1} of ${kills} kills`)
  }
}

/** Waits, and meanwhile ends the leases that the dead have left, and puts the fetch of templates off. */
async function until({ ctx }: Bed, holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`There is still no end to wait for: ${what}`)
    await ctx.sql.rows(endLeases)
    await ctx.sql.rows(noSync)
    await pause(POLL_MS)
  }
}
