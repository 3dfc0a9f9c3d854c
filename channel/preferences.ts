import { isRecord } from '../core/json-values.ts'
import type { PreferenceUpdate } from '../core/ports.ts'
import type { Contacts } from './contacts.ts'
import { nameOf, readInstant, readText, readWaId } from './identifiers.ts'

const choices: ReadonlyMap<unknown, boolean> = new Map([
  ['stop', false],
  ['resume', true],
  ['signup', true],
])

/**
 * Reads a customer's choice on marketing messages; answers the reason when it cannot be used. A choice to stop
 * without a readable time counts as of `receivedAt`: a refusal must not be lost.
 */
export function readPreference(
  raw: unknown,
  contacts: Contacts,
  receivedAt: Date,
): PreferenceUpdate | string {
  if (!isRecord(raw)) return 'A user preference is not an object.'
  const { category, value } = raw
  if (category !== 'marketing_messages') {
    return `A user preference on ${nameOf(category)} is not followed.`
  }
  const optedIn = choices.get(value)
  if (optedIn === undefined) {
    return `The user preference ${nameOf(value)} is not followed.`
  }
  const at = readInstant(raw.timestamp) ?? (optedIn ? null : receivedAt)
  if (at === null) return 'A user preference has no usable timestamp.'
  const contact = contacts.find(raw.wa_id, raw.user_id)
  const waId = readWaId(raw.wa_id) ?? readWaId(contact?.wa_id)
  const userId = readText(raw.user_id) ?? readText(contact?.user_id)
  if (waId === null && userId === null) return 'A user preference names no customer.'
  return { waId, userId, optedIn, at }
}
