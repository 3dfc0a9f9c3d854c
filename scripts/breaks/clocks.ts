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
