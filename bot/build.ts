import { isUtf8 } from 'node:buffer'
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { BotCode, BuildFault, CodeFiles } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { PROJECT_ROOT } from '../core/root.ts'
import { createBuildSlots } from './build-slots.ts'

const PROGRAM = path.join(PROJECT_ROOT, 'bot/build-program.mjs')
/**
 * Limits the memory and CPU time of the process and its children, then becomes the program. Where all memory of a
 * machine or container is used up, Linux is to kill these, and not the service, which may be larger.
 */
const BOUNDED =
  '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ulimit -d "$0"; ulimit -t "$1"; shift; exec "$@"'
/**
 * For the program itself; the compiler that it starts is separate. Without a JIT, of which it has no use: newer
 * versions of Node set more memory aside for its code than a build may have in all.
 */
const FLAGS = ['--jitless', '--max-old-space-size=192']

type Outcome = NonNullable<Awaited<ReturnType<BotCode['build']>>>
export type Program = ChildProcess

/**
 * Builds bots, each in a process without this one's environment and with limits on time, memory and output: one
 * mebibyte of source can make a compiler need gigabytes, or run for ever.
 */
export function createBuilder(
  timeoutMs: number = LIMITS.buildTimeoutMs,
  start: () => Program = startProgram,
): BotCode['build'] {
  const slots = createBuildSlots()
  return async (files, projectId) => {
    const giveBack = await slots.take(projectId)
    if (!giveBack) return null
    try {
      return bounded(await run(files, timeoutMs, start))
    } finally {
      giveBack()
    }
  }
}

function run(files: CodeFiles, timeoutMs: number, start: () => Program): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const program = start()
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => {
      stop(program)
      resolve(failed(`The build takes longer than ${timeoutMs / 1000} seconds.`))
    }, timeoutMs)
    program.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    // Without free file descriptors the process has no streams; its error event follows.
    if (!program.stdin || !program.stdout) return
    program.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= LIMITS.buildOutputBytes) chunks.push(chunk)
      else stop(program)
    })
    program.on('close', (code) => {
      clearTimeout(timer)
      // The program may have ended by itself before it could be stopped; the output kept is incomplete then.
      const isWhole = code === 0 && bytes <= LIMITS.buildOutputBytes
      resolve(isWhole ? read(Buffer.concat(chunks)) : failed(TOO_MUCH))
    })
    // A program that ends early closes its input; the exit code tells what happened.
    program.stdin.on('error', () => undefined)
    const texts = [...files].map(([name, bytes]) => [name, isUtf8(bytes) ? bytes.toString() : null])
    const job = { files: texts, timeoutMs, faultsMax: LIMITS.faultsTold }
    program.stdin.end(JSON.stringify(job))
  })
}

const TOO_MUCH = 'The code is too large, or nests too deeply, to be built.'

/** Starts the program that builds, in a process group of its own; `error` is emitted where it cannot start. */
export function startProgram(): Program {
  const memoryKib = LIMITS.buildMemoryBytes / 1024
  const computingS = Math.ceil(LIMITS.buildTimeoutMs / 1000)
  const node = [process.execPath, ...FLAGS, PROGRAM]
  return spawn('/bin/sh', ['-c', BOUNDED, String(memoryKib), String(computingS), ...node], {
    cwd: PROJECT_ROOT,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own, so that the compiler is killed together with the program.
    detached: true,
  })
}

/** Has the program end its compiler and itself, or ends both in a moment if it does not. */
function stop(program: Program): void {
  const { pid } = program
  if (pid === undefined) return
  signal(pid, 'SIGTERM')
  const timer = setTimeout(() => signal(-pid, 'SIGKILL'), LIMITS.buildEndMs)
  program.once('exit', () => clearTimeout(timer))
}

/** A negative id stands for the process group. */
function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch {
    // It has ended by itself at this moment.
  }
}

function read(output: Buffer): Outcome {
  return JSON.parse(output.toString()) as Outcome
}

function bounded(outcome: Outcome): Outcome {
  const bytes = outcome.ok ? Buffer.byteLength(outcome.bundle) : 0
  if (bytes <= LIMITS.botBundleBytes) return outcome
  return failed(`What was built has ${bytes} bytes; at most ${LIMITS.botBundleBytes} can run.`)
}

function failed(text: string): { ok: false; errors: BuildFault[] } {
  return { ok: false, errors: [{ file: null, line: null, column: null, text }] }
}
