import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { programOf } from '../core/programs.ts'
import { PROJECT_ROOT } from '../core/root.ts'
import { createBundles } from './bundles.ts'
import { cpuMsOf } from './computing.ts'
import { type FromThread, SHARED, type ThreadData, type ToThread } from './protocol.ts'

/** A thread that runs bots, as the service sees it. */
export type Thread = {
  post(message: ToThread): void
  /** Which code it has. */
  bundles: ReturnType<typeof createBundles>
  /** Ends it at once, whatever it does. */
  end(): void
}

type Options = {
  niceness: number
  /** How long code may compute without a break before the thread is ended. */
  stuckMs: number
  onMessage: (message: FromThread) => void
  /**
   * It has ended, which was not asked for; `run` is whose code computed then, 0 for nobody's, and null when the
   * thread had not begun at all, as one that the system has no file descriptors for.
   */
  onDeath: (run: number | null, reason: string) => void
}

const WATCH_MS = 50
/** A thread's own memory, beside that of the bots: far more than it needs. */
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 }

let parts: { wasm: WebAssembly.Module; guest: string } | undefined

/** What every thread needs; read and compiled once. */
export function partsOfThreads() {
  if (parts) return parts
  const { resolve } = createRequire(path.join(PROJECT_ROOT, 'package.json'))
  const wasm = readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  parts = {
    wasm: new WebAssembly.Module(wasm),
    guest: readFileSync(path.join(PROJECT_ROOT, 'bot/guest.js'), 'utf8'),
  }
  return parts
}

/**
 * Starts a thread. Code that cannot be interrupted, inside one call of the language's own, is ended with
 * the thread: the service watches how long each turn takes.
 */
export function startThread({ niceness, stuckMs, onMessage, onDeath }: Options): Thread {
  const shared = new SharedArrayBuffer(SHARED.length * Int32Array.BYTES_PER_ELEMENT)
  const state = new Int32Array(shared)
  const program = programOf('bot/worker')
  const workerData: ThreadData = { ...partsOfThreads(), shared, niceness }
  // Nothing of the service's environment is for a thread that runs other people's code.
  const worker = new Worker(program.start, {
    eval: program.eval,
    workerData,
    execArgv: [],
    env: {},
    resourceLimits: RESOURCES,
  })
  let isOver = false
  let cpuFile: string | null = null
  let seen = { turn: 0, atMs: 0 }

  function die(reason: string): void {
    if (isOver) return
    isOver = true
    clearInterval(watch)
    void worker.terminate()
    const hasBegun = Atomics.load(state, SHARED.hasBegun) === 1
    onDeath(hasBegun ? Atomics.load(state, SHARED.run) : null, reason)
  }
  const watch = setInterval(() => {
    const turn = Atomics.load(state, SHARED.turn)
    const isComputing = Atomics.load(state, SHARED.run) !== 0
    const nowMs = isComputing ? (cpuMsOf(cpuFile) ?? performance.now()) : 0
    if (!isComputing || turn !== seen.turn) seen = { turn, atMs: nowMs }
    else if (nowMs - seen.atMs > stuckMs) die('It could not be interrupted')
  }, WATCH_MS)
  watch.unref()
  worker.unref()
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ready') cpuFile = message.cpuFile
    if (!isOver) onMessage(message)
  })
  worker.on('error', (error) => die(String(error)))
  worker.on('exit', (code) => die(`It ended with ${code}`))
  return {
    post: (message) => worker.postMessage(message),
    bundles: createBundles(),
    end() {
      isOver = true
      clearInterval(watch)
      void worker.terminate()
    },
  }
}
