import type { Operation } from '../core/contract.ts'
import type { RequestFault } from '../core/errors.ts'

type Fault = RequestFault & { keyword: string }

/** How much of a key is shown, which may be as long as the body. */
const KEY_CHARACTERS = 100

/**
 * The faults of a body, with faults of a map's keys reported at the key: the validator only says that some key
 * of the map is wrong.
 */
export function withKeysNamed<F extends Fault>(
  faults: F[],
  body: unknown,
  { bodyMaps }: Operation,
): F[] {
  const named = new Set<string>()
  return faults.flatMap((one) => {
    const map = bodyMaps.find(({ member }) => member === one.path)
    if (!map || !['pattern', 'propertyNames'].includes(one.keyword)) return [one]
    if (named.has(one.path)) return []
    named.add(one.path)
    const pattern = new RegExp(map.pattern, 'u')
    const value = (body as Record<string, object>)[one.path] ?? {}
    const odd = Object.keys(value).filter((key) => !pattern.test(key))
    const message = `must match pattern "${map.pattern}"`
    return odd.map((key) => {
      return { ...one, path: `${one.path}.${key.slice(0, KEY_CHARACTERS)}`, message }
    })
  })
}
