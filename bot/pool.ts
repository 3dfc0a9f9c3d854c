import type { BotEnding, BotJob, BotPool } from '../core/bot-pool.ts'
import { LIMITS } from '../core/limits.ts'
import { type Tier, TIERS } from './tiers.ts'
import type { FromThread, ThreadEnding } from './protocol.ts'
import { createShares } from './shares.ts'
import { createOwnWords } from './stack.ts'
import { partsOfThreads, startThread, type Thread } from './thread.ts'

type Member = { tier: Tier; thread: Thread; isReady: boolean; held: Map<number, Try> }

/** A run from its request to its end; it may be tried more than once. */
type Pending = {
  job: BotJob
  /** How often it was lost. */
  losses: number
  /** The most that one of its tries has logged: a later one may be cut off before it comes to that. */
  said: Said
  end(ending: BotEnding): void
}

/** What a try has logged so far. */
type Said = Pick<BotEnding, 'lines' | 'linesDropped'>

/** One try of a run in a thread. */
type Try = { number: number; pending: Pending; timer?: NodeJS.Timeout; said: Said }

const NOTHING_SAID = { text: '', lines: [], linesDropped: 0, computedMs: 0 }

/**
 * Runs bots in threads. A bot computes for a moment beside the others; one that needs longer is stopped and
 * started again in a thread for slow bots, which has a lower priority. So no bot delays another for longer than
 * that moment. Threads are started with the first run; `start` starts one.
 */
