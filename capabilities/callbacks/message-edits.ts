import { LIMITS } from '../../core/limits.ts'
import type { InboundMedia } from '../../core/ports.ts'

export type Payload = Record<string, unknown>

type Version = { content: string | null; media: InboundMedia | null }

/** The parts of an inbound message that an edit or a revocation changes. */
export type Content = Version & { payload: Payload | null }

/** The effect of an edit or a revocation on the message `target`. */
export type Change = Version & {
  kind: 'edit' | 'revoke'
  target: string
  wamid: string
  /** In ISO 8601. */
  at: string
}

/** The edit that brought a version. */
type Step = { wamid: string; at: string }

/**
 * Applies one change; answers with the same message object when it changes nothing. The result does not depend
 * on the order or repetition of changes: the latest edit counts, `payload.edits` holds each earlier version
 * with the edit that replaced it, and a revocation removes everything.
 */
export function advance<T extends Content>(message: T, change: Change): T {
  const payload = message.payload ?? {}
  const revokedAt = typeof payload.revoked_at === 'string' ? payload.revoked_at : null
  if (change.kind === 'revoke') {
    if (revokedAt !== null && revokedAt <= change.at) return message
    return { ...message, content: null, media: null, payload: { revoked_at: change.at } }
  }
  return revokedAt === null ? edit(message, payload, change) : message
}

function edit<T extends Content>(message: T, payload: Payload, change: Change): T {
  const edits = Array.isArray(payload.edits) ? (payload.edits as (Step & Version)[]) : []
  const steps: Step[] = edits.map(({ wamid, at }) => ({ wamid, at }))
  const versions = [...edits, message].map(({ content, media = null }): Version => ({
    content,
    media,
  }))
  const later = steps.findIndex((step) => isAfter(step, change))
  const place = later === -1 ? steps.length : later
  // Older than all versions that are kept, so it cannot be told whether it was applied before.
  const isForgotten = place === 0 && steps.length === LIMITS.messageEdits
  if (isForgotten || steps.some(({ wamid }) => wamid === change.wamid)) return message

  const { wamid, at, content } = change
  const hasMedia = change.media !== null && change.media.media_id !== null
  const media = hasMedia ? change.media : (versions[place]?.media ?? null)
  const said = versions.toSpliced(place + 1, 0, { content, media })
  const told = steps.toSpliced(place, 0, { wamid, at }).map((step, index) => ({
    ...step,
    content: said[index]?.content ?? null,
    media: said[index]?.media ?? null,
  }))
  const current = said.at(-1) ?? { content, media }
  return {
    ...message,
    ...current,
    payload: { ...payload, edits: told.slice(-LIMITS.messageEdits) },
  }
}

function isAfter(a: Step, b: Step): boolean {
  return a.at === b.at ? a.wamid > b.wamid : a.at > b.at
}
