import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PROJECT_ROOT } from '../../core/root.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Child, run, untilReady } from '../processes.ts'

/** A balancer in front of several servers, configured as in `examples/`. */
export type Balancer = Child & { url: string }

/** How often HAProxy checks whether a server is leaving or back. */
const CHECK_MS = 100

type Kind = {
  example: string
  argumentsFor(file: string): string[]
  /** The example for servers of this machine. */
  here(example: string, port: number, servers: readonly number[]): string
}

/** By the name of the program, which is also that of its package. */
export const BALANCERS: Record<string, Kind> = {
  haproxy: {
    example: 'examples/haproxy.cfg',
    argumentsFor: (file) => ['-db', '-q', '-f', file],
    here: (example, port, servers) => {
      const lines = servers.map(
        (one) => `  server s${one} 127.0.0.1:${one} check inter ${CHECK_MS}ms fall 2 rise 1`,
      )
      const quiet = 'global\n  log stderr local0 emerg\n'
      return quiet + inPlace(example.replace('bind :3000', `bind 127.0.0.1:${port}`), lines)
    },
  },
  nginx: {
    example: 'examples/nginx.conf',
    argumentsFor: (file) => ['-c', file],
    here: (example, port, servers) => {
      const lines = servers.map((one) => `  server 127.0.0.1:${one} fail_timeout=2s;`)
      const text = inPlace(example.replace('listen 3000', `listen 127.0.0.1:${port}`), lines)
      // The load generator keeps its connections, which nginx closes after 1,000 requests by default.
      return `daemon off; pid nginx.pid; error_log stderr emerg;
        worker_processes 1; events { worker_connections 4096; }
        http { access_log off; keepalive_requests 1000000000; ${text} }`
    },
  },
}

/**
 * Starts a balancer in front of local servers on these ports, which sends a request to another server when a server
 * does not accept the connection; a request that was sent is never repeated.
 */
export async function startBalancer(
  folder: string,
  name: string,
  servers: readonly number[],
): Promise<Balancer> {
  const kind = BALANCERS[name]
  if (!kind) throw new Error(`There is no balancer ${name}`)
  const port = await freePort()
  const file = path.join(folder, `${name}-${servers.length}.conf`)
  const example = await readFile(path.join(PROJECT_ROOT, kind.example), 'utf8')
  await writeFile(file, kind.here(example, port, servers))
  const child = run(name, kind.argumentsFor(file))
  if (child.pid === 0) throw new Error(`${name} is not installed: \`apt-get install ${name}\``)
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, async () => (await fetch(`${url}/readyz`)).ok)
  return { ...child, url }
}

/** The example with these lines in the place of its own servers. */
function inPlace(example: string, servers: string[]): string {
  const [first = '', ...others] = example.split(/^ {2}server api-\d.*\n/m)
  return [first, ...servers.map((line) => `${line}\n`), ...others].join('')
}
