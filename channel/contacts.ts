import { readText } from './identifiers.ts'
import { isRecord } from './text.ts'

export type Raw = Record<string, unknown>

/** The contacts of a change, to be found by what its messages and preferences name. */
export type Contacts = {
  /**
   * The first entry of a customer, by number or user id. Only where neither is named is a lone entry
   * taken on trust: a wrong guess would join two customers into one.
   */
  find(waId: unknown, userId: unknown): Raw | undefined
}

/** Reads the `contacts` of a change once, however many messages come with them. */
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

/** The channel leaves a name out, or says null or nothing for it. */
function isNoName(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Where the first contact with each name stands; none is called null. */
function placesBy(contacts: Raw[], name: 'wa_id' | 'user_id'): Map<string | null, number> {
  const places = new Map<string | null, number>()
  for (const [place, contact] of contacts.entries()) {
    const called = readText(contact[name])
    if (called !== null && !places.has(called)) places.set(called, place)
  }
  return places
}
