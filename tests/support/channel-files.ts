import type { IncomingMessage } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from '@jest/globals'
import type { ChannelAnswer } from '../../core/channel-account.ts'
import type { OutgoingFile } from '../../core/ports.ts'
import { accessToken, bodyOf, listen } from './channel.ts'

export type Seen = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Stand-ins for the channel of one test, all closed by `close`. */
export function createStandIns() {
  const servers: { close(): Promise<void> }[] = []
  return {
    /** Notes what it is asked and answers with the next of the given answers, then with 500. */
    async channelThat(...answers: [status: number, body: unknown][]) {
      const seen: Seen[] = []
      const server = await listen(async (request, response) => {
        const { method = '', url = '', headers } = request
        seen.push({ method, url, headers, body: await bodyOf(request) })
        const [status, body] = answers.shift() ?? [500, {}]
        const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(bytes)
      })
      servers.push(server)
      return { url: server.url, seen }
    },

    /** Speaks TCP alone: `act` has the connection and the first bytes on it. */
    async serveRaw(act: (socket: Socket, bytes: Buffer) => void): Promise<string> {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.once('data', (bytes) => act(socket, bytes))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      servers.push({
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve())
            for (const socket of sockets) socket.destroy()
          }),
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },

    async close() {
      for (const server of servers) await server.close()
    },
  }
}

const PIECE_BYTES = 65_536

/** A file on its way to the channel, and every stream that was opened of it. */
export function fileOf(bytes: Buffer, more: Partial<OutgoingFile> = {}) {
  const opened: Readable[] = []
  const file: OutgoingFile = {
    filename: 'photo.jpg',
    mimeType: 'image/jpeg',
    sizeBytes: bytes.length,
    async open() {
      const count = Math.ceil(bytes.length / PIECE_BYTES)
      const pieces = Array.from({ length: count }, (_, index) =>
        bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
      )
      const stream = Readable.from(pieces, { objectMode: false })
      opened.push(stream)
      return stream
    },
    ...more,
  }
  return { file, opened }
}

/** The error of an answer, in which the token must never be. */
export function errorOf(answer: ChannelAnswer<unknown>) {
  if (answer.ok) throw new Error('The channel answered')
  expect(JSON.stringify(answer)).not.toContain(accessToken)
  return answer.error
}

export function valueOf<T>(answer: ChannelAnswer<T>): T {
  if (!answer.ok) throw new Error(`The channel refused: ${JSON.stringify(answer.error)}`)
  return answer.value
}

export const graphError = (code: number, more = {}) => ({
  error: { code, message: 'No', ...more },
})
