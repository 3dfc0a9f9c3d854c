import { connect, type Socket } from 'node:net'
import { UNIQUE } from './requests.ts'
import { type Load, percentile, type Timing } from './timing.ts'

// A process of its own that only loads a server: its keep-alive client writes requests prepared beforehand and
// reads only the status and length of each answer, so that it takes as little as possible of the cores that it
// shares with the server.

type Run = Load & { url: string; kept: number }
/** A request, and the offset at which a unique number is inserted; -1 for none. */
type Prepared = { bytes: Buffer; uniqueAt: number }
type Message = { id: number; run: Run } | { keep: { number: number; requests: string[] } }
type Round = { requests: Prepared[]; latenciesMs: number[]; until: number; next: number }

const HEAD_END = '\r\n\r\n'
const HEAD_BYTES_MAX = 16_384
const ANSWER_SHOWN = 1_000

const requestsKept = new Map<number, Prepared[]>()
let unique = 0

process.on('message', (message: Message) => {
  if ('keep' in message) {
    const { number, requests } = message.keep
    requestsKept.set(number, requests.map(prepare))
    return
  }
  const { id, run } = message
  load(run).then(
    (timing) => process.send?.({ id, timing }),
    (error: unknown) => process.send?.({ id, problem: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

function prepare(text: string): Prepared {
  const bytes = Buffer.from(text)
  return { bytes, uniqueAt: bytes.indexOf(UNIQUE) }
}

/** A fresh copy when a number is inserted: the socket may not have sent the previous one yet. */
function bytesOf({ bytes, uniqueAt }: Prepared): Buffer {
  if (uniqueAt < 0) return bytes
  const copy = Buffer.from(bytes)
  copy.write(String(++unique).padStart(UNIQUE.length, '0'), uniqueAt, 'latin1')
  return copy
}

async function load({ url, kept, connections, seconds }: Run): Promise<Timing> {
  const requests = requestsKept.get(kept)
  if (!requests) throw new Error('The requests have not been handed over')
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => open(hostname, Number(port))),
  )
  const start = performance.now()
  const round: Round = {
    requests,
    latenciesMs: [],
    until: start + seconds * 1000,
    next: 0,
  }
  await Promise.all(sockets.map((socket) => drive(socket, round)))
  const elapsedS = (performance.now() - start) / 1000
  const sorted = Float64Array.from(round.latenciesMs).sort()
  return {
    count: sorted.length,
    elapsedS,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends one request at a time over one connection until the round is over. */
function drive(socket: Socket, round: Round): Promise<void> {
  return new Promise((resolve, reject) => {
    let head: Buffer | null = null
    let missing = 0
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      const request = round.requests[round.next++ % round.requests.length]
      if (request) socket.write(bytesOf(request))
    }
    const end = () => {
      const now = performance.now()
      round.latenciesMs.push(now - sentAt)
      if (now < round.until) return send()
      socket.destroy()
      resolve()
    }
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        head = head ? Buffer.concat([head, chunk]) : chunk
        const length = answerLength(head)
        if (length === null) return
        if (length instanceof Error) return void socket.destroy(length)
        missing = length - head.length
        head = null
      } else missing -= chunk.length
      if (missing < 0) return void socket.destroy(new Error('More came than was announced'))
      if (missing === 0) end()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server closed the connection')))
    send()
  })
}

/** The full length of an answer; null while its head is incomplete, an Error when it is not HTTP. */
function answerLength(bytes: Buffer): number | null | Error {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return bytes.length > HEAD_BYTES_MAX ? new Error('The head does not end') : null
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (head.charCodeAt(9) !== 0x32 || length === undefined) {
    return new Error(`Unexpected answer: ${bytes.toString('latin1', 0, ANSWER_SHOWN)}`)
  }
  return end + HEAD_END.length + Number(length)
}
