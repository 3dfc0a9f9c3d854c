import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { type Child, run, untilReady } from '../processes.ts'

/** HAProxy in front of several servers, configured as in production. */
export type Balancer = Child & { url: string }

/** How often it checks whether a server is leaving or back. */
const CHECK_MS = 100

/**
 * Starts HAProxy in front of local servers on these ports. It checks `/readyz`, and sends a request to another
 * server when a server does not accept the connection; a request that was sent is never repeated.
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
