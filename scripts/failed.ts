import { types } from 'node:util'

/** Ends one of the project's tools with exit code 1 and prints the reason. */
export function failed(error: unknown): void {
  process.stderr.write(`${types.isNativeError(error) ? error.message : String(error)}\n`)
  process.exitCode = 1
}
