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
 * The faults of a body, each once, without those that say of a value only that it is of none of its types: what
 * is wrong with it is reported beside them.
 */
export function withoutUnions<F extends Fault>(faults: F[]): F[] {
  // In one pass: a body can have a million faults.
  const nearer = new Set<string>()
  for (const one of faults) {
    if (!isOfUnion(one)) nearer.add(one.path)
    for (let path = parent(one.path); path !== null; path = parent(path)) nearer.add(path)
  }
  const seen = new Set<string>()
  return faults.filter((one) => {
    if (isOfUnion(one) && nearer.has(one.path)) return false
    const key = `${one.path} ${one.message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function isOfUnion({ keyword }: Fault): boolean {
  return keyword === 'oneOf'
}

function isOfType({ keyword }: Fault): boolean {
  return keyword === 'type'
}

/** The path of the value that holds a member; null for the body itself. */
function parent(path: string): string | null {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? null : path.slice(0, dot)
}