export function createBotPool(onProblem: (problem: string) => void, start = startThread): BotPool {
  // Read now, since the process may run out of file descriptors later.
  partsOfThreads()
  const members: Record<Tier, Member[]> = { quick: [], slow: [] }
  const waiting: Record<Tier, Pending[]> = { quick: [], slow: [] }
  const shares = createShares()
  const inOwnWords = createOwnWords()
  let lastNumber = 0
  let isStopped = false

  function enlist(tier: Tier): Member {
    const held = new Map<number, Try>()
    const { niceness, stuckMs } = TIERS[tier]
    const thread = start({
      niceness,
      stuckMs,
      onMessage: (message) => hear(member, message),
      onDeath: (run, reason) => lose(member, run, reason),
    })
    const member = { tier, thread, isReady: false, held }
    members[tier].push(member)
    return member
  }

  /** The least busy thread, if it has room. */
  function memberOf(tier: Tier): Member | null {
    const { threads, held } = TIERS[tier]
    while (members[tier].length < threads) enlist(tier)
    const [least] = members[tier].toSorted((a, b) => a.held.size - b.held.size)
    return least && least.held.size < held ? least : null
  }

  /** Starts the runs that may start; of each project no more at once than its share. */
  function begin(tier: Tier): void {
    const left: Pending[] = []
    const busy = new Map<string, number>()
    for (const { held } of members[tier]) {
      for (const { pending } of held.values()) count(busy, pending.job.projectId)
    }
    for (const pending of waiting[tier].splice(0)) {
      const { projectId } = pending.job
      const member = (busy.get(projectId) ?? 0) < TIERS[tier].perProject ? memberOf(tier) : null
      if (!member) {
        left.push(pending)
        continue
      }
      count(busy, projectId)
      beginIn(member, pending)
    }
    waiting[tier].unshift(...left)
  }

  function beginIn(member: Member, pending: Pending): void {
    const { tier, thread, held } = member
    const { job } = pending
    const number = ++lastNumber
    const one = { number, pending, said: { lines: [], linesDropped: 0 } }
    held.set(number, one)
    if (member.isReady) time(one)
    job.onBegin()
    const isKnown = thread.bundles.has(job.botId)
    thread.bundles.use(job.botId, job.bundle)
    thread.post({
      kind: 'begin',
      run: number,
      botId: job.botId,
      bundle: isKnown ? null : job.bundle,
      handlers: job.handlers,
      event: job.event,
      computingMs: TIERS[tier].computingMs,
    })
  }

  /** A run's time limit starts when the thread is ready. */
  function time(one: Try): void {
    one.timer = setTimeout(() => cut(one.pending, 'late'), LIMITS.botRunMs)
  }

  function hear(member: Member, message: FromThread): void {
    if (message.kind === 'ready') {
      member.isReady = true
      for (const one of member.held.values()) time(one)
    }
    if (!('run' in message)) return
    const one = member.held.get(message.run)
    if (!one) return
    if (message.kind === 'said') {
      one.said.lines.push(...message.lines)
      one.said.linesDropped = message.linesDropped
      return
    }
    if (message.kind === 'ended') return conclude(member, one, message.ending)
    const { run, call, op, args } = message
    const settle = (isDone: boolean, json: string) => {
      if (member.held.get(run) !== one) return
      member.thread.post({ kind: 'settle', run, call, isDone, json })
    }
    one.pending.job.call(op, args).then(
      (json) => settle(true, json),
      (error: unknown) => settle(false, one.pending.job.describe(error)),
    )
  }

  function conclude(member: Member, one: Try, ending: ThreadEnding): void {
    const { pending } = one
    const { projectId } = pending.job
    release(member, one)
    shares.spend(projectId, ending.computedMs)
    if (ending.result === 'spent' && member.tier === 'quick') {
      shares.slowDown(projectId)
      enter(pending)
    } else if (ending.result === 'lost') {
      onProblem(ending.text)
      again(pending, 'broken')
    } else pending.end({ ...ending, ...one.said, result: ending.result })
    begin(member.tier)
  }

  function release({ held }: Member, { number, timer, pending, said }: Try): void {
    clearTimeout(timer)
    held.delete(number)
    if (lengthOf(said) > lengthOf(pending.said)) pending.said = said
  }

  /** A thread has ended: the run that was computing is to blame, and all the others start again. */
  function lose(member: Member, number: number | null, reason: string): void {
    members[member.tier].splice(members[member.tier].indexOf(member), 1)
    if (isStopped) return
    onProblem(reason)
    for (const one of [...member.held.values()]) {
      release(member, one)
      const isToBlame = one.number === number
      if (isToBlame) shares.slowDown(one.pending.job.projectId)
      // If no code was computing, a call by any of them may have been too large; but not if the thread had not
      // begun.
      if (!isToBlame) again(one.pending, number === 0 ? 'broken' : 'lost')
      else if (member.tier === 'quick') enter(one.pending)
      else one.pending.end({ ...NOTHING_SAID, ...one.pending.said, result: 'spent' })
    }
    begin(member.tier)
  }

  /** Tries a lost run again for a limited time; `result` says whether the run itself may be the cause. */
  function again(pending: Pending, result: 'broken' | 'lost'): void {
    if (++pending.losses > LIMITS.botLossesMost) pending.end({ ...NOTHING_SAID, result })
    else enter(pending)
  }

  function enter(pending: Pending): void {
    const tier = shares.isSlow(pending.job.projectId) ? 'slow' : 'quick'
    waiting[tier].push(pending)
    begin(tier)
  }

  /** Ends a run wherever it is. */
  function cut(pending: Pending, result: 'late' | 'lost'): void {
    for (const tier of ['quick', 'slow'] as const) {
      waiting[tier] = waiting[tier].filter((other) => other !== pending)
      for (const member of members[tier]) {
        const one = [...member.held.values()].find((each) => each.pending === pending)
        if (!one) continue
        release(member, one)
        member.thread.post({ kind: 'drop', run: one.number })
      }
    }
    pending.end({ ...NOTHING_SAID, ...pending.said, result })
    begin('quick')
    begin('slow')
  }

  function run(job: BotJob): Promise<BotEnding> {
    return new Promise((resolve) => {
      const end = (ending: BotEnding) => {
        job.signal.removeEventListener('abort', abandon)
        resolve(told(ending, (text) => inOwnWords(text, job.sourceMap)))
      }
      const pending = { job, losses: 0, said: NOTHING_SAID, end }
      const abandon = () => cut(pending, 'lost')
      if (job.signal.aborted) return end({ ...NOTHING_SAID, result: 'lost' })
      job.signal.addEventListener('abort', abandon)
      enter(pending)
    })
  }

  return {
    run,
    isSlow: shares.isSlow,
    stop() {
      isStopped = true
      for (const { thread } of [...members.quick, ...members.slow]) thread.end()
    },
  }
}

function count(busy: Map<string, number>, projectId: string): void {
  busy.set(projectId, (busy.get(projectId) ?? 0) + 1)
}

function lengthOf({ lines, linesDropped }: Said): number {
  return lines.length + linesDropped
}

/** An ending for the author of the bot, with the lines of the project's own files. */
function told(ending: BotEnding, inOwnWords: (text: string) => string): BotEnding {
  const { text, lines } = ending
  return {
    ...ending,
    text: inOwnWords(text),
    lines: lines.map((line) => ({ ...line, text: inOwnWords(line.text) })),
  }
}
