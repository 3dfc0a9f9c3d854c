import { setTimeout as pause } from 'node:timers/promises'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as broadcastAudits from '../../capabilities/broadcasts/broadcast-audits.ts'
import { obstacleTo, type Obstacle } from '../../capabilities/broadcasts/broadcast-obstacles.ts'
import * as broadcastOverviews from '../../capabilities/broadcasts/broadcast-overviews.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import type { Result } from './print.ts'
import { command, type Io, type Noun, stopped } from './command.ts'
import { instant, name, optional, required, text, wholeNumber } from './flags.ts'
import { personHere } from './person.ts'

type Broadcast = Schema<'Broadcast'>

const SHOWN = 100
const SHOWN_MAX = 1_000
const WATCH_EVERY_MS = 500
const WATCH_S = 24 * 60 * 60

const by = optional('NAME', 'who is to stand in the records; the user of this machine', name)

export const broadcast: Noun = {
  says: 'Broadcasts: what callers have assembled, and people let go',
  verbs: {
    list: command({
      says: "Lists a project's broadcasts, the newest first.",
      flags: {
        project: required('ID', 'the project that they belong to', text),
        limit: optional('N', `how many at most; ${SHOWN} when left out`, wholeNumber(1)),
      },
      run: async (ctx, flags, _, io) => {
        const projectId = await projects.resolveId(ctx, flags.project)
        const limit = Math.min(flags.limit ?? SHOWN, SHOWN_MAX)
        const { broadcasts, hasMore } = await broadcastOverviews.listNewest(ctx, projectId, limit)
        if (hasMore) io.stderr.write(`There are more than these ${limit}.\n`)
        return { broadcasts: broadcasts.map(inShort) }
      },
    }),
    show: command({
      says: 'Shows all of a broadcast, and what was done to it.',
      operand: 'ID',
      flags: {},
      run: async (ctx, _, id) => ({
        broadcast: await broadcastOverviews.show(ctx, id),
        acts: await broadcastAudits.list(ctx, id),
      }),
    }),
    approve: command({
      says: 'Lets a broadcast be sent: now, or at its time.',
      operand: 'ID',
      flags: {
        by,
        'wave-size': optional(
          'N',
          'how many to send to at first; the rest is held',
          wholeNumber(1),
        ),
        'next-wave-at': optional('T', 'when the next wave goes by itself', instant),
        'next-wave-count': optional('N', 'how many it has; all that are held', wholeNumber(1)),
      },
      run: async (ctx, flags, id) => ({
        broadcast: await broadcastApprovals.approve(ctx, id, {
          by: flags.by ?? personHere(),
          waveSize: flags['wave-size'],
          nextWaveAt: flags['next-wave-at'],
          nextWaveCount: flags['next-wave-count'],
        }),
      }),
    }),
    release: command({
      says: 'Sends to the next wave now: the one that is due, or else all that are held.',
      operand: 'ID',
      flags: {
        by,
        count: optional('N', 'how many; as many as were due, or all that are held', wholeNumber(1)),
      },
      run: async (ctx, flags, id) => {
        const { released, broadcast } = await broadcastApprovals.release(ctx, id, {
          by: flags.by ?? personHere(),
          count: flags.count,
        })
        return { released, still_held: broadcast.counts?.held ?? 0, broadcast }
      },
    }),
    cancel: command({
      says: 'Stops a broadcast for good; who has been sent to stays so.',
      operand: 'ID',
      flags: { by },
      run: async (ctx, flags, id) => ({
        broadcast: await broadcastApprovals.cancel(ctx, id, { by: flags.by ?? personHere() }),
      }),
    }),
    watch: command({
      says: 'Tells how a broadcast goes on until it has ended; not of one that waits for approval.',
      operand: 'ID',
      flags: {
        for: optional('SECONDS', 'how long to watch at most; a day when left out', wholeNumber(1)),
      },
      run: (ctx, flags, id, io) => watch(ctx, id, io, flags.for ?? WATCH_S),
    }),
  },
}

/** What a table has room for. */
function inShort({ id, name, status, counts, ...broadcast }: Broadcast) {
  return {
    id,
    name,
    status,
    template: `${broadcast.template_name} ${broadcast.template_language}`,
    category: broadcast.category,
    recipient_count: broadcast.recipient_count,
    counts,
    scheduled_at: broadcast.scheduled_at,
    creator_name: broadcast.creator_name,
    created_at: broadcast.created_at,
  }
}

/** Writes a line for every change, and ends with the broadcast, or when the time is up. */
async function watch(ctx: Context, id: string, io: Io, forS: number): Promise<Result> {
  const endsAt = performance.now() + forS * 1_000
  const unread = new AbortController()
  io.stderr.once('error', () => unread.abort(stopped(0)))
  const signal = AbortSignal.any([io.stop, unread.signal])
  const told = ['', '']
  for (;;) {
    // Not the whole audience: that is counted once, at the end.
    const found = await broadcastOverviews.find(ctx, id)
    const isUnderWay = found.status === 'scheduled' || found.status === 'sending'
    const obstacle = isUnderWay ? await obstacleTo(ctx, found) : null
    const lines = [progressOf(found), obstacle ? sentenceOf(obstacle, found.id) : '']
    if (found.status === 'pending_approval') {
      lines[1] = `It waits for approval: operator broadcast approve ${found.id}`
    }
    for (const [place, line] of lines.entries()) {
      if (line !== '' && line !== told[place]) io.stderr.write(`${line}\n`)
      told[place] = line
    }
    if (!isUnderWay || performance.now() >= endsAt) {
      return { broadcast: await broadcastOverviews.show(ctx, id) }
    }
    await pause(WATCH_EVERY_MS, undefined, { signal })
  }
}

function sentenceOf(obstacle: Obstacle, id: string): string {
  switch (obstacle.reason) {
    case 'project_paused':
      return `The project is paused: operator project resume ${obstacle.projectId}`
    case 'project_deleted':
      return 'The project is deleted: nothing more is sent.'
    case 'number_closed':
      return `The channel has had too much from this number: it goes on at ${obstacle.until}.`
    case 'rest_held': {
      const release = `operator broadcast release ${id}`
      if (obstacle.nextAt === null) return `The rest is held: ${release}`
      return `The next wave goes at ${obstacle.nextAt}; sooner: ${release}`
    }
  }
}

function progressOf({ status, counts }: Pick<Broadcast, 'status' | 'counts'>): string {
  if (!counts) return status
  const { total, ...others } = counts
  const shown = Object.entries(others).filter(([, count]) => count > 0)
  const parts = shown.map(([name, count]) => `${count} ${name}`)
  return [`${status}: ${total} in all`, ...parts].join(', ')
}
