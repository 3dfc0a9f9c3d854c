import type { Config } from '../core/config.ts'
import { openEmbeddedPostgres } from './embedded.ts'
import { applyMigrations } from './migrations.ts'

export type Database = { url: string; isEmbedded: boolean; close(): Promise<void> }

/**
 * The database of the configuration, migrated: the one of `DATABASE_URL`, or one that is kept under the
 * data folder. `close` stops a PostgreSQL that was started here. Throws one sentence on failure.
 */
export async function openDatabase(
  config: Config,
  migrations: string,
  say: (line: string) => void,
): Promise<Database> {
  if (config.databaseUrl) {
    await applyMigrations({ url: config.databaseUrl, folder: migrations })
    return { url: config.databaseUrl, isEmbedded: false, close: async () => {} }
  }
  const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir, onProgress: say })
  try {
    await applyMigrations({ url: postgres.url, folder: migrations })
  } catch (error) {
    if (postgres.startedHere) await postgres.stop()
    throw error
  }
  return { url: postgres.url, isEmbedded: true, close: () => postgres.stop() }
}
