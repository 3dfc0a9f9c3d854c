import type { ContractDocument, Operation } from '../core/contract.ts'

/** How far a list, an object or a text may exceed its limit and still be judged by the validator. */
const SPARE = 100
/** The limit for a list without one in the contract, which other rules bound, such as the length of a text. */
const ITEMS_UNSAID = 1_000
/** How deep recursive schemas are followed. */
const DEPTH_MAX = 10
const EACH = '*'

type Node = {
  $ref?: string
  type?: string | string[]
  maxItems?: number
  maxProperties?: number
  maxLength?: number
  items?: Node
  properties?: Record<string, Node>
  additionalProperties?: boolean | Node
  allOf?: Node[]
  anyOf?: Node[]
  oneOf?: Node[]
}

/**
 * The size limits at a path; `*` stands for every item of a list and every member of a map. Where several kinds
 * of value are allowed, the largest limit applies.
 */
export type SizeLimit = {
  path: string[]
  /** Null when the value may not be a list. */
  itemsMax: number | null
  /** Null when the value may not be an object, or may have any members. */
  membersMax: number | null
  /** Null when the value may not be a text; in UTF-16 units, two per character. */
  charactersMax: number | null
  /** The members named in the contract. */
  known: Set<string>
}

/** The size limits of everything in an operation's body, outer ones first. */
export function sizeLimitsOf(document: ContractDocument, { path, method }: Operation): SizeLimit[] {
  const paths = document.paths as Record<string, Record<string, { requestBody?: Body }>>
  const schema = paths[path]?.[method]?.requestBody?.content['application/json']?.schema
  const schemas = document.components.schemas as Record<string, Node>
  const limits = new Map<string, SizeLimit>()

  function collect(node: Node, at: string[]): void {
    if (at.length > DEPTH_MAX) return
    if (node.$ref !== undefined) {
      const named = schemas[node.$ref.replace('#/components/schemas/', '')]
      if (named) collect(named, at)
    }
    const key = at.join('\0')
    const limit = limits.get(key) ?? {
      path: at,
      itemsMax: null,
      membersMax: null,
      charactersMax: null,
      known: new Set(),
    }
    limits.set(key, limit)
    if (mayBe(node, 'array')) {
      limit.itemsMax = Math.max(limit.itemsMax ?? 0, node.maxItems ?? ITEMS_UNSAID)
    }
    if (mayBe(node, 'object')) {
      for (const name of Object.keys(node.properties ?? {})) limit.known.add(name)
      limit.membersMax = Math.max(limit.membersMax ?? 0, membersMaxOf(node, limit.known))
    }
    if (mayBe(node, 'string')) {
      limit.charactersMax = Math.max(limit.charactersMax ?? 0, node.maxLength ?? Infinity)
    }
    const { additionalProperties: others } = node
    if (node.items) collect(node.items, [...at, EACH])
    if (typeof others === 'object') collect(others, [...at, EACH])
    for (const [name, member] of Object.entries(node.properties ?? {}))
      collect(member, [...at, name])
    for (const kind of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) {
      collect(kind, at)
    }
  }
  if (schema) collect(schema, [])
  return [...limits.values()]
    .filter((limit) => ofMany(limit) || Number.isFinite(limit.charactersMax ?? Infinity))
    .sort((a, b) => a.path.length - b.path.length)
}

type Body = { content: Record<string, { schema?: Node }> }

function mayBe({ type }: Node, kind: 'array' | 'object' | 'string'): boolean {
  return Array.isArray(type) ? type.includes(kind) : type === kind
}

function membersMaxOf(node: Node, known: Set<string>): number {
  if (node.maxProperties !== undefined) return node.maxProperties
  return node.additionalProperties === false ? known.size : Infinity
}

/** Whether the limit is on a number of items or members, and not only on a length. */
export function ofMany({ itemsMax, membersMax }: SizeLimit): boolean {
  return itemsMax !== null || Number.isFinite(membersMax)
}

/** A value that is far too large; `rule` is its path with `*` for items. */
export type Flood = {
  path: string
  rule: string
  keyword: 'maxItems' | 'maxProperties' | 'maxLength' | 'additionalProperties'
  message: string
}

/**
 * The first list, map, object or text of a body that is far too large, alone or together with the others at its
 * path; null when there is none. The validator visits every value and reports each fault: a body of one
 * mebibyte could keep the process busy for minutes.
 */
export function floodIn(body: unknown, limits: readonly SizeLimit[]): Flood | null {
  for (const limit of limits) {
    let sum = 0
    for (const { value, at } of valuesAt(body, limit.path, [])) {
      sum += sizeOf(value)
      const found = floodOf(value, limit) ?? floodOfAll(sum, limit)
      if (found) {
        const { name, ...flood } = found
        return { ...flood, path: [...at, ...name].join('.'), rule: limit.path.join('.') }
      }
    }
  }
  return null
}

/** The number of items or members of a value. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

/** Even if each is within its limit, all together could be hundreds of thousands. */
function floodOfAll(sum: number, { itemsMax, membersMax }: SizeLimit) {
  if (itemsMax === null && membersMax === null) return null
  const most = Math.max(itemsMax ?? 0, membersMax ?? 0, ITEMS_UNSAID)
  if (sum <= most + SPARE) return null
  const message = `must NOT have more than ${most} items, those of the lists beside it included`
  return { name: [], keyword: 'maxItems' as const, message }
}

/** `name` is the path from the value to the part that is reported. */
function floodOf(value: unknown, { itemsMax, membersMax, charactersMax, known }: SizeLimit) {
  if (typeof value === 'string') {
    if (charactersMax === null || value.length <= 2 * charactersMax + SPARE) return null
    const message = `must NOT have more than ${charactersMax} characters`
    return { name: [], keyword: 'maxLength' as const, message }
  }
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    if (itemsMax === null || value.length <= itemsMax + SPARE) return null
    const message = `must NOT have more than ${itemsMax} items`
    return { name: [], keyword: 'maxItems' as const, message }
  }
  const names = Object.keys(value)
  if (membersMax === null || names.length <= membersMax + SPARE) return null
  const unknown = membersMax === known.size ? names.find((name) => !known.has(name)) : undefined
  if (unknown !== undefined) {
    const keyword = 'additionalProperties' as const
    return { name: [unknown.slice(0, SPARE)], keyword, message: 'is not known' }
  }
  const message = `must NOT have more than ${membersMax} properties`
  return { name: [], keyword: 'maxProperties' as const, message }
}

type Found = { value: unknown; at: string[] }

function valuesAt(value: unknown, [name, ...rest]: readonly string[], at: string[]): Found[] {
  if (name === undefined) return [{ value, at }]
  if (typeof value !== 'object' || value === null) return []
  if (name === EACH) {
    return Object.entries(value).flatMap(([key, item]) => valuesAt(item, rest, [...at, key]))
  }
  return Object.hasOwn(value, name)
    ? valuesAt((value as Record<string, unknown>)[name], rest, [...at, name])
    : []
}
