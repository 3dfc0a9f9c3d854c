import type { Sample, TableSize } from './samples.ts'

/** How a figure was in the first and in the last third of a run, and what to think of it. */
export type Judged = {
  name: string
  first: number
  last: number
  change: string
  verdict: 'flat' | 'explained' | 'grows' | 'not judged'
}

/** A table's averages over both thirds, and whether its rows explain its size. */
export type JudgedTable = {
  name: string
  first: TableSize
  last: TableSize
  verdict: 'explained' | 'bloats' | 'dead rows'
}

/** From this long on, memory is expected to have settled; a process grows into its heap before. */
const MEMORY_JUDGED_FROM_MINUTES = 20
/** How much of a run, from its beginning, is not judged. */
export const WARM_UP_SHARE = 0.1
const GROWTH_MAX = 0.1
const COUNT_GROWTH_MAX = 10
const MEGABYTE = 1_048_576
/** What the threads that run bots take on top, until some ten thousand runs have settled them. */
const THREADS_MB = 64
/** What a table may take more than its rows explain, as a share, and in all. */
const BLOAT_MAX = 0.25
const BLOAT_BYTES = MEGABYTE
/** Below, a table's size says nothing of its rows. */
export const ROWS_MIN = 100
/** Vacuum comes at a fifth of the rows, and once a minute at the most. */
const DEAD_SHARE_MAX = 0.5
const DEAD_MAX = 10_000
/** A heap's low points are taken from so many windows of the run. */
const WINDOWS = 12

/** What was seen, without the warm-up. */
export function settled<T>(seen: readonly T[]): readonly T[] {
  return seen.slice(Math.ceil(seen.length * WARM_UP_SHARE))
}

/** Every figure of the samples, in their order. */
export function judgeFigures(samples: readonly Sample[], minutes: number): Judged[] {
  const names = Object.keys(samples[0]?.figures ?? {})
  return names.flatMap((name) => {
    const points = samples.map(({ atMs, figures }) => ({
      atMs,
      value: figures[name] ?? Number.NaN,
    }))
    if (/(RSS|external memory|Redis), MB$/.test(name)) return [memory(name, points, minutes)]
    if (/heap, MB$/.test(name)) {
      return [
        { ...averages(name, points), verdict: 'not judged' as const },
        memory(name.replace('heap', 'heap at its lowest'), lowPoints(points), minutes),
      ]
    }
    if (/open files|threads|resources|backends|keys/.test(name)) return [count(name, points)]
    return [{ ...averages(name, points), verdict: 'not judged' as const }]
  })
}

type Point = { atMs: number; value: number }

/** By its least-squares line, so that single peaks and the moments of collection weigh little. */
function memory(name: string, points: readonly Point[], minutes: number): Judged {
  const growth = growthOf(points)
  const isShort = minutes < MEMORY_JUDGED_FROM_MINUTES
  const isExplained = name.endsWith('RSS, MB') && growth * mean(valuesOf(points)) < THREADS_MB
  const grows = isExplained ? 'explained' : 'grows'
  const verdict = isShort ? 'not judged' : growth < GROWTH_MAX ? 'flat' : grows
  return { ...averages(name, points), change: percent(growth), verdict }
}

/** What comes and goes is judged by its middle: peaks come with the load, and what leaks stays. */
function count(name: string, points: readonly Point[]): Judged {
  const [before = 0, after = 0] = thirds(points).map((third) => median(valuesOf(third)))
  const most = before * (1 + GROWTH_MAX) + COUNT_GROWTH_MAX
  const change = `${after >= before ? '+' : ''}${after - before}`
  return { name, first: before, last: after, change, verdict: after <= most ? 'flat' : 'grows' }
}

function averages(name: string, points: readonly Point[]) {
  const [first = 0, last = 0] = thirds(points).map((third) => mean(valuesOf(third)))
  return { name, first, last, change: percent(last / first - 1) }
}

/** The lowest point of each window: the next collection takes what is above it. */
function lowPoints(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / WINDOWS))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, n) =>
    points
      .slice(n * size, (n + 1) * size)
      .reduce((lowest, point) => (point.value < lowest.value ? point : lowest)),
  )
}

/** What the least-squares line gains from the first point to the last, as a share of the mean. */
function growthOf(points: readonly Point[]): number {
  const [start, end] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const meanAt = mean(points.map(({ atMs }) => atMs))
  const meanValue = mean(valuesOf(points))
  const both = points.reduce(
    (sum, { atMs, value }) => sum + (atMs - meanAt) * (value - meanValue),
    0,
  )
  const squares = points.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  return squares === 0 ? 0 : ((both / squares) * (end - start)) / meanValue
}

/** Every table: its size must be explained by its rows, and few of them be dead. The largest first. */
export function judgeTables(samples: readonly Sample[]): JudgedTable[] {
  const names = [...(samples.at(-1)?.tables.keys() ?? [])]
  const judged = names.map((name): JudgedTable => {
    const sizes = samples.map(({ tables }) => tables.get(name)).filter((size) => size !== undefined)
    const [first = meanSize([]), last = meanSize([])] = thirds(sizes).map(meanSize)
    const rows = Math.max(last.rows, ROWS_MIN) / Math.max(first.rows, ROWS_MIN)
    const most = first.bytes * Math.max(1, rows) * (1 + BLOAT_MAX) + BLOAT_BYTES
    const isDead = last.dead > last.rows * DEAD_SHARE_MAX + DEAD_MAX
    const verdict = last.bytes > most ? 'bloats' : isDead ? 'dead rows' : 'explained'
    return { name, first, last, verdict }
  })
  return judged.toSorted((a, b) => b.last.bytes - a.last.bytes)
}

function meanSize(sizes: readonly TableSize[]): TableSize {
  const of = (key: keyof TableSize) => mean(sizes.map((size) => size[key]))
  return { rows: of('rows'), dead: of('dead'), bytes: of('bytes'), indexBytes: of('indexBytes') }
}

/** The first and the last third. */
export function thirds<T>(items: readonly T[]): [T[], T[]] {
  const size = Math.max(1, Math.floor(items.length / 3))
  return [items.slice(0, size), items.slice(-size)]
}

const valuesOf = (points: readonly Point[]) => points.map(({ value }) => value)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value))
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(100 * share).toFixed(1)} %`
}
