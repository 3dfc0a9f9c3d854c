import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import type { Tunnel } from './tunnel.ts'

/** All addresses of a name, IPv4 and IPv6. Rejects or answers with none when there are none. */
export type Resolve = (name: string) => Promise<string[]>

type Options = {
  tryMs?: number
  /** Replaces the system's servers, for example `127.0.0.1:5353`. */
  servers?: string[]
}

const tries = 2

/**
 * Resolves names by DNS only: no hosts file, no search domains. Unlike the system's resolver it uses none of
 * the few threads shared with file access, so slow name servers slow down nothing else. An address family
 * without an answer after two tries, of `tryMs` each, counts as having no addresses.
 */
export function createResolve({ tryMs = 700, servers }: Options = {}): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    // IPv4 first, since many networks cannot reach IPv6.
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

export type Names = {
  resolve: Resolve
  resolveTimeoutMs: number
  /** Through it, names are reached that may be unknown here. */
  tunnel?: Tunnel | null | undefined
}

/**
 * The addresses of a host if it may be reached, which are all public then; none of a name that only the tunnel knows.
 * Null otherwise: it is not revealed whether a name is unknown, or known and private. Never rejects.
 */
export async function publicAddressesOf(
  host: string,
  { resolve, resolveTimeoutMs, tunnel }: Names,
): Promise<string[] | null> {
  const known = isIP(host) ? [host] : await addressesOf(host, resolve, resolveTimeoutMs)
  const isKnown = known.length > 0 || Boolean(tunnel)
  return isKnown && known.every(isPublicAddress) ? known : null
}

/** None when the name is unknown, or when they do not arrive within `timeoutMs`. */
async function addressesOf(name: string, resolve: Resolve, timeoutMs: number): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((answer) => {
    timer = setTimeout(answer, timeoutMs, [])
  })
  try {
    return await Promise.race([resolve(name), late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
