import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

const LIMIT_MS = 20 * 60_000
/** So long a gate has to stop the servers that it has started. */
const STOP_MS = 15_000
const OUTPUT_CHARACTERS = 2_000_000

export type Outcome = { isGreen: boolean; output: string; tookS: number }

/** Runs a gate in a copy of the project, to its end or until `signal`; too long a run is not green. */
export async function runGate(gate: string, cwd: string, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted()
  const startedAt = performance.now()
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
  // A group of its own: npm and the shell pass on no signal to what they have started.
  const child = spawn(gate, { cwd, env, shell: true, detached: true })
  const late = AbortSignal.timeout(LIMIT_MS)
  const either = AbortSignal.any([signal, late])
  const end = () => void stop(child)
  either.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => (output = (output + text).slice(-OUTPUT_CHARACTERS)))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  either.removeEventListener('abort', end)
  signal.throwIfAborted()
  if (late.aborted) output += `\nIt took longer than ${LIMIT_MS / 60_000} minutes.`
  const tookS = Math.round((performance.now() - startedAt) / 1000)
  return { isGreen: code === 0, output: stripVTControlCharacters(output), tookS }
}

/** Ends all that a gate has started, in order if it can. */
async function stop(child: ChildProcess): Promise<void> {
  kill(child, 'SIGTERM')
  const timer = setTimeout(kill, STOP_MS, child, 'SIGKILL')
  await once(child, 'close')
  clearTimeout(timer)
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}
