import { type Break, tests } from './break.ts'

const POOL = 'database/table-session-pool.ts'
const UNIT = tests('unit/table-session-pool')

/** How projects share the connections to their tables. */
export const SESSIONS: Break[] = [
  {
    name: 'the room of a session that could not be opened',
    file: POOL,
    find: 'slots.delete(slot)\n      line.admit()',
    replace: 'line.admit()',
    gate: UNIT,
    says: '● a session › that cannot be opened leaves its room to the next',
  },
  {
    name: 'somebody who waits for a session in vain, and is given one later',
    file: POOL,
    find: '        leave()\n        reject(tablesBusy())',
    replace: '        reject(tablesBusy())',
    gate: UNIT,
    says: '● whoever waits for a session › is refused when none becomes free in time',
  },
  {
    name: 'a session of one role that another takes, although it can share its own',
    file: POOL,
    find: 'isSoonFree ? IN_USE_MS : 0',
    replace: 'isSoonFree ? 0 : 0',
    gate: UNIT,
    says: '› is not taken from a role that still uses it by one that can share what it has',
  },
  {
    name: 'a session that falls idle after its first statement wherever others wait',
    file: POOL,
    find: 'hasTurn(shared) || !isInTheWay()',
    replace: '(hasTurn(shared) && !isInTheWay()) || !isInTheWay()',
    gate: UNIT,
    says: '● a session › is shared for a while after its login',
  },
  {
    name: 'somebody who waits for a session behind all who came later',
    file: 'database/session-line.ts',
    find: 'one.number - other.number',
    replace: 'other.number - one.number',
    gate: UNIT,
    says: '● whoever waits for a session › has its turn when it has waited longest',
  },
  {
    name: 'a project that keeps all others from waiting',
    file: 'database/session-line.ts',
    find: '>= WAITING_MAX_EACH',
    replace: '>= WAITING_MAX + WAITING_MAX_EACH',
    gate: UNIT,
    says: '● whoever waits for a session › is refused at once when too many of its own role wait',
  },
]
