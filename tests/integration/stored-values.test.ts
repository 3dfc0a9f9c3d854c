import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { components } from '../support/document.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

/** Checks of a column's values, and the schema of the contract that has the very same ones. */
const CONTRACTED: Record<string, string> = {
  broadcast_recipients_status_known: 'BroadcastRecipientStatus',
  broadcasts_category_known: 'TemplateCategory',
  broadcasts_status_known: 'BroadcastStatus',
  code_files_encoding_known: 'FileEncoding',
  deliveries_status: 'DeliveryStatus',
  header_samples_format_known: 'HeaderFormat',
  media_kind_known: 'MediaKind',
  messages_direction_known: 'MessageDirection',
  messages_status_known: 'MessageStatus',
  table_schemas_selector_known: 'TableSelector',
}
/** Those of values that the contract does not list. */
const OWN = [
  ...['bot_log_lines_level', 'broadcast_audits_action_known', 'channel_accounts_kind_known'],
  ...['projects_status_known'],
]

let database: TestDatabase
let checks: Map<string, string[]>
beforeAll(async () => {
  database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ name: string; says: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS says FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
  )
  await client.end()
  checks = new Map(
    rows.flatMap(({ name, says }) => {
      const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[('.*')::text\]\)\)\)$/.exec(says) ?? []
      return list === undefined ? [] : [[name, list.slice(1, -1).split("'::text, '")]]
    }),
  )
})
afterAll(() => database.drop())

describe('the values that PostgreSQL holds a column to', () => {
  it.each(Object.entries(CONTRACTED))('are those of the contract: %s', (check, schema) => {
    expect(checks.get(check)?.sort()).toEqual(components.schemas[schema]?.enum?.toSorted())
  })

  it('are listed here, as those of the contract or as our own', () => {
    expect([...checks.keys()].sort()).toEqual([...Object.keys(CONTRACTED), ...OWN].sort())
  })
})
