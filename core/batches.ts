/** Processes a batch; answers one result per item, in their order. Must not depend on who calls. */
type Work<Item, Result> = (items: Item[]) => Promise<Result[]>

export type Batches = {
  /**
   * Processes `item` together with whatever else waits for the same group. A group has one batch under way at a
   * time; items that arrive meanwhile, or in the same turn of the event loop, form the next one. When a batch
   * fails, each of its items is tried alone, so that each caller gets the outcome of its own item.
   */
  join<Item, Result>(
    group: string,
    item: Item,
    work: Work<Item, Result>,
    weight?: number,
  ): Promise<Result>
}

type Waiting = {
  item: unknown
  weight: number
  work: Work<unknown, unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Options = {
  /** Batches under way at once, over all groups. */
  atOnce: number
  /** The maximum sum of weights in a batch; a heavier item goes alone. */
  weightMax: number
  /** How long the items of failed batches are tried one by one; in an outage all of them fail. */
  apartMs: number
  onFailure?: (group: string, size: number, error: unknown) => void
}

/** Groups take turns, so that a busy one does not hold up the others. */
export function createBatches({ atOnce, weightMax, apartMs, onFailure }: Options): Batches {
  /** A group goes to the end after its batch. */
  const waiting = new Map<string, Waiting[]>()
  const busy = new Set<string>()
  let isScheduled = false

  function start(): void {
    isScheduled = false
    for (const [group, queue] of waiting) {
      if (busy.size >= atOnce) return
      if (busy.has(group)) continue
      const batch = queue.splice(0, lengthOf(queue, weightMax))
      waiting.delete(group)
      if (queue.length > 0) waiting.set(group, queue)
      busy.add(group)
      void run(group, batch).finally(() => {
        busy.delete(group)
        start()
      })
    }
  }

  /** Never rejects: each caller gets its own outcome. */
  async function run(group: string, batch: Waiting[]): Promise<void> {
    const [first, ...others] = batch
    if (!first) return
    try {
      const results = await first.work(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, i) => resolve(results[i]))
    } catch (error) {
      if (others.length === 0) return first.reject(error)
      onFailure?.(group, batch.length, error)
      await takeApart(batch, error)
    }
  }

  async function takeApart(batch: Waiting[], cause: unknown): Promise<void> {
    const until = performance.now() + apartMs
    for (const { item, work, resolve, reject } of batch) {
      if (performance.now() > until) reject(cause)
      else await work([item]).then(([result]) => resolve(result), reject)
    }
  }

  return {
    join: <Item, Result>(group: string, item: Item, work: Work<Item, Result>, weight = 1) =>
      new Promise<Result>((resolve, reject) => {
        const queue = waiting.get(group) ?? []
        const resolveAny = resolve as (result: unknown) => void
        queue.push({
          item,
          weight,
          reject,
          resolve: resolveAny,
          work: work as Work<unknown, unknown>,
        })
        waiting.set(group, queue)
        if (isScheduled) return
        isScheduled = true
        setImmediate(start)
      }),
  }
}

/** How many items fit into a batch; at least one. */
function lengthOf(queue: Waiting[], weightMax: number): number {
  let sum = 0
  const tooMany = queue.findIndex(({ weight }) => (sum += weight) > weightMax)
  return tooMany < 0 ? queue.length : Math.max(1, tooMany)
}
