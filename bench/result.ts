import type { Samples } from './measure.ts'
import { type Sample, type Spread, typical } from './timing.ts'

/** A contestant's typical round in one of the scenarios. */
export type Rate = { scenario: string; contestant: string } & Sample

/** A goal, the figure that was measured, and the comparison between them. */
export type Goal = {
  scenario: string
  id: string
  says: string
  bound: 'at least' | 'at most'
  threshold: number
  unit: '×' | 'ms' | 'statements'
  measured: Spread
}

export type Result = { rates: Rate[]; goals: Goal[]; notes: string[] }

/** The median decides; a figure that could not be measured counts as not reached. */
export function isReached({ bound, threshold, measured: { median } }: Goal): boolean {
  return bound === 'at least' ? median >= threshold : median <= threshold
}

export function ratesOf(scenario: string, samples: Samples): Rate[] {
  return [...samples].map(([contestant, rounds]) => ({
    scenario,
    contestant,
    ...typical(rounds),
  }))
}

/** A contestant's samples; throws when it was not measured. */
export function samplesOf(samples: Samples, name: string): Sample[] {
  const found = samples.get(name)
  if (!found) throw new Error(`${name} was not measured`)
  return found
}

export const perSecond = (left: Sample, right: Sample) => left.perSecond / right.perSecond
export const cpu = (left: Sample, right: Sample) => left.cpuUs / right.cpuUs
export const p50 = (left: Sample, right: Sample) => left.p50Ms / right.p50Ms
export const p99 = (left: Sample, right: Sample) => left.p99Ms / right.p99Ms
export const addedMs = (left: Sample, right: Sample) => left.p50Ms - right.p50Ms
