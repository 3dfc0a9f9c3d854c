import type { FlowUpdate } from '../core/channel-flows.ts'
import { isRecord } from '../core/json-values.ts'
import { readText } from './identifiers.ts'
import { cleanLine, readLine } from './text.ts'

const wordLengthMax = 100

/** Reads a callback's news of a flow; answers a sentence when it cannot be used. */
export function readFlowUpdate(
  value: unknown,
  entry: { businessAccountId: string; at: Date | null },
): FlowUpdate | string {
  if (!isRecord(value)) return 'flows: the value is not an object.'
  const id = readText(value.flow_id)
  if (id === null) return 'flows: it names no flow.'
  const event = wordOf(value.event)
  if (event === null) return `flows: it says nothing of ${cleanLine(id, wordLengthMax)}.`
  return { ...entry, id, event, status: wordOf(value.new_status) }
}

function wordOf(value: unknown): string | null {
  return readLine(value, wordLengthMax)?.toUpperCase() ?? null
}
