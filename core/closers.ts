/** Functions that undo the steps of a start, in the order of the steps. */
export type Closers = (() => unknown)[]

/**
 * Runs a start whose steps add what undoes them; when a step fails, undoes the earlier ones in reverse order
 * and throws the reason.
 */
export async function opening<T>(closers: Closers, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    // Errors of undoing, caused by the failure, would only hide it.
    await closeAll(closers).catch(() => {})
    throw error
  }
}

/** Undoes steps concurrently; resolves when all are done, then throws the first error if there was one. */
export async function closeTogether(closers: Readonly<Closers>): Promise<void> {
  const ends = await Promise.allSettled(closers.map(async (close) => close()))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Undoes every step in reverse order, even when one of them throws; throws that error at the end. */
export async function closeAll(closers: Closers): Promise<void> {
  const close = closers.pop()
  if (!close) return
  try {
    await close()
  } finally {
    await closeAll(closers)
  }
}
