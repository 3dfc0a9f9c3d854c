import pg from 'pg'
import type { Statement } from '../../core/sql.ts'
import { contestant, listen } from './contestant.ts'
import { type NaiveRow, naivePage, strongPage } from './pages.ts'

export type BarePage = {
  databaseUrl: string
  statement: Statement
  values: unknown[]
  /** Naive: the driver's own values and JSON.stringify. Strong: text values and hand-built JSON. */
  kind: 'naive' | 'strong'
}

const POOL_SIZE = 10
const COLUMNS = 17
const asText = { getTypeParser: () => (value: string) => value }

/**
 * A plain node:http server with the service's statement. Several columns are called `id`, so for the naive one,
 * which reads rows as objects, they are named by position.
 */
contestant<BarePage>(async ({ databaseUrl, statement, values, kind }) => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    options: '-c TimeZone=UTC',
  })
  const names = Array.from({ length: COLUMNS }, (_, index) => `c${index}`).join(', ')
  const text = `SELECT * FROM (${statement.text}) AS page (${names})`
  const named = { name: `${statement.name}-named`, text, values }
  const asArrays = { ...statement, values, rowMode: 'array' as const, types: asText }
  const page =
    kind === 'naive'
      ? async () => naivePage((await pool.query<NaiveRow>(named)).rows)
      : async () => strongPage((await pool.query<(string | null)[]>(asArrays)).rows)
  return listen((_request, response) => {
    page().then(
      (body) =>
        response
          .writeHead(200, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': Buffer.byteLength(body),
          })
          .end(body),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  })
})
