/**
 * A prepared statement; the name is unique and stands for the text in every connection. Without a name it is
 * not kept prepared. `allowsMs` is how long later statements of its transaction may take, for one that raises
 * PostgreSQL's limit; `bytesMax` bounds the size of its rows: rows beyond it come without their columns, except
 * the first.
 */
export type Statement = {
  name: string
  text: string
  /** A variant of the text that shows PostgreSQL the values, for lists too long for one generic plan. */
  open?: string
  allowsMs?: number
  bytesMax?: number
}

/** One row, its columns in the statement's order, each as PostgreSQL prints it. */
export type Row = (string | null)[]

/** A statement with its values. */
export type Ask = { statement: Statement; values?: readonly unknown[] }

/** Work that a commit may have made ready. */
export type Work = 'deliveries' | 'bots'

export type SqlClient = {
  /** Runs a statement. All columns are text, and nothing is parsed until somebody reads it. */
  rows(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Announces that what was written makes work ready: listeners in this process are called once it is
   * committed, and never if it is rolled back. A hint only: it is lost when the process dies.
   */
  announce(work: Work): void
}

export type Sql = SqlClient & {
  /**
   * Runs statements in one transaction and one round trip; answers the rows of each. Every statement sees what
   * others had committed when it began, so one that waits for a lock belongs before those that rely on it.
   */
  together(asked: readonly Ask[]): Promise<Row[][]>
  /** Commits what `work` did, or nothing; never hold one open over a network call. */
  transaction<T>(work: (tx: SqlClient) => Promise<T>): Promise<T>
  /** Calls `hear` after each commit that announced `work`, until the returned function is called. */
  onAnnounced(work: Work, hear: () => void): () => void
}

/** Names a statement. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

/**
 * A statement that PostgreSQL plans once per connection, whatever its values. By default it would plan anew at
 * each call for as long as a custom plan looks cheaper (for a short list, a small project), which takes 0.1–2
 * ms: more than most of these statements run. So each value is wrapped in a subquery, where the planner does
 * not look. For frequent statements with one good plan. Values that are not text need a type: `$2::bigint`.
 */
export function plannedOnce(name: string, text: string): Statement {
  const hidden = text.replace(
    /(\$\d+)(::\w+(?:\[\])?)?/g,
    (_, place: string, cast = '::text') => `(SELECT ${place}${cast})${cast}`,
  )
  return { name, text: hidden, open: text }
}

/** A statement whose text varies too much to be kept prepared. */
export function oneOff(text: string): Statement {
  return { name: '', text }
}

/**
 * Before statements of a transaction in one round trip: its commit does not wait for the disk. For what a crash of
 * PostgreSQL may undo without harm.
 */
export const HURRIED: Ask = {
  statement: statement('hurry', "SELECT set_config('synchronous_commit', 'off', true)"),
}

/**
 * SQL of the agreed present, for data that all processes share and that cannot be taken back: the service's
 * clock, whose value is the placeholder, but no later than the database's.
 */
export function agreedNow(placeholder: string): string {
  return `least(${placeholder}::timestamptz, now())`
}

const askNow = statement('agreed-now', `SELECT date_trunc('milliseconds', ${agreedNow('$1')})`)

/** The agreed present as a value, for what is compared or written by later statements. */
export async function askAgreedNow(sql: SqlClient, now: Date): Promise<Date> {
  const [row] = await sql.rows(askNow, [now])
  return new Date(isoFromSql(must(row?.[0])))
}

/**
 * SQL of whether an instant lies further ahead than the longest delay, an SQL interval: then a clock that had
 * leapt has written it. Clocks of processes may differ by up to a minute.
 */
export function isLeapt(column: string, longest = "interval '0'"): string {
  return `${column} > now() + ${longest} + interval '1 minute'`
}

const askBoth = statement(
  'agreed-now-and-latest',
  `SELECT date_trunc('milliseconds', ${agreedNow('$1')}),
          date_trunc('milliseconds', now() + interval '1 minute')`,
)

/** The agreed present, and the latest instant that has not leapt, in ISO 8601, for comparisons before a write. */
export async function askAgreedNowAndLatest(
  sql: SqlClient,
  ownNow: Date,
): Promise<{ now: Date; latest: string }> {
  const [row] = await sql.rows(askBoth, [ownNow])
  return { now: new Date(isoFromSql(must(row?.[0]))), latest: isoFromSql(must(row?.[1])) }
}

/** SQL of the instant as of which something was reported; NULL, for unknown, when it has leapt. */
export function unlessLeapt(column: string): string {
  return `CASE WHEN ${isLeapt(column)} THEN NULL ELSE ${column} END`
}

/** The trailing zeros that PostgreSQL omits from a fraction, by the number of characters that it prints. */
const ZEROS = ['.000', '', '00', '0']

/** Converts PostgreSQL's text of a `timestamptz(3)` in UTC to ISO 8601 with milliseconds. */
export function isoFromSql(text: string): string {
  // "2026-11-21 09:30:00.12+00"
  const end = text.length - 3
  return `${text.slice(0, 10)}T${text.slice(11, end)}${ZEROS[end - 19] ?? ''}Z`
}

/** The same as `isoFromSql`, for a column that may be NULL. */
export function isoOrNull(text: string | null | undefined): string | null {
  return text == null ? null : isoFromSql(text)
}

/** The same as `isoOrNull`, as JSON: a string or `null`. */
export function quotedInstant(text: string | null | undefined): string {
  return text == null ? 'null' : `"${isoFromSql(text)}"`
}

/** The parsed value of a JSON column; null for NULL. */
export function json<T>(text: string | null | undefined): T | null {
  return text == null ? null : (JSON.parse(text) as T)
}

/** A column that the statement guarantees not to be NULL. */
export function must(column: string | null | undefined): string {
  if (column == null) throw new Error('A column that cannot be NULL was NULL')
  return column
}

/** The parsed value of such a column that holds JSON. */
export function mustJson<T>(column: string | null | undefined): T {
  return JSON.parse(must(column)) as T
}

/** PostgreSQL's error for a statement. */
export type SqlFault = {
  /** The SQLSTATE, such as `23505`. */
  state: string
  message: string
  detail: string | null
  constraint: string | null
  column: string | null
  /** The position in the statement's text, in characters from 1. */
  position: number | null
  /** The statement within a script, and the position in it. */
  internalQuery: string | null
  internalPosition: number | null
  /** What PostgreSQL was executing, line by line. */
  where: string | null
  /** The place in PostgreSQL's source: distinguishes its own errors from those that a project's code raises. */
  routine: string | null
}

/** A message raised by a project's code may be of any length; the rest is cut off. */
const TOLD_CHARACTERS = 2_000

/** PostgreSQL's error, or null for an error from elsewhere, such as a broken connection. */
export function sqlFaultOf(error: unknown): SqlFault | null {
  if (typeof error !== 'object' || error === null) return null
  const fields = error as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null)
  const told = (name: string) => shortened(text(name))
  const state = text('code')
  if (state === null || !/^[0-9A-Z]{5}$/.test(state) || text('severity') === null) return null
  const number = (name: string) => (text(name) === null ? null : Number(text(name)))
  return {
    state,
    message: told('message') ?? 'no words',
    detail: told('detail'),
    constraint: told('constraint'),
    column: told('column'),
    position: number('position'),
    internalQuery: text('internalQuery'),
    internalPosition: number('internalPosition'),
    where: told('where'),
    routine: text('routine'),
  }
}

function shortened(text: string | null): string | null {
  if (text === null || text.length <= TOLD_CHARACTERS) return text
  // Half of a pair of surrogates can neither be stored nor sent.
  return `${text.slice(0, TOLD_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}
