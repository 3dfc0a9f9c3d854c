import { messageOf } from '../core/caught-errors.ts'

/** Ends one of the project's tools with exit code 1 and prints the reason. */
export function failed(error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
