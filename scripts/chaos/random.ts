/** Random numbers that are the same for the same seed: a failure can be run again. */
export function seededRandom(seed: number) {
  let state = seed >>> 0
  /** From 0 up to, but not including, 1 (mulberry32). */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /** A whole number from `least` to `most`, both included. */
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    pick: <T>(items: readonly T[]): T => items[between(0, items.length - 1)] as T,
    shuffled: <T>(items: readonly T[]): T[] =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}

export type Random = ReturnType<typeof seededRandom>
