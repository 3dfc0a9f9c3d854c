/** What undoes each step of a start, in the order of the steps. */
export type Closers = (() => unknown)[]

/**
 * Makes a start whose steps note what undoes them; when one fails, undoes those before it, the last one
 * first, and throws why it failed.
 */
export async function opening<T>(closers: Closers, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    // What fails because of the failure would only hide it.
    await closeAll(closers).catch(() => {})
    throw error
  }
}

/** Undoes steps at the same time, and resolves when all are done with; throws then what one of them threw. */
export async function closeTogether(closers: Readonly<Closers>): Promise<void> {
  const ends = await Promise.allSettled(closers.map(async (close) => close()))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Undoes every step, the last one first, also when one of them cannot be undone; throws that then. */
export async function closeAll(closers: Closers): Promise<void> {
  const close = closers.pop()
  if (!close) return
  try {
    await close()
  } finally {
    await closeAll(closers)
  }
}
