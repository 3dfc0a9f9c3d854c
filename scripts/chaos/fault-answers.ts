import { readContract } from '../../core/contract.ts'

/** What the contract says about the answers to an operation. */
export type Documented = { statuses: ReadonlySet<string>; codes: ReadonlySet<string> }
type Declared = { operationId: string; responses: object; 'x-error-codes'?: string[] }

/** Reads it; throws when the contract has no such operation. */
export function documentedFor(operationId: string): Documented {
  const declared: Declared[] = Object.values(readContract().paths).flatMap((item) =>
    Object.values(item),
  )
  const operation = declared.find((one) => one.operationId === operationId)
  if (!operation) throw new Error(`The contract has no ${operationId}`)
  return {
    statuses: new Set(Object.keys(operation.responses)),
    codes: new Set(operation['x-error-codes']),
  }
}

type Envelope = {
  success?: unknown
  data?: { id?: string }
  error?: { code?: string }
  request_id?: unknown
}

/** An answer's body, and what is wrong with the whole; null when nothing is. */
export function readAnswer(
  { statuses, codes }: Documented,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): { body: Envelope; problem: string | null } {
  let body: Envelope = {}
  try {
    body = JSON.parse(text) as Envelope
  } catch {
    return { body, problem: `${status} without JSON` }
  }
  const code = body.error?.code
  const isWhole =
    status < 400
      ? body.success === true && body.data !== undefined
      : body.success === false && typeof body.request_id === 'string' && code !== undefined
  const problems = [
    ...(headers.get('x-request-id') ? [] : ['no X-Request-Id']),
    ...(isWhole ? [] : ['not the envelope']),
    ...(statuses.has(String(status)) ? [] : ['status not in the contract']),
    ...(code === undefined || codes.has(code) ? [] : [`code ${code} not in the contract`]),
  ]
  return { body, problem: problems.length > 0 ? `${status}: ${problems.join(', ')}` : null }
}
