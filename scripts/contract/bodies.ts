import type { Comparison, Direction, Pair } from './changes.ts'
import { dereferenced, type Fields, fieldsOf } from './documents.ts'
import { compareHeaders } from './parameters.ts'
import { compareSchemas } from './schemas.ts'

/** Compares what an operation takes as its body, or what an event brings. */
export function compareRequestBody(
  comparison: Comparison,
  direction: Direction,
  { before, after }: Pair<Fields>,
): void {
  const { documents } = comparison
  const isThere = { before: 'requestBody' in before, after: 'requestBody' in after }
  const old = dereferenced(documents.before, before.requestBody)
  const now = dereferenced(documents.after, after.requestBody)
  const where = 'body'
  if (isThere.before && !isThere.after) {
    comparison.tell({ isBreaking: true, where, what: 'is gone' })
  } else if (!isThere.before && isThere.after) {
    const isBreaking = direction === 'request' && now.required === true
    const what = isBreaking ? 'is new and required' : 'is new'
    comparison.tell({ isBreaking, where, what })
  } else if (isThere.before) {
    const isDue = now.required === true
    if (isDue !== (old.required === true)) {
      const what = `is ${isDue ? 'required' : 'optional'} now`
      comparison.tell({ isBreaking: isDue === (direction === 'request'), where, what })
    }
    compareContent(comparison, direction, where, { before: old, after: now })
  }
}

/** Compares the answers by status. A caller must cope with any failure, but with no new success. */
export function compareResponses(
  comparison: Comparison,
  direction: Direction,
  { before, after }: Pair<Fields>,
): void {
  const [old, now] = [fieldsOf(before.responses), fieldsOf(after.responses)]
  const isAnswer = direction === 'answer'
  for (const status of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const where = `status ${status}`
    const isSuccess = !/^[45]|^default$/.test(status)
    if (!Object.hasOwn(now, status)) {
      comparison.tell({ isBreaking: isSuccess, where, what: 'is gone' })
    } else if (!Object.hasOwn(old, status)) {
      comparison.tell({ isBreaking: isSuccess && isAnswer, where, what: 'is new' })
    } else {
      const { documents } = comparison
      const pair = {
        before: dereferenced(documents.before, old[status]),
        after: dereferenced(documents.after, now[status]),
      }
      // What holds for every status is said once.
      const place = isSuccess ? 'answer' : 'failure'
      compareHeaders(within(comparison, place), direction, pair)
      compareContent(comparison, direction, place, pair)
    }
  }
}

function compareContent(
  comparison: Comparison,
  direction: Direction,
  where: string,
  { before, after }: Pair<Fields>,
): void {
  const [old, now] = [fieldsOf(before.content), fieldsOf(after.content)]
  for (const type of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!Object.hasOwn(now, type)) {
      comparison.tell({ isBreaking: true, where, what: `is no longer ${type}` })
    } else if (!Object.hasOwn(old, type)) {
      comparison.tell({ isBreaking: false, where, what: `may be ${type}, too` })
    } else {
      const schemas = {
        before: fieldsOf(old[type]).schema,
        after: fieldsOf(now[type]).schema,
      }
      compareSchemas(comparison, direction, schemas, { prefix: where, start: '' })
    }
  }
}

/** Tells the same changes, each as one of something larger. */
function within(comparison: Comparison, place: string): Comparison {
  return {
    ...comparison,
    tell: (change) => comparison.tell({ ...change, where: `${place} ${change.where}` }),
  }
}
