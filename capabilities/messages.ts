import { randomUUID } from 'node:crypto'
import type { ProjectContext } from '../core/context.ts'
import type { Schema } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { normalisePhone, phoneMatchKey } from '../core/phone.ts'
import type { ChannelError, ChannelRecipient, ChannelSend } from '../core/ports.ts'
import { isoOrNull, must, statement } from '../core/sql.ts'
import * as channelAccounts from './channel-accounts.ts'
import { unknownConversation, windowEnd } from './conversations.ts'
import { MESSAGE_COLUMNS, presentMessage } from './message-rows.ts'
import * as sendAttempts from './send-attempts.ts'
import * as statuses from './statuses.ts'

const byWamid = statement(
  'find-message-by-wamid',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.project_id = $1 AND m.wamid = $2`,
)
const byId = statement(
  'find-message-by-id',
  `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.project_id = $1 AND m.id = $2`,
)

/** The largest id that a JSON number holds exactly; no message has a larger one. */
const ID_DIGITS = 15

/** A message by its wamid or, if the identifier is all digits, by its numeric id; throws `not_found`. */
export async function get(ctx: ProjectContext, id: string): Promise<Schema<'Message'>> {
  const isNumeric = /^\d+$/.test(id)
  if (isNumeric && id.length > ID_DIGITS) throw unknownMessage(id)
  const [row] = await ctx.sql.rows(isNumeric ? byId : byWamid, [ctx.project.id, id])
  if (!row) throw unknownMessage(id)
  return presentMessage(row)
}

/**
 * Sends one message and answers with the channel's id. Throws, in this order: `missing_recipient`,
 * `invalid_phone`, `not_found` (the conversation, or a numeric `reply_to`), `outside_24h_window`, then
 * what the channel said: `upstream_auth_error` or `upstream_error`, whose `outcome` is `unknown` when
 * it may have taken the message.
 */
export async function send(
  ctx: ProjectContext,
  request: Schema<'SendMessageRequest'>,
  origin: Schema<'MessageOrigin'> = 'api',
): Promise<Schema<'SentMessage'>> {
  const phone = recipientPhone(request)
  const replyTo = await quotedWamid(ctx, request.reply_to)
  const account = await channelAccounts.find(ctx, ctx.project.id)
  if (!account) throw new Error(`Project ${ctx.project.id} has no channel account`)

  const attemptId = randomUUID()
  const target = await openAttempt(ctx, attemptId, request, phone, replyTo, origin)
  const outcome = await ctx.channel.send(channelAccounts.addressOf(ctx, account), {
    to: recipientOf(phone, target),
    message: channelMessage(request),
    ...(replyTo === null ? {} : { replyTo }),
    attemptId,
  })
  if (outcome.outcome === 'accepted') {
    await recordAccepted(ctx, attemptId, outcome.wamid)
    return { id: outcome.wamid, status: 'sent' }
  }
  if (outcome.outcome === 'refused') await sendAttempts.drop(ctx, attemptId)
  throw refusal(outcome.outcome, outcome.error, target)
}

function recipientPhone(request: Schema<'SendMessageRequest'>): string | null {
  const { phone, conversation_id: conversationId } = request
  if ((phone === undefined) === (conversationId === undefined)) {
    throw new ServiceError(
      'missing_recipient',
      'Name exactly one recipient: either phone or conversation_id.',
    )
  }
  if (phone === undefined) return null
  const normalised = normalisePhone(phone)
  if (normalised) return normalised
  throw new ServiceError(
    'invalid_phone',
    'The phone is no international number; write it like +15550001234.',
  )
}

/** The channel quotes by wamid; a numeric id is looked up, so that a typing error is noticed. */
async function quotedWamid(ctx: ProjectContext, replyTo: string | undefined) {
  if (replyTo === undefined) return null
  return /^\d+$/.test(replyTo) ? (await get(ctx, replyTo)).wamid : replyTo
}

async function openAttempt(
  ctx: ProjectContext,
  attemptId: string,
  request: Schema<'SendMessageRequest'>,
  phone: string | null,
  replyTo: string | null,
  origin: Schema<'MessageOrigin'>,
) {
  const conversationId = request.conversation_id ?? 0
  const now = ctx.now().getTime()
  const target = await sendAttempts.open(
    ctx,
    attemptId,
    phone === null ? { conversationId } : { matchKey: phoneMatchKey(phone) },
    {
      origin,
      type: request.type,
      content: request.content,
      reply_to: replyTo,
      client_ref: request.client_ref ?? null,
    },
    new Date(now - LIMITS.windowMs),
  )
  if (target?.begun) return target
  if (!target && phone === null) throw unknownConversation(conversationId)
  throw outsideWindow(target?.lastInboundAt ?? null)
}

function recipientOf(phone: string | null, target: sendAttempts.Target): ChannelRecipient {
  const known = phone ?? target.phone
  return known === null ? { userId: must(target.userId) } : { phone: known }
}

function channelMessage(request: Schema<'SendMessageRequest'>): ChannelSend['message'] {
  return {
    type: 'text',
    text: { body: request.content, preview_url: request.preview_url ?? false },
  }
}

/**
 * The channel has taken the message, so the caller is told so even if it cannot be written down now:
 * the attempt is on record, and the first status turns it into the message.
 */
async function recordAccepted(ctx: ProjectContext, attemptId: string, wamid: string) {
  try {
    const recorded = await sendAttempts.settle(
      ctx.sql,
      ctx.project.id,
      [{ attemptId, wamid }],
      ctx.now(),
    )
    if (recorded.some(({ hasParked }) => hasParked)) {
      await statuses.applyParked(ctx, ctx.project.id, [wamid])
    }
  } catch (error) {
    ctx.log.error('send.unrecorded', { project: ctx.project.id, attemptId, wamid, error })
  }
}

function refusal(
  outcome: 'refused' | 'unknown',
  error: ChannelError,
  target: sendAttempts.Target,
): ServiceError {
  const { kind, code, retryable } = error
  const said = [error.title, error.details].filter(Boolean).join(': ')
  if (outcome === 'refused' && kind === 'window') return outsideWindow(target.lastInboundAt)
  if (outcome === 'refused' && (kind === 'auth' || kind === 'permission')) {
    return new ServiceError(
      'upstream_auth_error',
      `The channel rejected the project's credentials; connect the channel again. It said: ${said}`,
      { details: { outcome, channel_code: code, retryable } },
    )
  }
  const message =
    outcome === 'refused'
      ? `The channel did not take the message. It said: ${said}`
      : `The channel gave no usable answer and may have taken the message: ${said}`
  return new ServiceError('upstream_error', message, {
    details: { outcome, channel_code: code, retryable },
  })
}

function outsideWindow(lastInboundAt: string | null): ServiceError {
  const lastAt = isoOrNull(lastInboundAt)
  return new ServiceError(
    'outside_24h_window',
    lastAt === null
      ? 'The customer has not written yet; send an approved template instead.'
      : 'The customer last wrote more than 24 hours ago; send an approved template instead.',
    {
      details: {
        last_inbound_at: lastAt,
        window_expired_at: windowEnd(lastAt),
      },
    },
  )
}

function unknownMessage(id: string): ServiceError {
  return new ServiceError('not_found', `There is no message ${id}.`)
}
