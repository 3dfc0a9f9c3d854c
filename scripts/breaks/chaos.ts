import { type Break, tests } from './break.ts'

const KEYS = 'npm run chaos -- idempotency --keys 60 --kills 6 --seed 20261122'
const EVENTS = 'npm run chaos -- webhooks --events 240 --kills 4 --seed 20261122'
const RECIPIENTS = 'npm run chaos -- broadcasts --recipients 400 --kills 6 --seed 20261122'
const MESSAGES = 'npm run chaos -- bots --messages 60 --kills 3 --seed 20261123'

/** Servers that are killed, and the figures that must hold all the same. */
export const CHAOS: Break[] = [
  {
    name: 'a key that is sent twice among killed servers',
    file: 'capabilities/messages/idempotency.ts',
    find: 'r.status IS NULL AND NOT (${LOCK_HOLDS}) AND r.fingerprint',
    replace: 'r.status IS NULL AND r.fingerprint',
    gate: KEYS,
    says: /keys sent more than once .* BROKEN/,
  },
  {
    name: 'an event that is lost among killed servers',
    file: 'capabilities/webhooks/delivery-schedule.ts',
    find: "if (isSuccess) return { status: 'delivered', nextAttemptAt: null }",
    replace: "if (isSuccess || random() < 0.5) return { status: 'delivered', nextAttemptAt: null }",
    gate: EVENTS,
    says: /lost: neither taken nor failed five times .* BROKEN/,
  },
  {
    name: 'a recipient whose message nobody knows among killed workers',
    file: 'capabilities/broadcasts/broadcast-dispatches.ts',
    find: 'SET dispatched_at = clock_timestamp(), attempt_id = f.attempt',
    replace: 'SET dispatched_at = clock_timestamp(), attempt_id = gen_random_uuid()',
    gate: RECIPIENTS,
    says: /taken by the channel and not counted as sent .* BROKEN/,
  },
  {
    name: 'a message that is taken for another among killed servers',
    file: 'capabilities/bots/bot-calls.ts',
    find: 'const key = `bot run ${run.id} ${name}`',
    replace: 'const key = `bot run ${run.id.length} ${name}`',
    gate: MESSAGES,
    says: /messages answered .* BROKEN/,
  },
  {
    name: 'a medium whose bytes a sweep has',
    file: 'capabilities/media/loose-bytes.ts',
    find: "WHERE store_key = $1 AND NOT is_given_up RETURNING 1'",
    replace: "WHERE store_key = $1 RETURNING 1'",
    gate: tests('integration/loose-bytes', 'while a sweep is about to remove them'),
    says: '● bytes that are being stored › become no medium while a sweep is about to remove them',
  },
  {
    name: 'a server that ends with its database',
    file: 'database/pool.ts',
    find: "  pool.on('connect', (client) => void client.on('error', unheard))\n",
    replace: '  void unheard\n',
    gate: tests('integration/lost-connections', 'between two statements'),
    says: '● Test suite failed to run',
  },
  {
    name: 'a transaction whose first statement stands outside of it',
    file: 'database/rows-query.ts',
    find: 'return submit(client, statement, values, true)',
    replace: 'return submit(client, statement, values, false)',
    gate: tests('integration/transactions'),
    says: '● a transaction › leaves nothing of its first statement',
  },
  {
    name: 'statements that are sent together and committed one by one',
    file: 'database/rows-query.ts',
    find: '{ describe: ignored, sync: ignored }',
    replace: '{ describe: ignored }',
    gate: tests('integration/rows-query', 'sent together'),
    says: '● statements that are sent together › take effect all or not at all',
  },
  {
    name: 'a command that fails because another has just stopped the database',
    file: 'database/open.ts',
    find: 'if (await isAlone(client).catch(() => false)) await stop()',
    replace: 'if (await isAlone(client)) await stop()',
    gate: tests('e2e/database-open'),
    says: '● the end of the last processes on an embedded database › fails for none of those',
  },
  {
    name: 'a database that has vanished, and is waited for',
    file: 'database/pool.ts',
    find: 'socketOf(client).setTimeout(silenceMs)',
    replace: 'socketOf(client).setTimeout(silenceMs * 1_000)',
    gate: tests('integration/lost-connections', 'at once, and is not lent out again'),
    says: '● a connection whose host has vanished without a word › fails the transaction under way',
  },
  {
    name: 'a database that has vanished after a long statement, and is waited for',
    file: 'database/pool.ts',
    find: 'socketOf(client).setTimeout(allowsMs + silenceMs)',
    replace: 'socketOf(client).setTimeout(allowsMs * 1_000 + silenceMs)',
    gate: tests('integration/lost-connections', 'no later than a while after what'),
    says: '● a connection whose host has vanished without a word › is given up no later than a while',
  },
  {
    name: 'work that is told of before it is there',
    file: 'database/pool.ts',
    find: 'announce: (made) => void ready.add(made),',
    replace: 'announce: (made) => void announced.emit(made),',
    gate: tests('integration/transactions', 'is told of once it is committed'),
    says: '● work that a transaction makes › is told of once it is committed, and never when',
  },
  {
    name: 'a connection that listens to nobody any more, and is kept',
    file: 'database/listener.ts',
    find: 'running.catch(lose)',
    replace: 'running.catch(() => {})',
    gate: tests('integration/credential-changes', 'is made anew when it answers'),
    says: '● a connection that listens for changes › is made anew when it answers no more',
  },
]
