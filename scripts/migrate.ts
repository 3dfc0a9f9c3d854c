import { loadConfig } from '../core/config.ts'
import { exitCodeOf, onEndingSignal } from '../core/signals.ts'
import { MIGRATIONS, openDatabase } from '../database/open.ts'
import { failed } from './failed.ts'
import { readFlags } from './flags.ts'

readFlags(
  `npm run migrate

Applies the migrations that the database of DATABASE_URL lacks, or else the embedded one under DATA_DIR.`,
  { options: {} },
)

// A migration is applied completely or not at all; ending in order also stops a database that this process
// started.
onEndingSignal(
  () => {},
  (signal) => process.exit(exitCodeOf(signal)),
)

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Brings the configured database up to date, and prints what was applied. */
async function migrate(): Promise<void> {
  let applied = 0
  const database = await openDatabase(loadConfig(process.env), MIGRATIONS, say, (name) => {
    applied++
    say(`Applying ${name}`)
  })
  if (applied === 0) say('The database is up to date.')
  await database.close()
}

await migrate().catch(failed)
