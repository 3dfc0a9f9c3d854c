import { types } from 'node:util'
import pg from 'pg'
import { type Row, type Statement, statement } from '../core/sql.ts'

const BEGIN = statement('begin', 'BEGIN')
/** Those that have prepared it. */
const knowsBegin = new WeakSet<pg.ClientBase>()

/**
 * A plan for whatever values takes a list for a short one, and goes through all of it for each row where tables
 * were small when it was made: with thousands of both that takes longer than a statement may. For a longer list
 * there is a plan of its own, which looks the values up.
 */
const LISTED_MAX = 500

function planned(one: Statement, values: readonly unknown[]): Statement {
  const isLong = values.some((value) => Array.isArray(value) && value.length > LISTED_MAX)
  return isLong ? { ...one, name: '', text: one.open ?? one.text } : one
}

/**
 * Runs a statement on a connection. Its rows are kept as they arrive, and PostgreSQL is not asked what
 * columns they have, since whoever wrote the statement knows: a sixth of what twenty rows cost.
 * Throws what PostgreSQL or the network says.
 */
export function ask(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return submit(client, statement, values, false)
}

/**
 * Begins a transaction with its first statement, in one round trip: a fifth more broadcast messages, a
 * tenth more callbacks. When it throws, the transaction may have begun.
 */
export async function askFirst(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  // What is not prepared takes another way, where no answer comes when what goes along with it fails.
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
    // The trace of the socket that told of it says nothing; that of who asked does.
    if (types.isNativeError(error)) Error.captureStackTrace(error)
    throw error
  }
}

const WITHOUT_COLUMNS: Row = []

type Settle = (error: Error | undefined, rows: Row[]) => void

/** A query as pg lets everyone make their own, apart from what it does not hear. */
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

  /** The length is that of the message: nearly all of it is the row, and nothing needs to be counted. */
  handleDataRow({ fields, length }: { fields: Row; length: number }): void {
    this.bytes += length
    const isTooMuch = this.bytes > this.bytesMax && this.answered.length > 0
    this.answered.push(isTooMuch ? WITHOUT_COLUMNS : fields)
  }

  handleCommandComplete(): void {}
}

const views = new WeakMap<pg.Connection, pg.Connection>()

/** A connection that passes on everything but the question for columns. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  const known = views.get(connection)
  if (known) return known
  const view = Object.create(connection, { describe: { value: () => {} } }) as pg.Connection
  views.set(connection, view)
  return view
}
