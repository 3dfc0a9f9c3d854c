import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import { Replay } from '../../core/replay.ts'
import { statement } from '../../core/sql.ts'
import { channelOf } from '../channel-accounts/channel-answers.ts'
import { unknownConversation } from '../conversations/conversations.ts'
import * as flows from '../flows/flows.ts'
import * as idempotency from './idempotency.ts'
import * as mediaSends from './media-sends.ts'
import { checkKind, isMedia, mediaSource } from './message-checks.ts'
import { compose, type Composed, type SendRequest } from './message-kinds.ts'
import { MESSAGE_COLUMNS, presentMessage } from '../conversations/message-rows.ts'
import * as newCustomers from './new-customers.ts'
import * as sendAttempts from './send-attempts.ts'
import { recipientOf, recipientPhone } from './send-recipients.ts'
import { recordAccepted } from './send-records.ts'
import {
  mustBeAllowed,
  mustBeInTime,
  mustHaveRoom,
  outsideWindow,
  refusal,
  tellGivenBack,
} from './send-refusals.ts'
import * as sendSettlements from './send-settlements.ts'
import * as sendUndoings from './send-undoings.ts'
import { composeTemplate } from './template-sends.ts'
import * as templates from '../templates/templates.ts'

const byWamid = statement(
  'find-message-by-wamid',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.project_id = $1 AND m.wamid = $2`,
)
const byId = statement(
  'find-message-by-id',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.project_id = $1 AND m.id = $2`,
)

/** A JSON number holds this many digits exactly; no message has a longer id. */
const ID_DIGITS = 15

/** A message by its wamid or, if the identifier is all digits, by its numeric id; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Message'>> {
  const isNumeric = /^\d+$/.test(id)
  if (isNumeric && id.length > ID_DIGITS) throw unknownMessage(id)
  const [row] = await ctx.sql.rows(isNumeric ? byId : byWamid, [ctx.project.id, id])
  if (!row) throw unknownMessage(id)
  return presentMessage(row)
}

type Origin = Schema<'MessageOrigin'>

/**
 * Sends one message and answers with the channel's id. With an Idempotency-Key, does so once: 2xx and
 * 4xx answers are stored and replayed, a 429 or 5xx lets a retry try again unless the message may have left.
 *
 * Throws what the request lacks, then `outside_24h_window`, `out_of_credits`, `quota_exceeded`, then
 * what the channel said: `upstream_auth_error` or `upstream_error`, whose `outcome` is `unknown` when it
 * may have taken the message.
 */
export async function send(
  ctx: ProjectContext,
  request: SendRequest,
  origin: Origin = 'api',
): Promise<Schema<'SentMessage'> | Replay> {
  const attempt = { id: randomUUID(), mayHaveLeft: false }
  if (!ctx.idempotency) return sendOnce(ctx, attempt, request, origin)
  try {
    return await sendOnce(ctx, attempt, request, origin)
  } catch (error) {
    return settleKey(ctx, attempt, error)
  }
}

/** One attempt of a send; once the channel may have its message, no failure releases the key. */
type Attempt = { readonly id: string; mayHaveLeft: boolean }

/**
 * Stores the answer under the key, or releases the key, after a failure; then throws the failure, unless the
 * key was another's.
 */
async function settleKey(ctx: ProjectContext, attempt: Attempt, error: unknown): Promise<Replay> {
  if (attempt.mayHaveLeft) throw error
  const isOthers = isServiceError(error) && error.code.startsWith('idempotency_')
  if (isOthers) throw error
  if (!isServiceError(error) || error.status >= 500 || error.status === 429) {
    await sendUndoings.letKeyGo(ctx, attempt.id)
    throw error
  }
  try {
    return await storeRefusal(ctx, attempt.id, error)
  } catch (failure) {
    if (!isServiceError(failure)) await sendUndoings.letKeyGo(ctx, attempt.id)
    throw failure
  }
}

/**
 * Stores a refusal under the key and throws it; throws another request's stored refusal instead, if it was
 * faster.
 */
async function storeRefusal(
  ctx: ProjectContext,
  attemptId: string,
  refused: ServiceError,
): Promise<Replay> {
  // The fault was found before the key was claimed, which may belong to another request.
  await idempotency.claim(ctx, attemptId)
  const { code, message, details } = refused
  const answer = { error: { code, message, ...(details ? { details } : {}) } }
  const stored = await idempotency.complete(ctx, attemptId, refused.status, answer)
  if (stored) throw refused
  return idempotency.answerFrom(ctx, null)
}

