/** Random numbers that are the same for the same seed. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

/** The mulberry32 generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { between, pick: ([first, ...rest]) => rest[between(0, rest.length) - 1] ?? first }
}
