import { LIMITS } from '../core/limits.ts'
import { tablesBusy } from '../core/table-errors.ts'
import { createSessionLine } from './session-line.ts'
import type { TableSession } from './table-session.ts'

const IDLE_MS = 10_000
/** A role that had a session this recently is taken to need it again soon; to log in once more costs it milliseconds. */
const IN_USE_MS = 1_000
/** How long a new session may be shared although other roles wait: a login takes a fifth of it. */
const TURN_MS = 50
const SWEEP_MS = 5_000

export type SessionPoolOptions = {
  most: number
  mostOfRole: number
  /** How many sessions of a role are opened before statements share one. */
  unshared: number
  /** How many statements share a session, as long as all of them are quick. */
  depth: number
}

/** A request for a session; a slow or unknown statement wants one for itself. */
export type Wish = { role: string; isQuick: boolean; open: () => Promise<TableSession> }

/** `users` counts from the moment of the choice, before the first statement is sent. */
type Slot = {
  role: string
  session: TableSession | null
  users: number
  isShared: boolean
  openedAt: number
  freeAt: number
}

/**
 * Sessions of many roles within one limit. Each role's own limit is smaller, so that one project's slow
 * statements leave room for the others; the longest waiting request is served first.
 */
export function createSessionPool(options: SessionPoolOptions) {
  const slots = new Set<Slot>()
  const line = createSessionLine()
  let closed = false

  const drop = (slot: Slot) => {
    slots.delete(slot)
    // A session that cannot be closed properly has ended already.
    slot.session?.close().catch(() => {})
  }
  const tidy = () => {
    const now = performance.now()
    for (const slot of slots) {
      if (slot.users > 0) continue
      if (!slot.session?.isUsable() || now - slot.freeAt > IDLE_MS) drop(slot)
    }
  }
  const sweeper = setInterval(tidy, SWEEP_MS).unref()

  /** Whether another role waits for a session while this role's sessions never become idle. */
  const isInTheWay = () =>
    !line.isEmpty() &&
    slots.size >= options.most &&
    line.hasOtherThan(new Set([...slots].map(({ role }) => role)))

  const hasTurn = ({ openedAt }: Slot) => performance.now() < openedAt + TURN_MS

  /** A session that can take a statement now, or room for a new one, or nothing. */
  const find = ({ role, isQuick }: Wish): Slot | 'room' | null => {
    tidy()
    let opened = 0
    /** Whether one that it can share will soon have a place. */
    let isSoonFree = false
    let shared: Slot | null = null
    for (const slot of slots) {
      if (slot.role !== role) continue
      opened++
      isSoonFree ||= slot.session === null
      if (!slot.session?.isUsable()) continue
      if (slot.users === 0) return slot
      if (!slot.isShared || slot.session.isSlow()) continue
      isSoonFree = true
      if (slot.users < (shared?.users ?? options.depth)) shared = slot
    }
    const mayShare = isQuick && shared !== null && (hasTurn(shared) || !isInTheWay())
    if (mayShare && opened >= options.unshared) return shared
    // One that can share, or soon will, costs no other role the session which that is using.
    const idleForMs = isQuick && isSoonFree ? IN_USE_MS : 0
    if (opened < options.mostOfRole && makeRoom(idleForMs)) return 'room'
    return mayShare ? shared : null
  }
  const makeRoom = (idleForMs: number): boolean => {
    if (slots.size < options.most) return true
    const idleSince = performance.now() - idleForMs
    const [idle] = [...slots]
      .filter(({ users, freeAt }) => users === 0 && freeAt <= idleSince)
      .sort((one, other) => one.freeAt - other.freeAt)
    if (idle) drop(idle)
    return idle !== undefined
  }

  const enter = async ({ role, isQuick, open }: Wish, found: Slot | 'room'): Promise<Slot> => {
    if (found !== 'room') {
      if (found.users === 0) found.isShared = isQuick
      found.users++
      return found
    }
    const slot: Slot = {
      role,
      session: null,
      users: 1,
      isShared: isQuick,
      openedAt: 0,
      freeAt: 0,
    }
    slots.add(slot)
    try {
      slot.session = await open()
      slot.openedAt = performance.now()
      line.admit()
      return slot
    } catch (error) {
      slots.delete(slot)
      line.admit()
      throw error
    }
  }

  const acquire = (wish: Wish): Promise<Slot> => {
    const { role, isQuick } = wish
    if (closed || line.isFullFor(role)) return Promise.reject(tablesBusy())
    const free = find(wish)
    if (free) return enter(wish, free)
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        clearTimeout(timer)
        reject(error)
      }
      const admit = () => {
        const found = find(wish)
        if (!found) return false
        clearTimeout(timer)
        enter(wish, found).then(resolve, reject)
        return true
      }
      const leave = line.enter({ role, isQuick, admit, fail })
      const timer = setTimeout(() => {
        leave()
        reject(tablesBusy())
      }, LIMITS.tableConnectionWaitMs)
    })
  }

  return {
    /** Runs `work` with a session; throws `server_error` when none becomes free in time. */
    async use<T>(wish: Wish, work: (session: TableSession) => Promise<T>): Promise<T> {
      const slot = await acquire(wish)
      const { session } = slot
      if (!session) throw new Error('A session was taken before it was open')
      try {
        return await work(session)
      } finally {
        slot.users--
        slot.freeAt = performance.now()
        if (slot.users === 0 && (closed || !session.isUsable())) drop(slot)
        line.admit()
      }
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(sweeper)
      line.failAll(tablesBusy())
      await Promise.all(
        [...slots].map(({ session }) => Promise.resolve(session?.close()).catch(() => {})),
      )
      slots.clear()
    },
  }
}
