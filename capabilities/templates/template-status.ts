import type { Schema } from '../../core/contract.ts'

export type TemplateStatus = Schema<'TemplateStatus'>

/**
 * The meaning of the channel's words here. A flagged template is at risk, but can be sent; an appeal is another
 * review; one that is locked, archived or beyond the account's limit is out of use. A pending deletion counts
 * as done: the template can neither be sent nor saved.
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

/** The status for a word of the channel's, in any case; null for an unknown word. */
export function statusOf(word: string): TemplateStatus | 'gone' | null {
  return MEANINGS.get(word.toUpperCase()) ?? null
}

type Category = Schema<'TemplateCategory'>
/** Every category of the contract; leaving one out does not compile. */
const CATEGORIES: Record<Category, true> = { MARKETING: true, UTILITY: true, AUTHENTICATION: true }

/** The category for a word of the channel's; null for an unknown word. */
export function categoryOf(word: string): Category | null {
  const upper = word.toUpperCase()
  return Object.hasOwn(CATEGORIES, upper) ? (upper as Category) : null
}
