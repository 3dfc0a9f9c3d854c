import { type Break, tests } from './break.ts'

/** One clock that leaps, and what is swept now and then. */
export const CLOCKS: Break[] = [
  {
    name: 'a clock that is ahead, by which what is young is deleted',
    file: 'capabilities/retention.ts',
    find: "`${agreedNow('$1')} - $2::interval`",
    replace: '`$1::timestamptz - $2::interval`',
    gate: tests('integration/retention'),
    says: '● a worker whose clock is days ahead deletes nothing that is young',
  },
  {
    name: 'a broadcast that a clock which is ahead starts early',
    file: 'capabilities/broadcast-starts.ts',
    find: "b.scheduled_at <= ${agreedNow('$1')})",
    replace: 'b.scheduled_at <= $1)',
    gate: tests('integration/broadcast-clocks', 'a broadcast before its time'),
    says: '● a worker whose clock is ahead › does not start a broadcast before its time',
  },
  {
    name: 'templates that a clock which is ahead fetches as of tomorrow',
    file: 'capabilities/template-sync.ts',
    find: 'const startedAt = await askAgreedNow(ctx.sql, ctx.now())',
    replace: 'const startedAt = (await askAgreedNow(ctx.sql, ctx.now())) && ctx.now()',
    gate: tests('integration/template-sync', 'a worker whose clock is a day ahead'),
    says: '● a worker whose clock is a day ahead › does not forget what was said of a template',
  },
  {
    name: 'a turn to fetch templates that a clock which is ahead keeps until tomorrow',
    file: 'capabilities/template-sync.ts',
    find: "SELECT p.id, ${agreedNow('$1')} FROM projects p",
    replace: 'SELECT p.id, $1::timestamptz FROM projects p',
    gate: tests('integration/template-sync', 'a worker whose clock is a day ahead'),
    says: '● a worker whose clock is a day ahead › fetches once, and keeps nobody',
  },
  {
    name: 'a turn to fetch flows that a clock of tomorrow has left',
    file: 'capabilities/flow-sync.ts',
    find: ' OR ${isLeapt(startedAt)})`',
    replace: ' OR (${isLeapt(startedAt)} AND false))`',
    gate: tests('integration/flow-sync', 'a clock of tomorrow'),
    says: '● an instant that a clock of tomorrow has left › puts off no round',
  },
  {
    name: 'an instant of tomorrow, beside which what the channel says is old',
    file: 'core/sql.ts',
    find: 'CASE WHEN ${isLeapt(column)} THEN NULL ELSE ${column} END',
    replace: 'CASE WHEN false THEN NULL ELSE ${column} END',
    gate: tests('integration/template-sync', 'a clock of tomorrow'),
    says: '● an instant that a clock of tomorrow has left › keeps neither callbacks nor listings',
  },
  {
    name: 'jobs that nobody finds once a clock has leapt',
    file: 'jobs/scheduler.ts',
    find: '  await putJobsBack(ctx, jobs)\n',
    replace: '',
    gate: tests('integration/scheduler', 'are due again at the start'),
    says: 'has put off, or locked › are due again at the start, put off',
  },
  {
    name: 'a project in whose way another one’s parked statuses are',
    file: 'capabilities/parked-statuses.ts',
    find: '    failed.add(projectId)\n',
    replace: '    throw error\n',
    gate: tests('integration/parked-statuses', 'of another project cannot be'),
    says: '● statuses that were left parked › are applied though those of another project',
  },
]
