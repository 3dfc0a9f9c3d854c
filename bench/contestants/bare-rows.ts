import pg from 'pg'
import type { Statement } from '../../core/sql.ts'
import { contestant, fail, listen } from './contestant.ts'

export type BareRows = {
  databaseUrl: string
  statement: Statement
  /** Naive: the driver's own values and JSON.stringify. Strong: text values and hand-built JSON. */
  kind: 'naive' | 'strong'
}

type Text = string | null | undefined

const POOL_SIZE = 10
const PIPELINES = 3
const PAGE_ROWS = 20
/** The value of the filter in the requests of this scenario. */
const VALUE = /value%22%3A(\d+)/
const asText = { getTypeParser: () => (value: string) => value }

/** A plain node:http server with the service's statement, of which it sets only the filter's value. */
contestant<BareRows>(async ({ databaseUrl, statement, kind }) => {
  const page =
    kind === 'naive' ? naive(databaseUrl, statement) : await strong(databaseUrl, statement)
  return listen((request, response) => {
    const value = VALUE.exec(request.url ?? '')?.[1] ?? ''
    page(value).then(
      (body) =>
        response
          .writeHead(200, {
            'Content-Type': 'application/json; charset=utf-8',
            'Content-Length': Buffer.byteLength(body),
          })
          .end(body),
      fail,
    )
  })
})

function naive(connectionString: string, statement: Statement) {
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE, options: '-c TimeZone=UTC' })
  return async (value: string) => {
    const { rows } = await pool.query<{ id: string }>({ ...statement, values: [value] })
    const last = rows.length > PAGE_ROWS ? rows[PAGE_ROWS - 1] : undefined
    const nextCursor = last ? cursorOf(last.id) : null
    return JSON.stringify({
      success: true,
      data: {
        table: 'orders',
        schema: 'public',
        rows: rows.slice(0, PAGE_ROWS),
        pagination: { hasMore: nextCursor !== null, nextCursor },
      },
    })
  }
}

async function strong(connectionString: string, statement: Statement) {
  const clients = Array.from(
    { length: PIPELINES },
    () => new pg.Client({ connectionString, options: '-c TimeZone=UTC', pipeline: true }),
  )
  await Promise.all(clients.map((client) => client.connect()))
  let turn = 0
  return async (value: string) => {
    const client = clients[turn++ % PIPELINES]
    const query = { ...statement, values: [value], rowMode: 'array' as const, types: asText }
    const rows = (await client?.query<Text[]>(query))?.rows ?? []
    const last = rows.length > PAGE_ROWS ? rows[PAGE_ROWS - 1] : undefined
    const next = last ? `"${cursorOf(last[0] ?? '')}"` : 'null'
    const items = rows.slice(0, PAGE_ROWS).map(rowJson)
    return (
      `{"success":true,"data":{"table":"orders","schema":"public","rows":[${items.join()}],` +
      `"pagination":{"hasMore":${next !== 'null'},"nextCursor":${next}}}}`
    )
  }
}

function rowJson([id, customer, status, total, note, paid, createdAt, updatedAt]: Text[]): string {
  return (
    `{"id":${id},"customer":${customer},"status":${JSON.stringify(status)},"total":${total},` +
    `"note":${note == null ? 'null' : JSON.stringify(note)},"paid":${paid === 't'},` +
    `"created_at":"${createdAt?.replace(' ', 'T')}:00",` +
    `"updated_at":"${updatedAt?.replace(' ', 'T')}:00"}`
  )
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url')
}
