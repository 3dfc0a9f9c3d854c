import { isRecord } from '../core/json-values.ts'
import { readText } from './identifiers.ts'

export type Raw = Record<string, unknown>

/** The contacts of a change, looked up by the names in its messages and preferences. */
export type Contacts = {
  /**
   * The first entry of a customer, by number or user id. A single entry is taken for the customer only when
   * neither is named: a wrong guess would merge two customers.
   */
  find(waId: unknown, userId: unknown): Raw | undefined
}

/** Indexes the `contacts` of a change once, however many messages it has. */
export function readContacts(raw: unknown): Contacts {
  const contacts = Array.isArray(raw) ? raw.filter(isRecord) : []
  const byWaId = placesBy(contacts, 'wa_id')
  const byUserId = placesBy(contacts, 'user_id')
  return {
    find(waId, userId) {
      if (isNoName(waId) && isNoName(userId)) {
        return contacts.length === 1 ? contacts[0] : undefined
      }
      const ofWaId = byWaId.get(readText(waId)) ?? Infinity
      return contacts[Math.min(ofWaId, byUserId.get(readText(userId)) ?? Infinity)]
    },
  }
}

/** A missing name may be absent, null or empty. */
function isNoName(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** The index of the first contact with each name. */
function placesBy(contacts: Raw[], name: 'wa_id' | 'user_id'): Map<string | null, number> {
  const places = new Map<string | null, number>()
  for (const [place, contact] of contacts.entries()) {
    const called = readText(contact[name])
    if (called !== null && !places.has(called)) places.set(called, place)
  }
  return places
}
