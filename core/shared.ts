/**
 * Makes what is costly to find out under way once at a time: whoever asks meanwhile gets the same answer,
 * or the same failure. One that takes longer than `sharedMs` keeps no later one from being found out. `now`
 * is in milliseconds.
 */
export function createShared<T>(
  find: () => Promise<T>,
  sharedMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let underWay: { since: number; found: Promise<T> } | null = null
  return () => {
    if (underWay && now() - underWay.since < sharedMs) return underWay.found
    const mine = { since: now(), found: find() }
    const forget = () => {
      if (underWay === mine) underWay = null
    }
    mine.found.then(forget, forget)
    underWay = mine
    return mine.found
  }
}
