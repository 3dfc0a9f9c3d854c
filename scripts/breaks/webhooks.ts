import { type Break, tests } from './break.ts'

const SETTLEMENTS = 'capabilities/delivery-settlements.ts'
const LEASE = tests('integration/delivery-workers', 'a lease')
const STANDING = 'integration/deliveries-standing'

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
    file: 'capabilities/delivery-rows.ts',
    find: '\n        AND (w.lease_until IS NULL OR w.lease_until <= now())',
    replace: '',
    gate: LEASE,
    says: '● a lease › keeps everybody else away',
  },
  {
    name: 'a result of an earlier life',
    file: SETTLEMENTS,
    find: 'ON w.id = l.webhook_id AND w.fence = l.fence AND w.epoch = l.epoch',
    replace: 'ON w.id = l.webhook_id AND w.fence = l.fence',
    gate: tests(STANDING, 'ignores what comes of attempts'),
    says: '● ',
  },
  {
    name: 'an attempt that is counted twice',
    file: SETTLEMENTS,
    find: '\n      AND d.attempts = o.attempts AND d.epoch = lane.epoch',
    replace: '\n      AND d.epoch = lane.epoch',
    gate: tests('integration/delivery-workers', 'an outcome counts once'),
    says: '● ',
  },
  {
    name: 'a signature over other bytes than are sent',
    file: 'capabilities/delivery-attempts.ts',
    find: 'signatureHeaders(endpoint.keys, { id: told.id, body, at })',
    replace: 'signatureHeaders(endpoint.keys, { id: told.id, body: told.data, at })',
    gate: tests('integration/deliveries', 'is signed as its receivers check it'),
    says: '● ',
  },
  {
    name: 'a signature that leaves out the time',
    file: 'capabilities/webhook-signature.ts',
    find: 'update(`${t}.${body}`)',
    replace: 'update(body)',
    gate: tests('unit/webhook-signature'),
    says: '● ',
  },
  {
    name: 'a sixth attempt',
    file: 'capabilities/delivery-schedule.ts',
    find: 'const delayMs = delaysMs[attemptsBefore]',
    replace: 'const delayMs = delaysMs[Math.max(0, attemptsBefore - 1)]',
    gate: tests('integration/deliveries', 'is tried five times in all'),
    says: '● ',
  },
  {
    name: 'an eleventh failure in a row',
    file: 'capabilities/delivery-schedule.ts',
    find: 'isDisabled: count >= LIMITS.failedEventsInRow',
    replace: 'isDisabled: count > LIMITS.failedEventsInRow',
    gate: tests(STANDING, 'is turned off by exactly ten'),
    says: '● ',
  },
  {
    name: 'an attempt for a registration that is off',
    file: 'capabilities/delivery-dispatcher.ts',
    find: 'if (!endpoint?.isActive || endpoint.epoch !== lane.epoch || lane.isOver) return null',
    replace: 'if (!endpoint) return null',
    gate: tests(STANDING, 'while 100 events are due'),
    says: '● ',
  },
  {
    name: 'an attempt that outlives its lease',
    file: 'capabilities/delivery-lanes.ts',
    find: 'const due = lane.leaseUntil < endsAt ? null : take(lane)',
    replace: 'const due = lane.leaseUntil < 0 ? null : take(lane)',
    gate: tests('unit/delivery-lanes', 'begin nothing of a lease'),
    says: '● begin nothing of a lease',
  },
]
