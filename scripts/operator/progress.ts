import type { Io } from './command.ts'

const EVERY_MS = 1_000
const EVERY_ITEMS = 10_000

/** Tells a person who watches, every second or 10,000 items, how far long work is. */
export function progressTo({ stderr, isWatched }: Io, items: string): (done: number) => void {
  let told = { at: performance.now(), done: 0 }
  return (done) => {
    const isDue = performance.now() - told.at >= EVERY_MS || done - told.done >= EVERY_ITEMS
    if (!isWatched || !isDue) return
    told = { at: performance.now(), done }
    stderr.write(`${done} ${items}\n`)
  }
}
