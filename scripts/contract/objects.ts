import { isDeepStrictEqual } from 'node:util'
import type { Direction, Pair } from './changes.ts'
import { type Fields, fieldsOf, memberOf, textsOf } from './documents.ts'

export type MemberChange = { isBreaking: boolean; member: string; what: string }
export type Inner = { member: string; schemas: Pair<unknown> }
type Found = { changes: MemberChange[]; inner: Inner[] }

/**
 * How the members of an object, the items of a list and the default value have changed, and the
 * schemas inside that are still to be compared. An answer may gain members: callers pass over what
 * they do not know.
 */
export function objectChanges(direction: Direction, { before, after }: Pair<Fields>): Found {
  const found: Found = { changes: [], inner: [] }
  const named = [before, after].flatMap(({ properties }) => Object.keys(fieldsOf(properties)))
  const [old, now] = [described(before, named), described(after, named)]
  const required = { before: textsOf(before.required), after: textsOf(after.required) }
  for (const member of new Set(named)) {
    const change = presenceChange(direction, member, { before: old, after: now }, required)
    if (change) found.changes.push({ ...change, member })
    if (!Object.hasOwn(old, member) || !Object.hasOwn(now, member)) continue
    found.inner.push({ member, schemas: { before: old[member], after: now[member] } })
    const isDeprecated = ({ [member]: schema }: Fields) => memberOf(schema, 'deprecated') === true
    if (isDeprecated(now) && !isDeprecated(old)) {
      found.changes.push({ isBreaking: false, member, what: 'is deprecated' })
    }
  }
  found.changes.push(...unlistedChanges(direction, required, { ...old, ...now }))
  if (!isDeepStrictEqual(before.default, after.default)) {
    const what = `has the default ${shown(after.default)}, was ${shown(before.default)}`
    // Whoever leaves the value out now asks for something else.
    const isBreaking = direction === 'request' && before.default !== undefined
    found.changes.push({ isBreaking, member: '', what })
  }
  addRest(direction, { before, after }, found)
  addSchema('[]', 'items', { before, after }, direction, found)
  addSchema('[name]', 'propertyNames', { before, after }, direction, found)
  return found
}

/** The members that an object describes, also those of the given names that it describes as its others. */
function described(object: Fields, names: readonly string[]): Fields {
  const rest = restOf(object)
  const others = typeof rest === 'object' ? names.map((name) => [name, rest] as const) : []
  return { ...Object.fromEntries<unknown>(others), ...fieldsOf(object.properties) }
}

function presenceChange(
  direction: Direction,
  member: string,
  { before, after }: Pair<Fields>,
  required: Pair<string[]>,
) {
  const wasThere = Object.hasOwn(before, member)
  const isDue = required.after.includes(member)
  const wasDue = required.before.includes(member)
  const isRequest = direction === 'request'
  if (!Object.hasOwn(after, member)) return { isBreaking: true, what: 'is gone' }
  if (!wasThere) {
    return isDue && isRequest && !wasDue
      ? { isBreaking: true, what: 'is new and required' }
      : { isBreaking: false, what: 'is new' }
  }
  if (isDue === wasDue) return null
  const what = isDue
    ? `is ${isRequest ? 'required' : 'always there'} now`
    : `is ${isRequest ? 'optional' : 'not always there'} now`
  return { isBreaking: isDue === isRequest, what }
}

/** Members that are required without being described. */
function unlistedChanges(
  direction: Direction,
  { before, after }: Pair<string[]>,
  described: Fields,
): MemberChange[] {
  const isListed = (member: string) => Object.hasOwn(described, member)
  const isRequest = direction === 'request'
  return [
    ...after
      .filter((member) => !before.includes(member) && !isListed(member))
      .map((member) => ({ isBreaking: isRequest, member, what: 'is required now' })),
    ...before
      .filter((member) => !after.includes(member) && !isListed(member))
      .map((member) => ({ isBreaking: !isRequest, member, what: 'is not required any more' })),
  ]
}

/** The members that the object does not name. */
function addRest(direction: Direction, pair: Pair<Fields>, found: Found): void {
  const before = restOf(pair.before)
  const after = restOf(pair.after)
  if (typeof before === 'object' && typeof after === 'object') {
    found.inner.push({ member: '*', schemas: { before, after } })
  } else if (before !== after) {
    const rank = (rest: boolean | object) => (typeof rest === 'object' ? 1 : rest ? 2 : 0)
    const isWider = rank(after) > rank(before)
    // What an answer did not have it may gain; what was described may not become anything.
    const isBreaking = direction === 'request' ? !isWider : isWider && before !== false
    const words = ['takes no other members', 'describes its other members', 'takes any members']
    found.changes.push({ isBreaking, member: '', what: `${words[rank(after)]} now` })
  }
}

function restOf({ additionalProperties: rest }: Fields): boolean | Fields {
  if (rest === false) return false
  const schema = fieldsOf(rest)
  return Object.keys(schema).length === 0 ? true : schema
}

function addSchema(
  member: string,
  key: string,
  { before, after }: Pair<Fields>,
  direction: Direction,
  found: Found,
): void {
  const [old, now] = [before[key], after[key]]
  if (old !== undefined && now !== undefined) {
    found.inner.push({ member, schemas: { before: old, after: now } })
  } else if (old !== undefined || now !== undefined) {
    const isNarrower = old === undefined
    const what = isNarrower ? 'is described now' : 'is not described any more'
    found.changes.push({ isBreaking: isNarrower === (direction === 'request'), member, what })
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}
