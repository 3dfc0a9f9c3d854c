import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'

/** The part of the global that is used here; Node's types leave its declaration to those of browsers. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: object } }>
}

/** PostgreSQL's one-byte type `"char"`, which its catalogue uses for kinds and actions. */
const CHAR_OID = 18
const TEXT_OID = 25

/**
 * The SQL that turns the database at `url` into what a Prisma schema describes; '' when they agree. It comes
 * from Prisma's own engine, run in this process as WebAssembly.
 */
export async function schemaDiff(
  url: string,
  schema: { path: string; content: string },
): Promise<string> {
  await loadEngine()
  const pool = new pg.Pool({ connectionString: url })
  try {
    const factory = bindMigrationAwareSqlAdapterFactory({
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect: () => connect(pool),
      connectToShadowDb: () => Promise.reject(new Error('A comparison needs no shadow database.')),
    })
    const datamodels: [string, string][] = [[schema.path, schema.content]]
    const engine = await bindings.SchemaEngine.new({ datamodels }, () => {}, factory)
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: dirname(schema.path) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    })
    return stdout?.trim() === '-- This is an empty migration.' ? '' : (stdout ?? '').trim()
  } finally {
    await pool.end()
  }
}

/** Prisma's adapter does not know `"char"` and refuses every result with such a column. */
async function connect(pool: pg.Pool): Promise<SqlDriverAdapter> {
  const chars = new WeakMap<unknown[], number[]>()
  const query = pool.query.bind(pool)
  const patchedPool = Object.assign(pool, {
    query: async (config: pg.QueryArrayConfig) => {
      const result = await query(config)
      const kinds = result.fields.map(({ dataTypeID }) => dataTypeID)
      const columns = kinds.flatMap((kind, i) => (kind === CHAR_OID ? i : []))
      chars.set(result.rows, columns)
      for (const i of columns) Object.assign(result.fields[i] ?? {}, { dataTypeID: TEXT_OID })
      return result
    },
  })
  const adapter = await new PrismaPg(patchedPool).connect()
  const queryRaw = adapter.queryRaw.bind(adapter)
  return Object.assign(adapter, {
    queryRaw: async (sql: SqlQuery) => {
      const result = await queryRaw(sql)
      for (const i of chars.get(result.rows) ?? []) {
        result.columnTypes[i] = ColumnTypeEnum.Character
      }
      return result
    },
  })
}

async function loadEngine(): Promise<void> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings })
  // The engine reports a panic here before it fails.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } })
  bindings.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start: start } = instance.exports as { __wbindgen_start?: () => void }
  start?.()
}
