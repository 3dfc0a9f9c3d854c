import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { createLogger } from '../../core/logger.ts'
import type { Egress } from '../../core/egress.ts'
import { readUrl } from '../../core/urls.ts'
import { createEgress } from '../../egress/egress.ts'
import { publicAddress } from './egress.ts'

const LOCAL = /^(127\.0\.0\.1|localhost)$/
const log = createLogger('error')

/**
 * The service's own guard, in a world of the test's: every name is public but those under `.refused`,
 * nothing leaves this machine, and of its servers those may be reached that are allowed; without any,
 * all of them.
 */
export function createLocalEgress(allow: readonly string[]): Egress {
  const guards = new Map<string, Egress>()

  function guardFor(address: string): Egress {
    const url = readUrl(address)
    const isLocal = url !== null && LOCAL.test(url.hostname) && url.port !== ''
    const opened = allow.length > 0 || !isLocal ? allow : [url.host]
    const key = opened.join()
    const guard = guards.get(key) ?? createEgress({ allow: opened, log, resolve, dial })
    guards.set(key, guard)
    return guard
  }

  return {
    mayReach: (url, options) => guardFor(url).mayReach(url, options),
    download: (url, bounds) => guardFor(url).download(url, bounds),
    post: (url, request) => guardFor(url).post(url, request),
    close: async () => {
      await Promise.all([...guards.values()].map((guard) => guard.close()))
    },
  }
}

function resolve(name: string): Promise<string[]> {
  return Promise.resolve([name.endsWith('.refused') ? '10.0.0.5' : publicAddress])
}

/** What is public ends at a port of this machine that nobody listens on. */
function dial(options: TcpNetConnectOpts): Socket {
  const isLocal = LOCAL.test(options.host ?? '')
  return isLocal ? connect(options) : connect({ host: '127.0.0.1', port: 1 })
}
