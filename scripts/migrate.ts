import { applyMigrations } from '../database/migrations.ts'

/** Brings a database up to date, printing what it applies; throws as `applyMigrations` does. */
export async function migrate(
  url: string,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const onApply = (name: string) => print(`Applying ${name}`)
  const applied = await applyMigrations({ url, folder, onApply })
  if (applied.length === 0) print('The database is up to date.')
}
