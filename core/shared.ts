/**
 * Shares a costly computation: whoever asks while one is under way gets its answer or its failure. One that
 * takes longer than `sharedMs` is no longer joined. `now` is in milliseconds.
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
