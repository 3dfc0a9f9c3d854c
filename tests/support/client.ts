import supertest from 'supertest'
import type { Data, OperationId, OperationRequest } from '../../core/contract.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { type Operation, operationsOf } from '../../core/contract.ts'
import { document } from './document.ts'
import { type Answer, checkAnswer } from './responses.ts'

export type Parts = {
  path?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
  headers?: Record<string, string>
  /** The bearer; none at all when null. */
  key?: string | null
}

export type Failed = {
  status: number
  code: string
  message: string
  details: Record<string, unknown>
  headers: Headers
  requestId: string
}

const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]))

/** Calls the service's operations by name, and holds every answer against the contract. */
export function createClient(url: string, defaultKey: string | null) {
  const methods = supertest(url) as unknown as Record<string, (address: string) => supertest.Test>
  function open(method: string, address: string): supertest.Test {
    const start = methods[method.toLowerCase()]
    if (!start) throw new Error(`There is no method ${method}`)
    return start(address)
  }

  /** Sends one request and gives back the checked answer, whatever it is. */
  async function send(operationId: OperationId, parts: Parts = {}): Promise<Answer> {
    const operation = operations.get(operationId)
    if (!operation) throw new Error(`There is no operation ${operationId}`)
    const answer = await request(operation.method.toUpperCase(), addressOf(operation, parts), parts)
    checkAnswer(operationId, answer)
    return answer
  }

  async function request(method: string, address: string, parts: Parts = {}): Promise<Answer> {
    const { body, headers = {}, key = defaultKey } = parts
    const content = await contentOf(body)
    const sent = open(method, address)
      .redirects(0)
      // Bytes, whatever they are: what they mean is read below.
      .responseType('arraybuffer')
      .set(key === null ? {} : { authorization: `Bearer ${key}` })
      .set({ ...content?.headers, ...headers })
    const response = await (content ? sent.send(content.data) : sent)
    const answered = new Headers(response.headers)
    return { status: response.status, headers: answered, body: valueOf(answered, response.body) }
  }

  return {
    send,
    /** Sends to any path; the answer is checked for the envelope alone. */
    async raw(method: string, address: string, parts: Parts = {}): Promise<Answer> {
      const answer = await request(method, address, parts)
      if (address.startsWith('/v1/')) checkAnswer(null, answer)
      return answer
    },
    /** Succeeds, or throws with what the service said; answers with `data`. */
    async ok<O extends OperationId>(
      operationId: O,
      parts: Parts & Partial<OperationRequest<O>> = {},
    ): Promise<Data<O>> {
      const { status, body } = await send(operationId, parts)
      if (status >= 400) throw new Error(`${operationId}: ${status} ${JSON.stringify(body)}`)
      return (body as { data: Data<O> }).data
    },
    /** Fails with the code, or throws; answers with the failure. */
    async refused(operationId: OperationId, code: ErrorCode, parts: Parts = {}): Promise<Failed> {
      const { status, body, headers } = await send(operationId, parts)
      const failure = body as { error?: Failed; request_id: string }
      if (failure.error?.code !== code) {
        throw new Error(`${operationId}: expected ${code}, got ${status} ${JSON.stringify(body)}`)
      }
      const { message, details = {} } = failure.error
      return { status, code, message, details, headers, requestId: failure.request_id }
    },
    /** The same service under another credential; null for none. */
    as: (key: string | null) => createClient(url, key),
  }
}

export type Client = ReturnType<typeof createClient>

/** Every operation of the contract that needs a credential. */
export const guardedOperations: Operation[] = [...operations.values()].filter(
  ({ isPublic }) => !isPublic,
)

/** What is sent of a body, as text or bytes, and what it says of itself. */
async function contentOf(body: unknown) {
  if (body === undefined) return null
  if (!(body instanceof FormData)) {
    const data = typeof body === 'string' ? body : JSON.stringify(body)
    return { data, headers: { 'content-type': 'application/json' } }
  }
  const form = new Response(body)
  const data = Buffer.from(await form.arrayBuffer())
  return { data, headers: { 'content-type': form.headers.get('content-type') ?? '' } }
}

/** JSON's value, a file's bytes, or the text. */
function valueOf(headers: Headers, body: unknown): unknown {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (headers.has('content-disposition')) return bytes
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes.toString()
}

/** The path and query of a request. */
export function addressOf({ path }: Operation, { path: values = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value))
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}
