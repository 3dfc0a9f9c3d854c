import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/json-values.ts'
import type { Comparison, Pair } from './changes.ts'
import {
  dereferenced,
  type Fields,
  fieldsOf,
  listOf,
  lookedUp,
  memberOf,
  textsOf,
} from './documents.ts'

/** Compares what a caller must hold, and what an operation says of its limits and failures. */
export function compareAccess(comparison: Comparison, pair: Pair<Fields>): void {
  compareScopes(comparison, pair)
  compareSecurity(comparison, pair)
  compareCodes(comparison, pair)
  compareFaultCodes(comparison, 'x-body-error-codes', pair)
  compareFaultCodes(comparison, 'x-query-error-codes', pair)
  compareBodyLimit(comparison, pair)
  if (!isDeepStrictEqual(pair.before['x-project'], pair.after['x-project'])) {
    const what = 'heeds X-Service-Project in another way'
    comparison.tell({ isBreaking: true, where: '', what })
  }
}

function compareScopes({ tell }: Comparison, { before, after }: Pair<Fields>): void {
  const [old, now] = [scopesOf(before), scopesOf(after)]
  for (const scope of now.filter((one) => !old.includes(one))) {
    tell({ isBreaking: true, where: 'scope', what: `${scope} is required now` })
  }
  for (const scope of old.filter((one) => !now.includes(one))) {
    tell({ isBreaking: false, where: 'scope', what: `${scope} is not required any more` })
  }
}

const scopesOf = (fields: Fields) => textsOf(fields['x-required-scopes'])

/** Whoever could call with what they hold must still be able to. */
function compareSecurity({ documents, tell }: Comparison, { before, after }: Pair<Fields>): void {
  const old = alternativesOf(documents.before, before)
  const now = alternativesOf(documents.after, after)
  const suffices = (held: Set<string>, due: Set<string>) => [...due].every((one) => held.has(one))
  if (old.some((held) => !now.some((due) => suffices(held, due)))) {
    tell({ isBreaking: true, where: 'security', what: 'asks for another credential' })
  } else if (now.some((held) => !old.some((due) => suffices(held, due)))) {
    tell({ isBreaking: false, where: 'security', what: 'asks for less of a credential' })
  }
}

/** Each way to be allowed in, as the schemes and scopes that it takes; none is one way. */
function alternativesOf(document: unknown, { security }: Fields): Set<string>[] {
  const listed = listOf(security ?? memberOf(document, 'security'))
  if (listed.length === 0) return [new Set()]
  return listed.map(
    (alternative) =>
      new Set(
        Object.entries(fieldsOf(alternative)).flatMap(([name, scopes]) => {
          const scheme = schemeOf(document, name)
          return [scheme, ...textsOf(scopes).map((scope) => `${scheme} ${scope}`)]
        }),
      ),
  )
}

/** How a credential is sent; how the document calls and describes it, no caller sees. */
function schemeOf(document: unknown, name: string): string {
  const declared = lookedUp(document, `#/components/securitySchemes/${name}`)
  const sent = Object.entries(dereferenced(document, declared))
    .filter(([key]) => key !== 'description' && key !== 'bearerFormat')
    .sort()
  return sent.length === 0 ? name : JSON.stringify(sent)
}

/** Callers branch on codes that they know, and take any other by its status. */
function compareCodes({ tell }: Comparison, { before, after }: Pair<Fields>): void {
  const codes = (fields: Fields) => textsOf(fields['x-error-codes'])
  const [old, now] = [codes(before), codes(after)]
  for (const code of now.filter((one) => !old.includes(one))) {
    tell({ isBreaking: false, where: 'error code', what: `${code} is new` })
  }
  for (const code of old.filter((one) => !now.includes(one))) {
    tell({ isBreaking: false, where: 'error code', what: `${code} is gone` })
  }
}

/** The faults of a request that have a code of their own must keep it. */
function compareFaultCodes({ tell }: Comparison, key: string, { before, after }: Pair<Fields>) {
  const [old, now] = [faultCodesOf(before[key]), faultCodesOf(after[key])]
  for (const [fault, code] of old) {
    if (now.get(fault) === code) continue
    const what = `${fault} is no longer refused as ${code}`
    tell({ isBreaking: true, where: 'error code', what })
  }
  for (const [fault, code] of now) {
    if (old.has(fault)) continue
    tell({ isBreaking: false, where: 'error code', what: `${fault} is refused as ${code}` })
  }
}

function faultCodesOf(value: unknown): Map<string, string> {
  const faults = listOf(value).filter(isRecord)
  return new Map(
    faults.map(({ path, keyword, code }) => [
      `a fault of ${text(path)}${keyword === undefined ? '' : ` (${text(keyword)})`}`,
      text(code),
    ]),
  )
}

function compareBodyLimit({ tell }: Comparison, { before, after }: Pair<Fields>): void {
  const [old, now] = [before['x-body-limit'], after['x-body-limit']]
  if (isDeepStrictEqual(old, now)) return
  const [oldBytes, nowBytes] = [memberOf(old, 'bytes'), memberOf(now, 'bytes')]
  const isRaised =
    typeof oldBytes === 'number' &&
    typeof nowBytes === 'number' &&
    nowBytes >= oldBytes &&
    isDeepStrictEqual(memberOf(old, 'code'), memberOf(now, 'code'))
  tell({ isBreaking: !isRaised, where: 'body', what: `may have ${text(nowBytes)} bytes now` })
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'other')
}
