/**
 * Remembers what runs until it has ended, for whoever must not end before it. What is remembered never
 * rejects.
 */
export function remember<T>(underWay: Set<Promise<T>>, work: Promise<T>): void {
  underWay.add(work)
  void work.finally(() => underWay.delete(work))
}
