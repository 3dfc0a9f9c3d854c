import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import type { TableSession } from '../../database/table-session.ts'
import { createSessionPool, type SessionPoolOptions } from '../../database/table-session-pool.ts'

const IDLE_MS = 10_000
const WAITING_MAX_EACH = 512
const TURN_MS = 50

type Session = TableSession & { state: { isSlow: boolean; isUsable: boolean; isClosed: boolean } }
type Use = { session: Session | null; end: () => void; done: Promise<void> }

let pool: ReturnType<typeof createSessionPool>
/** All that were opened, in their order. */
let opened: Session[]

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  opened = []
  start()
})
afterEach(async () => {
  await pool.close()
  jest.useRealTimers()
})

function start(options: Partial<SessionPoolOptions> = {}): void {
  pool = createSessionPool({ most: 4, mostOfRole: 2, unshared: 2, depth: 3, ...options })
}

function sessionOf(role: string): Session {
  const state = { isSlow: false, isUsable: true, isClosed: false }
  const session: Session = {
    role,
    state,
    isSlow: () => state.isSlow,
    isUsable: () => state.isUsable,
    isBroken: () => false,
    retire: () => {},
    run: () => Promise.resolve([]),
    begin: () => Promise.resolve([]),
    close: () => Promise.resolve(void (state.isClosed = true)),
  }
  return session
}

/** Begins to use a session, until it is told to end. */
function use(role: string, { isQuick = true, open = () => Promise.resolve(sessionOf(role)) } = {}) {
  const begun: Use = { session: null, end: () => {}, done: Promise.resolve() }
  const ended = new Promise<void>((resolve) => (begun.end = resolve))
  const wish = {
    role,
    isQuick,
    open: async () => {
      const session = await open()
      opened.push(session)
      return session
    },
  }
  begun.done = pool.use(wish, (session) => {
    begun.session = session as Session
    return ended
  })
  begun.done.catch(() => {})
  return begun
}

const settled = () => new Promise(setImmediate)
async function using(...asked: Parameters<typeof use>): Promise<Use> {
  const begun = use(...asked)
  await settled()
  return begun
}
async function end(begun: Use): Promise<void> {
  begun.end()
  await begun.done
  await settled()
}

