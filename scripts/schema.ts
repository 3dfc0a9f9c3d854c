import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { types } from 'node:util'
import { connectOrCreate } from '../database/connect.ts'
import { openEmbeddedPostgres } from '../database/embedded.ts'
import { applyMigrations } from '../database/migrations.ts'
import { misused, readFlags } from './flags.ts'
import { schemaDiff } from './schema-engine.ts'

const USAGE = `npm run schema:check [-- [--write NAME] [--database-url URL]]

--write   puts what is missing into a new migration of that name`

/**
 * Removes what Prisma's schema cannot express and would therefore report as a difference: indexes with a
 * condition, an expression or INCLUDE, and exclusion constraints.
 */
const DROP_INEXPRESSIBLE = `
  DO $$ DECLARE command text; BEGIN
    FOR command IN
      SELECT CASE WHEN c.conname IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
        ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END
      FROM pg_index i
      JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
      LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('u', 'x')
      WHERE i.indpred IS NOT NULL OR i.indexprs IS NOT NULL OR i.indnatts > i.indnkeyatts
        OR i.indisexclusion
    LOOP EXECUTE command; END LOOP;
  END $$`

type Project = { schemaPath: string; migrationsFolder: string }

/**
 * The SQL that the migrations lack compared with `schema.prisma`; '' when they agree. Works in a database of
 * its own on the server at `serverUrl`, and drops it afterwards.
 */
async function findDrift(serverUrl: string, project: Project): Promise<string> {
  const scratch = new URL(serverUrl)
  scratch.pathname = `/schema_check_${randomUUID().replaceAll('-', '')}`
  try {
    await applyMigrations({ url: scratch.href, folder: project.migrationsFolder })
    await runSql(scratch.href, DROP_INEXPRESSIBLE)
    const content = await readFile(project.schemaPath, 'utf8')
    return await schemaDiff(scratch.href, { path: project.schemaPath, content })
  } finally {
    const name = scratch.pathname.slice(1)
    scratch.pathname = '/postgres'
    await runSql(scratch.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = await connectOrCreate(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function findDriftHere(project: Project): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'schema-check-'))
  try {
    const server = await openEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    try {
      return await findDrift(server.url, project)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Writes the missing SQL into a new migration, for its author to complete and check. */
async function writeMigration(folder: string, name: string, sql: string, now: Date) {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const path = join(folder, `${stamp}_${name}`, 'migration.sql')
  await mkdir(join(path, '..'))
  await writeFile(path, `${sql}\n`)
  return path
}

async function main(): Promise<number> {
  const { values } = readFlags(USAGE, {
    options: { write: { type: 'string' }, 'database-url': { type: 'string' } },
  })
  const { write: name } = values
  if (name !== undefined && !/^[a-z][a-z0-9_]*$/.test(name)) {
    misused(USAGE, `A migration's name is lower case words joined by "_", not "${name}".`)
  }
  const root = fileURLToPath(new URL('..', import.meta.url))
  const project = {
    schemaPath: join(root, 'prisma', 'schema.prisma'),
    migrationsFolder: join(root, 'prisma', 'migrations'),
  }
  const serverUrl = values['database-url']
  const drift = await (serverUrl ? findDrift(serverUrl, project) : findDriftHere(project))
  if (!drift) {
    console.log('The migrations make what prisma/schema.prisma says.')
    return 0
  }
  if (name !== undefined) {
    const path = await writeMigration(project.migrationsFolder, name, drift, new Date())
    console.log(`Wrote ${path}`)
    return 0
  }
  console.log(`The migrations lack this to make what prisma/schema.prisma says:\n\n${drift}`)
  return 1
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(types.isNativeError(error) ? error.message : error)
  return 2
})
