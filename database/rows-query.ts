import { types } from 'node:util'
import pg from 'pg'
import { type Ask, type Row, type Statement, statement } from '../core/sql.ts'

const BEGIN = statement('begin', 'BEGIN')
/** Connections that have prepared the statement. */
const knowsBegin = new WeakSet<pg.ClientBase>()

/**
 * A generic plan assumes a short list, and when it was made for small tables it scans the list for each row:
 * with thousands of both, that exceeds the statement timeout. Longer lists use the `open` text, whose plan is
 * made for the actual values.
 */
const LISTED_MAX = 500

function planned(one: Statement, values: readonly unknown[]): Statement {
  const isLong = values.some((value) => Array.isArray(value) && value.length > LISTED_MAX)
  return isLong ? { ...one, name: '', text: one.open ?? one.text } : one
}

/**
 * Runs a statement on a connection. Rows are kept as they arrive, and PostgreSQL is not asked to describe the
 * columns, which the caller knows: that is a sixth of the cost of twenty rows. Throws errors of PostgreSQL and
 * the network.
 */
export function ask(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return submit(client, statement, values, false)
}

/**
 * Begins a transaction together with its first statement, in one round trip: worth a fifth more broadcast
 * messages and a tenth more callbacks. When it throws, the transaction may have begun.
 */
export async function askFirst(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  // Statements without a name and values use the simple protocol, in which a failure leaves the other one
  // unanswered.
  const isPrepared = statement.name !== '' || values.length > 0
  if (isPrepared && knowsBegin.has(client)) return submit(client, statement, values, true)
  await ask(client, BEGIN)
  knowsBegin.add(client)
  return ask(client, statement, values)
}

/**
 * Sends statements at once, without waiting for each other's answers: one round trip, and one transaction, which
 * PostgreSQL commits when all have succeeded. When it throws, the connection must not be reused: it may count
 * statements as prepared that PostgreSQL has skipped.
 */
export async function askTogether(client: pg.ClientBase, asked: readonly Ask[]): Promise<Row[][]> {
  return asked.length === 0 ? [] : send(client, asked, false)
}

async function submit(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[],
  begins: boolean,
): Promise<Row[]> {
  const [rows] = await send(client, [{ statement, values }], begins)
  return rows ?? []
}

async function send(
  client: pg.ClientBase,
  asked: readonly Ask[],
  begins: boolean,
): Promise<Row[][]> {
  try {
    return await new Promise<Row[][]>((resolve, reject) => {
      const settle: Settle = (error, rows) => (error ? reject(error) : resolve(rows))
      client.query(new RowsQuery(asked, begins, settle))
    })
  } catch (error) {
    // The stack of the socket's event is useless; that of the caller is not.
    if (types.isNativeError(error)) Error.captureStackTrace(error)
    throw error
  }
}

const WITHOUT_COLUMNS: Row = []

type Settle = (error: Error | undefined, rows: Row[][]) => void

type Part = { query: Submitted; rows: Row[]; bytes: number; bytesMax: number }
/** pg's query as it is: its types leave out fields, and what `submit` answers when it sends nothing. */
type Submitted = Omit<pg.Query, 'submit'> & {
  name: string
  text: string
  queryMode?: 'extended'
  callback: (error: Error | null) => void
  submit: (connection: pg.Connection) => Error | null
}

function partOf({ statement, values = [] }: Ask, _place: number, { length }: readonly Ask[]): Part {
  const { name, text, bytesMax = Infinity } = planned(statement, values)
  const query = new pg.Query(text, [...values]) as Submitted
  query.name = name
  // Without a name and values it would use the simple protocol, which commits at once.
  if (length > 1) query.queryMode = 'extended'
  return { query, rows: [], bytes: 0, bytesMax }
}

/** One or more statements in pg's interface for custom queries; it ignores what is not needed. */
class RowsQuery extends pg.Query {
  /** Of the statement that PostgreSQL is answering; pg looks here for what it has just prepared. */
  declare name: string
  declare text: string
  private readonly begins: boolean
  private readonly parts: Part[]
  /** The part that PostgreSQL is answering; -1 for BEGIN. */
  private place: number
  private fault: Error | null = null

  constructor(asked: readonly Ask[], begins: boolean, settle: Settle) {
    const parts = asked.map(partOf)
    const rows = parts.map((part) => part.rows)
    super('', [], (error) => settle(error ?? this.fault ?? undefined, rows))
    this.begins = begins
    this.parts = parts
    this.place = begins ? -1 : 0
    this.show(parts[0])
  }

  private show(part: Part | undefined): void {
    if (!part) return
    this.name = part.query.name
    this.text = part.query.text
  }

  override submit = (connection: pg.Connection): void => {
    const { stream } = connection
    const { length } = this.parts
    stream.cork()
    try {
      if (this.begins) {
        connection.bind({ statement: BEGIN.name }, true)
        connection.execute({}, true)
      }
      for (const [place, { query }] of this.parts.entries()) {
        const fault = submitPart(query, viewOf(connection, place === length - 1))
        this.fault ??= fault
        // Without the Sync at the end, nothing of what was sent before takes effect.
        if (fault && length > 1) return void stream.destroy(fault)
      }
    } finally {
      stream.uncork()
    }
  }

  handleRowDescription(): void {}

  /** The message's length approximates the row's size, so nothing needs to be counted. */
  handleDataRow({ fields, length }: { fields: Row; length: number }): void {
    const part = this.parts[this.place]
    if (!part) return
    part.bytes += length
    const isTooMuch = part.bytes > part.bytesMax && part.rows.length > 0
    part.rows.push(isTooMuch ? WITHOUT_COLUMNS : fields)
  }

  handleCommandComplete(): void {
    this.place += 1
    this.show(this.parts[this.place])
  }
}

/** Submits a part; answers why it cannot be sent, as values that JSON does not know. */
function submitPart(query: Submitted, connection: pg.Connection): Error | null {
  let fault: Error | null = null
  query.callback = (error) => void (fault = error)
  const refusal = query.submit(connection)
  return refusal ?? fault
}

type Views = { last: pg.Connection; before: pg.Connection }
const views = new WeakMap<pg.Connection, Views>()

/**
 * A connection that passes on everything except the Describe messages, and for all statements but the last the
 * Sync message, which ends their transaction.
 */
function viewOf(connection: pg.Connection, isLast: boolean): pg.Connection {
  const known = views.get(connection) ?? makeViews(connection)
  views.set(connection, known)
  return isLast ? known.last : known.before
}

function makeViews(connection: pg.Connection): Views {
  const ignored = { value: () => {} }
  return {
    last: Object.create(connection, { describe: ignored }) as pg.Connection,
    before: Object.create(connection, { describe: ignored, sync: ignored }) as pg.Connection,
  }
}
