import type pg from 'pg'

const TABLES = ['contacts', 'conversations', 'messages']
const SPREAD = "interval '90 days'"
/** The sandbox chooses an outcome by the last four digits; it simply accepts messages to these numbers. */
const ORDINARY_ENDING = '5000'
/** Phone numbers have a fixed length; ids from here on have enough digits. */
const FIRST_ID = 10_000_000

type Seed = {
  projectId: string
  conversations: number
  /** Whether every customer has written within the last day. */
  isOpen: boolean
}

/**
 * Fills a project with conversations, each with a contact and one message. Their activity is distributed
 * randomly over time, so that the rows of a page are spread over the tables, as in real use.
 */
export async function seedConversations(db: pg.Client, seed: Seed): Promise<void> {
  const first = await nextId(db)
  const values = [seed.projectId, first, first + seed.conversations - 1]
  // The foreign keys hold by construction; checking them row by row would take most of the time.
  await db.query("SET session_replication_role = 'replica'")
  await db.query("SET synchronous_commit = 'off'")
  await db.query('SELECT setseed(0.5)')
  await db.query(
    `INSERT INTO contacts (id, project_id, phone, wa_id, match_key, name, profile_name, tags)
     SELECT g, $1, '+' || digits, digits, digits,
            CASE WHEN g % 3 = 0 THEN 'Customer ' || g END, 'Profile ' || g,
            CASE WHEN g % 10 = 0 THEN ARRAY['vip'] ELSE ARRAY[]::text[] END
       FROM (SELECT g, '1' || g || '${ORDINARY_ENDING}' AS digits
               FROM generate_series($2::bigint, $3) g) AS row`,
    values,
  )
  const age = seed.isOpen ? "interval '1 minute'" : `random() * ${SPREAD}`
  await db.query(
    `INSERT INTO conversations (id, project_id, contact_id, state, last_message_id,
       last_activity_at, last_inbound_at, unread_count, created_at, updated_at)
     SELECT g, $1, g, CASE WHEN g % 5 = 0 THEN 'done' ELSE 'unstructured' END, g, at,
            CASE WHEN g % 4 > 0 OR $4 THEN at END, g % 3, at - interval '1 day', at
       FROM (SELECT g, now() - ${age} AS at FROM generate_series($2::bigint, $3) g) AS row`,
    [...values, seed.isOpen],
  )
  await db.query(
    `INSERT INTO messages (id, project_id, conversation_id, contact_id, wamid, direction, origin,
       type, content, status, created_at, sent_at)
     SELECT id, project_id, id, contact_id, 'wamid.seed' || id,
            CASE WHEN id % 2 = 0 THEN 'inbound' ELSE 'outbound' END,
            CASE WHEN id % 2 = 0 THEN 'customer' ELSE 'api' END, 'text',
            'Your order ' || id || ' is "on its way" and will arrive before six this evening.',
            CASE WHEN id % 2 = 0 THEN 'received' ELSE 'read' END, last_activity_at, last_activity_at
       FROM conversations WHERE project_id = $1`,
    [seed.projectId],
  )
  for (const table of TABLES) {
    await db.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, values[2]])
  }
  await db.query("SET session_replication_role = 'origin'")
}

/**
 * Fills the newest conversation of a project with messages, and answers its id. The messages are stored in
 * random order, as if between those of other conversations.
 */
export async function seedMessages(
  db: pg.Client,
  { projectId, messages }: { projectId: string; messages: number },
): Promise<number> {
  const first = await nextId(db)
  const last = first + messages - 1
  const newest = `SELECT id, contact_id FROM conversations WHERE project_id = $1
    ORDER BY last_activity_at DESC, id DESC LIMIT 1`
  await db.query("SET session_replication_role = 'replica'")
  await db.query("SET synchronous_commit = 'off'")
  await db.query('SELECT setseed(0.5)')
  await db.query(
    `INSERT INTO messages (id, project_id, conversation_id, contact_id, wamid, direction, origin,
       type, content, status, created_at)
     SELECT g, $1, c.id, c.contact_id, 'wamid.seed' || g, 'inbound', 'customer', 'text',
            'Number ' || g || ': is it "on its way", and will it arrive before six this evening?',
            'received', now() - ($3 - g) * interval '1 second'
       FROM (${newest}) c, generate_series($2::bigint, $3) g ORDER BY random()`,
    [projectId, first, last],
  )
  await db.query("SELECT setval(pg_get_serial_sequence('messages', 'id'), $1)", [last])
  await db.query("SET session_replication_role = 'origin'")
  const { rows } = await db.query<{ id: string }>(newest, [projectId])
  return Number(rows[0]?.id)
}

/** Vacuums the tables, so that the server does not do it during a measurement. */
export async function settleTables(db: pg.Client): Promise<void> {
  for (const table of TABLES) await db.query(`VACUUM (ANALYZE) ${table}`)
  await db.query('CHECKPOINT')
}

async function nextId(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT 1 + greatest(
       $1, (SELECT max(id) FROM conversations), (SELECT max(id) FROM messages)) AS id`,
    [FIRST_ID],
  )
  return Number(rows[0]?.id)
}
