import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * `pass` needs a Redis behind it, and so do `slow`, whose answers come five seconds late, and `full`, which
 * refuses whatever would write. `old` is a release before 6.0, to which what this service says first is unknown.
 * `denied` refuses whoever connects, before anything is asked, as in protected mode.
 */
export type Fault = 'pass' | 'mute' | 'garbage' | 'slow' | 'full' | 'gone' | 'old' | 'denied'

const SLOW_MS = 5_000
const FULL = "-OOM command not allowed when used memory > 'maxmemory'.\r\n"
const DENIED = '-DENIED Redis is running in protected mode because no password is set.\r\n'
/** The most of a command's arguments that Redis repeats. */
const REPEATED_CHARACTERS = 128
const NOISE = '\x16\x03\x01\x00 this is no Redis\r\n'

/** Something on Redis's port that misbehaves as told, from one moment to the next. */
export async function startFaultRedis(fault: Fault, upstreamUrl?: string) {
  const sockets = new Set<Socket>()
  let current = fault
  let dialled = 0
  const server = createServer((socket) => {
    dialled++
    if (current === 'gone') {
      socket.destroy()
      return
    }
    track(socket)
    if (current === 'denied') socket.end(DENIED)
    const upstream = upstreamUrl ? dial(upstreamUrl) : null
    socket.on('data', (bytes) => {
      if (current === 'garbage') socket.write(NOISE)
      if (current === 'old') socket.write(unknownCommand(bytes.toString()))
      if (current === 'full' && bytes.includes('EVAL')) socket.write(FULL)
      else if (['pass', 'slow', 'full'].includes(current)) upstream?.write(bytes)
    })
    upstream?.on('data', (bytes) => void answer(socket, bytes))
    socket.on('close', () => upstream?.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function dial(url: string): Socket {
    const { hostname, port: upstreamPort } = new URL(url)
    const upstream = connect(Number(upstreamPort), hostname)
    track(upstream)
    return upstream
  }
  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  async function answer(socket: Socket, bytes: Buffer): Promise<void> {
    const meant = current
    if (meant === 'slow') await pause(SLOW_MS, undefined, { ref: false })
    if (['pass', 'slow', 'full'].includes(meant)) socket.write(bytes)
  }
  const cut = () => sockets.forEach((socket) => socket.destroy())

  return {
    url: `redis://127.0.0.1:${port}`,
    /** How often it was connected to. */
    dialled: () => dialled,
    /** Misbehaves in another way from now on; `gone` also cuts every connection. */
    become(next: Fault) {
      current = next
      if (next === 'gone') cut()
    },
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As Redis says that it does not know a command: with the beginning of its arguments. */
function unknownCommand(text: string): string {
  const [command = '', ...args] = text.split('\r\n').filter((word) => /^[^*$]/.test(word))
  const repeated = args.map((word) => `\`${word}\`,`).join(' ')
  return `-ERR unknown command \`${command}\`, with args beginning with: ${repeated.slice(0, REPEATED_CHARACTERS)}\r\n`
}
