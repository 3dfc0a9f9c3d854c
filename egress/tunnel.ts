import { once } from 'node:events'
import { type IncomingMessage, request as overTcp } from 'node:http'
import { request as overTls } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { bareHost, portOf } from './addresses.ts'

/** The `code` of the error for a proxy that opens no tunnel: it forbids the address, or wants another login. */
export const TUNNEL_REFUSED = 'ERR_TUNNEL_REFUSED'

/** Opens a connection to `host:port`, until `signal` gives it up. */
export type Tunnel = (endpoint: string, signal: AbortSignal) => Promise<Socket>

/**
 * Tunnels through an HTTP proxy, with the user and password of its address (RFC 9110, 9.3.6); `authorities` are the
 * certificates that one over TLS is trusted by, Node's own when left out. Fails with `TUNNEL_REFUSED` or the
 * system's code.
 */
export function createTunnel(proxyUrl: string, authorities?: string): Tunnel {
  const proxy = new URL(proxyUrl)
  const host = bareHost(proxy.hostname)
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization =
    login === ':' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` }
  const send = proxy.protocol === 'https:' ? overTls : overTcp

  return async (endpoint, signal) => {
    const asked = send({
      host,
      port: portOf(proxy),
      // Otherwise Node takes the name that the certificate must match from the Host header, which is another's.
      ...(isIP(host) === 0 && { servername: host }),
      ...(authorities !== undefined && { ca: authorities }),
      method: 'CONNECT',
      path: endpoint,
      headers: { Host: endpoint, ...authorization },
      agent: false,
      signal,
    })
    asked.end()
    const [answer, socket, ahead] = (await once(asked, 'connect')) as Connected
    if (answer.statusCode === 200) {
      if (ahead.length > 0) socket.unshift(ahead)
      return socket.setNoDelay(true).setKeepAlive(true)
    }
    socket.destroy()
    const message = `The proxy answered ${answer.statusCode} instead of opening a tunnel`
    throw Object.assign(new Error(message), { code: TUNNEL_REFUSED })
  }
}

type Connected = [answer: IncomingMessage, socket: Socket, ahead: Buffer]
