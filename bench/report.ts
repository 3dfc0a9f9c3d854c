import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import { PROJECT_ROOT } from '../core/root.ts'
import { type Goal, isReached, type Result } from './result.ts'

/** The environment in which the figures were taken. */
export type Machine = {
  cores: number
  node: string
  postgres: string
  counter: string
  date: string
}

/** A description of this machine, for the report. */
export function machine(postgres: string, hasRedis: boolean): Machine {
  return {
    cores: cpus().length,
    node: process.versions.node,
    postgres,
    counter: hasRedis ? 'requests counted in Redis' : 'no Redis here: requests counted in-process',
    date: new Date().toISOString().slice(0, 10),
  }
}

/** The tables for a terminal. */
export function asText({ rates, goals, notes }: Result, on: Machine, rounds: string): string {
  const rateRows = rates.map((rate) => [
    rate.scenario,
    rate.contestant,
    Math.round(rate.perSecond).toLocaleString('en'),
    orNone(rate.p50Ms, 2),
    orNone(rate.p99Ms, 2),
    orNone(rate.cpuUs, 0),
  ])
  const goalRows = goals.map((goal) => [
    markOf(goal),
    goal.id,
    goal.scenario,
    goal.says,
    measured(goal),
    wanted(goal),
  ])
  return [
    table(['scenario', 'contestant', 'per second', 'p50 ms', 'p99 ms', 'CPU µs'], rateRows),
    table(['', 'goal', 'scenario', 'what is compared', 'median [min–max]', 'goal'], goalRows),
    ...notes,
    `${taken(on)}; ${rounds}; log level error, NODE_ENV=production for all.`,
  ].join('\n\n')
}

function markOf(goal: Goal): string {
  return isReached(goal) ? '✓' : '✗'
}

/** Rewrites the README's block; throws when the README has none. */
export async function writeReadme(
  { goals, notes }: Result,
  on: Machine,
  rounds: string,
): Promise<void> {
  const rows = goals.map(
    (goal) =>
      `| ${goal.scenario}: ${goal.says} | ${measured(goal)} | ${wanted(goal)} ${markOf(goal)} |`,
  )
  const reached = goals.filter(isReached).length
  await writeBlock('README.md', 'bench', [
    `${reached} of ${goals.length} goals are reached (✓), ${goals.length - reached} are not (✗).`,
    '',
    '| What is compared | Median [min–max] | Goal |',
    '| --- | --- | --- |',
    ...rows,
    '',
    ...notes.flatMap((note) => [note, '']),
    `${taken(on)}; ${rounds}.`,
  ])
}

/** Rewrites the part of a document between `<!-- name -->` and its end mark; throws when there is none. */
export async function writeBlock(document: string, name: string, lines: string[]): Promise<void> {
  const file = path.join(PROJECT_ROOT, document)
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = await readFile(file, 'utf8')
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${document} has no ${start} block`)
  const block = [start, ...lines, ''].join('\n')
  await writeFile(file, text.slice(0, from) + block + text.slice(to))
}

function taken({ cores, node, postgres, counter, date }: Machine): string {
  return `Taken on ${date} with ${cores} CPUs, Node ${node}, PostgreSQL ${postgres}; ${counter}`
}

function measured({ measured: { median, min, max }, unit }: Goal): string {
  if (Number.isNaN(median)) return 'not measurable here'
  if (min === max) return `${figure(median)} ${unit}`
  return `${figure(median)} ${unit} [${figure(min)}–${figure(max)}]`
}

function wanted({ bound, threshold, unit }: Goal): string {
  return `${bound === 'at least' ? '≥' : '≤'} ${figure(threshold)} ${unit}`
}

function figure(value: number): string {
  return value !== 0 && Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2)
}

/** A placeholder for figures that cannot be measured here or have no meaning for a contestant. */
function orNone(value: number, digits: number): string {
  return Number.isNaN(value) ? 'n/a' : value.toFixed(digits)
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const isNumber = (column: number) => /^(per second|p\d+ ms|CPU µs)$/.test(head[column] ?? '')
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
