/**
 * A prepared statement; the name is unique and stands for the text in every connection. Without a name
 * it is not kept. One that raises PostgreSQL's limit for the rest of its transaction says in `allowsMs`
 * how long those after it may take; one that may find more than anybody can hold, in `bytesMax` how much its
 * rows may be together: those behind come without their columns, but never the first.
 */
export type Statement = {
  name: string
  text: string
  /** The text that lets PostgreSQL see the values, for lists that are too long for one plan of all. */
  open?: string
  allowsMs?: number
  bytesMax?: number
}

/** One row, its columns in the statement's order, each as PostgreSQL prints it. */
export type Row = (string | null)[]

/** What a commit may have made ready to be done. */
export type Work = 'deliveries' | 'bots'

export type SqlClient = {
  /** Runs a statement. Rows come as text: nothing is parsed that nobody reads. */
  rows(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Says that what was written makes work: whoever listens in this process hears of it once it is
   * committed, and never when it is not. A hint, for nobody hears of it when the process dies.
   */
  announce(work: Work): void
}

export type Sql = SqlClient & {
  /** Commits what `work` did, or nothing; never hold one open over a network call. */
  transaction<T>(work: (tx: SqlClient) => Promise<T>): Promise<T>
  /** Calls `hear` after each commit that announced `work`, until the answered function is called. */
  onAnnounced(work: Work, hear: () => void): () => void
}

/** Names a statement. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

/**
 * Names a statement that PostgreSQL plans once in each connection, whatever its values. It would plan
 * it anew at every call for as long as the values look cheaper than unknown ones do (a short list, a
 * small project), which takes 0.1–2 ms: more than most of these take to run. So each value stands
 * behind a query of its own, where the planner does not look. For what runs all the time and has one
 * good plan. What is no text says so: `$2::bigint`.
 */
export function plannedOnce(name: string, text: string): Statement {
  const hidden = text.replace(
    /(\$\d+)(::\w+(?:\[\])?)?/g,
    (_, place: string, cast = '::text') => `(SELECT ${place}${cast})${cast}`,
  )
  return { name, text: hidden, open: text }
}

/** A statement that is too seldom the same to be kept prepared. */
export function oneOff(text: string): Statement {
  return { name: '', text }
}

/**
 * SQL of the present for what all processes share and nobody can take back. The placeholder has the
 * service's clock; one that is ahead of the database's counts as that.
 */
export function agreedNow(placeholder: string): string {
  return `least(${placeholder}::timestamptz, now())`
}

const askNow = statement('agreed-now', `SELECT date_trunc('milliseconds', ${agreedNow('$1')})`)

/** The same present, for what is compared or written later. */
export async function askAgreedNow(sql: SqlClient, now: Date): Promise<Date> {
  const [row] = await sql.rows(askNow, [now])
  return new Date(isoFromSql(must(row?.[0])))
}

/**
 * SQL of whether an instant lies further ahead than anything is put off for, an SQL interval: a clock
 * that had leapt has written it. A minute more is what the clocks of others may be apart.
 */
export function isLeapt(column: string, longest = "interval '0'"): string {
  return `${column} > now() + ${longest} + interval '1 minute'`
}

const askBoth = statement(
  'agreed-now-and-latest',
  `SELECT date_trunc('milliseconds', ${agreedNow('$1')}),
          date_trunc('milliseconds', now() + interval '1 minute')`,
)

/**
 * The same present, and the latest instant that has not leapt, in ISO 8601: for what is compared before
 * it is written.
 */
export async function askAgreedNowAndLatest(
  sql: SqlClient,
  ownNow: Date,
): Promise<{ now: Date; latest: string }> {
  const [row] = await sql.rows(askBoth, [ownNow])
  return { now: new Date(isoFromSql(must(row?.[0]))), latest: isoFromSql(must(row?.[1])) }
}

/** SQL of an instant as of which something was said; of one that has leapt, nothing is known. */
export function unlessLeapt(column: string): string {
  return `CASE WHEN ${isLeapt(column)} THEN NULL ELSE ${column} END`
}

/** What PostgreSQL leaves out of a fraction of a second that takes as many characters, with its dot. */
const ZEROS = ['.000', '', '00', '0']

/** PostgreSQL's text of a `timestamptz(3)` in UTC, as ISO 8601 with milliseconds. */
export function isoFromSql(text: string): string {
  // "2026-11-21 09:30:00.12+00"
  const end = text.length - 3
  return `${text.slice(0, 10)}T${text.slice(11, end)}${ZEROS[end - 19] ?? ''}Z`
}

/** The same for a column that may be NULL. */
export function isoOrNull(text: string | null | undefined): string | null {
  return text == null ? null : isoFromSql(text)
}

/** The same as JSON. */
export function quotedInstant(text: string | null | undefined): string {
  return text == null ? 'null' : `"${isoFromSql(text)}"`
}

/** A JSON column's value; null for NULL. */
export function json<T>(text: string | null | undefined): T | null {
  return text == null ? null : (JSON.parse(text) as T)
}

/** A column that the statement promises not to be NULL. */
export function must(column: string | null | undefined): string {
  if (column == null) throw new Error('A column that cannot be NULL was NULL')
  return column
}

/** What PostgreSQL said when it refused a statement. */
export type SqlFault = {
  /** Five characters that name the fault, such as `23505`. */
  state: string
  message: string
  detail: string | null
  constraint: string | null
  column: string | null
  /** Where in the statement's text, counted in characters from 1. */
  position: number | null
  /** In which statement of a script, and where there. */
  internalQuery: string | null
  internalPosition: number | null
  /** What PostgreSQL was doing, line by line. */
  where: string | null
  /** The place in PostgreSQL's own code: tells an error that a project's code raised on purpose. */
  routine: string | null
}

/** PostgreSQL repeats what a project's code raises, however long; nobody reads more of it than this. */
const TOLD_CHARACTERS = 2_000

/** PostgreSQL's refusal, or null for an error from anywhere else, such as a broken connection. */
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
