import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Random } from '../../tests/support/random.ts'

export type Asked = {
  /** The expected status. */
  expect: number
  body?: object
  headers?: Record<string, string>
  /** Used instead of the project's key. */
  secret?: string
  /** The server to ask; any server by default. */
  url?: string
}

export type Answer = { bytes: Buffer; headers: Record<string, string | string[] | undefined> }

/** The time of a request by the monotonic clock, and how long its answer took. */
export type Latency = { atMs: number; tookMs: number }

export type Client = {
  /**
   * Asks a server, and repeats the request when told to. Throws an Error that names the kind of fault when the
   * answer is not the expected one.
   */
  ask(what: string, line: string, asked: Asked): Promise<Answer>
  latencies: readonly Latency[]
  /** The number of requests repeated because an answer asked for it with `Retry-After`. */
  repeats(): number
  /** Faults by kind: how often each occurred, and the first answer of that kind. */
  faults: ReadonlyMap<string, { count: number; example: string }>
  fault(kind: string, example: string): void
  close(): Promise<void>
}

const CONNECTIONS = 64
const ANSWER_LIMIT_MS = 30_000
const EXAMPLE_CHARACTERS = 300
/** How often a request is made in total when answers ask to repeat it, and the longest wait between them. */
const ATTEMPTS_MAX = 3
const WAIT_MAX_S = 5

/** A caller that uses several servers at random, with one key. */
export function createClient(urls: readonly string[], secret: string, random: Random): Client {
  const agent = new Agent({ connections: CONNECTIONS })
  const latencies: Latency[] = []
  const faults = new Map<string, { count: number; example: string }>()
  let repeats = 0

  async function once(what: string, line: string, asked: Asked) {
    const [method = 'GET', target = '/'] = line.split(' ')
    const atMs = performance.now()
    const answer = await request((asked.url ?? random.pick(urls)) + target, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${asked.secret ?? secret}`,
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
      dispatcher: agent,
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new Error(`${what}: no answer`, { cause: error })
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    latencies.push({ atMs, tookMs: performance.now() - atMs })
    return { status: answer.statusCode, bytes, headers: answer.headers }
  }

  return {
    latencies,
    faults,
    repeats: () => repeats,
    async ask(what, line, asked) {
      for (let attempt = 1; ; attempt++) {
        const { status, bytes, headers } = await once(what, line, asked)
        if (status === asked.expect) return { bytes, headers }
        const waitS = Number(headers['retry-after'])
        if (status < 500 || !(waitS <= WAIT_MAX_S) || attempt === ATTEMPTS_MAX) {
          const text = bytes.toString()
          const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
          throw new Error(`${what}: ${status} ${code}`, { cause: text })
        }
        repeats++
        await pause(1_000 * waitS)
      }
    },
    fault(kind, example) {
      const known = faults.get(kind)
      if (known) known.count++
      else faults.set(kind, { count: 1, example: example.slice(0, EXAMPLE_CHARACTERS) })
    },
    close: () => agent.destroy(),
  }
}

/** The `data` of an answer. */
export function dataOf<T>({ bytes }: Answer): T {
  return (JSON.parse(bytes.toString()) as { data: T }).data
}
