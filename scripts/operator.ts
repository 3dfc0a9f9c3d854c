import { addAbortSignal } from 'node:stream'
import { exitCodeOf, onEndingSignal } from '../core/signals.ts'
import { stopped } from './operator/command.ts'
import { runOperator } from './operator/run.ts'

const { stdin, stdout, stderr, env } = process

// A command takes a moment. The first Ctrl-C ends it in order, which also stops a database that it started; the
// second one ends it at once.
const stopping = new AbortController()
onEndingSignal(
  (signal) => stopping.abort(stopped(exitCodeOf(signal))),
  (signal) => process.exit(exitCodeOf(signal)),
)

process.exitCode = await runOperator(process.argv.slice(2), {
  stdin: addAbortSignal(stopping.signal, stdin),
  stdout,
  stderr,
  env,
  isTerminal: stdout.isTTY === true,
  isWatched: stderr.isTTY === true,
  stop: stopping.signal,
})
