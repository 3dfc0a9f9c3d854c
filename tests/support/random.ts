export { type Random, seededRandom } from '../../scripts/chaos/random.ts'

/** Every order of the items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((first, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  )
}
