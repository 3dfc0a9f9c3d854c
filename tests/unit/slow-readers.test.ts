import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import express, { type RequestHandler, type Response } from 'express'
import { LIMITS } from '../../core/limits.ts'
import { createServer } from '../../middleware/server.ts'
import { dial, parseAnswers, readAll } from '../support/raw.ts'
import { until } from '../support/until.ts'

/** A server that gives up a connection on which nothing moved for a moment. */
async function start(answer: RequestHandler) {
  const { server } = createServer(express().use(answer), 5_000, { stalledMs: 100 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}` }
}

it.each(['at once', 'after a silence'])(
  'a client that takes nothing of its answer, sent %s, is not waited for without end',
  async (when) => {
    const large = Buffer.alloc(32 * 1024 * 1024)
    const { server, url } = await start((req, res) => {
      if (when === 'at once') res.end(large)
      else req.socket.once('timeout', () => void res.end(large))
    })
    const socket = await dial(url)
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3))
    const [accepted] = (await once(server, 'request')) as [IncomingMessage]
    await once(accepted.socket, 'close')
    socket.destroy()
    server.close()
  },
)

it('a client that takes nothing of its answer is given up though it has asked for something silent meanwhile', async () => {
  const { server, url } = await start((req, res) => {
    if (req.url === '/large') res.end(Buffer.alloc(32 * 1024 * 1024))
    else req.socket.once('timeout', () => void res.end('done'))
  })
  const socket = await dial(url)
  const requests = ['/large', '/silent'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  socket.pause().write(requests.join(''))
  const [accepted] = (await once(server, 'request')) as [IncomingMessage]
  await once(accepted.socket, 'close')
  socket.destroy()
  server.close()
})

it('a client waits for its answer for as long as the service works in silence', async () => {
  const { server, url } = await start((req, res) => {
    req.socket.once('timeout', () => void res.end('done'))
  })
  expect(await (await fetch(url)).text()).toBe('done')
  server.closeAllConnections()
  server.close()
})

describe('requests that are sent ahead', () => {
  it('are begun one after the other, each once the one before is answered', async () => {
    const begun: Response[] = []
    const { server, url } = await start((_req, res) => void begun.push(res))
    const socket = await dial(url)
    const answers = readAll(socket)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    for (const nth of [1, 2, 3]) {
      await until(() => begun.length > 0, 'the next request')
      for (let turns = 0; turns < 5; turns++) await turn()
      expect(begun).toHaveLength(1)
      begun.pop()!.send(String(nth))
    }
    expect(parseAnswers(await answers).map(({ body }) => body)).toEqual(['1', '2', '3'])
    server.close()
  })

  it('are not begun while their client reads nothing of an answer, nor when it has gone', async () => {
    let begun = 0
    const { server, url } = await start((_req, res) => {
      begun++
      res.end(Buffer.alloc(32 * 1024 * 1024))
    })
    const socket = await dial(url)
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(LIMITS.requestsAhead))
    const [accepted] = (await once(server, 'request')) as [IncomingMessage]
    const closed = new Promise((resolve) => accepted.socket.once('close', resolve))
    socket.destroy()
    await closed
    for (let turns = 0; turns < 5; turns++) await turn()
    expect(begun).toBe(1)
    server.close()
  })
})
