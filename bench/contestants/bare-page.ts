import pg from 'pg'
import type { Statement } from '../../core/sql.ts'
import { contestant, listen } from './contestant.ts'
import { naivePage, strongPage } from './pages.ts'

export type BarePage = {
  databaseUrl: string
  statement: Statement
  values: unknown[]
  /** Naive: the driver's own values and JSON.stringify. Strong: text, and JSON made by hand. */
  kind: 'naive' | 'strong'
}

const POOL_SIZE = 10
const asText = { getTypeParser: () => (value: string) => value }

/**
 * Node's own server with the service's statement. Both kinds ask for arrays, because three of the
 * statement's columns are called `id`; that makes the naive one a little faster than it would be.
 */
contestant<BarePage>(async ({ databaseUrl, statement, values, kind }) => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    options: '-c TimeZone=UTC',
  })
  const query = { ...statement, values, rowMode: 'array' as const }
  const page =
    kind === 'naive'
      ? async () => naivePage((await pool.query<unknown[]>(query)).rows)
      : async () =>
          strongPage((await pool.query<(string | null)[]>({ ...query, types: asText })).rows)
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
