import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import type { ProjectContext } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import type { SendOutcome } from '../../core/ports.ts'
import { isoOrNull } from '../../core/sql.ts'
import { credentialsRefusal, wordsOf } from '../channel-accounts/channel-answers.ts'
import { windowEnd } from '../conversations/conversations.ts'
import type { Opening } from './send-attempts.ts'
import { undo } from './send-undoings.ts'

const SENDS = 'sends'
/** The channel names the parameter at fault only in its text: `image.id`, `image['id']`, or `…['image']['id']`. */
const NAMES_MEDIA_ID = /\b(?:image|video|audio|document|sticker)(?:\.id|(?:'\])?\['id'\])/

/**
 * Throws the reason why an attempt could not be opened: `outside_24h_window`, `out_of_credits` or
 * `quota_exceeded`, in this order. Reports the daily budget in the answer's headers either way.
 */
export function mustBeAllowed(
  ctx: ProjectContext,
  opening: Opening,
  dailyLimit: number | null,
): void {
  const { begun, windowOpen, target, budget } = opening
  const { used, resetS, resetAt, credits } = budget
  if (dailyLimit !== null && windowOpen) {
    const remaining = Math.max(0, dailyLimit - used)
    ctx.budgets.push({ name: SENDS, quota: dailyLimit, windowS: 86_400, remaining, resetS })
  }
  if (begun) return
  if (!windowOpen) throw outsideWindow(target?.lastInboundAt ?? null)
  if (credits === 0) {
    throw new ServiceError(
      'out_of_credits',
      'The project has no credits left; add some to send again.',
    )
  }
  const limit = dailyLimit ?? 0
  throw new ServiceError(
    'quota_exceeded',
    limit === 0
      ? 'The project may send no messages over the API: its quota is 0.'
      : `The project has sent its ${limit} messages of this UTC day; it may send again after midnight.`,
    {
      details: { limit_name: SENDS, limit, remaining: 0, resetAt },
      retryAfterS: resetS,
    },
  )
}

/** Reports the daily budget after a send has been given its unit back. */
export function tellGivenBack({ budgets }: ProjectContext): void {
  const sends = budgets.find(({ name }) => name === SENDS)
  if (sends) sends.remaining = Math.min(sends.quota, sends.remaining + 1)
}

/** Throws the same for a send to an unknown number, before anything is stored for one that cannot be sent. */
export function mustHaveRoom(
  ctx: ProjectContext,
  opening: Opening,
  dailyLimit: number | null,
): void {
  const { used, credits } = opening.budget
  if (dailyLimit === null || (used < dailyLimit && credits !== 0)) return
  mustBeAllowed(ctx, { ...opening, begun: false, windowOpen: true }, dailyLimit)
}

/**
 * Throws `server_error` for a send held up for so long since `askedAt` (`performance.now()`, in milliseconds)
 * that its key may soon be another's: it must not leave any more.
 */
export async function mustBeInTime(
  ctx: ProjectContext,
  attemptId: string,
  askedAt: number,
): Promise<void> {
  if (!ctx.idempotency || performance.now() - askedAt < ctx.config.idempotencyLockMs / 2) return
  if (await undo(ctx, attemptId)) tellGivenBack(ctx)
  throw new ServiceError('server_error', 'The send was held up, and nothing was sent; try again.')
}

/** The 409 for a customer who last wrote at this instant, in PostgreSQL's text format, or never. */
export function outsideWindow(lastInboundAt: string | null): ServiceError {
  const lastAt = isoOrNull(lastInboundAt)
  return new ServiceError(
    'outside_24h_window',
    lastAt === null
      ? 'The customer has not written yet; send an approved template instead.'
      : 'The customer last wrote more than 24 hours ago; send an approved template instead.',
    { details: { last_inbound_at: lastAt, window_expired_at: windowEnd(lastAt) } },
  )
}

/** The 409 for a window that the channel considers closed, though by our records it may be open. */
function windowRefusal(lastInboundAt: string | null, said: string, now: Date): ServiceError {
  const lastAt = isoOrNull(lastInboundAt)
  const end = windowEnd(lastAt)
  if (end === null || Date.parse(end) <= now.getTime()) return outsideWindow(lastInboundAt)
  return new ServiceError(
    'outside_24h_window',
    `The channel holds that the customer's window is closed; send an approved template instead. It said: ${said}`,
    // The channel does not say when it closed.
    { details: { last_inbound_at: lastAt, window_expired_at: null } },
  )
}

/** The error for a channel's refusal, or for the lack of an answer. */
export function refusal(
  { outcome, error }: Exclude<SendOutcome, { outcome: 'accepted' }>,
  { target }: Opening,
  now: Date,
): ServiceError {
  const { kind, code, retryable } = error
  const said = wordsOf(error)
  if (outcome === 'refused' && kind === 'window')
    return windowRefusal(target?.lastInboundAt ?? null, said, now)
  const ofCredentials = outcome === 'refused' ? credentialsRefusal(error) : null
  if (ofCredentials) return ofCredentials
  const ofTemplate = outcome === 'refused' ? templateRefusal(error, said) : null
  if (ofTemplate) return ofTemplate
  if (outcome === 'refused' && kind === 'parameter' && NAMES_MEDIA_ID.test(said)) {
    const problem = `Neither the project nor the channel knows the medium. It said: ${said}`
    return new ServiceError('media_not_found', problem)
  }
  const message =
    outcome === 'refused'
      ? `The channel did not take the message. It said: ${said}`
      : `The channel gave no usable answer and may have taken the message: ${said}`
  return new ServiceError('upstream_error', message, {
    details: { outcome, channel_code: code, retryable },
  })
}

/** The error for a refusal of the template or its values; null for any other. */
function templateRefusal({ kind, code }: ChannelError, said: string): ServiceError | null {
  const details = { channel_code: code }
  switch (kind) {
    case 'template_paused':
    case 'template_disabled': {
      const status = kind === 'template_paused' ? 'PAUSED' : 'DISABLED'
      const problem = `The channel has the template ${status}; only an approved one can be sent: ${said}`
      return new ServiceError('template_not_approved', problem, { details: { status, ...details } })
    }
    case 'template': {
      if (code === CHANNEL_CODES.noSuchTemplate) {
        const problem = `The channel has no such template: ${said}`
        return new ServiceError('template_not_found', problem, { details })
      }
      const problem = `The channel did not take the template's values: ${said}`
      // The channel does not say where.
      const nowhere = { component: null, expected: [], missing: [], unexpected: [] }
      return new ServiceError('template_variable_mismatch', problem, {
        details: { ...nowhere, ...details },
      })
    }
    default:
      return null
  }
}
