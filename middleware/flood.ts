import type { ContractDocument, Operation } from '../core/contract.ts'

/** How many items beyond its limit an array may have that is judged like any other. */
const SPARE_ITEMS = 100
/** Schemas that hold themselves are followed so far. */
const DEPTH_MAX = 10
const EACH = '*'

type Node = {
  $ref?: string
  maxItems?: number
  items?: Node
  properties?: Record<string, Node>
  allOf?: Node[]
  anyOf?: Node[]
  oneOf?: Node[]
}

/** The most items that an array at a path may have; `*` stands for every item of one. */
export type ArrayLimit = { path: string[]; itemsMax: number }

/** The limits of all arrays in an operation's body, those of the outer ones first. */
export function arrayLimitsOf(
  document: ContractDocument,
  { path, method }: Operation,
): ArrayLimit[] {
  const paths = document.paths as Record<string, Record<string, { requestBody?: Body }>>
  const schema = paths[path]?.[method]?.requestBody?.content['application/json']?.schema
  const schemas = document.components.schemas as Record<string, Node>
  const limits = new Map<string, ArrayLimit>()

  function collect(node: Node, at: string[]): void {
    if (at.length > DEPTH_MAX) return
    if (node.$ref !== undefined) {
      const named = schemas[node.$ref.replace('#/components/schemas/', '')]
      if (named) collect(named, at)
    }
    if (node.maxItems !== undefined) {
      const key = at.join('\0')
      // Of several kinds that the array may be of, the longest.
      const itemsMax = Math.max(node.maxItems, limits.get(key)?.itemsMax ?? 0)
      limits.set(key, { path: at, itemsMax })
    }
    if (node.items) collect(node.items, [...at, EACH])
    for (const [name, member] of Object.entries(node.properties ?? {}))
      collect(member, [...at, name])
    for (const kind of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) {
      collect(kind, at)
    }
  }
  if (schema) collect(schema, [])
  return [...limits.values()].sort((a, b) => a.path.length - b.path.length)
}

type Body = { content: Record<string, { schema?: Node }> }

/**
 * The first array of a body that is far too long, and what is wrong with it; null when there is none.
 * The validator looks at every item of an array, however many there are, and complains of each: a body
 * of one mebibyte would keep the process busy for minutes.
 */
export function floodIn(
  body: unknown,
  limits: readonly ArrayLimit[],
): { path: string; message: string } | null {
  for (const { path, itemsMax } of limits) {
    for (const found of valuesAt(body, path, [])) {
      if (Array.isArray(found.value) && found.value.length > itemsMax + SPARE_ITEMS) {
        const message = `must NOT have more than ${itemsMax} items`
        return { path: found.at.join('.'), message }
      }
    }
  }
  return null
}

type Found = { value: unknown; at: string[] }

function valuesAt(value: unknown, [name, ...rest]: readonly string[], at: string[]): Found[] {
  if (name === undefined) return [{ value, at }]
  if (typeof value !== 'object' || value === null) return []
  if (name === EACH) {
    if (!Array.isArray(value)) return []
    return value.flatMap((item, index) => valuesAt(item, rest, [...at, String(index)]))
  }
  return Object.hasOwn(value, name)
    ? valuesAt((value as Record<string, unknown>)[name], rest, [...at, name])
    : []
}
