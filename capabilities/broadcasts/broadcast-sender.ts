import { setMaxListeners } from 'node:events'
import { type Batches, createBatches } from '../../core/batches.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Pause, politePause } from '../../core/persisting.ts'
import { tellSeldom } from '../../core/seldom.ts'
import { remember } from '../../core/under-way.ts'
import { attempt, type Means, prepare } from './broadcast-attempts.ts'
import { type Departure, dispatch } from './broadcast-dispatches.ts'
import {
  lease,
  type Leased,
  release,
  sendable,
  type Sending,
  waitingRecipients,
} from './broadcast-leases.ts'
import * as pace from './broadcast-pace.ts'
import { recover } from './broadcast-progress.ts'
import { newWindow, type Room, roomFor, track } from './broadcast-room.ts'
import { settleSurely } from './broadcast-settlements.ts'
import { startDue } from './broadcast-starts.ts'
import { createTurns, type Turns } from './broadcast-turns.ts'
import { releaseDue } from './broadcast-waves.ts'

/** Sends the broadcasts that are due, in this process. */
export type Sender = {
  /** Looks for recipients now; resolves when this process has nobody left to send to. */
  run(): Promise<void>
  /**
   * Begins nothing more; resolves when everything under way is stored and the remaining leases are given back.
   */
  stop(): Promise<void>
}

type Options = {
  pause?: Pause
  random?: () => number
  /** The interval of its own looks in milliseconds; null for none. */
  pollMs?: number | null
}

type State = Room & {
  ctx: Context
  batches: Batches
  pause: Pause
  random: () => number
  /** The broadcasts that this process is sending. */
  running: Map<string, Promise<void>>
  turns: Turns
  /** Recipients leased but not sent to, to be given back. */
  unsent: Leased[]
  /** Polls and similar work, which must end before the process may. */
  chores: Set<Promise<void>>
  isPolling: boolean
  polls: number
  stopping: AbortController
}

/**
 * Starts sending. The rows hold the truth: a recipient is leased, then marked as leaving in a commit of its
 * own, then sent to. When a process dies, another one sends to those that were only leased; those that were
 * leaving are never sent to again, and the channel's callbacks tell what became of their messages.
 */
export function startSender(ctx: Context, options: Options = {}): Sender {
  const { pause = politePause, random = Math.random, pollMs = LIMITS.recipientsPollMs } = options
  const state: State = {
    ctx,
    pause,
    random,
    running: new Map(),
    turns: createTurns(),
    underWay: new Set(),
    waiting: [],
    unsent: [],
    chores: new Set(),
    isPolling: false,
    polls: 0,
    batches: createBatches({
      atOnce: LIMITS.recipientsWritesAtOnce,
      weightMax: LIMITS.recipientsWritten,
      apartMs: LIMITS.recipientsApartMs,
      onFailure: (group, size, error) =>
        ctx.log.warn('broadcast.batch_failed', { group, size, error }),
    }),
    stopping: new AbortController(),
  }
  // All recipients under way and all broadcasts may be waiting on this signal at the same time.
  setMaxListeners(LIMITS.recipientsUnderWay + LIMITS.broadcastsAtOnce, state.stopping.signal)
  const timer =
    pollMs === null ? undefined : setInterval(() => remember(state.chores, poll(state)), pollMs)
  timer?.unref()
  if (pollMs !== null) remember(state.chores, recover(ctx))
  return {
    async run() {
      do {
        await look(state)
        await quiet(state)
      } while (!state.stopping.signal.aborted && (await due(state)).length > 0)
    },
    async stop() {
      clearInterval(timer)
      state.stopping.abort()
      await Promise.all(state.chores)
      await quiet(state)
      await release(ctx, state.unsent).catch((error: unknown) =>
        ctx.log.warn('broadcast.release_failed', { error }),
      )
    },
  }
}

/**
 * Starts broadcasts and releases waves that are due, then sends. Locks left by a worker that died do not block
 * it.
 */
async function poll(state: State): Promise<void> {
  const { ctx } = state
  if (state.isPolling) return
  state.isPolling = true
  try {
    await startDue(ctx)
    await releaseDue(ctx)
    if (state.polls++ % LIMITS.pollsPerCount === 0) {
      ctx.metrics.broadcastRecipientsWaiting.set(await waitingRecipients(ctx))
    }
  } catch (error) {
    tellSeldom(ctx.log, 'warn', 'broadcast.poll_failed', { error })
  }
  await look(state)
  state.isPolling = false
}

