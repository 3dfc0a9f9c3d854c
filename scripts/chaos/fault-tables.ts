import type { Context } from '../../core/context.ts'
import { oneOff, type Statement, statement } from '../../core/sql.ts'
import type { Figure } from './scenario.ts'

const RANKS = `ARRAY['sent', 'delivered', 'read', 'failed']`

/** Has PostgreSQL itself note every status that goes back, whoever writes it. */
export async function watchStatuses({ sql }: Context): Promise<void> {
  const commands = [
    'CREATE TABLE chaos_steps_back (message_id bigint, before text, after text)',
    `CREATE FUNCTION chaos_note_step_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO chaos_steps_back VALUES (NEW.id, OLD.status, NEW.status); RETURN NEW; END $$`,
    `CREATE TRIGGER chaos_step_back AFTER UPDATE ON messages FOR EACH ROW
       WHEN (array_position(${RANKS}, NEW.status) < array_position(${RANKS}, OLD.status))
       EXECUTE FUNCTION chaos_note_step_back()`,
  ]
  for (const command of commands) await sql.rows(oneOff(command))
}

const left = statement(
  'chaos-faults-left',
  `SELECT (SELECT count(*) FROM bot_runs)
        + (SELECT count(*) FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
            WHERE d.status = 'pending' AND w.is_active)`,
)

/** How much is still to be done: runs of bots, and deliveries. */
export const countLeft = (ctx: Context) => count(ctx, left)

const makeDue = statement(
  'chaos-make-due',
  `UPDATE deliveries SET next_attempt_at = now()
    WHERE status = 'pending' AND next_attempt_at > now() + interval '30 s' RETURNING 1`,
)

/**
 * A retry is due by the clock of the server that planned it; nobody waits here for as long as that was
 * ahead. Answers how many there were.
 */
export async function makeRetriesDue({ sql }: Context): Promise<number> {
  return (await sql.rows(makeDue)).length
}

const COUNTS: { name: string; due: number; of: string }[] = [
  {
    name: 'statuses that went back',
    due: 0,
    of: 'SELECT count(*) FROM chaos_steps_back',
  },
  {
    name: 'keys left in progress',
    due: 0,
    // A bot that was told of an unknown outcome does not ask again.
    of: `SELECT count(*) FROM idempotency_records
          WHERE status IS NULL AND key NOT LIKE 'bot run %'`,
  },
  { name: 'runs of bots left', due: 0, of: 'SELECT count(*) FROM bot_runs' },
  {
    name: 'leases that ran out and were not taken up',
    due: 0,
    of: `SELECT count(*) FROM webhooks w WHERE lease_until < now() AND EXISTS (
           SELECT FROM deliveries WHERE webhook_id = w.id AND status = 'pending')`,
  },
  {
    name: 'registrations turned off',
    due: 0,
    of: 'SELECT count(*) FROM webhooks WHERE NOT is_active',
  },
  {
    name: 'messages from customers without their event',
    due: 0,
    of: `SELECT count(*) FROM messages m WHERE direction = 'inbound' AND NOT EXISTS (
           SELECT FROM events WHERE project_id = m.project_id AND name = 'message.received'
             AND data::jsonb -> 'message' ->> 'wamid' = m.wamid)
            AND project_id IN (SELECT project_id FROM webhooks)`,
  },
  {
    name: 'messages whose status nobody was told',
    due: 0,
    of: `SELECT count(*) FROM messages m WHERE direction = 'outbound' AND NOT EXISTS (
           SELECT FROM events WHERE project_id = m.project_id AND name = 'message.status'
             AND data::jsonb ->> 'message_id' = m.wamid AND data::jsonb ->> 'status' = m.status)
            AND project_id IN (SELECT project_id FROM webhooks)`,
  },
  {
    name: 'events that were told twice',
    due: 0,
    of: `SELECT count(*) - count(DISTINCT (name, coalesce(data::jsonb -> 'message' ->> 'wamid',
             data::jsonb ->> 'message_id'), data::jsonb ->> 'status')) FROM events`,
  },
  {
    name: 'events without a delivery to each',
    due: 0,
    of: `SELECT count(*) FROM events e JOIN webhooks w ON w.project_id = e.project_id
          WHERE NOT EXISTS (SELECT FROM deliveries
                             WHERE event_id = e.id AND webhook_id = w.id)`,
  },
]

/** What the tables alone tell. */
export async function tableFigures(ctx: Context): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, due, of } of COUNTS) {
    figures.push({ name, value: await count(ctx, oneOff(of)), due })
  }
  return figures
}

async function count({ sql }: Context, counting: Statement): Promise<number> {
  return Number((await sql.rows(counting))[0]?.[0])
}
