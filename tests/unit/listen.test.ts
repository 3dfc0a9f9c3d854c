import { createServer } from 'node:http'
import { expect, it } from '@jest/globals'
import { listen } from '../../middleware/listen.ts'

it('a server that cannot take a connection tells so each time, and goes on', async () => {
  const server = createServer((_req, res) => void res.end('yes'))
  const told: unknown[] = []
  const place = { port: 0, host: '127.0.0.1', setting: 'PORT' }
  const url = await listen(server, place, (error) => void told.push(error))
  // As Node does for each connection while the process has no file descriptor left.
  const faults = [1, 2, 3].map((n) => new Error(`accept EMFILE ${n}`))
  for (const fault of faults) server.emit('error', fault)
  expect(told).toEqual(faults)
  expect(await (await fetch(url)).text()).toBe('yes')
  server.close()
  server.closeAllConnections()
})

it.each([
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
])('a server that listens at %s is asked at %s', async (host, asked) => {
  const server = createServer((_req, res) => void res.end('yes'))
  const url = await listen(server, { port: 0, host, setting: 'PORT' }, () => {})
  expect(new URL(url).hostname).toBe(asked)
  expect(await (await fetch(url)).text()).toBe('yes')
  server.close()
  server.closeAllConnections()
})
