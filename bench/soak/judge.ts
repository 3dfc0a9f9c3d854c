import type { Sample, TableSize } from './samples.ts'

/** A figure in the first and last third of a run, and the judgement on its change. */
export type Judged = {
  name: string
  first: number
  last: number
  change: string
  verdict: 'flat' | 'explained' | 'grows' | 'not judged'
}

/** A table's averages over both thirds, and whether its size is explained by its rows. */
export type JudgedTable = {
  name: string
  first: TableSize
  last: TableSize
  verdict: 'explained' | 'bloats' | 'dead rows' | 'not judged'
}

/** Memory is judged only in runs this long: before that, a process still grows into its heap. */
const MEMORY_JUDGED_FROM_MINUTES = 20
/**
 * The size of tables is judged only in runs this long: an index whose rows change all the time grows until as many of
 * its pages become empty as are begun. Those of `conversations` did for 25 minutes of an hour at the usual pace.
 */
const TABLES_JUDGED_FROM_MINUTES = 40
/** The share of a run, from its beginning, that is not judged. */
export const WARM_UP_SHARE = 0.1
const GROWTH_MAX = 0.1
const COUNT_GROWTH_MAX = 10
const MEGABYTE = 1_048_576
/** The additional memory of threads that run bots, until they have settled after some ten thousand runs. */
const THREADS_MB = 64
/** How much larger a table may be than its rows explain, as a share and in total. */
const BLOAT_MAX = 0.25
const BLOAT_BYTES = MEGABYTE
/** With fewer rows, a table's size says nothing about them. */
export const ROWS_MIN = 100
/** Autovacuum starts at a fifth of the rows, and at most once a minute. */
const DEAD_SHARE_MAX = 0.5
const DEAD_MAX = 10_000
/** The low points of the heap are taken from this many windows of the run. */
const WINDOWS = 12

/** The samples after the warm-up. */
export function settled<T>(seen: readonly T[]): readonly T[] {
  return seen.slice(Math.ceil(seen.length * WARM_UP_SHARE))
}

/** The judgements on all figures of the samples, in order. */
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

/**
 * Judged by the least-squares line, so that single peaks and the moments of garbage collection weigh little.
 */
function memory(name: string, points: readonly Point[], minutes: number): Judged {
  const growth = growthOf(points)
  const isShort = minutes < MEMORY_JUDGED_FROM_MINUTES
  const isExplained = name.endsWith('RSS, MB') && growth * mean(valuesOf(points)) < THREADS_MB
  const grows = isExplained ? 'explained' : 'grows'
  const verdict = isShort ? 'not judged' : growth < GROWTH_MAX ? 'flat' : grows
  return { ...averages(name, points), change: percent(growth), verdict }
}

/** Fluctuating figures are judged by their medians: peaks come with the load, leaks stay. */
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

/** The lowest point of each window: garbage collection removes whatever is above it. */
function lowPoints(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / WINDOWS))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, n) =>
    points
      .slice(n * size, (n + 1) * size)
      .reduce((lowest, point) => (point.value < lowest.value ? point : lowest)),
  )
}

/** The growth of the least-squares line from the first point to the last, as a share of the mean. */
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

/**
 * Judges every table, the largest first: its size must be explained by its rows, and few of them may be dead.
 */
export function judgeTables(samples: readonly Sample[], minutes: number): JudgedTable[] {
  const names = [...(samples.at(-1)?.tables.keys() ?? [])]
  const judged = names.map((name): JudgedTable => {
    const sizes = samples.map(({ tables }) => tables.get(name)).filter((size) => size !== undefined)
    const [first = meanSize([]), last = meanSize([])] = thirds(sizes).map(meanSize)
    const rows = Math.max(last.rows, ROWS_MIN) / Math.max(first.rows, ROWS_MIN)
    const most = first.bytes * Math.max(1, rows) * (1 + BLOAT_MAX) + BLOAT_BYTES
    const isDead = last.dead > last.rows * DEAD_SHARE_MAX + DEAD_MAX
    const bloats = minutes < TABLES_JUDGED_FROM_MINUTES ? 'not judged' : 'bloats'
    const verdict = isDead ? 'dead rows' : last.bytes > most ? bloats : 'explained'
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
