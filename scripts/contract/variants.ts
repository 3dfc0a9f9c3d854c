import { isDeepStrictEqual } from 'node:util'
import type { Pair } from './changes.ts'
import { fieldsOf, listOf, memberOf, typeListOf } from './documents.ts'
import type { Variant } from './views.ts'

type Paired = { pairs: Pair<Variant>[]; gone: Variant[]; added: Variant[] }

/** Which values a keyword looks at; all others pass it. */
const LOOKS_AT: Record<string, string[]> = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
}

/** A shape of several types as one shape for each. */
export function byType({ name, keywords }: Variant): Variant[] {
  const types = typeListOf(keywords) ?? []
  if (types.length < 2 || keywords.enum !== undefined) return [{ name, keywords }]
  return types.map((type) => {
    const others = Object.entries(LOOKS_AT).filter(([kind]) => kind !== numberOr(type))
    const foreign = new Set(others.flatMap(([, names]) => names))
    const own = Object.entries(keywords).filter(([keyword]) => !foreign.has(keyword))
    return { name, keywords: { ...Object.fromEntries(own), type: [type] } }
  })
}

function numberOr(type: string): string {
  return type === 'integer' ? 'number' : type
}

/** What people call a shape: the value that tells it apart, its name, or its type. */
export function labelOf(variant: Variant): string {
  return kindOf(variant) ?? variant.name ?? typeOf(variant) ?? 'anything'
}

/**
 * Which shape has become which: by the values that tell them apart, by name, by being the same, by
 * type. The only shape there was has become the only one that there is.
 */
export function pairVariants({ before, after }: Pair<Variant[]>): Paired {
  const paired: Paired = { pairs: [], gone: [...before], added: [...after] }
  if (before.length === 1 && after.length === 1) {
    take(paired, () => true)
    return paired
  }
  const byKey = (keyOf: (variant: Variant) => string | null) => (a: Variant, b: Variant) =>
    keyOf(a) !== null && keyOf(a) === keyOf(b)
  const isSame = (a: Variant, b: Variant) => isDeepStrictEqual(a.keywords, b.keywords)
  // Two that have a value of their own each are two, whatever else they share.
  const isUntold = (a: Variant, b: Variant) => kindOf(a) === null || kindOf(b) === null
  take(paired, byKey(kindOf))
  take(
    paired,
    byKey(({ name }) => name),
  )
  take(paired, isSame)
  take(paired, (a, b) => isUntold(a, b) && byKey(typeOf)(a, b))
  return paired
}

function take(paired: Paired, isMatch: (a: Variant, b: Variant) => boolean): void {
  for (const old of [...paired.gone]) {
    const now = paired.added.find((one) => isMatch(old, one))
    if (!now) continue
    paired.pairs.push({ before: old, after: now })
    paired.gone.splice(paired.gone.indexOf(old), 1)
    paired.added.splice(paired.added.indexOf(now), 1)
  }
}

/** The members of a shape that have one value only, such as `type "text"`; null without any. */
function kindOf({ keywords }: Variant): string | null {
  const kinds = Object.entries(fieldsOf(keywords.properties)).flatMap(([name, schema]) => {
    const values = [memberOf(schema, 'const') ?? memberOf(schema, 'enum')].flat()
    const isKind = values.length === 1 && listOf(values).every((one) => typeof one === 'string')
    return isKind ? [`${name} ${JSON.stringify(values[0])}`] : []
  })
  return kinds.length === 0 ? null : kinds.sort().join(', ')
}

function typeOf({ keywords }: Variant): string | null {
  return typeListOf(keywords)?.sort().join() ?? null
}
