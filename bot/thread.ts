import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { programOf } from '../core/programs.ts'
import { PROJECT_ROOT } from '../core/root.ts'
import { createBundles } from './bundles.ts'
import { cpuMsOf } from './computing.ts'
import {
  type FromThread,
  SHARED,
  type ThreadData,
  type ThreadParts,
  type ToThread,
} from './protocol.ts'

/** A thread that runs bots, from the service's side. */
export type Thread = {
  post(message: ToThread): void
  /** Which code the thread has. */
  bundles: ReturnType<typeof createBundles>
  /** Ends it at once, whatever it is doing. */
  end(): void
}

type Options = {
  niceness: number
  /** How long code may compute without a break before the thread is ended. */
  stuckMs: number
  onMessage: (message: FromThread) => void
  /**
   * Called when it has ended without being asked to; `run` is the run that was computing, 0 for none, and null
   * when the thread had not started at all, as when there are no file descriptors left.
   */
  onDeath: (run: number | null, reason: string) => void
}

const WATCH_MS = 50
/** The memory of the thread itself, apart from the bots: far more than it needs. */
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 }

let parts: ThreadParts | undefined

/** What every thread needs, read and compiled once. */
export function partsOfThreads(): ThreadParts {
  if (parts) return parts
  const script = (name: string) => readFileSync(path.join(PROJECT_ROOT, 'bot', name), 'utf8')
  const { resolve } = createRequire(path.join(PROJECT_ROOT, 'package.json'))
  const wasm = readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  parts = {
    wasm: new WebAssembly.Module(wasm),
    guests: { calls: script('guest.js'), intl: script('guest-intl.js') },
  }
  return parts
}

/**
 * Starts a thread. Code that cannot be interrupted, within one call of a built-in, is ended with its thread:
 * the service watches how long each turn takes.
 */
export function startThread({ niceness, stuckMs, onMessage, onDeath }: Options): Thread {
  const shared = new SharedArrayBuffer(SHARED.length * Int32Array.BYTES_PER_ELEMENT)
  const state = new Int32Array(shared)
  const program = programOf('bot/worker')
  const workerData: ThreadData = { ...partsOfThreads(), shared, niceness }
  // A thread that runs other people's code gets nothing of the service's environment.
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
