import { randomUUID } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { isServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelAccount, ChannelError } from '../../core/channel-account.ts'
import type { ChannelRecipient, SendOutcome } from '../../core/ports.ts'
import type { Departure } from './broadcast-dispatches.ts'
import * as broadcastEndings from './broadcast-endings.ts'
import type { Leased, Sending } from './broadcast-leases.ts'
import * as pace from './broadcast-pace.ts'
import { type Common, type Personal, personalise, readCommon } from './broadcast-personal.ts'
import type { Outcome } from './broadcast-settlements.ts'
import type { Window } from './broadcast-room.ts'
import { judge, type Silence, STANDSTILL } from './broadcast-verdicts.ts'
import * as channelAccounts from '../channel-accounts/channel-accounts.ts'

/** What is needed to send to the recipients of one broadcast. */
export type Means = {
  ctx: Context
  sending: Sending
  common: Common
  account: ChannelAccount
  /**
   * Marks a recipient as leaving; answers how the channel addresses them, or null when they must not be sent
   * to.
   */
  dispatch: (departure: Departure) => Promise<ChannelRecipient | null>
  window: Window
  random: () => number
}

/**
 * Prepares a broadcast for sending. Null when it cannot be sent as it stands; it has failed then. Throws for
 * passing faults, after which it is to be tried again.
 */
export async function prepare(
  ctx: Context,
  sending: Sending,
  { dispatch, window, random }: Pick<Means, 'dispatch' | 'window' | 'random'>,
): Promise<Means | null> {
  const { id, projectId } = sending
  const account = channelAccounts.addressOf(ctx, await channelAccounts.mustFind(ctx, projectId))
  try {
    const common = await readCommon(ctx, sending)
    return { ctx, sending, common, account, dispatch, window, random }
  } catch (error) {
    const isPassing = isServiceError(error) && error.code === 'server_error'
    if (!isServiceError(error) || isPassing || error.details?.retryable === true) throw error
    await broadcastEndings.fail(ctx, id, error.message)
    return null
  }
}

/**
 * Sends to one leased recipient. Answers the outcome to be stored; null when only the channel can tell what
 * became of the message.
 */
export async function attempt(means: Means, leased: Leased): Promise<Outcome | null> {
  const { ctx, common, account } = means
  const count = (outcome: string) => ctx.metrics.broadcastRecipients.inc({ outcome })
  const unsendable = (code: string, title: string): Outcome => {
    count('unsendable')
    return { kind: 'unsendable', leased, error: { code, title, details: null, retryable: false } }
  }
  if (!leased.contact) return unsendable('contact_erased', 'The contact was erased.')
  const personal = personalise(common, leased.contact)
  if (isServiceError(personal)) return unsendable(personal.code, personal.message)
  const attemptId = randomUUID()
  const to = await dispatch(means, { leased, attemptId, draft: draftOf(personal) })
  if (!to) {
    count('not_dispatched')
    return { kind: 'not_sent', leased, attemptId }
  }
  const answer = await ctx.channel.send(account, { to, message: personal.message, attemptId })
  ctx.metrics.sends.inc({ outcome: answer.outcome })
  await heedStandstill(means, answer)
  if (answer.outcome === 'refused') return refused(means, leased, attemptId, answer.error)
  count(answer.outcome)
  if (answer.outcome === 'unknown') return null
  return { kind: 'accepted', leased, attemptId, wamid: answer.wamid }
}

/**
 * Null also when the answer to the commit was lost: the recipient may be marked as leaving, so nobody else may
 * send to them.
 */
async function dispatch({ ctx, sending, dispatch }: Means, departure: Departure) {
  try {
    return await dispatch(departure)
  } catch (error) {
    const { seq } = departure.leased
    ctx.log.warn('broadcast.dispatch_failed', { broadcast: sending.id, seq, error })
    return null
  }
}

function draftOf({ draft, template }: Personal): Departure['draft'] {
  const common = {
    origin: 'broadcast',
    type: 'template',
    reply_to: null,
    client_ref: null,
  } as const
  return { ...common, ...draft, template }
}

/**
 * Pauses the number for a while when the channel seems to take nothing at all: otherwise an outage would use up
 * the few tries of most recipients.
 */
async function heedStandstill(means: Means, answer: SendOutcome): Promise<void> {
  const { window } = means
  const isPassing =
    answer.outcome === 'unknown' ||
    (answer.outcome === 'refused' && answer.error.kind === 'transient')
  window.failedInRow = isPassing ? window.failedInRow + 1 : 0
  if (!isPassing || window.failedInRow < LIMITS.broadcastFailuresInRow) return
  window.failedInRow = 0
  await heeding(means, () => silenceNumber(means, STANDSTILL, answer.error))
}

async function silenceNumber({ ctx, sending }: Means, silence: Silence, { code }: ChannelError) {
  if (!(await pace.close(ctx, sending.phoneNumberId, silence))) return
  pace.tellClosed(ctx, { broadcast: sending.id, channelCode: code })
}

/** The outcome of a recipient is stored even when reacting to it fails; the channel will say the same again. */
async function heeding({ ctx, sending }: Means, heed: () => Promise<void>): Promise<void> {
  try {
    await heed()
  } catch (error) {
    ctx.log.error('broadcast.refusal_unheeded', { broadcast: sending.id, error })
  }
}

async function refused(
  means: Means,
  leased: Leased,
  attemptId: string,
  error: ChannelError,
): Promise<Outcome> {
  const { ctx, sending, random } = means
  const { retry, silence, broadcastFails } = judge(error, leased.tries, random())
  ctx.metrics.broadcastRecipients.inc({ outcome: retry ? 'put_off' : 'refused' })
  await heeding(means, async () => {
    if (silence) await silenceNumber(means, silence, error)
    if (broadcastFails !== null) await broadcastEndings.fail(ctx, sending.id, broadcastFails)
  })
  return { kind: 'refused', leased, attemptId, error, retry }
}
