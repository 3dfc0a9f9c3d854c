import { types } from 'node:util'
import pg from 'pg'
import { type Row, type Statement, statement } from '../core/sql.ts'

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

async function submit(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[],
  begins: boolean,
): Promise<Row[]> {
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      const settle: Settle = (error, rows) => (error ? reject(error) : resolve(rows))
      client.query(new RowsQuery(planned(statement, values), values, begins, settle))
    })
  } catch (error) {
    // The stack of the socket's event is useless; that of the caller is not.
    if (types.isNativeError(error)) Error.captureStackTrace(error)
    throw error
  }
}

const WITHOUT_COLUMNS: Row = []

type Settle = (error: Error | undefined, rows: Row[]) => void

/** A query in pg's interface for custom queries; it ignores what is not needed. */
class RowsQuery extends pg.Query {
  readonly name: string
  private readonly begins: boolean
  private readonly bytesMax: number
  private readonly answered: Row[] = []
  private bytes = 0

  constructor(
    { name, text, bytesMax = Infinity }: Statement,
    values: readonly unknown[],
    begins: boolean,
    settle: Settle,
  ) {
    super(text, values, (error) => settle(error, this.answered))
    this.name = name
    this.begins = begins
    this.bytesMax = bytesMax
  }

  override submit = (connection: pg.Connection): void => {
    const view = withoutDescribe(connection)
    if (!this.begins) return pg.Query.prototype.submit.call(this, view)
    connection.stream.cork()
    try {
      connection.bind({ statement: BEGIN.name }, true)
      connection.execute({}, true)
      return pg.Query.prototype.submit.call(this, view)
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription(): void {}

  /** The message's length approximates the row's size, so nothing needs to be counted. */
  handleDataRow({ fields, length }: { fields: Row; length: number }): void {
    this.bytes += length
    const isTooMuch = this.bytes > this.bytesMax && this.answered.length > 0
    this.answered.push(isTooMuch ? WITHOUT_COLUMNS : fields)
  }

  handleCommandComplete(): void {}
}

const views = new WeakMap<pg.Connection, pg.Connection>()

/** A connection that passes on everything except the Describe message. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  const known = views.get(connection)
  if (known) return known
  const view = Object.create(connection, { describe: { value: () => {} } }) as pg.Connection
  views.set(connection, view)
  return view
}
