import type { Schema } from '../core/contract.ts'

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

const CATEGORIES: readonly string[] = ['MARKETING', 'UTILITY', 'AUTHENTICATION']

/** The category that a word of the channel's stands for; null for a word not known yet. */
export function categoryOf(word: string): Schema<'TemplateCategory'> | null {
  const upper = word.toUpperCase()
  return CATEGORIES.includes(upper) ? (upper as Schema<'TemplateCategory'>) : null
}
