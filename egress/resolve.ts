import { Resolver } from 'node:dns/promises'
import { isPublicAddress } from './addresses.ts'

/** All addresses of a name, of both families. Rejects, or answers with none, when it has none. */
export type Resolve = (name: string) => Promise<string[]>

type Options = {
  tryMs?: number
  /** In place of the system's, as `127.0.0.1:5353`. */
  servers?: string[]
}

const tries = 2

/**
 * Asks the DNS, and nothing else: no hosts file, no search domains. Unlike the system's look-up it does
 * not take one of the few threads that all file access shares, so that slow name servers slow nobody.
 * A family that no server answers for in `tryMs`, and then twice that, counts as without addresses.
 */
export function createResolve({ tryMs = 700, servers }: Options = {}): Resolve {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    // IPv4 first: many networks cannot reach the other.
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/**
 * The name's addresses if all of them are public; none otherwise, or when they do not come within
 * `timeoutMs`. Never rejects.
 */
export async function publicAddressesOf(
  name: string,
  resolve: Resolve,
  timeoutMs: number,
): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((answer) => {
    timer = setTimeout(answer, timeoutMs, [])
  })
  try {
    const addresses = await Promise.race([resolve(name), late])
    return addresses.every(isPublicAddress) ? addresses : []
  } catch {
    // Nobody is to learn whether a name is unknown, or known and private.
    return []
  } finally {
    clearTimeout(timer)
  }
}
