import { isDeepStrictEqual } from 'node:util'
import { compareAccess } from './access.ts'
import { compareRequestBody, compareResponses } from './bodies.ts'
import { type Change, type Comparison, createCollector, type Pair } from './changes.ts'
import { type DocumentOperation, memberOf, operationsIn, refersToComponents } from './documents.ts'
import { compareParameters } from './parameters.ts'

type Kind = { under: 'paths' | 'webhooks'; noun: string }
const KINDS: Kind[] = [
  { under: 'paths', noun: 'operation' },
  { under: 'webhooks', noun: 'event' },
]

/**
 * Every difference between two OpenAPI 3.1 documents that callers may notice, in the order of the
 * documents. What neither asks more of a caller nor answers less or otherwise is compatible. Takes
 * any values: what cannot be read as OpenAPI is passed over.
 */
export function compareDocuments(documents: Pair<unknown>): Change[] {
  const collector = createCollector()
  const isSharedAlike = areComponentsAlike(documents)
  for (const kind of KINDS) {
    const before = keyed(operationsIn(documents.before, kind.under))
    const after = keyed(operationsIn(documents.after, kind.under))
    for (const [key, old] of before) {
      const tell: Comparison['tell'] = (change) => collector.add(nameOf(old), change)
      const now = after.get(key)
      if (now)
        compareOperation({ documents, isSharedAlike, tell }, kind, { before: old, after: now })
      else tell({ isBreaking: true, where: '', what: `is gone, ${addressOf(old, kind)}` })
    }
    for (const [key, now] of after) {
      if (before.has(key)) continue
      const what = `is new, ${addressOf(now, kind)}`
      collector.add(nameOf(now), { isBreaking: false, where: '', what })
    }
  }
  return collector.changes()
}

/** An event goes the other way: it is the service that sends, and the caller who must cope. */
function compareOperation(
  comparison: Comparison,
  { under }: Kind,
  { before, after }: Pair<DocumentOperation>,
): void {
  const { tell } = comparison
  const isEvent = under === 'webhooks'
  const fields = { before: before.fields, after: after.fields }
  if (!isEvent && before.id !== after.id) {
    const what = `has the operationId ${after.id}, was ${before.id}`
    tell({ isBreaking: true, where: '', what })
  }
  if (after.fields.deprecated === true && before.fields.deprecated !== true) {
    tell({ isBreaking: false, where: '', what: 'is deprecated' })
  }
  compareAccess(comparison, fields)
  compareParameters(comparison, isEvent ? 'answer' : 'request', { before, after })
  compareRequestBody(comparison, isEvent ? 'answer' : 'request', fields)
  compareResponses(comparison, isEvent ? 'request' : 'answer', fields)
}

/** Whether the named parts are the same, and refer to none but named parts. */
function areComponentsAlike({ before, after }: Pair<unknown>): boolean {
  const components = memberOf(after, 'components')
  return (
    isDeepStrictEqual(memberOf(before, 'components'), components) &&
    refersToComponents(JSON.stringify(components) ?? '')
  )
}

/** By what a caller sends them to; how a part of the path is called matters to nobody. */
function keyed(operations: DocumentOperation[]): Map<string, DocumentOperation> {
  return new Map(
    operations.map((one) => [`${one.method} ${one.path.replace(/\{[^}]*\}/g, '{}')}`, one]),
  )
}

function nameOf(operation: DocumentOperation): string {
  return operation.id ?? `${operation.method.toUpperCase()} ${operation.path}`
}

function addressOf({ method, path }: DocumentOperation, { under, noun }: Kind): string {
  return under === 'webhooks' ? `an ${noun}` : `${method.toUpperCase()} ${path}`
}
