import { type Break, tests } from './break.ts'

const SENDING = 'integration/broadcast-sending'
const STARTS = 'capabilities/broadcast-starts.ts'

/** Broadcasts: let go by people alone, to everyone once. */
export const BROADCASTS: Break[] = [
  {
    name: 'a recipient who is sent to twice',
    file: 'capabilities/broadcast-dispatches.ts',
    find: 'SET dispatched_at = clock_timestamp(), attempt_id = f.attempt',
    replace: 'SET lease_until = now(), attempt_id = f.attempt',
    gate: tests('integration/broadcast-statuses', 'nobody is sent to twice'),
    says: '● what the channel reports of a broadcast’s messages › settles a send whose answ',
  },
  {
    name: 'a recipient who is sent to again after a crash',
    file: 'capabilities/broadcast-dispatches.ts',
    find: 'SET dispatched_at = clock_timestamp(), attempt_id = f.attempt',
    replace: 'SET attempt_id = f.attempt',
    gate: tests('e2e/crash-broadcasts', 'killed at after_send, time 10'),
    says: '● a worker that is killed at after_send, time 10 › sends to nobody twice and los',
  },
  {
    name: 'a broadcast that nobody let go',
    file: STARTS,
    find: "WHERE ((b.status = 'sending' AND b.started_at IS NULL)",
    replace: "WHERE ((b.status IN ('sending', 'pending_approval') AND b.started_at IS NULL)",
    gate: tests(SENDING, 'a broadcast that nobody has approved'),
    says: '● a broadcast that nobody has approved › is neither started nor sent',
  },
  {
    name: 'a database that holds what nobody let go',
    file: 'prisma/migrations/20261121500000_broadcasts/migration.sql',
    find: 'CONSTRAINT "broadcasts_approved_first" CHECK ("approval_digest" IS NOT NULL',
    replace: 'CONSTRAINT "broadcasts_approved_first" CHECK ("approval_digest" IS NOT NULL OR true',
    gate: tests('integration/broadcast-approvals', 'and was never approved'),
    says: '● the database › holds no broadcast that is sending and was never approved',
  },
  {
    name: 'a broadcast that starts though its template was paused',
    file: STARTS,
    find: 'const { id, project_id: project } = broadcast\n  const reason = await faultOf(tx, id)',
    replace:
      'const { id, project_id: project } = broadcast\n  const reason = (await faultOf(tx, id)) && null',
    gate: tests(SENDING, 'when its template is no longer approved at the start'),
    says: '● a broadcast that is approved › fails, with the reason',
  },
  {
    name: 'a request that can let a broadcast go',
    file: 'handlers/broadcasts.ts',
    find: "import type { Handlers } from '../core/contract.ts'\n",
    replace:
      "import '../capabilities/broadcast-approvals.ts'\nimport type { Handlers } from '../core/contract.ts'\n",
    gate: tests('unit/architecture', 'can be reached by no request'),
    says: 'capabilities/broadcast-approvals.ts',
  },
  {
    name: 'a broadcast that is another than was approved',
    file: 'capabilities/broadcast-approvals.ts',
    find: 'const found = await faultOf(tx, id)',
    replace: 'const found = (await faultOf(tx, id)) && null',
    gate: tests('integration/broadcast-approvals', 'behind its approval'),
    says: '› fails a broadcast that somebody has changed behind its approval',
  },
  {
    name: 'a wave that is released with the first',
    file: STARTS,
    find: 'coalesce(a.seq > ${waveAt}::int, false),',
    replace: '(a.seq > ${waveAt}::int) IS NULL,',
    gate: tests('integration/broadcast-statuses', 'sends the first, holds the rest'),
    says: '● a broadcast in waves › sends the first, holds the rest',
  },
  {
    name: 'marketing for one who wants none',
    file: 'capabilities/broadcast-dispatches.ts',
    find: "AND NOT k.opted_in THEN 'opted_out'",
    replace: "AND k.opted_in IS NULL THEN 'opted_out'",
    gate: tests(SENDING, 'does not reach one who has opted out'),
    says: '› does not reach one who has opted out since it started',
  },
  {
    name: 'two messages to one customer at the same moment',
    file: 'capabilities/broadcast-dispatches.ts',
    find: "WHEN under_way.yes = 1 OR just_written.yes = 1 THEN 'busy' ELSE 'go' END",
    replace: "WHEN under_way.yes = 2 OR just_written.yes = 2 THEN 'busy' ELSE 'go' END",
    gate: tests('integration/broadcast-pace', 'one customer'),
    says: '● one customer › gets no two messages within six seconds',
  },
  {
    name: 'recipients that are all gone through for the messages of some',
    file: 'capabilities/broadcast-progress.ts',
    find: '        AND r.attempt_id = ANY ($2::uuid[])\n',
    replace: '',
    gate: tests('integration/broadcast-growth'),
    says: '› whatever PostgreSQL learns of the messages meanwhile',
  },
  {
    name: 'a table whose growth nobody tells PostgreSQL of',
    file: 'capabilities/table-growth.ts',
    find: 'if (rows < NOTICED_FROM) return',
    replace: 'if (rows < Infinity) return void NOTICED_FROM',
    gate: tests('integration/broadcast-growth'),
    says: '› from the first on, though the table was small',
  },
  {
    name: 'a locked account of which is told too late',
    file: 'capabilities/broadcast-late-refusals.ts',
    find: 'if (!attempt || !refusal) continue',
    replace: 'if (!attempt || refusal !== null) continue',
    gate: tests('integration/broadcast-statuses', 'where the account is locked'),
    says: '› ends the broadcast where the account is locked',
  },
  {
    name: 'a recipient whose dispatch was lost, and who never left',
    file: 'capabilities/broadcast-attempts.ts',
    find: "return { kind: 'not_sent', leased, attemptId }",
    replace: "return null && { kind: 'not_sent', leased, attemptId }",
    gate: tests('integration/broadcast-outcomes', 'loses nobody'),
    says: '› loses nobody: each of them is sent to after all',
  },
]
