import { messageOf } from '../core/caught-errors.ts'

/** Posts callbacks, now or later, and repeats them. */
export type Deliveries = {
  /** Posts after `delayMs`, and repeats it while it fails. */
  schedule(delayMs: number, post: CallbackPost): void
  /** Posts now; resolves after the first try, while further tries continue in the background. */
  postNow(post: CallbackPost): Promise<void>
  /** Resolves when nothing is pending. */
  idle(): Promise<void>
  /** Drops what is waiting, and aborts what is under way. */
  close(): Promise<void>
}

/** One try; resolves to the receiver's HTTP status. */
export type CallbackPost = (signal: AbortSignal) => Promise<{ status: number }>

/** More than a kilobyte each. */
const pendingMax = 500_000
/** As many as there are connections to a receiver: time that a post waits for its turn is not the receiver's. */
export const postsAtOnce = 64

/**
 * Delivers callbacks like the channel: only a 200 is success; otherwise it tries again after each of
 * `retryDelaysMs`, then reports a failure and gives up. Posts beyond `postsAtOnce` wait in line.
 */
export function createDeliveries(options: {
  retryDelaysMs: readonly number[]
  onProblem: (message: string) => void
}): Deliveries {
  const { retryDelaysMs, onProblem } = options
  const timers = new Set<NodeJS.Timeout>()
  const posts = new Set<Promise<void>>()
  /** A set, since the first of a long array is costly to take. */
  const line = new Set<() => void>()
  const underWay = new Set<AbortController>()
  let isClosed = false
  let waiting: (() => void)[] = []

  function settle(): void {
    if (timers.size > 0 || line.size > 0 || posts.size > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  function later(delayMs: number, post: CallbackPost, tries: number): void {
    if (isClosed) return
    if (timers.size + line.size >= pendingMax) {
      onProblem(`More than ${pendingMax} callbacks are pending; one was dropped.`)
      return
    }
    const timer = setTimeout(() => {
      timers.delete(timer)
      inTurn(() => void attempt(post, tries))
    }, delayMs)
    timers.add(timer)
  }

  function inTurn(begin: () => void): void {
    if (posts.size < postsAtOnce) begin()
    else line.add(begin)
  }

  function attempt(post: CallbackPost, tries: number): Promise<void> {
    const done = tryOnce(post, tries).finally(() => {
      posts.delete(done)
      const [next] = line
      if (next && posts.size < postsAtOnce) {
        line.delete(next)
        next()
      }
      settle()
    })
    posts.add(done)
    return done
  }

  async function tryOnce(post: CallbackPost, tries: number): Promise<void> {
    // A signal of its own: AbortSignal.any, which a post may use, leaves a reference in each of its sources for as
    // long as that lives.
    const ending = new AbortController()
    underWay.add(ending)
    const problem = await problemOf(post, ending.signal)
    underWay.delete(ending)
    if (problem === null || isClosed) return
    const delayMs = retryDelaysMs[tries - 1]
    if (delayMs !== undefined) later(delayMs, post, tries + 1)
    else onProblem(`A callback was given up after ${tries} tries: ${problem}.`)
  }

  return {
    schedule: (delayMs, post) => later(delayMs, post, 1),
    postNow: (post) => attempt(post, 1),
    idle: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        settle()
      }),
    close: async () => {
      isClosed = true
      for (const ending of underWay) ending.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      line.clear()
      await Promise.all(posts)
      settle()
    },
  }
}

async function problemOf(post: CallbackPost, signal: AbortSignal): Promise<string | null> {
  try {
    const { status } = await post(signal)
    return status === 200 ? null : `the receiver answered ${status}`
  } catch (error) {
    return messageOf(error)
  }
}
