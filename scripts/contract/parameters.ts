import { isDeepStrictEqual } from 'node:util'
import type { Comparison, Direction, Pair } from './changes.ts'
import { dereferenced, type DocumentOperation, type Fields, fieldsOf, listOf } from './documents.ts'
import { compareSchemas } from './schemas.ts'

type Named = { label: string; fields: Fields }
/** How a parameter is written; what it means when it is left out. */
const WRITTEN = ['style', 'explode', 'allowReserved', 'content']

/**
 * Compares the parameters of an operation. Those of a path are what their place in the path makes
 * them: how they are called is nothing that a caller sends.
 */
export function compareParameters(
  comparison: Comparison,
  direction: Direction,
  { before, after }: Pair<DocumentOperation>,
): void {
  const { documents } = comparison
  const old = parametersOf(documents.before, before)
  const now = parametersOf(documents.after, after)
  compareNamed(comparison, direction, { before: old, after: now })
}

/** Compares the headers of an answer. */
export function compareHeaders(
  comparison: Comparison,
  direction: Direction,
  { before, after }: Pair<Fields>,
): void {
  const named = (document: unknown, { headers }: Fields) =>
    new Map(
      Object.entries(fieldsOf(headers)).map(([name, header]) => [
        name.toLowerCase(),
        { label: `header ${name}`, fields: dereferenced(document, header) },
      ]),
    )
  const { documents } = comparison
  compareNamed(comparison, direction, {
    before: named(documents.before, before),
    after: named(documents.after, after),
  })
}

function parametersOf(document: unknown, { path, fields, shared }: DocumentOperation) {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const found = new Map<string, Named>()
  // What an operation says itself comes last, and counts.
  for (const one of [...listOf(shared.parameters), ...listOf(fields.parameters)]) {
    const parameter = dereferenced(document, one)
    const [place, name] = [String(parameter.in), String(parameter.name)]
    const position = inPath.indexOf(name)
    const called = place === 'header' ? name.toLowerCase() : name
    const key = place === 'path' && position >= 0 ? `path ${position}` : `${place} ${called}`
    found.set(key, { label: `${place} parameter ${name}`, fields: parameter })
  }
  return found
}

function compareNamed(
  comparison: Comparison,
  direction: Direction,
  { before, after }: Pair<Map<string, Named>>,
): void {
  const isRequest = direction === 'request'
  for (const [key, { label, fields }] of before) {
    const now = after.get(key)
    if (!now) comparison.tell({ isBreaking: true, where: label, what: 'is gone' })
    else compareOne(comparison, direction, label, { before: fields, after: now.fields })
  }
  for (const [key, { label, fields }] of after) {
    if (before.has(key)) continue
    const isDue = isRequest && fields.required === true
    const what = isDue ? 'is new and required' : 'is new'
    comparison.tell({ isBreaking: isDue, where: label, what })
  }
}

function compareOne(
  comparison: Comparison,
  direction: Direction,
  where: string,
  { before, after }: Pair<Fields>,
): void {
  const isDue = after.required === true
  if (isDue !== (before.required === true)) {
    const isRequest = direction === 'request'
    const words = isRequest ? ['optional', 'required'] : ['not always there', 'always there']
    const what = `is ${words[isDue ? 1 : 0]} now`
    comparison.tell({ isBreaking: isDue === isRequest, where, what })
  }
  if (after.deprecated === true && before.deprecated !== true) {
    comparison.tell({ isBreaking: false, where, what: 'is deprecated' })
  }
  for (const key of WRITTEN) {
    if (isDeepStrictEqual(before[key], after[key])) continue
    // Who escapes them goes on doing what is taken.
    if (key === 'allowReserved' && after[key] === true && direction === 'request') {
      comparison.tell({
        isBreaking: false,
        where,
        what: 'may hold reserved characters as they are',
      })
      continue
    }
    comparison.tell({ isBreaking: true, where, what: `is written differently: ${key}` })
  }
  const schemas = { before: before.schema, after: after.schema }
  compareSchemas(comparison, direction, schemas, { prefix: where, start: '' })
}
