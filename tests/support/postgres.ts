import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A database of one test file; `drop` ends the connections that are still open. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** Makes a database with the service's tables, empty, as a copy of the suite's template. */
export function createDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template_service')
}

/** Makes a database with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('TEMPLATE template0')
}

async function create(options: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name} ${options}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function onServer(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (!url) throw new Error('There is no TEST_POSTGRES_URL: tests run through "npm test".')
  return url
}
