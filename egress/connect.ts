import { once } from 'node:events'
import { connect as openSocket, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { hasCode } from '../core/caught-errors.ts'
import { endpointOf, isPublicAddress, portOf, REFUSAL } from './addresses.ts'
import { type Connect, ownConnect } from './pools.ts'
import { type Names, publicAddressesOf } from './resolve.ts'
import type { Tunnel } from './tunnel.ts'

/** The `code` of the error for an address that is not public or does not resolve. */
export const REFUSED = 'ERR_ADDRESS_REFUSED'
/** The `code` of the error for a server without a valid certificate or TLS 1.2. */
export const TLS_FAILED = 'ERR_TLS_FAILED'

type Options = Names & {
  /** `host:port` that may be reached although private. */
  allow: ReadonlySet<string>
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
 * header use the name. Fails with `REFUSED`, `TLS_FAILED` or the system's code. Through a tunnel, the name is what
 * is asked for, and what the socket reaches is up to the proxy.
 */
export function createConnect(options: Options): Connect {
  return (target, unwanted) =>
    withinMs(options.timeoutMs, unwanted, async (signal) => {
      const addresses = await addressesFor(target, options)
      signal.throwIfAborted()
      const { tunnel } = options
      const socket =
        tunnel && addresses
          ? await tunnel(endpointOf(bracketed(target)), signal)
          : await dialled(target, { ...options, addresses, signal })
      return target.protocol === 'https:' ? secured(socket, target, { ...options, signal }) : socket
    })
}

/** The addresses to dial for a host; null for one that is allowed whatever it resolves to. */
async function addressesFor(
  target: buildConnector.Options,
  { allow, ...names }: Options,
): Promise<string[] | null> {
  if (allow.has(endpointOf(bracketed(target)))) return null
  const addresses = await publicAddressesOf(target.hostname, names)
  if (addresses === null) throw failure(REFUSAL, REFUSED)
  return addresses.slice(0, addressesTried)
}

function bracketed({ protocol, hostname, port }: buildConnector.Options) {
  return { protocol, port, hostname: isIP(hostname) === 6 ? `[${hostname}]` : hostname }
}

type Direct = { tunnel: Tunnel; allow: ReadonlySet<string>; timeoutMs: number }

/**
 * Connects to addresses that the operator has given: through the tunnel, except to this machine, to private addresses
 * and names, and to what is allowed to be reached although private.
 */
export function createTunneledConnect({ tunnel, allow, timeoutMs }: Direct): Connect {
  const direct = ownConnect(timeoutMs)
  return async (target, unwanted) => {
    const { hostname } = target
    // A name without a dot is one of the network at hand, such as `localhost`.
    const isNear = isIP(hostname) === 0 ? !hostname.includes('.') : !isPublicAddress(hostname)
    const endpoint = endpointOf(bracketed(target))
    if (isNear || allow.has(endpoint)) return direct(target, unwanted)
    return withinMs(timeoutMs, unwanted, async (signal) => {
      const socket = await tunnel(endpoint, signal)
      return target.protocol === 'https:' ? secured(socket, target, { signal }) : socket
    })
  }
}

/** Runs work whose signal aborts after some time, which fails with ETIMEDOUT, or when it is unwanted. */
async function withinMs<T>(
  timeoutMs: number,
  unwanted: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const signal = AbortSignal.any([late.signal, unwanted])
  try {
    return await work(signal)
  } catch (error) {
    throw signal.aborted ? failure('The connection took too long', 'ETIMEDOUT', error) : error
  } finally {
    clearTimeout(timer)
  }
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
  { authorities, signal }: Pick<Options, 'authorities'> & { signal: AbortSignal },
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
