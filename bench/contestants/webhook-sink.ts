import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contestant } from './contestant.ts'

/** Receivers that accept everything at once, each on a host of its own; answers their ports. */
contestant<{ hosts: number }>(async ({ hosts }) => {
  const ports = await Promise.all(
    Array.from({ length: hosts }, () => {
      const server = createServer((request, response) => {
        request.resume()
        request.once('end', () => response.writeHead(204).end())
      })
      return new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
      })
    }),
  )
  return ports.join(',')
})
