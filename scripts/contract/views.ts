import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/json-values.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  lookedUp,
  memberOf,
  textsOf,
  typeListOf,
} from './documents.ts'

/** One of the shapes that a schema allows, without references, `allOf` or unions. */
export type Variant = { name: string | null; keywords: Fields }

/** A schema as its variants; `null` is none of them but said by `allowsNull`. */
export type View = { variants: Variant[]; allowsNull: boolean }

/** More variants than this are not told apart: the schema is compared as it is written. */
const VARIANTS_MAX = 64
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const COMBINED = new Set(['$ref', 'allOf', 'oneOf', 'anyOf', 'nullable', 'const', 'discriminator'])
/** The keyword of a variant that stands for what cannot be taken apart. */
export const OPAQUE = 'union of many shapes'

/** The name that a `$ref`, alone in an `allOf` or not, ends with; null for anything else. */
export function nameOf(schema: unknown): string | null {
  const [part, ...others] = listOf(memberOf(schema, 'allOf'))
  const reference = memberOf(schema, '$ref') ?? (others.length === 0 && memberOf(part, '$ref'))
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null
}

/** The shapes that a schema of the document allows; never throws. */
export function viewOf(document: unknown, schema: unknown): View {
  const view: View = { variants: [], allowsNull: false }
  for (const { name, keywords } of expanded(document, schema, [])) {
    const split = withoutNull(keywords)
    view.allowsNull ||= split.allowsNull
    if (split.keywords) view.variants.push({ name, keywords: split.keywords })
  }
  return view
}

function expanded(document: unknown, schema: unknown, above: string[]): Variant[] {
  if (schema === false) return []
  if (!isRecord(schema)) return [{ name: null, keywords: {} }]
  const parts: Variant[][] = [[{ name: null, keywords: ownKeywords(schema) }]]
  const { $ref } = schema
  if (typeof $ref === 'string' && !above.includes($ref)) {
    const name = nameOf(schema)
    const target = expanded(document, lookedUp(document, $ref), [...above, $ref])
    const isOne = target.length === 1
    parts.push(target.map((one) => ({ ...one, name: one.name ?? (isOne ? name : null) })))
  }
  for (const part of listOf(schema.allOf)) {
    // What several schemas make together is none of them.
    const keepsName = listOf(schema.allOf).length === 1
    const shapes = expanded(document, part, above)
    parts.push(keepsName ? shapes : shapes.map(({ keywords }) => ({ name: null, keywords })))
  }
  for (const union of [schema.oneOf, schema.anyOf].filter(Array.isArray)) {
    parts.push(union.flatMap((one) => expanded(document, one, above)))
  }
  const count = parts.reduce((product, { length }) => product * length, 1)
  if (count > VARIANTS_MAX) return [{ name: null, keywords: { [OPAQUE]: schema } }]
  return parts.reduce((left, right) => left.flatMap((a) => right.map((b) => merged(a, b))))
}

/** What a schema says by itself, with `const` as an `enum` and `nullable` as a type. */
function ownKeywords(schema: Fields): Fields {
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !COMBINED.has(key)))
  if ('const' in schema) own.enum = [schema.const]
  if (schema.nullable === true && own.type !== undefined) {
    own.type = [...(typeListOf(own) ?? []), 'null']
    if (Array.isArray(own.enum)) own.enum = [...listOf(own.enum), null]
  }
  return own
}

/** Two shapes that a value must both fit, as one. */
function merged(a: Variant, b: Variant): Variant {
  const keywords = { ...a.keywords }
  for (const [key, value] of Object.entries(b.keywords)) {
    keywords[key] = key in keywords ? mergedKeyword(key, keywords[key], value) : value
  }
  return { name: a.name ?? b.name, keywords }
}

function mergedKeyword(key: string, a: unknown, b: unknown): unknown {
  if (isDeepStrictEqual(a, b)) return a
  if (key === 'type') return typesBoth(a, b)
  if (key === 'enum') {
    return listOf(a).filter((one) => listOf(b).some((other) => isDeepStrictEqual(one, other)))
  }
  if (key === 'required') return [...new Set([...textsOf(a), ...textsOf(b)])]
  if (key === 'properties') return mergedProperties(fieldsOf(a), fieldsOf(b))
  if (typeof a === 'number' && typeof b === 'number') {
    if (LOWER.includes(key)) return Math.max(a, b)
    if (UPPER.includes(key)) return Math.min(a, b)
  }
  if (['items', 'additionalProperties', 'propertyNames'].includes(key)) return both(a, b)
  return key.startsWith('x-') ? b : [a, b]
}

function mergedProperties(a: Fields, b: Fields): Fields {
  const properties = Object.entries({ ...a, ...b }).map(([name, schema]) =>
    Object.hasOwn(a, name) && Object.hasOwn(b, name) && !isDeepStrictEqual(a[name], b[name])
      ? [name, both(a[name], b[name])]
      : [name, schema],
  )
  return Object.fromEntries(properties) as Fields
}

/** A schema for what fits two; what stands in both of them once. */
function both(a: unknown, b: unknown): unknown {
  if (a === false || b === false) return false
  const parts: unknown[] = []
  for (const part of [a, b].flatMap(conjuncts)) {
    if (!parts.some((known) => isDeepStrictEqual(known, part))) parts.push(part)
  }
  return parts.length === 1 ? parts[0] : { allOf: parts }
}

function conjuncts(schema: unknown): unknown[] {
  if (!isRecord(schema)) return []
  const isPlain = Object.keys(schema).length === 1 && Array.isArray(schema.allOf)
  return isPlain ? listOf(schema.allOf) : [schema]
}

function typesBoth(a: unknown, b: unknown): unknown[] {
  const left = [a].flat()
  const right = [b].flat()
  const isIn = (type: unknown, types: unknown[]) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [
    ...left.filter((type) => isIn(type, right)),
    ...right.filter((type) => !left.includes(type) && isIn(type, left)),
  ]
}

function withoutNull(keywords: Fields): { keywords: Fields | null; allowsNull: boolean } {
  const types = typeListOf(keywords)
  const values = Array.isArray(keywords.enum) ? listOf(keywords.enum) : null
  const isObject = keywords.properties !== undefined
  const mayBeNull = types ? types.includes('null') : !isObject && keywords[OPAQUE] === undefined
  const allowsNull = mayBeNull && (values === null || values.includes(null))
  const type = types?.filter((one) => one !== 'null') ?? (isObject ? ['object'] : null)
  const rest = values?.filter((one) => one !== null)
  if (type?.length === 0 || rest?.length === 0) return { keywords: null, allowsNull }
  return {
    keywords: { ...keywords, ...(type ? { type } : {}), ...(rest ? { enum: rest } : {}) },
    allowsNull,
  }
}
