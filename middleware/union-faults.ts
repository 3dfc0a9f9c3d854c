import type { RequestFault } from '../core/errors.ts'

type Fault = RequestFault & { keyword: string }

/**
 * The faults of a body without those of types that are not meant. Where a member may have several types, such
 * as a text or a list, the validator reports a fault for each: these count only when the value is of none, and
 * are then reported as one.
 */
export function withoutOtherTypes<F extends Fault>(faults: F[]): F[] {
  const unions = new Set(faults.filter(isOfUnion).map(({ path }) => path))
  if (unions.size === 0) return faults
  // Faults within a value, or of a value apart from its type, show which type fits.
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
 * The faults of a body without those of kinds that are not meant. Where a member is one of several kinds,
 * discriminated by a constant such as `type`, the validator tries each and reports the faults of all: a wrong
 * constant counts only when nothing else is wrong.
 */
export function withoutOtherKinds<F extends Fault>(faults: F[]): F[] {
  const unions = new Set(faults.filter(isOfUnion).map(({ path }) => path))
  const tagged = new Set(
    faults
      .filter(isTag)
      .map(({ path }) => parent(path))
      .filter((path) => path !== null && unions.has(path)),
  )
  // In one pass: a body can have a million faults.
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

/** Whether the fault is in the constant that discriminates kinds. */
function isTag({ keyword }: Fault): boolean {
  return keyword === 'const'
}

/** The path of the value that holds a member; null for the body itself. */
function parent(path: string): string | null {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? null : path.slice(0, dot)
}
