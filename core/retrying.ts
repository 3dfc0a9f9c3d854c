/** Runs work again while it fails for a reason that is worth it, up to so many attempts in all. */
export async function retrying<T>(
  tries: number,
  isWorthIt: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === tries || !isWorthIt(error)) throw error
    }
  }
}
