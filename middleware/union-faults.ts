import type { RequestFault } from '../core/errors.ts'

type Fault = RequestFault & { keyword: string }

/**
 * The faults of a body without those that speak of types that are not meant. Where a member may be of
 * several types, such as a text or a list, the validator complains of all: those that the value is not
 * of are news only when it is of none, and then together.
 */
export function withoutOtherTypes<F extends Fault>(faults: F[]): F[] {
  const unions = new Set(faults.filter(isOfUnion).map(({ path }) => path))
  if (unions.size === 0) return faults
  // What a fault lies in, or is of without being of a type, is of a type that may be.
  const fitting = new Set<string>()
  const types = new Map<string, Set<string>>()
  for (const one of faults) {
    if (isOfType(one)) types.set(one.path, (types.get(one.path) ?? new Set()).add(one.message))
    else if (!isOfUnion(one)) fitting.add(one.path)
    for (let path = parent(one.path); path !== null; path = parent(path)) fitting.add(path)
  }
  const told = new Set<string>()
  return faults.flatMap((one) => {
    if (!isOfType(one) || !unions.has(one.path)) return [one]
    if (fitting.has(one.path) || told.has(one.path)) return []
    told.add(one.path)
    const message = [...(types.get(one.path) ?? [])].join(' or ').replaceAll(' or must be', ' or')
    return [{ ...one, message }]
  })
}

/**
 * The faults of a body without those that speak of kinds that are not meant. Where a member is one of
 * several kinds, told apart by a constant such as `type`, the validator tries each kind and complains
 * of all: that the constant is not theirs is news only when nothing else is wrong.
 */
export function withoutOtherKinds<F extends Fault>(faults: F[]): F[] {
  const unions = new Set(faults.filter(isOfUnion).map(({ path }) => path))
  const tagged = new Set(
    faults
      .filter(isTag)
      .map(({ path }) => parent(path))
      .filter((path) => path !== null && unions.has(path)),
  )
  // Once through, however many there are: a body can be wrong in a million places.
  const explained = new Set<string>()
  const nearer = new Set<string>()
  for (const one of faults) {
    if (!isOfUnion(one)) nearer.add(one.path)
    for (let path = parent(one.path); path !== null; path = parent(path)) {
      nearer.add(path)
      if (!(isTag(one) && path === parent(one.path))) explained.add(path)
    }
  }
  const seen = new Set<string>()
  return faults.flatMap((one) => {
    if (isOfUnion(one) && nearer.has(one.path)) return []
    const within = parent(one.path)
    const union = isTag(one) && tagged.has(within) ? within : null
    if (union !== null && explained.has(union)) return []
    const told = union === null ? one : { ...one, message: 'is not of a kind that is known' }
    const key = `${told.path} ${told.message}`
    if (seen.has(key)) return []
    seen.add(key)
    return [told]
  })
}

function isOfUnion({ keyword }: Fault): boolean {
  return keyword === 'anyOf'
}

function isOfType({ keyword }: Fault): boolean {
  return keyword === 'type'
}

/** Whether the constant is not the one by which kinds are told apart. */
function isTag({ keyword }: Fault): boolean {
  return keyword === 'const'
}

/** The path of what holds a member; null for the body's own. */
function parent(path: string): string | null {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? null : path.slice(0, dot)
}
