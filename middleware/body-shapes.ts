import type { Operation } from '../core/contract.ts'
import { type RequestFault, wrongBody } from '../core/errors.ts'
import { isRecord } from '../core/json-values.ts'

/**
 * Keywords whose faults mean nothing once the shape of a body is known: the validator tries every shape and
 * reports the faults of each.
 */
const OF_OTHER_SHAPES = ['required', 'additionalProperties', 'oneOf']

/**
 * Throws `invalid_request` unless a body has exactly one of the contract's shapes, with that shape's members.
 * The values of the members are left to the validator.
 */
export function refuseOddShape(body: unknown, { bodyShapes }: Operation): void {
  if (bodyShapes.length === 0) return
  if (!isRecord(body)) throw wrongBody([{ path: '', message: 'must be object' }])
  const given = bodyShapes.filter(({ mark }) => Object.hasOwn(body, mark))
  const [shape] = given
  if (!shape || given.length > 1) {
    const message = `needs exactly one of ${bodyShapes.map(({ mark }) => mark).join(' and ')}`
    throw wrongBody([{ path: '', message }])
  }
  const faults = [
    ...shape.required
      .filter((name) => !Object.hasOwn(body, name))
      .map((path) => ({ path, message: 'is required' })),
    ...Object.keys(body)
      .filter((name) => !shape.members.includes(name))
      .map((path) => ({ path, message: 'is not known' })),
  ]
  if (faults.length > 0) throw wrongBody(faults)
}

/** The faults that are not due to the other shapes, each once. */
export function withoutOtherShapes<F extends RequestFault & { keyword: string }>(
  faults: F[],
  { bodyShapes }: Operation,
): F[] {
  if (bodyShapes.length === 0) return faults
  const seen = new Set<string>()
  return faults.filter(({ path, message, keyword }) => {
    const key = `${path} ${message}`
    const isNews = !OF_OTHER_SHAPES.includes(keyword) && !seen.has(key)
    seen.add(key)
    return isNews
  })
}
