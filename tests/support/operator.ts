import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Io } from '../../scripts/operator/command.ts'
import { runOperator } from '../../scripts/operator/run.ts'
import { TEST_ENCRYPTION_KEY } from './service.ts'

const RUN = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url))

export type Outcome = { code: number; out: string; err: string }
export type Env = Record<string, string>

/** The settings of a command line that works on a service's database. */
export function envOf({ databaseUrl }: { databaseUrl: string }): Env {
  return { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
}

/** Runs one command line of the operator in this process. */
export async function operate(
  env: Env,
  argv: string[],
  isTerminal = false,
  stdin: AsyncIterable<Uint8Array | string> = Readable.from([]),
  replaced: Partial<Pick<Io, 'stdout' | 'stderr' | 'stop'>> = {},
): Promise<Outcome> {
  const [out, err] = [collector(), collector()]
  const io = {
    stdin,
    stdout: replaced.stdout ?? out.stream,
    stderr: replaced.stderr ?? err.stream,
    env,
    isTerminal,
    isWatched: isTerminal,
    stop: replaced.stop ?? new AbortController().signal,
  }
  const code = await runOperator(argv, io)
  return { code, out: out.text(), err: err.text() }
}

/** Starts one of the project's programs in a process of its own, with no settings but these. */
export function startProgram(env: Env, ...args: string[]): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  // Empty rather than absent, so that a developer's own .env does not fill it in.
  const base = { PATH, HOME, DATABASE_URL: '', REDIS_URL: '', PUBLIC_URL: '', ENCRYPTION_KEY: '' }
  return spawn(process.execPath, [RUN, ...args], { env: { ...base, ...env } })
}

/** Runs one of the project's programs to its end. */
export async function runProgram(env: Env, ...args: string[]): Promise<Outcome> {
  const child = startProgram(env, ...args)
  const ended = once(child, 'close')
  if (!child.stdout || !child.stderr) throw new Error('The program has no output.')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return { code, out, err }
}

function collector() {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}
