import { isRecord } from '../core/json-values.ts'
import { readText } from './identifiers.ts'

/** Whom a change in a callback is for: the phone number that it names, else a whole business account. */
export type Addressee = { phoneNumberId: string | null; businessAccountId: string }

/** Whom the changes of a parsed callback are for; nobody, where they cannot be read. */
export function addresseesOf(body: unknown): Addressee[] {
  return entriesOf(body).flatMap((entry) =>
    changesOf(entry).flatMap((change) => addresseeOf(entry, change) ?? []),
  )
}

/** The callback without the changes that `isFor` refuses; it is asked null for what cannot be read. */
export function onlyChanges(body: unknown, isFor: (to: Addressee | null) => boolean): unknown {
  if (!isRecord(body) || !Array.isArray(body.entry)) return body
  const entry = entriesOf(body).flatMap((one) => {
    if (!isRecord(one) || !Array.isArray(one.changes)) return isFor(null) ? [one] : []
    const changes = one.changes.filter((change) => isFor(addresseeOf(one, change)))
    return changes.length > 0 ? [{ ...one, changes }] : []
  })
  return { ...body, entry }
}

/** Whether a callback has any entry left. */
export function holdsEntries(body: unknown): boolean {
  return entriesOf(body).length > 0
}

/** The phone number that the value of a change names. */
export function phoneNumberOf(value: unknown): string | null {
  if (!isRecord(value) || !isRecord(value.metadata)) return null
  return readText(value.metadata.phone_number_id)
}

function addresseeOf(entry: unknown, change: unknown): Addressee | null {
  if (!isRecord(entry) || !isRecord(change)) return null
  const businessAccountId = readText(entry.id)
  const phoneNumberId = phoneNumberOf(change.value)
  if (businessAccountId === null && phoneNumberId === null) return null
  return { phoneNumberId, businessAccountId: businessAccountId ?? '' }
}

function entriesOf(body: unknown): unknown[] {
  return isRecord(body) && Array.isArray(body.entry) ? body.entry : []
}

function changesOf(entry: unknown): unknown[] {
  return isRecord(entry) && Array.isArray(entry.changes) ? entry.changes : []
}
