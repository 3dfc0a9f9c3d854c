import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIMITS } from '../core/limits.ts'

/** `setting` is the name of the setting that chose the port. */
type Place = { port: number; host: string; setting: string }
type OnError = (error: unknown) => void

const LISTEN_REFUSALS: Record<string, (at: Place) => string> = {
  EADDRINUSE: ({ port, setting }) => `Port ${port} is taken; choose another with ${setting}.`,
  EACCES: ({ port, setting }) =>
    `Port ${port} may not be used by this user; choose another with ${setting}.`,
  EADDRNOTAVAIL: ({ host }) => `HOST is ${host}, which is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST is ${host}, which no name server knows.`,
  EAI_AGAIN: ({ host }) => `HOST is ${host}, which no name server answers for.`,
}

/**
 * Makes a server listen, and answers its URL on this machine; throws one sentence when the address or the port
 * is not available. `onError` is called for later errors, such as a connection that cannot be accepted for lack
 * of file descriptors, which would end the process otherwise.
 */
export function listen(
  server: Server,
  { port, host, setting }: Place,
  onError: OnError,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const says = LISTEN_REFUSALS[error.code ?? '']
      reject(says ? new Error(says({ port, host, setting }), { cause: error }) : error)
    })
    server.listen({ port, host, backlog: LIMITS.connectionsMax }, () => {
      server.on('error', onError)
      resolve(localUrl(server))
    })
  })
}

function localUrl(server: Server): string {
  const { port, address, family } = server.address() as AddressInfo
  const isAny = address === '0.0.0.0' || address === '::'
  const host = isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
