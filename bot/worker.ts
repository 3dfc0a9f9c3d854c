import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { BotLine } from '../core/bot-pool.ts'
import { BOT_HANDLERS } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { createBundles } from './bundles.ts'
import { cpuFileOfThread } from './computing.ts'
import { createIdle } from './idle.ts'
import { createInstance, type Hooks, type Instance, type Step } from './instance.ts'
import {
  type Exported,
  type FromThread,
  SHARED,
  type ThreadData,
  type ThreadEnding,
  type ToThread,
} from './protocol.ts'

// A thread that runs bots: each in an instance of its own, and of these one computes at a time.

type Begin = Extract<ToThread, { kind: 'begin' }>

type Run = {
  asked: Begin
  instance: Instance | null
  computedMs: number
  /** Calls that nobody has answered yet, and how many there were. */
  open: Set<number>
  calls: number
  /** How much the calls have said. */
  toldCharacters: number
  lines: number
  linesDropped: number
  /** How many of these the service knows of. */
  dropsTold: number
  /** What the handler came to; there may be calls left that it did not wait for. */
  ended: { isDone: boolean; text: string } | null
}

const TOLD_ALL = `A run says at most ${LIMITS.botToldCharacters / 1024 / 1024} MiB in all its calls.`

const data = workerData as ThreadData
const shared = new Int32Array(data.shared)
const runs = new Map<number, Run>()
const idle = createIdle<Instance>()
/** Which run an instance does now. */
const owners = new WeakMap<Instance, Run>()
const bundles = createBundles()

const say = (message: FromThread) => parentPort?.postMessage(message)

// Bots take what the rest of the service leaves over. Elsewhere a thread has no priority of its own.
if (process.platform === 'linux') setPriority(0, data.niceness)

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'begin') void begin(message)
  else if (message.kind === 'settle') settle(message)
  else if (message.kind === 'drop') runs.delete(message.run)
  else void check(message)
})
Atomics.store(shared, SHARED.hasBegun, 1)
say({ kind: 'ready', cpuFile: cpuFileOfThread() })

async function begin(asked: Begin): Promise<void> {
  const run: Run = {
    asked,
    instance: null,
    computedMs: 0,
    open: new Set<number>(),
    calls: 0,
    toldCharacters: 0,
    lines: 0,
    linesDropped: 0,
    dropsTold: 0,
    ended: null,
  }
  runs.set(asked.run, run)
  const bundle = bundles.use(asked.botId, asked.bundle)
  try {
    run.instance = idle.take(asked.botId) ?? (await makeInstance(run, bundle ?? ''))
  } catch (error) {
    return finish(run, 'lost', String(error))
  }
  const { instance } = run
  if (!instance || runs.get(asked.run) !== run) return
  owners.set(instance, run)
  advance(run, (leftMs) => instance.begin(asked.run, asked.handlers, asked.event, leftMs))
}

/** Null when the bot's code could not be loaded, which has ended the run. */
async function makeInstance(run: Run, bundle: string): Promise<Instance | null> {
  const made: Made = {}
  const instance = (made.instance = await createInstance(data, run.asked.botId, hooksOf(made)))
  if (runs.get(run.asked.run) !== run) return null
  owners.set(instance, run)
  return advance(run, (leftMs) => instance.load(bundle, leftMs)) ? instance : null
}

/** Where an instance is once it is made. */
type Made = { instance?: Instance }

/** These last as long as the instance, and so does all that is in reach of where they are made. */
function hooksOf(made: Made): Hooks {
  const owner = () => {
    const run = made.instance && owners.get(made.instance)
    if (!run) throw new Error('Nothing runs here now.')
    return run
  }
  return {
    call(id, op, args) {
      const run = owner()
      if (!run.instance) throw new Error('Nothing can be asked for while the code is loaded.')
      if (++run.calls > LIMITS.botCalls) {
        throw new Error(`A run asks for at most ${LIMITS.botCalls} things.`)
      }
      const told = run.toldCharacters + op.length + args.length
      if (told > LIMITS.botToldCharacters) throw new Error(TOLD_ALL)
      run.toldCharacters = told
      run.open.add(id)
      say({ kind: 'call', run: run.asked.run, call: id, op, args })
    },
    log(level, text) {
      note(owner(), { level, text })
    },
    end(isDone, text) {
      owner().ended ??= { isDone, text }
    },
  }
}

/** Tells the service at once of a line, up to so many; of those that are left out, when code rests. */
function note(run: Run, { level, text }: BotLine): void {
  if (run.lines >= LIMITS.botLines) return void run.linesDropped++
  run.lines++
  tell(run, [{ level, text: shorten(text) }])
}

function tell(run: Run, lines: BotLine[]): void {
  run.dropsTold = run.linesDropped
  say({ kind: 'said', run: run.asked.run, lines, linesDropped: run.linesDropped })
}

function settle({ run: number, call, isDone, json }: Extract<ToThread, { kind: 'settle' }>): void {
  const run = runs.get(number)
  const { instance } = run ?? {}
  if (!run || !instance || !run.open.delete(call)) return
  if (!isDone && run.ended) {
    const { message } = JSON.parse(json) as { message: string }
    note(run, { level: 'warn', text: `Nobody waited for what failed: ${message}` })
  }
  advance(run, (leftMs) => instance.settle(call, isDone, json, leftMs))
}

/** Lets a run compute for what is left of its time, and ends it if that is to be; answers if it is not. */
function advance(run: Run, work: (leftMs: number) => Step): boolean {
  Atomics.add(shared, SHARED.turn, 1)
  Atomics.store(shared, SHARED.run, run.asked.run)
  const { result, computedMs, problem } = work(run.asked.computingMs - run.computedMs)
  Atomics.store(shared, SHARED.run, 0)
  run.computedMs += computedMs
  if (run.dropsTold < run.linesDropped) tell(run, [])
  if (result !== 'ok') finish(run, result, problem ?? '')
  else if (run.ended && run.open.size === 0) {
    finish(run, run.ended.isDone ? 'done' : 'failed', run.ended.text)
  } else if (problem !== null) finish(run, 'failed', problem)
  else return true
  return false
}

function finish(run: Run, result: ThreadEnding['result'], text: string): void {
  const { computedMs, instance, asked } = run
  if (runs.get(asked.run) !== run) return
  runs.delete(asked.run)
  const ending = { result, text: shorten(text), computedMs }
  say({ kind: 'ended', run: asked.run, ending })
  if (!instance) return
  owners.delete(instance)
  // What a handler left behind may not go on in the next run.
  if (result === 'done' && instance.finish()) idle.keep(instance)
}

async function check({ bundle, computingMs }: Extract<ToThread, { kind: 'check' }>): Promise<void> {
  const refuse = () => {
    throw new Error('Nothing can be asked for while the code is loaded.')
  }
  const instance = await createInstance(data, 'check', {
    call: refuse,
    end: refuse,
    log: () => {},
  })
  const nothing: Exported = { callable: [], others: [] }
  const { result, problem } = instance.load(bundle, computingMs)
  if (result === 'spent') {
    const fault = `It computes for more than ${computingMs} ms when it is loaded.`
    return say({ kind: 'checked', exported: nothing, fault })
  }
  const exported = problem === null ? instance.handlers(BOT_HANDLERS, computingMs) : nothing
  say({ kind: 'checked', exported, fault: problem })
}

function shorten(text: string): string {
  const most = LIMITS.botLineCharacters
  return text.length > most ? `${text.slice(0, most)}…` : text
}
