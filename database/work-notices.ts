import { EventEmitter } from 'node:events'
import { randomUUID } from 'node:crypto'
import { type Sql, statement, type Work } from '../core/sql.ts'

/** The channel by which processes tell each other of work. */
export const WORK_CHANNEL = 'work_announced'

const notify = statement('notify-work', `SELECT pg_notify('${WORK_CHANNEL}', $1)`)

export type WorkNotices = {
  /** Calls `hear` when this process, or another one, has committed such work. */
  onWork(work: Work, hear: () => void): void
  /** Takes a notice from the database; those of this process are ignored. */
  receive(payload: string): void
  close(): void
}

/**
 * Passes on announcements of this process: to its own listeners at once, and to other processes by NOTIFY, at
 * most once every `intervalMs`. A NOTIFY at each commit was measured to halve the rate of commits. Notices may
 * be lost: workers also look for work at intervals.
 */
export function createWorkNotices(
  sql: Sql,
  { works, intervalMs }: { works: Work[]; intervalMs: number },
  onError: (error: unknown) => void,
): WorkNotices {
  const own = randomUUID()
  const heard = new EventEmitter<Record<Work, []>>()
  const stops = works.map((work) => {
    let timer: NodeJS.Timeout | undefined
    let isAsked = false
    const tell = () => {
      isAsked = false
      timer = setTimeout(() => {
        timer = undefined
        if (isAsked) tell()
      }, intervalMs).unref()
      sql.rows(notify, [`${work} ${own}`]).catch(onError)
    }
    const stopHearing = sql.onAnnounced(work, () => {
      heard.emit(work)
      if (timer) isAsked = true
      else tell()
    })
    return () => {
      stopHearing()
      clearTimeout(timer)
    }
  })
  return {
    onWork: (work, hear) => void heard.on(work, hear),
    receive(payload) {
      const [name, sender] = payload.split(' ')
      const work = works.find((known) => known === name)
      if (work && sender !== own) heard.emit(work)
    },
    close() {
      for (const stop of stops) stop()
      heard.removeAllListeners()
    },
  }
}
