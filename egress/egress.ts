import type { Socket, TcpNetConnectOpts } from 'node:net'
import type { Context } from '../core/context.ts'
import type { Egress } from '../core/egress.ts'
import { LIMITS } from '../core/limits.ts'
import { bareHost, endpointOf, isPublicAddress, readAddress } from './addresses.ts'
import { createClient } from './client.ts'
import { createConnect } from './connect.ts'
import { createDownload } from './download.ts'
import { createPools } from './pools.ts'
import { createPost } from './post.ts'
import { createResolve, publicAddressesOf, type Resolve } from './resolve.ts'
import type { Tunnel } from './tunnel.ts'

type Options = {
  /** `host:port` entries that may be reached although private, and over plain http. */
  allow: readonly string[]
  log: Pick<Context['log'], 'warn'>
  /** Limits look-up, connection and TLS of each new connection. */
  connectTimeoutMs?: number
  resolveTimeoutMs?: number
  /**
   * Per origin; as many as there can be deliveries under way. With fewer, a delivery to a healthy receiver
   * could wait for those that hang.
   */
  connectionsMax?: number
  resolve?: Resolve
  /** Opens the sockets; Node's own unless a test watches them. */
  dial?: (options: TcpNetConnectOpts) => Socket
  /** Certificates to trust instead of Node's own. */
  authorities?: string
  /** The way out through a proxy, which refuses private addresses itself; null for none. */
  tunnel?: Tunnel | null
}

/** The most origins to which connections are kept; idle connections close by themselves. */
const originsMax = 1_000

/**
 * The only way to addresses that users give. A connection is checked when it is made and may be reused without
 * another look-up; every new one is checked again.
 */
export function createEgress(options: Options): Egress {
  const { log, resolve = createResolve(), resolveTimeoutMs = 3_000 } = options
  const { dial, authorities, tunnel = null } = options
  const { connectTimeoutMs = 10_000, connectionsMax = LIMITS.attemptsUnderWay } = options
  const allow = new Set(options.allow)
  if (allow.size > 0) log.warn('egress.private_addresses_allowed', { allow: [...allow] })

  const timeoutMs = connectTimeoutMs
  const connect = createConnect({
    allow,
    resolve,
    resolveTimeoutMs,
    timeoutMs,
    authorities,
    tunnel,
    ...(dial && { dial }),
  })
  const pools = createPools({ connect, connectTimeoutMs, connectionsMax, originsMax })
  const client = createClient(pools, { headers: { Accept: '*/*' } })

  return {
    async mayReach(address, { allowHttp }) {
      const url = readAddress(address, { allowHttp, allow })
      if (!url) return false
      const host = bareHost(url.hostname)
      if (allow.has(endpointOf(url)) || isPublicAddress(host)) return true
      return (await publicAddressesOf(host, { resolve, resolveTimeoutMs, tunnel })) !== null
    },
    download: createDownload(client, allow),
    post: createPost(pools, allow),
    close: pools.close,
  }
}
