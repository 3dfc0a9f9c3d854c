/**
 * Makes what is costly to find out at most once in `keptMs`: whoever asks meanwhile gets the same answer,
 * or the same failure. One that hangs keeps no later one from being found out. `now` is in milliseconds.
 */
export function createRecent<T>(
  find: () => Promise<T>,
  keptMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { at: number; found: Promise<T> } | null = null
  return () => {
    if (!last || now() - last.at >= keptMs) last = { at: now(), found: find() }
    return last.found
  }
}
