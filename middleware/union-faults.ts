import type { RequestFault } from '../core/errors.ts'

type Fault = RequestFault & { keyword: string }

/**
 * The faults of a body without those that speak of kinds that are not meant. Where a member is one of
 * several kinds, told apart by a constant such as `type`, the validator tries each kind and complains
 * of all: that the constant is not theirs is news only when nothing else is wrong.
 */
export function withoutOtherKinds<F extends Fault>(faults: F[]): F[] {
  const unions = new Set(
    faults.filter(({ keyword }) => keyword === 'anyOf').map(({ path }) => path),
  )
  const tagged = [...unions].filter((path) => faults.some((one) => isTagOf(path, one)))
  const explained = new Set(
    tagged.filter((path) =>
      faults.some((one) => one.path.startsWith(`${path}.`) && !isTagOf(path, one)),
    ),
  )
  const seen = new Set<string>()
  return faults.flatMap((one) => {
    if (one.keyword === 'anyOf' && faults.some((other) => isNearer(other, one.path))) return []
    const union = tagged.find((path) => isTagOf(path, one))
    if (union !== undefined && explained.has(union)) return []
    const told = union === undefined ? one : { ...one, message: 'is not of a kind that is known' }
    const key = `${told.path} ${told.message}`
    if (seen.has(key)) return []
    seen.add(key)
    return [told]
  })
}

/** Whether a fault tells more than that none of the union's kinds fits. */
function isNearer({ path, keyword }: Fault, union: string): boolean {
  return (path === union && keyword !== 'anyOf') || path.startsWith(`${union}.`)
}

function isTagOf(union: string, { path, keyword }: Fault): boolean {
  return keyword === 'const' && path.slice(0, path.lastIndexOf('.')) === union
}
