/** Keeps track of work until it has ended, for whoever must wait for it. The work must never reject. */
export function remember<T>(underWay: Set<Promise<T>>, work: Promise<T>): void {
  underWay.add(work)
  void work.finally(() => underWay.delete(work))
}
