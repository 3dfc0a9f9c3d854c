import * as changes from '../capabilities/tables/table-changes.ts'
import * as rows from '../capabilities/tables/table-rows.ts'
import * as tables from '../capabilities/tables/tables.ts'
import type { Handlers } from '../core/handlers.ts'

export const tableHandlers = {
  listTables: (ctx, { query }) => tables.list(ctx, query.schema ?? null),

  getTableSchema: (ctx, { path, query }) =>
    tables.columns(ctx, path.table, query.schema ?? 'public'),

  listRows: (ctx, { path, query }) => rows.list(ctx, path.table, query),

  insertRows: (ctx, { path, query, body }) =>
    changes.insert(ctx, path.table, query.schema ?? 'public', body.rows),

  updateRows: (ctx, { path, query, body }) =>
    changes.updateRows(ctx, path.table, query, body.values),

  deleteRows: (ctx, { path, query }) => changes.deleteRows(ctx, path.table, query),
} satisfies Partial<Handlers>
