import { type Break, tests } from './break.ts'

const KEYS = 'capabilities/idempotency.ts'
const ATTEMPTS = 'capabilities/send-attempts.ts'
const REFUND = tests('integration/send-budget', 'gives its place in the day and its credit back')
const UNKNOWN = tests('integration/idempotency-outcomes', 'nobody knows whether the channel took')

/** Sends: once for each key, within the window, the quota and the credits. */
export const SENDS: Break[] = [
  {
    name: 'a key that two requests claim',
    file: KEYS,
    find: 'r.status IS NULL AND r.locked_until <= now() AND r.fingerprint',
    replace: 'r.status IS NULL AND r.fingerprint',
    gate: UNKNOWN,
    says: 'took it › keeps its key until the lock is over',
  },
  {
    name: 'a key that serves two requests',
    file: KEYS,
    find: 'if (earlier && earlier.fingerprint !==',
    replace: "if (earlier?.fingerprint === '' && earlier.fingerprint !==",
    gate: tests('integration/idempotency', 'a key that is used again'),
    says: '"idempotency_key_mismatch"',
  },
  {
    name: 'a fingerprint of the path alone',
    file: 'middleware/idempotency.ts',
    find: '`${method}\\n${path}\\n${canonical(body)}`',
    replace: '`${method}\\n${path}\\n${canonical(null) || body}`',
    gate: tests('integration/idempotency', 'a key that is used again'),
    says: '"idempotency_key_mismatch"',
  },
  {
    name: 'a send that the channel has reported, sent anew',
    file: KEYS,
    find: '\n              AND (SELECT m.id FROM messages m WHERE m.attempt_id = r.attempt_id LIMIT 1) IS NULL)',
    replace: ')',
    gate: UNKNOWN,
    says: 'took it › is not sent anew when its callback came',
  },
  {
    name: 'a send of which nobody knows, sent anew at once',
    file: 'capabilities/messages.ts',
    find: 'if (isOthers || isUnknown) throw error',
    replace: 'if (isOthers) throw error',
    gate: UNKNOWN,
    says: 'took it › keeps its key until the lock is over',
  },
  {
    name: 'a passing refusal that is kept',
    file: 'capabilities/messages.ts',
    find: 'if (error.status >= 500 || error.status === 429) {',
    replace: 'if (error.status >= 500) {',
    gate: tests('integration/idempotency-answers', 'quota_exceeded lets the same request'),
    says: '● an answer that is not stored › quota_exceeded lets the same request pass when',
  },
  {
    name: 'a send that is held up, and leaves',
    file: 'capabilities/messages.ts',
    find: '  await mustBeInTime(ctx, attemptId, askedAt)\n',
    replace: '  void mustBeInTime\n',
    gate: tests('integration/idempotency-outcomes', 'a send that was held up'),
    says: '● a send that was held up for half its lock › does not leave, costs nothing, and',
  },
  {
    name: 'a credit that is not given back',
    file: 'capabilities/send-settlements.ts',
    find: 'SET credits = b.credits + 1,',
    replace: 'SET credits = b.credits,',
    gate: REFUND,
    says: '● a send that the channel refuses › gives its place in the day and its credit ba',
  },
  {
    name: 'a place in the day that is not given back',
    file: 'capabilities/send-settlements.ts',
    find: 'THEN greatest(b.used - 1, 0) ELSE b.used END',
    replace: 'THEN b.used ELSE b.used END',
    gate: REFUND,
    says: '● a send that the channel refuses › gives its place in the day and its credit ba',
  },
  {
    name: 'a place in the day that is given back twice',
    file: 'capabilities/send-settlements.ts',
    find: 'THEN greatest(b.used - 1, 0) ELSE b.used END',
    replace: 'THEN greatest(b.used - 2, 0) ELSE b.used END',
    gate: REFUND,
    says: '● a send that the channel refuses › gives its place in the day and its credit ba',
  },
  {
    name: 'a send that is counted twice',
    file: ATTEMPTS,
    find: 'used = ${USED_TODAY} + granted.places,',
    replace: 'used = ${USED_TODAY} + 2 * granted.places,',
    gate: tests('integration/send-budget', 'has one; a change counts at once'),
    says: '● the daily quota › is the project’s own where it has one; a change counts at on',
  },
  {
    name: 'credits that two services spend at the same moment',
    file: ATTEMPTS,
    find: 'EXISTS (SELECT FROM allowed)\n        FOR UPDATE\n',
    replace: 'EXISTS (SELECT FROM allowed)\n',
    gate: tests('integration/send-budget', 'that another send uses up at that very moment'),
    says: '● the credits › that another send uses up at that very moment',
  },
  {
    name: 'a window that is open a millisecond longer',
    file: ATTEMPTS,
    find: 'coalesce(found.last_inbound_at > a.since, false)',
    replace: 'coalesce(found.last_inbound_at >= a.since, false)',
    gate: tests('integration/messages', 'from the very millisecond'),
    says: 'expected outside_24h_window, got 200',
  },
  {
    name: 'a customer’s message that is taken twice',
    file: 'capabilities/inbound.ts',
    find: 'ON CONFLICT (project_id, wamid) DO NOTHING',
    replace: 'ON CONFLICT (project_id, wamid) DO UPDATE SET content = excluded.content',
    gate: tests('integration/callbacks', 'that comes 20 times'),
    says: '● a callback › that comes 20 times, one after another and at once, brings one me',
  },
]
