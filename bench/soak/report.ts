import { percentile } from '../timing.ts'
import type { Latency } from './client.ts'
import type { Left } from './drain.ts'
import { type Judged, type JudgedTable, ROWS_MIN, thirds } from './judge.ts'

/** The result of a run. */
export type Outcome = {
  minutes: number
  /** How long the load really lasted. */
  seconds: number
  perSecond: number
  seed: number
  actions: number
  requests: number
  /** The number of these that repeated a request as an answer had asked. */
  repeats: number
  /** Without those of the warm-up. */
  latencies: readonly Latency[]
  deliveries: number
  refused: number
  faults: ReadonlyMap<string, { count: number; example: string }>
  left: Left[]
  lost: Left[]
  figures: Judged[]
  tables: JudgedTable[]
}

const TABLES_SHOWN = 10
const WIDTH = 100
const MEGABYTE = 1_048_576

/** Whether everything is as required. */
export function isSound({ faults, left, lost, figures, tables }: Outcome): boolean {
  return (
    faults.size === 0 &&
    [...left, ...lost].every(({ count }) => count === 0) &&
    figures.every(({ verdict }) => verdict !== 'grows') &&
    tables.every(({ verdict }) => verdict === 'explained' || verdict === 'not judged')
  )
}

/** The report, for a terminal or a document. */
export function asText(outcome: Outcome): string {
  const { faults, left, lost, figures, tables } = outcome
  return [
    summary(outcome),
    columns(
      ['', 'first third', 'last third', 'change', ''],
      [
        ...latencyRows(outcome.latencies),
        ...figures.map(({ name, first, last, change, verdict }) => [
          ...[name, figure(first), figure(last), change],
          verdict === 'not judged' ? '' : verdict,
        ]),
      ],
    ),
    tableText(tables),
    leftText('What was still to be done when it was over', left),
    leftText('What went wrong', lost),
    faultText(faults),
    isSound(outcome) ? 'All of it holds.' : 'Not all of it holds.',
  ].join('\n\n')
}

function summary(outcome: Outcome): string {
  const { minutes, seconds, perSecond, seed, actions, requests, repeats, deliveries, refused } =
    outcome
  const rate = (requests / seconds).toFixed(1)
  return [
    `${minutes} minutes at ${perSecond} actions a second, two servers, seed ${seed}:`,
    `${whole(actions)} actions, ${whole(requests)} requests (${rate} a second), ${whole(repeats)} of them repeats as told,`,
    `${whole(deliveries)} attempts of deliveries, of which ${whole(refused)} were answered 500.`,
  ].join('\n')
}

function latencyRows(latencies: readonly Latency[]): string[][] {
  const both = thirds(latencies).map((third) =>
    Float64Array.from(third, ({ tookMs }) => tookMs).toSorted(),
  )
  return [0.5, 0.99].map((share) => {
    const [first = 0, last = 0] = both.map((sorted) => percentile(sorted, share))
    const change = `${last >= first ? '+' : ''}${(100 * (last / first - 1)).toFixed(1)} %`
    return [`answers p${100 * share}, ms`, figure(first), figure(last), change, '']
  })
}

/** The largest tables, and those that are not as required. */
function tableText(tables: JudgedTable[]): string {
  const shown = tables.filter((table, n) => n < TABLES_SHOWN || table.verdict !== 'explained')
  const perRow = ({ bytes, rows }: JudgedTable['first']) =>
    rows < ROWS_MIN ? '–' : figure(bytes / rows)
  const head = ['table', 'rows', '', 'MB', 'of it indexes', 'bytes per row', '', 'dead rows', '']
  const rows = shown.map(({ name, first, last, verdict }) => [
    ...[name, whole(first.rows), whole(last.rows)],
    ...[(last.bytes / MEGABYTE).toFixed(1), (last.indexBytes / MEGABYTE).toFixed(1)],
    ...[perRow(first), perRow(last), whole(last.dead), verdict],
  ])
  const note = `The ${TABLES_SHOWN} largest of ${tables.length} tables, by their averages in both thirds:`
  return `${note}\n${columns(head, rows)}`
}

function leftText(title: string, left: Left[]): string {
  const some = left.filter(({ count }) => count !== 0)
  if (some.length === 0)
    return wrapped(`${title}: nothing of ${left.map(({ name }) => name).join(', ')}.`)
  return [
    `${title}:`,
    ...some.map(({ name, count }) => `${whole(count).padStart(8)}  ${name}`),
  ].join('\n')
}

function faultText(faults: Outcome['faults']): string {
  if (faults.size === 0) return 'Answers that were not as they must be: none.'
  const lines = [...faults].map(
    ([kind, { count, example }]) => `${whole(count).padStart(8)}  ${kind}\n          ${example}`,
  )
  return ['Answers that were not as they must be:', ...lines].join('\n')
}

/** Breaks a sentence into lines of a terminal's width. */
function wrapped(text: string): string {
  return text.replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

/** Aligns the first and last column left, and the figures between them right. */
function columns(head: string[], rows: string[][]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => {
        const isText = i === 0 || i === cells.length - 1
        return isText ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)
      })
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function figure(value: number): string {
  return value >= 1_000 ? whole(value) : value.toFixed(1)
}
