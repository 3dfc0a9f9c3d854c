import { isRecord } from '../core/json-values.ts'
import type { InboundChange } from '../core/ports.ts'
import type { Raw } from './contacts.ts'
import { readText, readWaId } from './identifiers.ts'

/** The channel's names of a customer. */
type Names = { waId: string | null; userId: string | null }

/**
 * The end of a notice's text. What comes before it holds the name that the customer has chosen, which may look
 * like it.
 */
const CHANGED = / changed from (\S+) to (\S+)$/
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/**
 * The sender of a message, by the message itself and by its entry in `contacts`. The notice of a customer's new
 * names may tell the former user id, and may name no sender: it is then of the one whom its text says to have
 * changed, else of the new names.
 */
export function senderOf(
  raw: Raw,
  contact: Raw | undefined,
  { content = null, change }: { content?: string | null; change?: InboundChange },
): Names {
  const renamed = change?.kind === 'identity' ? change : null
  const former = renamed ? formerNames(content ?? '', renamed) : null
  const told = renamed && isRecord(raw.system) ? readText(raw.system.previous_user_id) : null
  const waId = readWaId(raw.from) ?? former?.waId ?? readWaId(contact?.wa_id)
  const userId = told ?? readText(raw.from_user_id) ?? former?.userId ?? readText(contact?.user_id)
  return renamed && waId === null && userId === null ? renamed : { waId, userId }
}

/** The names that a notice's text says to be replaced by the new ones; none if it says anything else. */
function formerNames(text: string, { waId, userId }: Names): Names {
  const [, from = '', to = ''] = CHANGED.exec(text) ?? []
  if (USER_ID.test(from) && to === userId) return { waId: null, userId: from }
  return { waId: waId !== null && readWaId(to) === waId ? readWaId(from) : null, userId: null }
}
