import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect as openSocket, type Server, type Socket } from 'node:net'

type Asked = { endpoint: string; login: string | undefined }

type Options = {
  /** Has a server listen on a free port of this machine. */
  listening: (server: Server, host: string) => Promise<{ port: number }>
  login?: string
  /** The certificate of a proxy that is reached over TLS, as `localhost`. */
  certificate?: { key: string; cert: string }
}

/** A proxy whose internet is one port of this machine, whatever is asked for; or that answers with a status. */
export async function startProxy(
  to: { port: number } | number | 'mute',
  { listening, login = '', certificate }: Options,
) {
  const asked: Asked[] = []
  const server = certificate ? createTlsServer(certificate) : createHttpServer()
  server.on('connect', ({ url, headers }, client: Socket) => {
    asked.push({ endpoint: url ?? '', login: headers['proxy-authorization'] })
    client.on('error', () => {})
    if (to === 'mute') return
    if (typeof to === 'number') {
      client.end(`HTTP/1.1 ${to} No\r\nContent-Length: 2\r\n\r\nno`)
      return
    }
    const far = openSocket(to.port, '127.0.0.1')
    far.on('error', () => client.destroy())
    // One that is gone in the middle would leave the other side waiting to be read for ever.
    client.on('close', () => far.destroy())
    far.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(far)
      far.pipe(client)
    })
  })
  const { port } = await listening(server, '127.0.0.1')
  const url = certificate ? `https://localhost:${port}` : `http://${login}127.0.0.1:${port}`
  return { asked, url }
}
