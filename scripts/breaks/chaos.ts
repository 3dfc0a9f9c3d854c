import type { Break } from './break.ts'

const KEYS = 'npm run chaos -- idempotency --keys 60 --kills 6 --seed 20261122'
const EVENTS = 'npm run chaos -- webhooks --events 240 --kills 4 --seed 20261122'
const RECIPIENTS = 'npm run chaos -- broadcasts --recipients 400 --kills 6 --seed 20261122'
const MESSAGES = 'npm run chaos -- bots --messages 60 --kills 3 --seed 20261123'

/** Servers that are killed, and the figures that must hold all the same. */
export const CHAOS: Break[] = [
  {
    name: 'a key that is sent twice among killed servers',
    file: 'capabilities/idempotency.ts',
    find: 'r.status IS NULL AND r.locked_until <= now() AND r.fingerprint',
    replace: 'r.status IS NULL AND r.fingerprint',
    gate: KEYS,
    says: /BROKEN, must be/,
  },
  {
    name: 'an event that is lost among killed servers',
    file: 'capabilities/delivery-schedule.ts',
    find: "if (isSuccess) return { status: 'delivered', nextAttemptAt: null }",
    replace:
      "if (isSuccess || random() < 0.02) return { status: 'delivered', nextAttemptAt: null }",
    gate: EVENTS,
    says: /BROKEN, must be/,
  },
  {
    name: 'a recipient who is sent to twice among killed workers',
    file: 'capabilities/broadcast-dispatches.ts',
    find: 'SET dispatched_at = clock_timestamp(), attempt_id = f.attempt',
    replace: 'SET attempt_id = f.attempt',
    gate: RECIPIENTS,
    says: /BROKEN, must be/,
  },
  {
    name: 'runs that end without an answer among killed servers',
    file: 'capabilities/bot-runs.ts',
    find: 'WHERE e.conversation_id = o.conversation_id AND e.id < o.id)',
    replace: 'WHERE e.conversation_id = o.conversation_id AND e.id < 0)',
    gate: MESSAGES,
    says: /BROKEN, must be/,
  },
]