async function sendOnce(
  ctx: ProjectContext,
  attempt: Attempt,
  request: SendRequest,
  origin: Origin,
): Promise<Schema<'SentMessage'> | Replay> {
  const phone = recipientPhone(request)
  const quoted = await quotedWamid(ctx, request.reply_to)
  const composed = await composeRequest(ctx, request, quoted)
  if (composed instanceof Replay) return composed
  const address = await channelOf(ctx)

  const attemptId = attempt.id
  const opening = await open(ctx, attemptId, { request, origin, phone, quoted, composed })
  if (opening instanceof Replay) return opening
  attempt.mayHaveLeft = true
  const outcome = await ctx.channel.send(address, {
    to: recipientOf(phone, opening),
    message: composed.message,
    ...(quoted === null ? {} : { replyTo: quoted }),
    attemptId,
  })
  ctx.metrics.sends.inc({ outcome: outcome.outcome })
  if (outcome.outcome === 'accepted') {
    const sent = { id: outcome.wamid, status: 'sent' as const }
    await recordAccepted(ctx, attemptId, sent)
    return sent
  }
  const isRefused = outcome.outcome === 'refused'
  const wasThere = isRefused && (await sendUndoings.undoRefused(ctx, attemptId, outcome.error))
  if (wasThere) tellGivenBack(ctx)
  // A status that the channel has reported meanwhile overrules its answer.
  const reported = wasThere ? null : await sendSettlements.findReported(ctx, attemptId)
  if (reported === null) {
    attempt.mayHaveLeft = !isRefused
    throw refusal(outcome, opening, ctx.now())
  }
  if (ctx.idempotency) await idempotency.complete(ctx, attemptId, 200, { data: reported })
  return reported
}

/**
 * Composes the message; answers with an earlier request's result when that is found before a medium has to be
 * uploaded.
 */
async function composeRequest(
  ctx: ProjectContext,
  request: SendRequest,
  quoted: string | null,
): Promise<Prepared['composed'] | Replay> {
  checkKind(request)
  const { findSendable, findForHeader } = mediaSends
  const { findAnswer } = idempotency
  if (request.type !== 'template') {
    const medium = isMedia(request)
      ? await findSendable(ctx, mediaSource(request), { kind: request.type }, findAnswer)
      : null
    if (medium instanceof Replay) return medium
    const flow = request.type === 'flow' ? await flows.findSendable(ctx, request.flow_id) : null
    return compose(request, { media: medium, flow }, quoted)
  }
  const template = await templates.findSendable(ctx, request)
  const medium = await findForHeader(ctx, request.header, template, findAnswer)
  if (medium instanceof Replay) return medium
  return composeTemplate(request, template, medium)
}

type Prepared = {
  request: SendRequest
  origin: Origin
  phone: string | null
  quoted: string | null
  composed: Composed & { template?: Schema<'MessageTemplate'> }
}

/** Opens the attempt, or answers with the result of an earlier request with the same key. */
async function open(
  ctx: ProjectContext,
  attemptId: string,
  { request, origin, phone, quoted, composed }: Prepared,
): Promise<sendAttempts.Opening | Replay> {
  const isTemplate = request.type === 'template'
  const conversationId = request.conversation_id ?? 0
  const dailyLimit =
    origin === 'api' ? (ctx.project.dailySendQuota ?? ctx.config.dailySendQuota) : null
  const attempt = {
    attemptId,
    recipient: phone === null ? { conversationId } : { matchKey: phoneMatchKey(phone) },
    draft: {
      origin,
      type: request.type,
      ...composed.draft,
      template: composed.template ?? null,
      reply_to: quoted,
      client_ref: request.client_ref ?? null,
    },
    needsWindow: !isTemplate,
    dailyLimit,
    needsCustomer: isTemplate && phone !== null,
  }
  let askedAt = performance.now()
  let opening = await sendAttempts.begin(ctx, attempt)
  const isNew = !opening.target && isTemplate && !idempotency.isDecided(ctx, opening.earlier)
  if (isNew && phone !== null) {
    // A request whose key another one has is told so first.
    if (opening.earlier === null) mustHaveRoom(ctx, opening, dailyLimit)
    await newCustomers.ensure(ctx, phone)
    askedAt = performance.now()
    opening = await sendAttempts.begin(ctx, { ...attempt, needsCustomer: false })
  }
  if (!opening.claimed) return idempotency.answerFrom(ctx, opening.earlier)
  if (!opening.target)
    throw phone === null ? unknownConversation(conversationId) : outsideWindow(null)
  mustBeAllowed(ctx, opening, dailyLimit)
  await mustBeInTime(ctx, attemptId, askedAt)
  return opening
}

/** The channel quotes by wamid; a numeric id is looked up, so that a typing error is noticed. */
async function quotedWamid(ctx: ProjectContext, replyTo: Schema<'ReplyTo'> | undefined) {
  if (replyTo === undefined) return null
  const named = String(replyTo)
  return /^\d+$/.test(named) ? (await get(ctx, named)).wamid : named
}

function unknownMessage(id: string): ServiceError {
  return new ServiceError('not_found', `There is no message ${id}.`)
}
