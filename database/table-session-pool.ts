import { LIMITS } from '../core/limits.ts'
import { tablesBusy } from '../core/table-errors.ts'
import type { TableSession } from './table-session.ts'

const WAITING_MAX = 512
const IDLE_MS = 10_000
/** A role that had a session this recently is taken to need it again soon; to log in once more costs it milliseconds. */
const IN_USE_MS = 1_000
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

type Waiting = { role: string; admit: () => boolean; fail: (error: Error) => void }
/** `users` counts from the moment of the choice, before the first statement is sent. */
type Slot = {
  role: string
  session: TableSession | null
  users: number
  isShared: boolean
  freeAt: number
}

/**
 * Sessions of many roles within one limit. Each role's own limit is smaller, so that one project's slow
 * statements leave room for the others; the longest waiting request is served first.
 */
export function createSessionPool(options: SessionPoolOptions) {
  const slots = new Set<Slot>()
  const waiting: Waiting[] = []
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
  const isInTheWay = (role: string) =>
    waiting.length > 0 &&
    slots.size >= options.most &&
    waiting.some((one) => one.role !== role && [...slots].every((slot) => slot.role !== one.role))

  /** A session that can take a statement now, or room for a new one, or nothing. */
  const find = ({ role, isQuick }: Wish): Slot | 'room' | null => {
    tidy()
    let opened = 0
    let isOpening = false
    let shared: Slot | null = null
    for (const slot of slots) {
      if (slot.role !== role) continue
      opened++
      isOpening ||= slot.session === null
      if (!slot.session?.isUsable()) continue
      if (slot.users === 0) return slot
      const hasPlace = slot.isShared && slot.users < options.depth && !slot.session.isSlow()
      if (hasPlace && slot.users < (shared?.users ?? options.depth)) shared = slot
    }
    const mayShare = isQuick && shared !== null && !isInTheWay(role)
    if (mayShare && opened >= options.unshared) return shared
    // One that can share costs no other role the session which that is using.
    const canWait = mayShare || (isQuick && isOpening)
    if (opened < options.mostOfRole && makeRoom(canWait ? IN_USE_MS : 0)) return 'room'
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
  const admitWaiting = () => {
    for (;;) {
      const next = waiting.findIndex(({ admit }) => admit())
      if (next < 0) return
      waiting.splice(next, 1)
    }
  }

  const enter = async ({ role, isQuick, open }: Wish, found: Slot | 'room'): Promise<Slot> => {
    if (found !== 'room') {
      if (found.users === 0) found.isShared = isQuick
      found.users++
      return found
    }
    const slot: Slot = { role, session: null, users: 1, isShared: isQuick, freeAt: 0 }
    slots.add(slot)
    try {
      slot.session = await open()
      if (waiting.length > 0) admitWaiting()
      return slot
    } catch (error) {
      slots.delete(slot)
      admitWaiting()
      throw error
    }
  }

  const acquire = (wish: Wish): Promise<Slot> => {
    if (closed || waiting.length >= WAITING_MAX) return Promise.reject(tablesBusy())
    const free = find(wish)
    if (free) return enter(wish, free)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(tablesBusy())
      }, LIMITS.tableConnectionWaitMs)
      const entry: Waiting = {
        role: wish.role,
        admit() {
          const found = find(wish)
          if (!found) return false
          clearTimeout(timer)
          enter(wish, found).then(resolve, reject)
          return true
        },
        fail(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      waiting.push(entry)
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
        if (waiting.length > 0) admitWaiting()
      }
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(sweeper)
      for (const { fail } of waiting.splice(0)) fail(tablesBusy())
      await Promise.all(
        [...slots].map(({ session }) => Promise.resolve(session?.close()).catch(() => {})),
      )
      slots.clear()
    },
  }
}
