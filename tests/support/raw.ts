import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Shorter than the service's keep-alive, so that a connection left open is told from a closed one. */
const CLOSE_LIMIT_MS = 3_000

export type RawAnswer = { status: number; reason: string; headers: Headers; body: string }

/** A connection to the service, for what no HTTP client would send. */
export async function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  // A reset shows as the end of the answers.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/**
 * Sends the pieces, one packet each, on a connection of its own and answers with all that came back
 * before the service closed it. Rejects when it stays open.
 */
export async function exchange(url: string, ...pieces: (string | Buffer)[]): Promise<RawAnswer[]> {
  const socket = await dial(url)
  const received = readAll(socket)
  for (const piece of pieces) {
    if (socket.writable)
      socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
    await pause(1)
  }
  try {
    return parseAnswers(await received)
  } finally {
    socket.destroy()
  }
}

/** Everything that arrives until the other side closes. */
export function readAll(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      reject(new Error(`The connection stays open after: ${Buffer.concat(chunks).toString()}`))
    }, CLOSE_LIMIT_MS)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    })
  })
}

/** Splits what came over a connection into its answers; throws for bytes that are none. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const [, status, reason] = /^HTTP\/1\.1 (\d{3}) (.+)$/.exec(line) ?? []
    if (end < 0 || !status || !reason) throw new Error(`No answer: ${rest.toString()}`)
    const headers = new Headers(
      fields.map((field) => {
        const [name = '', ...value] = field.split(':')
        return [name, value.join(':').trim()]
      }),
    )
    const start = end + 4
    const length = Number(headers.get('content-length') ?? 0)
    const body = rest.subarray(start, start + length)
    if (body.length < length)
      throw new Error(`The answer is cut off: ${rest.toString('latin1', 0, 2_000)}`)
    answers.push({ status: Number(status), reason, headers, body: body.toString() })
    rest = rest.subarray(start + length)
  }
  return answers
}
