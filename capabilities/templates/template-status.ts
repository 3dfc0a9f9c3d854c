import type { Schema } from '../../core/contract.ts'

export type TemplateStatus = Schema<'TemplateStatus'>

/**
 * What the channel's words mean here. A flagged template is at risk, yet sends; an appeal is another
 * review; one that is locked, archived or beyond the account's limit is out of use. A deletion under
 * way counts as done: the template can neither be sent nor kept from going.
 */
const MEANINGS: ReadonlyMap<string, TemplateStatus | 'gone'> = new Map([
  ['APPROVED', 'APPROVED'],
  ['FLAGGED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['UNARCHIVED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'PAUSED'],
  ['DISABLED', 'DISABLED'],
  ['LOCKED', 'DISABLED'],
  ['ARCHIVED', 'DISABLED'],
  ['LIMIT_EXCEEDED', 'DISABLED'],
  ['PENDING_DELETION', 'gone'],
  ['DELETED', 'gone'],
])

/** The status that a word of the channel's stands for, in any case; null for a word not known yet. */
export function statusOf(word: string): TemplateStatus | 'gone' | null {
  return MEANINGS.get(word.toUpperCase()) ?? null
}

type Category = Schema<'TemplateCategory'>
/** Every category of the contract; one that is missing here does not compile. */
const CATEGORIES: Record<Category, true> = { MARKETING: true, UTILITY: true, AUTHENTICATION: true }

/** The category that a word of the channel's stands for; null for a word not known yet. */
export function categoryOf(word: string): Category | null {
  const upper = word.toUpperCase()
  return Object.hasOwn(CATEGORIES, upper) ? (upper as Category) : null
}
