import { once } from 'node:events'
import { connect as openSocket, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { hasCode } from '../core/caught-errors.ts'
import { endpointOf, isPublicAddress, portOf, REFUSAL } from './addresses.ts'
import type { Connect } from './pools.ts'
import { publicAddressesOf, type Resolve } from './resolve.ts'

/** The `code` of the error for an address that is not public or does not resolve. */
export const REFUSED = 'ERR_ADDRESS_REFUSED'
/** The `code` of the error for a server without a valid certificate or TLS 1.2. */
export const TLS_FAILED = 'ERR_TLS_FAILED'

type Options = {
  /** `host:port` that may be reached although private. */
  allow: ReadonlySet<string>
  resolve: Resolve
  resolveTimeoutMs: number
  /** Limits look-up, connection and TLS together. */
  timeoutMs: number
  /** Opens the sockets; Node's own. */
  dial?: (options: TcpNetConnectOpts) => Socket
  /** Certificates to trust instead of Node's own. */
  authorities?: string | undefined
}

/** How many of a name's addresses are tried, and for how long each except the last. */
const addressesTried = 4
const attemptMs = 2_000

/**
 * Makes connections that are checked one by one: the host as written, every address that it resolves to, and
 * the address that the socket has actually reached. Only checked addresses are dialled, while TLS and the Host
 * header use the name. Fails with `REFUSED`, `TLS_FAILED` or the system's code.
 */
export function createConnect(options: Options): Connect {
  return async (target, unwanted) => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), options.timeoutMs)
    const signal = AbortSignal.any([late.signal, unwanted])
    try {
      const addresses = await addressesFor(target, options)
      signal.throwIfAborted()
      const socket = await dialled(target, { ...options, addresses, signal })
      return target.protocol === 'https:'
        ? await secured(socket, target, { ...options, signal })
        : socket
    } catch (error) {
      throw signal.aborted ? failure('The connection took too long', 'ETIMEDOUT', error) : error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The addresses to dial for a host; null for one that is allowed whatever it resolves to. */
async function addressesFor(
  { protocol, hostname, port }: buildConnector.Options,
  { allow, resolve, resolveTimeoutMs }: Options,
): Promise<string[] | null> {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
  if (allow.has(endpointOf({ protocol, hostname: host, port }))) return null
  const isLiteral = isIP(hostname) !== 0
  const addresses = isLiteral
    ? [hostname].filter(isPublicAddress)
    : await publicAddressesOf(hostname, resolve, resolveTimeoutMs)
  if (addresses.length === 0) throw failure(REFUSAL, REFUSED)
  return addresses.slice(0, addressesTried)
}

type Dial = Options & { addresses: string[] | null; signal: AbortSignal }

async function dialled(
  { protocol, hostname, port }: buildConnector.Options,
  { addresses, dial = openSocket, signal }: Dial,
): Promise<Socket> {
  const socket = dial({
    host: hostname,
    port: portOf({ protocol, port }),
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    // The socket gets the checked addresses instead of resolving the name again.
    ...(addresses && { lookup: (_name, _options, answer) => answer(null, addresses.map(entryOf)) }),
  })
  await ready(socket, 'connect', signal)
  if (addresses && !isPublicAddress(socket.remoteAddress ?? '')) {
    socket.destroy()
    throw failure(REFUSAL, REFUSED)
  }
  return socket
}

function entryOf(address: string) {
  return { address, family: isIP(address) }
}

async function secured(
  socket: Socket,
  { hostname }: buildConnector.Options,
  { authorities, signal }: Options & { signal: AbortSignal },
): Promise<TLSSocket> {
  const name = hostname.replace(/\.$/, '')
  const secure = openTls({
    socket,
    // The name that the certificate must match; for an IP address, no server name is sent.
    host: name,
    ...(isIP(name) === 0 && { servername: name }),
    ...(authorities !== undefined && { ca: authorities }),
    // Explicit, so that no environment variable can turn it off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  })
  try {
    await ready(secure, 'secureConnect', signal)
    return secure
  } catch (error) {
    const isCut = hasCode(error, 'ECONNRESET')
    throw isCut ? error : failure('There is no valid TLS', TLS_FAILED, error)
  }
}

/** Waits for the event; destroys the socket when it fails or is aborted first. */
async function ready(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  // Before undici listens, and after it has let go, nobody handles an error.
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function failure(message: string, code: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code })
}
