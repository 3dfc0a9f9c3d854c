import { spawn } from 'node:child_process'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net'
import { createLogger } from '../../core/logger.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import type { Egress } from '../../core/egress.ts'
import { createEgress } from '../../egress/egress.ts'

type EgressOptions = Partial<Parameters<typeof createEgress>[0]>

/** An address that is public; nothing in the tests ever reaches it. */
export const publicAddress = '93.184.216.34'

/** What a test opens, closed after it by one call. */
export function createYard() {
  const closers: (() => Promise<void>)[] = []

  async function listening(server: Server, host: string) {
    const sockets = new Set<Socket>()
    let connections = 0
    server.on('connection', (socket: Socket) => {
      connections += 1
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    closers.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of sockets) socket.destroy()
        }),
    )
    const { port } = server.address() as AddressInfo
    const name = host.includes(':') ? `[${host}]` : host
    return {
      port,
      endpoint: `${name}:${port}`,
      url: `http://${name}:${port}`,
      /** How many connections there have been. */
      connections: () => connections,
      /** Resolves when none is open. */
      quiet: async () => {
        while (sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 2))
      },
    }
  }

  return {
    listening,
    /** An HTTP server of this machine. */
    serve: (listener: RequestListener, host = '127.0.0.1') =>
      listening(createHttpServer({ keepAliveTimeout: 60_000 }, listener), host),
    /** A server that gets the bare connections, and reads what comes over them. */
    serveRaw: (listener: (socket: Socket) => void, host = '127.0.0.1') =>
      listening(
        createTcpServer((socket) => listener(socket.resume())),
        host,
      ),
    /** A guard whose resolver knows no name, unless the options say otherwise. */
    guard(options: EgressOptions = {}): Egress {
      const egress = createEgress({
        allow: [],
        log: createLogger('error'),
        resolve: async () => [],
        ...options,
      })
      closers.push(egress.close)
      return egress
    },
    async close() {
      await Promise.all(closers.splice(0).map((close) => close()))
    },
  }
}

/**
 * Stands for the way to the public internet: every socket reaches the port of this machine, and says
 * that it has reached `claims`. `dialled` tells what was to be reached, and `ports` at which port.
 */
export function createDial(port: number, claims: string | null = publicAddress) {
  const dialled: string[] = []
  const ports: number[] = []
  const dial = ({ host, port: asked, lookup }: TcpNetConnectOpts): Socket => {
    ports.push(asked)
    if (lookup) {
      lookup(host ?? '', {}, (_, found) => {
        const entries = Array.isArray(found) ? found : [{ address: found }]
        dialled.push(...entries.map(({ address }) => address))
      })
    } else dialled.push(host ?? '')
    const socket = connect({ host: '127.0.0.1', port })
    if (claims !== null) Object.defineProperty(socket, 'remoteAddress', { value: claims })
    return socket
  }
  return { dial, dialled, ports }
}

export const event = {
  headers: { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0' },
  body: '{"id":1}',
  timeoutMs: 2_000,
}

/** The file's bytes; rejects as its body does. */
export async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * What a process with this environment prints when it posts the event to the address and downloads it
 * after that: the outcome of each. Node itself reads its environment only as it starts.
 */
export async function reachFromProcess({
  url,
  allow,
  env,
}: {
  url: string
  allow: string
  env: Record<string, string>
}): Promise<unknown[]> {
  const script = `
    import { createEgress } from './egress/egress.ts'
    const egress = createEgress({ allow: ['${allow}'], log: { warn() {} } })
    const { statusCode, error } = await egress.post('${url}', ${JSON.stringify(event)})
    const { ok } = await egress.download('${url}', { bytesMax: 99, timeoutMs: 2000 })
    console.log(JSON.stringify([statusCode, error, ok]))
    process.exit()`
  const node = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const child = spawn(process.execPath, node, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = await bytesOf(child.stdout as AsyncIterable<Buffer>)
  return JSON.parse(printed.toString()) as unknown[]
}
