import { runOperator } from './operator/run.ts'

// A command takes a moment. It ends in order on the first Ctrl-C, and so stops a database that it
// started; the second one ends it at once.
process.once('SIGINT', () => {})

const { stdin, stdout, stderr, env } = process
process.exitCode = await runOperator(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  isTerminal: stdout.isTTY === true,
  isWatched: stderr.isTTY === true,
})
