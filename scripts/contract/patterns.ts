import type { Pair, Shift } from './changes.ts'

/** One run of characters behind a fixed beginning, as the patterns of ids and names are. */
const RUN = /^\^([\w-]*)\[([\w-]+)\](?:\{(\d+)(?:(,)(\d*))?\}|([+*]))?\$$/
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

type Run = { start: string; characters: Set<string>; least: number; most: number }

/** How the texts that fit have changed: of two runs with the same beginning it is known, of no other patterns. */
export function patternShift({ before, after }: Pair<unknown>): Shift {
  const [old, now] = [runOf(before), runOf(after)]
  if (!old || !now) return 'other'
  if (holds(now, old)) return 'wider'
  return holds(old, now) ? 'narrower' : 'other'
}

function runOf(pattern: unknown): Run | null {
  const parts = typeof pattern === 'string' ? RUN.exec(pattern) : null
  if (!parts) return null
  const [, start = '', set = '', number, comma, most, sign] = parts
  const one = new RegExp(`[${set}]`)
  const characters = new Set(ASCII.filter((character) => one.test(character)))
  if (sign !== undefined) {
    return { start, characters, least: sign === '+' ? 1 : 0, most: Infinity }
  }
  const least = Number(number ?? 1)
  if (comma === undefined) return { start, characters, least, most: least }
  return { start, characters, least, most: most ? Number(most) : Infinity }
}

function holds(outer: Run, inner: Run): boolean {
  const { start, characters, least, most } = inner
  return (
    outer.start === start &&
    outer.least <= least &&
    outer.most >= most &&
    [...characters].every((character) => outer.characters.has(character))
  )
}
