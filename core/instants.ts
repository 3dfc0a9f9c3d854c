const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i
const FIRST = new Date('0001-01-01T00:00:00.000Z')
const LAST = new Date('9999-12-31T23:59:59.999Z')

/**
 * Parses an ISO 8601 text with a time zone; null for any other text. Years before 1 or after 9999 in UTC and
 * leap seconds are refused, since they could not be stored and shown again.
 */
export function readInstant(text: string): Date | null {
  const [, day] = INSTANT.exec(text) ?? []
  if (day === undefined || !isDay(day)) return null
  const instant = new Date(text.toUpperCase())
  return instant >= FIRST && instant <= LAST ? instant : null
}

/** JavaScript reads February 30 as a day in March. */
function isDay(text: string): boolean {
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const MINUTE_MS = 60_000

/** The end of the minute that ends in so many seconds; these are rounded, and may be by another clock. */
export function endOfMinute(now: Date, inS: number): Date {
  return new Date(Math.round((now.getTime() + inS * 1000) / MINUTE_MS) * MINUTE_MS)
}

/** The channel's instants are whole seconds: one within this second is not older. */
export function startOfSecond(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}.000Z`
}
