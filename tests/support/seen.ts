import { appendFileSync } from 'node:fs'
import path from 'node:path'

/** Where this worker notes what was answered; global-setup.ts makes the folder. */
const folder = process.env.TEST_SEEN_DIR
const file = folder && path.join(folder, `worker-${process.env.JEST_WORKER_ID ?? '1'}.txt`)
const noted = new Set<string>()

/** Notes for the error matrix that an operation answered with a code; a line for each, once. */
export function noteSeen(operationId: string, status: number, code: string): void {
  const line = `${operationId} ${status} ${code}`
  if (!file || noted.has(line)) return
  noted.add(line)
  appendFileSync(file, `${line}\n`)
}
