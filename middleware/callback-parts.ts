import * as appAccounts from '../capabilities/channel-accounts/app-accounts.ts'
import type { OpenAccount } from '../capabilities/channel-accounts/channel-accounts.ts'
import {
  type Addressee,
  addresseesOf,
  holdsEntries,
  onlyChanges,
} from '../channel/callback-parts.ts'
import type { Context } from '../core/context.ts'
import { holdsMoreValues, parseJson } from '../core/json-values.ts'
import { LIMITS } from '../core/limits.ts'

/**
 * What one project is to take of a callback, and the text that it is kept as where it cannot be read. The value is
 * undefined where that is no JSON, or too much of it.
 */
export type CallbackPart = { account: OpenAccount; value: unknown; body: string }

/** The parts of a callback that came to a project's URL, for each project whom it concerns. */
export function partsOf(ctx: Context, account: OpenAccount, raw: Buffer): Promise<CallbackPart[]> {
  const body = raw.toString()
  const value = holdsMoreValues(raw, LIMITS.callbackValues) ? undefined : parseJson(body)
  return divide(ctx, { account, value, body })
}

/**
 * Divides a callback among the projects whom its changes are for. The project in its URL gets whatever is for no
 * other one.
 */
async function divide(ctx: Context, whole: CallbackPart): Promise<CallbackPart[]> {
  const { account, value } = whole
  const parts = new Map<string, { account: OpenAccount; keys: Set<string> }>()
  const addressees = new Map(addresseesOf(value).map((to) => [keyOf(to), to]))
  for (const [key, to] of addressees) {
    for (const other of await appAccounts.concernedBy(ctx, account, to)) {
      const part = parts.get(other.projectId) ?? { account: other, keys: new Set() }
      parts.set(other.projectId, { ...part, keys: part.keys.add(key) })
    }
  }
  if (parts.size === 0) return [whole]
  const taken = new Set([...parts.values()].flatMap(({ keys }) => [...keys]))
  const isOurs = (to: Addressee | null) =>
    to === null || !taken.has(keyOf(to)) || isOfBusiness(account, to)
  const others = [...parts.values()].map(({ account, keys }) =>
    partOf(account, value, (to) => to !== null && keys.has(keyOf(to))),
  )
  const ours = partOf(account, value, isOurs)
  // With nothing in it, it would wait for a turn all the same.
  return holdsEntries(ours.value) ? [ours, ...others] : others
}

function partOf(
  account: OpenAccount,
  whole: unknown,
  isFor: (to: Addressee | null) => boolean,
): CallbackPart {
  const value = onlyChanges(whole, isFor)
  return { account, value, body: JSON.stringify(value) }
}

function isOfBusiness({ businessAccountId }: OpenAccount, to: Addressee): boolean {
  return to.phoneNumberId === null && to.businessAccountId === businessAccountId
}

function keyOf({ phoneNumberId, businessAccountId }: Addressee): string {
  return phoneNumberId === null ? `account ${businessAccountId}` : `number ${phoneNumberId}`
}
