/** How hard a scenario tries; the same seed makes the same plan, though not the same timing. */
export type Options = {
  /** How many keys, events or recipients; or for how many seconds. */
  size: number
  kills: number
  seed: number
  /** An empty, migrated database; one is made and thrown away when there is none. */
  databaseUrl: string | null
  say: (line: string) => void
}

/** One figure of a run; `due` is what it must be, where it must be anything. */
export type Figure = { name: string; value: number; due?: number }

/** Plays one kind of disaster against real processes and measures what came of it. */
export type Scenario = (options: Options) => Promise<Figure[]>

/** The figures that are not what they must be. */
export function broken(figures: Figure[]): Figure[] {
  return figures.filter(({ value, due }) => due !== undefined && value !== due)
}
