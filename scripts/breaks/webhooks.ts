import { type Break, tests } from './break.ts'

const SETTLEMENTS = 'capabilities/webhooks/delivery-settlements.ts'
const LEASE = tests('integration/delivery-workers', 'a lease')
const STANDING = 'integration/deliveries-standing'

/** Each of the two would do: the registration is looked at, and then changed. */
const LIFE = `ON w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch
   ), webhook AS (
     UPDATE webhooks w
        SET failure_count = coalesce(l.failure_count, w.failure_count),
            last_triggered_at = greatest(w.last_triggered_at, l.triggered_at),
            is_active = w.is_active AND coalesce(l.failure_count < $6, true),
            epoch = w.epoch + coalesce(l.failure_count >= $6, false)::int,
            updated_at = CASE WHEN l.failure_count >= $6 THEN $7 ELSE w.updated_at END
       FROM lane l
      WHERE w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch`

/** Webhooks: signed, in order, tried five times at most, by one worker at a time. */
export const WEBHOOKS: Break[] = [
  {
    name: 'a result that is written without its fence',
    file: SETTLEMENTS,
    find: 'ON w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch',
    replace: 'ON w.id = l.webhook_id AND w.epoch = l.epoch',
    gate: LEASE,
    says: '● a lease › that was lost makes',
  },
  {
    name: 'a registration that two workers deliver to',
    file: 'capabilities/webhooks/delivery-rows.ts',
    find: '\n        AND (w.lease_until IS NULL OR w.lease_until <= now())',
    replace: '',
    gate: LEASE,
    says: '● a lease › keeps everybody else away',
  },
  {
    name: 'a result of an earlier life',
    file: SETTLEMENTS,
    find: LIFE,
    replace: LIFE.replaceAll(' AND w.epoch = l.epoch', ''),
    gate: tests(STANDING, 'by the failures of a life before'),
    says: '› is not turned off by the failures of a life before',
  },
  {
    name: 'an attempt that is counted twice',
    file: SETTLEMENTS,
    find: '\n      AND d.attempts = o.attempts AND d.epoch = lane.epoch',
    replace: '\n      AND d.epoch = lane.epoch',
    gate: tests('integration/delivery-workers', 'an outcome counts once'),
    says: '● an outcome › counts once, though its writer never heard that it was written, a',
  },
  {
    name: 'a signature over other bytes than are sent',
    file: 'capabilities/webhooks/delivery-attempts.ts',
    find: 'signatureHeaders(endpoint.keys, { id: told.id, body, at })',
    replace: 'signatureHeaders(endpoint.keys, { id: told.id, body: told.data, at })',
    gate: tests('integration/deliveries', 'is signed as its receivers check it'),
    says: '● an event › is signed as its receivers check it',
  },
  {
    name: 'a signature that leaves out the time',
    file: 'capabilities/webhooks/webhook-signature.ts',
    find: 'update(`${t}.${body}`)',
    replace: 'update(body)',
    gate: tests('unit/webhook-signature'),
    says: '› are those that OpenSSL computes',
  },
  {
    name: 'a sixth attempt',
    file: 'capabilities/webhooks/delivery-schedule.ts',
    find: 'const delayMs = delaysMs[attemptsBefore]',
    replace: 'const delayMs = delaysMs[Math.max(0, attemptsBefore - 1)]',
    gate: tests('integration/deliveries', 'is tried five times in all'),
    says: '● a delivery that fails › is tried five times in all',
  },
  {
    name: 'an eleventh failure in a row',
    file: 'capabilities/webhooks/delivery-schedule.ts',
    find: 'isDisabled: count >= LIMITS.failedEventsInRow',
    replace: 'isDisabled: count > LIMITS.failedEventsInRow',
    gate: tests('unit/delivery-schedule', 'counts what is dropped'),
    says: '● a registration › counts what is dropped',
  },
  {
    name: 'a count of failures that its owner has set anew, written over',
    file: SETTLEMENTS,
    find: '\n        AND (l.failure_count IS NULL OR w.failure_count IN (l.known_count, l.failure_count))',
    replace: '',
    gate: tests(STANDING, 'starts its count over'),
    says: '● a registration › that is active starts its count over',
  },
  {
    name: 'an attempt for a registration that is off',
    file: 'capabilities/webhooks/delivery-dispatcher.ts',
    find: 'if (!endpoint?.isActive || endpoint.epoch !== lane.epoch || lane.isOver) return null',
    replace: 'if (!endpoint) return null',
    gate: tests(STANDING, 'while 100 events are due'),
    says: 'while 100 events are due begins no attempt after the answer',
  },
  {
    name: 'an attempt that outlives its lease',
    file: 'capabilities/webhooks/delivery-lanes.ts',
    find: 'const due = lane.leaseUntil < endsAt ? null : take(lane)',
    replace: 'const due = lane.leaseUntil < 0 ? null : take(lane)',
    gate: tests('unit/delivery-lanes', 'begin nothing of a lease'),
    says: '● the lanes › begin nothing of a lease',
  },
  {
    name: 'a relay that is dead and has the memory of those that answer',
    file: 'capabilities/webhooks/delivery-holding.ts',
    find: '{ count: LIMITS.deliveriesHeldShare, bytes: LIMITS.deliveriesHeldBytesShare }',
    replace:
      '{ count: LIMITS.deliveriesHeldPerWebhook, bytes: LIMITS.deliveriesHeldBytesPerWebhook }',
    gate: tests('unit/delivery-lanes', 'hold little of what waits'),
    says: '● the lanes › hold little of what waits for a relay that is dead',
  },
  {
    name: 'what hangs keeping others from their turn',
    file: 'capabilities/webhooks/delivery-lanes.ts',
    find: '[...lanes.values()].filter(({ isOver }) => !isOver).length',
    replace: 'lanes.size',
    gate: tests('integration/delivery-shares', 'lets others have a turn'),
    says: '● lets others have a turn',
  },
  {
    name: 'a lease that is given back by whom it was lost to',
    file: 'capabilities/webhooks/delivery-rows.ts',
    find: 'WHERE w.id = l.webhook_id AND w.fence = l.fence AND w.id = ANY',
    replace: 'WHERE w.id = l.webhook_id AND w.id = ANY',
    gate: tests('integration/delivery-workers', 'another one’s by now'),
    says: '● a lease › that is another one’s by now is neither prolonged nor given back',
  },
  {
    name: 'another address for an event that was added at the same moment',
    file: 'capabilities/webhooks/webhooks.ts',
    find: '    mustBeAllowed(await read(ctx, tx, id, lockOne))\n',
    replace: '    await read(ctx, tx, id, lockOne)\n',
    gate: tests('integration/webhooks-scopes', 'that another change adds at the same moment'),
    says: 'expected insufficient_scope, got 200',
  },
  {
    name: 'a webhook whose deletion a deadlock ends',
    file: 'capabilities/webhooks/delivery-orphans.ts',
    find: 'await pastConflicts(() => ctx.sql.rows(cancelOne, [ctx.now(), webhookId]))',
    replace: 'await (pastConflicts && ctx.sql.rows(cancelOne, [ctx.now(), webhookId]))',
    gate: tests('integration/webhook-locks', 'is deleted'),
    says: '› is deleted all the same when PostgreSQL ends one of the two',
  },
  {
    name: 'a conversation that holds up all others of a webhook',
    file: 'capabilities/webhooks/delivery-holding.ts',
    find: '  return { ...SHARE, past: [...held.subjects] }\n',
    replace: '  return null\n',
    gate: tests('integration/delivery-order', 'hundreds waiting'),
    says: '● the events of one registration › of a subject with hundreds waiting hold up none of the others',
  },
]
