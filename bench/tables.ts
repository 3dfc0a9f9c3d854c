import * as keys from '../capabilities/projects/keys.ts'
import * as projects from '../capabilities/projects/projects.ts'
import { describe, type Table } from '../capabilities/tables/table-catalog.ts'
import { encodePosition } from '../capabilities/tables/table-cursors.ts'
import { orderOf } from '../capabilities/tables/table-pages.ts'
import { listName } from '../capabilities/tables/table-rows.ts'
import * as tableScripts from '../capabilities/tables/table-scripts.ts'
import type { Bed } from './bed.ts'

/** The rows of one customer: more than a page of 20. */
const ROWS_OF_CUSTOMER = 100

/** A project with a table of orders, and a key that may read it. */
export type Orders = { id: string; secret: string; rows: number; customers: number; table: Table }

export const TABLE = 'orders'

/** Creates a project with a table of orders, spread over customers; the customer's column has an index. */
export async function fillOrders(bed: Bed, id: string, rows: number): Promise<Orders> {
  const { ctx } = bed.opened
  await projects.create(ctx, { id, name: id })
  const scopes = ['tables:read']
  const { secret } = await keys.create(ctx, { projectId: id, name: 'Bench', scopes, isTest: false })
  await tableScripts.apply(
    ctx,
    id,
    'public',
    `CREATE TABLE ${TABLE} (
       id bigint PRIMARY KEY, customer integer NOT NULL, status text NOT NULL,
       total numeric(10,2) NOT NULL, note text, paid boolean NOT NULL,
       created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
     );
     CREATE INDEX ON ${TABLE} (customer, id);`,
  )
  const table = await describe({ ...ctx, project: { id } }, TABLE, 'public')
  const customers = Math.ceil(rows / ROWS_OF_CUSTOMER)
  await bed.admin.query(
    `INSERT INTO ${table.target}
     SELECT g, 1 + g % $2, CASE WHEN g % 3 = 0 THEN 'open' ELSE 'shipped' END, (g % 10000) / 100.0,
            CASE WHEN g % 4 > 0 THEN 'Order ' || g || ': leave it "at the door" if nobody answers, '
              || 'and ring twice before you go.' END,
            g % 2 = 0, now() - g * interval '1 second', now()
       FROM generate_series(1, $1::bigint) g`,
    [rows, customers],
  )
  await bed.admin.query(`VACUUM (ANALYZE) ${table.target}`)
  await bed.admin.query('CHECKPOINT')
  return { id, secret, rows, customers, table }
}

/** The cursor after an order, when ordered by id. */
export function cursorAfter({ opened: { ctx } }: Bed, { id, table }: Orders, order: number) {
  const scope = { ...ctx, project: { id } }
  const by = orderOf(table, null, false)
  const list = listName(scope, table, [], by)
  return encodePosition(scope, list, [String(order)])
}
