import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { type Child, run, untilReady } from '../processes.ts'

/** HAProxy, as one would put it before several servers. */
export type Balancer = Child & { url: string }

/** How fast it sees that a server leaves or comes back. */
const CHECK_MS = 100

/**
 * Starts HAProxy before the servers on these ports of this machine. It asks `/readyz`, and takes a request
 * elsewhere when a server does not take the connection; nothing that was sent is sent again.
 */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const file = path.join(folder, `haproxy-${ports.length}.cfg`)
  await writeFile(file, configuration(port, ports))
  const child = run('haproxy', ['-db', '-q', '-f', file])
  if (child.pid === 0) throw new Error('haproxy is not installed: `apt-get install haproxy`')
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, async () => (await fetch(`${url}/readyz`)).ok)
  return { ...child, url }
}

function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map(
    (one) => `  server s${one} 127.0.0.1:${one} check inter ${CHECK_MS}ms fall 2 rise 1`,
  )
  return [
    'global',
    '  log stderr local0 emerg',
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 70s',
    '  timeout server 10m',
    '  timeout check 5s',
    '  retries 3',
    '  retry-on conn-failure',
    '  option redispatch 1',
    'frontend all',
    `  bind 127.0.0.1:${port}`,
    '  default_backend api',
    'backend api',
    '  balance leastconn',
    '  option httpchk GET /readyz',
    ...servers,
    '',
  ].join('\n')
}