describe('a session', () => {
  it('is one of few of its role, and whoever comes then waits for one of them', async () => {
    const [first] = [await using('a', { isQuick: false }), await using('a', { isQuick: false })]
    const third = await using('a', { isQuick: false })
    expect([opened.length, third.session]).toEqual([2, null])
    expect((await using('b')).session?.role).toBe('b')
    await end(first)
    expect(third.session).toBe(first.session)
    expect(opened).toHaveLength(3)
  })

  it('is given to whoever waits longest for one of its role', async () => {
    start({ mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const waiting = [await using('a', { isQuick: false }), await using('a', { isQuick: false })]
    await end(first)
    expect(waiting.map(({ session }) => session)).toEqual([first.session, null])
    await end(waiting[0]!)
    expect(waiting[1]?.session).toBe(first.session)
  })

  it('is shared by quick statements once there are some of its role, by so many and evenly', async () => {
    const uses: Use[] = []
    const sharing = () => opened.map((one) => uses.filter(({ session }) => session === one).length)
    for (let n = 0; n < 4; n++) uses.push(await using('a'))
    expect(sharing()).toEqual([2, 2])
    for (let n = 0; n < 3; n++) uses.push(await using('a'))
    expect(sharing()).toEqual([3, 3])
    expect(uses[6]?.session).toBeNull()
  })

  it.each<[string, (session: Session) => void, boolean]>([
    ['with a slow one', (session) => void (session.state.isSlow = true), true],
    ['that is spent', (session) => void (session.state.isUsable = false), true],
    ['by one that nobody knows to be quick', () => {}, false],
  ])('is not shared %s', async (_how, change, isQuick) => {
    start({ mostOfRole: 1, unshared: 1 })
    const first = await using('a')
    change(first.session!)
    const second = await using('a', { isQuick })
    expect(second.session).toBeNull()
    await end(first)
    expect(second.session).not.toBeNull()
  })

  it('is shared with none that nobody knows to be quick, also where a quick one had it before', async () => {
    start({ mostOfRole: 1, unshared: 1 })
    const first = await using('a', { isQuick: false })
    const early = await using('a')
    expect(early.session).toBeNull()
    await end(first)
    await end(early)
    const unknown = await using('a', { isQuick: false })
    const quick = await using('a')
    expect(quick.session).toBeNull()
    await end(unknown)
    const next = await using('a')
    expect([quick.session, next.session]).toEqual([opened[0], opened[0]])
  })

  it('is left by its own role to fall idle when another one waits that has none', async () => {
    start({ most: 2 })
    const [first, second] = [await using('a'), await using('a')]
    const other = await using('b')
    jest.advanceTimersByTime(TURN_MS)
    const late = await using('a')
    expect([other.session, late.session]).toEqual([null, null])
    await end(first)
    expect(other.session?.role).toBe('b')
    expect(late.session).toBe(second.session)
    expect(first.session?.state.isClosed).toBe(true)
  })

  it('is shared for a while after its login, though another role waits that has none', async () => {
    start({ most: 1, mostOfRole: 1, unshared: 1 })
    const first = await using('a')
    const other = await using('b')
    jest.advanceTimersByTime(TURN_MS - 1)
    const early = await using('a')
    jest.advanceTimersByTime(1)
    const late = await using('a')
    expect([other, early, late].map(({ session }) => session?.role)).toEqual([
      ...[undefined, 'a', undefined],
    ])
    await end(first)
    await end(early)
    expect([other.session?.role, late.session]).toEqual(['b', null])
    await end(other)
    expect(late.session?.role).toBe('a')
  })

  it('is shared though others wait that have one of their own, or while there is room', async () => {
    start({ most: 3, mostOfRole: 2, unshared: 1, depth: 2 })
    await using('b', { isQuick: false })
    const first = await using('a')
    const alone = await using('a', { isQuick: false })
    await using('b', { isQuick: false })
    const second = await using('a')
    expect(second.session).toBe(first.session)
    expect(alone.session).not.toBe(first.session)
  })

  it('makes room for another role when it is idle, the longest idle first', async () => {
    start({ most: 3, mostOfRole: 3, unshared: 3 })
    const uses = [await using('a'), await using('a'), await using('a')]
    const [kept, oldest, latest] = uses as [Use, Use, Use]
    await end(oldest)
    jest.advanceTimersByTime(1)
    await end(latest)
    const other = await using('b')
    expect(other.session?.role).toBe('b')
    const closed = [kept, oldest, latest].map(({ session }) => session?.state.isClosed)
    expect(closed).toEqual([false, true, false])
    const another = await using('b', { isQuick: false })
    expect([another.session?.role, latest.session?.state.isClosed]).toEqual(['b', true])
    expect((await using('c')).session).toBeNull()
  })

  it('is not taken from a role that still uses it by one that can share what it has', async () => {
    start({ most: 3, mostOfRole: 2, unshared: 2 })
    for (const role of ['a', 'b', 'c']) await end(await using(role))
    const first = await using('a')
    const second = await using('a')
    expect(second.session).toBe(first.session)
    expect(opened).toHaveLength(3)
    const alone = await using('a', { isQuick: false })
    expect([alone.session?.role, opened.length]).toEqual(['a', 4])
  })

  it('is not taken from a role that still uses it by one whose own is just being opened', async () => {
    start({ most: 3, mostOfRole: 2, unshared: 2 })
    for (const role of ['b', 'c']) await end(await using(role))
    let resolve = (_: Session) => {}
    const open = () => new Promise<Session>((resolved) => (resolve = resolved))
    const first = await using('a', { open })
    const second = await using('a')
    expect([first.session, second.session, opened.length]).toEqual([null, null, 2])
    resolve(sessionOf('a'))
    await settled()
    expect([second.session, opened.length]).toEqual([first.session, 3])
  })

  it('is not taken from a role that still uses it by one for which there is only no place yet', async () => {
    start({ most: 3, mostOfRole: 2, unshared: 2, depth: 2 })
    for (const role of ['a', 'b', 'c']) await end(await using(role))
    const uses = [await using('a'), await using('a'), await using('a')]
    expect([uses[2]?.session, opened.length]).toEqual([null, 3])
    await end(uses[0]!)
    expect([uses[2]?.session, opened.length]).toEqual([uses[1]?.session, 3])
  })

  it('is taken by one that could share once its own role has not used it for a second', async () => {
    start({ most: 2, mostOfRole: 2, unshared: 2 })
    for (const role of ['a', 'b']) await end(await using(role))
    jest.advanceTimersByTime(1_001)
    const first = await using('a')
    const second = await using('a')
    expect([second.session, opened.length]).toEqual([opened[2], 3])
    expect(first.session).toBe(opened[0])
  })

  it('that is spent is closed when the last of those who share it has done, and not before', async () => {
    start({ unshared: 1 })
    const uses = [await using('a'), await using('a')]
    expect(opened).toHaveLength(1)
    opened[0]!.state.isUsable = false
    await end(uses[0]!)
    expect(opened[0]?.state.isClosed).toBe(false)
    await end(uses[1]!)
    expect(opened[0]?.state.isClosed).toBe(true)
  })

  it('that ends while it is idle leaves its room to the next', async () => {
    start({ mostOfRole: 1 })
    const first = await using('a')
    await end(first)
    first.session!.state.isUsable = false
    const second = await using('a')
    expect([second.session, opened.length]).toEqual([opened[1], 2])
    expect(first.session?.state.isClosed).toBe(true)
  })

  it('is closed once it has been idle for a while, and counts as idle from its last use on', async () => {
    const first = await using('a')
    await end(first)
    jest.advanceTimersByTime(IDLE_MS)
    await end(await using('a'))
    expect(opened).toHaveLength(1)
    jest.advanceTimersByTime(IDLE_MS)
    expect(opened[0]?.state.isClosed).toBe(false)
    jest.advanceTimersByTime(IDLE_MS)
    expect(opened[0]?.state.isClosed).toBe(true)
  })

  it('that cannot be opened leaves its room to the next', async () => {
    start({ most: 1, mostOfRole: 1 })
    let refuse = (_: Error) => {}
    const refused = new Promise<Session>((_, reject) => (refuse = reject))
    const first = await using('a', { open: () => refused })
    const second = await using('b')
    expect(second.session).toBeNull()
    refuse(new Error('No such database'))
    await expect(first.done).rejects.toThrow('No such database')
    await settled()
    expect(second.session?.role).toBe('b')
  })
})

describe('whoever waits for a session', () => {
  const busy = { code: 'server_error', message: expect.stringContaining('busy') }

  it('is refused when none becomes free in time, and has no session then', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const hasty = await using('a', { isQuick: false })
    jest.advanceTimersByTime(LIMITS.tableConnectionWaitMs - 1)
    const patient = await using('a', { isQuick: false })
    jest.advanceTimersByTime(1)
    await expect(hasty.done).rejects.toMatchObject({ ...busy, retryAfterS: 1 })
    await end(first)
    expect([hasty.session, patient.session]).toEqual([null, first.session])
    jest.advanceTimersByTime(LIMITS.tableConnectionWaitMs)
    await end(patient)
  })

  it('keeps its place when the time is up in which one before it has found a session', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const second = await using('a', { isQuick: false })
    jest.advanceTimersByTime(LIMITS.tableConnectionWaitMs / 2)
    await end(first)
    const third = await using('a', { isQuick: false })
    jest.advanceTimersByTime(LIMITS.tableConnectionWaitMs / 2)
    await end(second)
    expect(third.session).toBe(first.session)
  })

  it('is refused at once when too many wait', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const all = ['a', 'b'].map((role) =>
      Array.from({ length: WAITING_MAX_EACH }, () => use(role, { isQuick: false })),
    )
    await expect(use('c').done).rejects.toMatchObject(busy)
    await end(first)
    expect(all[0]?.[0]?.session).toBe(first.session)
    const next = await using('c')
    expect(next.session).toBeNull()
  })

  it('is refused at once when too many of its own role wait, and those of others are not', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const half = WAITING_MAX_EACH / 2
    for (const isQuick of [true, false]) for (let n = 0; n < half; n++) use('a', { isQuick })
    await expect(use('a').done).rejects.toMatchObject(busy)
    const other = await using('b')
    await end(first)
    expect(other.session).toBeNull()
  })

  it('has its turn when it has waited longest, whoever else waits for the same', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a', { isQuick: false })
    const waiting: Use[] = []
    for (const role of ['b', 'a', 'b', 'c']) waiting.push(await using(role, { isQuick: false }))
    const served: (string | undefined)[] = []
    for (let last = first; last; last = waiting.find(({ session }) => session)!) {
      await end(last)
      waiting.splice(waiting.indexOf(last), last === first ? 0 : 1)
      served.push(waiting.find(({ session }) => session)?.session?.role)
    }
    expect(served).toEqual(['b', 'a', 'b', 'c', undefined])
  })

  it('is refused when all sessions are closed, at the end of the process', async () => {
    start({ most: 1, mostOfRole: 1 })
    const first = await using('a')
    const waiting = await using('b')
    await pool.close()
    await expect(waiting.done).rejects.toMatchObject(busy)
    await expect(use('a').done).rejects.toMatchObject(busy)
    expect(first.session?.state.isClosed).toBe(true)
  })
})

it('a session that is open only once all are closed is closed after its use', async () => {
  let answer = (_: Session) => {}
  const opening = new Promise<Session>((resolve) => (answer = resolve))
  const late = await using('a', { open: () => opening })
  await pool.close()
  answer(sessionOf('a'))
  await settled()
  await end(late)
  expect(late.session?.state.isClosed).toBe(true)
})

it('nothing is left to do once all sessions are closed', async () => {
  await end(await using('a'))
  await pool.close()
  expect(jest.getTimerCount()).toBe(0)
})
