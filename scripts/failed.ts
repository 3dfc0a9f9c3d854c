import { types } from 'node:util'

/** Has one of the project's tools end with 1, and says why. */
export function failed(error: unknown): void {
  process.stderr.write(`${types.isNativeError(error) ? error.message : String(error)}\n`)
  process.exitCode = 1
}