/** Broadcasts that are due, except those that could not be sent a moment ago. */
async function due({ ctx, turns }: State): Promise<Sending[]> {
  const found = await sendable(ctx, turns.skipped(ctx.now()))
  // Including those that failed during this very query.
  const skipped = new Set(turns.skipped(ctx.now()))
  return turns.inOrder(found.filter(({ id }) => !skipped.has(id)))
}

/** Begins to send what is due; never rejects. */
async function look(state: State): Promise<void> {
  const { ctx, running, turns, stopping } = state
  if (running.size >= LIMITS.broadcastsAtOnce || stopping.signal.aborted) return
  try {
    for (const sending of await due(state)) {
      if (running.size >= LIMITS.broadcastsAtOnce || stopping.signal.aborted) return
      if (running.has(sending.id)) continue
      const work = sendOne(state, sending)
        .catch((error: unknown) => {
          // A later look tries again; the leases expire by themselves.
          ctx.log.warn('broadcast.send_failed', { broadcast: sending.id, error })
          turns.skip(sending.id, ctx.now())
          return true
        })
        .then((hasGivenWay) => {
          running.delete(sending.id)
          turns.end(sending.id)
          if (hasGivenWay) return look(state)
        })
      running.set(sending.id, work)
    }
  } catch (error) {
    tellSeldom(ctx.log, 'warn', 'broadcast.look_failed', { error })
  }
}

/** Resolves when no broadcast is being sent. */
async function quiet({ running, underWay }: State): Promise<void> {
  while (running.size + underWay.size > 0) {
    await Promise.all([...running.values(), ...underWay])
  }
}

/**
 * Sends a broadcast for as long as it has recipients that this process may lease; answers whether it stopped
 * earlier, to make room for another broadcast.
 */
async function sendOne(state: State, sending: Sending): Promise<boolean> {
  const { ctx, running, random, batches, stopping } = state
  const leave = (departure: Departure) =>
    batches.join(`dispatch ${sending.id}`, departure, (all) => dispatch(ctx, sending, all))
  const window = newWindow()
  const begunAt = ctx.now().getTime()
  while (!stopping.signal.aborted) {
    if (running.size >= LIMITS.broadcastsAtOnce && isTurnOver(ctx, begunAt)) return true
    const count = await roomFor(ctx.config, state, window)
    const places = await pace.reserve(ctx, sending.phoneNumberId, count)
    if (!places) return false
    await pauseUntil(state, places.startAt, places.waitMs)
    const means = stopping.signal.aborted
      ? null
      : await prepare(ctx, sending, { dispatch: leave, window, random })
    // A project that has moved to another number keeps the pace of that one, from the next look on.
    const isMoved = means?.account.phoneNumberId !== sending.phoneNumberId
    const leased = isMoved ? [] : await lease(ctx, sending, count)
    if (!means || leased.length === 0) return false
    leased.forEach((one, index) => {
      const afterMs = index * places.intervalMs
      const turn = () => pauseUntil(state, places.startAt + afterMs, afterMs)
      track(state, window, sendTo(state, means, one, turn))
    })
  }
  return false
}

/** Waits until `at`, but no longer than so many milliseconds, since the clock may have been set back. */
async function pauseUntil({ ctx, pause, stopping }: State, at: number, mostMs: number) {
  const waitMs = Math.min(at - ctx.now().getTime(), mostMs)
  if (waitMs > 0) await pause(waitMs, stopping.signal)
}

/** Also over when the clock was set back: then nobody knows how long the turn has lasted. */
function isTurnOver(ctx: Context, begunAt: number): boolean {
  const lastedMs = ctx.now().getTime() - begunAt
  return lastedMs < 0 || lastedMs > LIMITS.broadcastTurnMs
}

/**
 * Takes one recipient from the lease to the stored outcome; answers whether the channel took the message.
 * `turn` waits for the recipient's place in the queue. Never rejects.
 */
async function sendTo(
  state: State,
  means: Means,
  leased: Leased,
  turn: () => Promise<void>,
): Promise<boolean> {
  const { ctx, stopping, batches, pause } = state
  const { sending } = means
  try {
    await turn()
    if (stopping.signal.aborted) {
      state.unsent.push(leased)
      return false
    }
    const outcome = await attempt(means, leased)
    if (!outcome) return false
    await settleSurely(ctx, sending, outcome, { batches, pause, signal: stopping.signal })
    return outcome.kind === 'accepted'
  } catch (error) {
    // The recipient stays leased until the lease expires, or leaving until a callback or the job settles it.
    ctx.log.error('broadcast.unrecorded', { broadcast: sending.id, seq: leased.seq, error })
    return false
  }
}
