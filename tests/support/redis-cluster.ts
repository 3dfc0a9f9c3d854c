import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from 'redis'
import { freePort } from '../../scripts/free-port.ts'
import { until } from './until.ts'

const SLOTS = 16_384
/** How long a node may be silent before another takes its place. */
const NODE_TIMEOUT_MS = 1_000

/** The password of all nodes. */
export const CLUSTER_PASSWORD = 's3cret/of+Cluster'

type Node = { port: number; busPort: number; folder: string; server: ChildProcess }

/** Three nodes that share the keys, and one that stands in for the first; needs a redis-server of 7.0 or newer. */
export async function startRedisCluster() {
  const nodes = await Promise.all(Array.from({ length: 4 }, startNode))
  const [first, ...others] = nodes as [Node, Node, Node, Node]
  const masters = nodes.slice(0, 3)
  for (const [index, { port }] of masters.entries()) {
    const from = Math.ceil((index * SLOTS) / masters.length)
    const to = Math.ceil(((index + 1) * SLOTS) / masters.length) - 1
    await tell(port, 'CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  }
  for (const { port, busPort } of others) {
    await tell(first.port, 'CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort))
  }
  const standby = others[2]
  const id = String(await tell(first.port, 'CLUSTER', 'MYID'))
  const knows = async () => String(await tell(standby.port, 'CLUSTER', 'NODES')).includes(id)
  await until(knows, 'the nodes know each other')
  await tell(standby.port, 'CLUSTER', 'REPLICATE', id)
  const follows = async () =>
    String(await tell(standby.port, 'INFO', 'replication')).includes('master_link_status:up')
  await until(follows, 'the first node is copied')
  await untilWhole()

  async function untilWhole(): Promise<void> {
    const whole = async ({ port }: Node) =>
      String(await tell(port, 'CLUSTER', 'INFO').catch(() => '')).includes('cluster_state:ok')
    await until(async () => (await Promise.all(nodes.map(whole))).every(Boolean), 'the cluster')
  }
  const urlOf = ({ port }: Node) =>
    `redis://:${encodeURIComponent(CLUSTER_PASSWORD)}@127.0.0.1:${port}`
  const stop = () => Promise.all(nodes.map(({ server }) => end(server)))
  return {
    /** The addresses of the nodes, that of the standby last. */
    urls: nodes.map(urlOf),
    /** Ends the first node, whose place the standby takes. */
    loseFirst: () => end(first.server),
    /** Ends all nodes. */
    stop,
    async startAgain() {
      for (const node of nodes) node.server = await run(node)
      await untilWhole()
    },
  }
}

async function startNode(): Promise<Node> {
  const folder = await mkdtemp(path.join(tmpdir(), 'redis-'))
  const node = { folder, port: await freePort(), busPort: await freePort() }
  return { ...node, server: await run(node) }
}

async function run({ folder, port, busPort }: Omit<Node, 'server'>): Promise<ChildProcess> {
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    requirepass: CLUSTER_PASSWORD,
    masterauth: CLUSTER_PASSWORD,
    'repl-diskless-sync-delay': 0,
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': NODE_TIMEOUT_MS,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn('redis-server', args, { cwd: folder, stdio: 'ignore' })
  await once(server, 'spawn')
  const answers = () =>
    tell(port, 'PING').then(
      () => true,
      () => false,
    )
  await until(answers, 'a node')
  return server
}

async function tell(port: number, ...command: string[]): Promise<unknown> {
  const redis = createClient({
    socket: { host: '127.0.0.1', port, reconnectStrategy: false },
    password: CLUSTER_PASSWORD,
  })
  redis.on('error', () => {})
  await redis.connect()
  try {
    return await redis.sendCommand(command)
  } finally {
    redis.destroy()
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}
