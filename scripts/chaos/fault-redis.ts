import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

const START_LIMIT_MS = 10_000
const START_POLL_MS = 20
const ANSWER_LIMIT_MS = 2_000
/** More than `maxmemory` holds: the rest is refused, and so is whatever else would be written. */
const FILL_KEYS = 40
const FILL_BYTES = 60_000

const KINDS = ['killed', 'paused', 'full', 'read-only', 'flushed', 'cut off'] as const
export type RedisFault = (typeof KINDS)[number]
export const REDIS_FAULTS: readonly RedisFault[] = KINDS

/** A redis-server of the scenario's own, which can fail in all of the ways. */
export type FaultyRedis = {
  url: string
  /** Fails in that way for so long, and then works again. */
  fail(fault: RedisFault, ms: number): Promise<void>
  close(): Promise<void>
}

/** Starts it; null where there is no redis-server on this machine. */
export async function startFaultyRedis(): Promise<FaultyRedis | null> {
  const port = await freePort()
  const started = await start(port)
  if (!started) return null
  let server = started
  const tell = (...commands: string[]) => ask(port, commands)
  const filling = Array.from(
    { length: FILL_KEYS },
    (_, n) => `SET fill:${n} ${'x'.repeat(FILL_BYTES)}`,
  )

  const faults: Record<RedisFault, (ms: number) => Promise<void>> = {
    async killed(ms) {
      await end(server)
      await pause(ms)
      server = (await start(port)) ?? server
    },
    async paused(ms) {
      server.kill('SIGSTOP')
      await pause(ms)
      server.kill('SIGCONT')
    },
    async full(ms) {
      await tell('CONFIG SET maxmemory-policy noeviction', 'CONFIG SET maxmemory 1mb', ...filling)
      await pause(ms)
      await tell('CONFIG SET maxmemory 0', 'FLUSHALL')
    },
    async 'read-only'(ms) {
      await tell('REPLICAOF 127.0.0.1 1')
      await pause(ms)
      await tell('REPLICAOF NO ONE')
    },
    async flushed() {
      await tell('FLUSHALL', 'SCRIPT FLUSH')
    },
    async 'cut off'() {
      await tell('CLIENT KILL TYPE normal')
    },
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    fail: (fault, ms) => faults[fault](ms),
    close: () => end(server),
  }
}

async function start(port: number): Promise<ChildProcess | null> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { cwd: '/', stdio: 'ignore' })
  try {
    await once(server, 'spawn')
  } catch {
    return null
  }
  const deadline = performance.now() + START_LIMIT_MS
  while (performance.now() < deadline) {
    if (await ask(port, ['PING']).catch(() => null)) return server
    await pause(START_POLL_MS)
  }
  await end(server)
  throw new Error('redis-server does not start')
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}

/** Sends commands as lines, and waits for as many answers; a refusal is an answer too. */
function ask(port: number, commands: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('Redis is mute')))
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.split('\r\n').length > commands.length) socket.end()
    })
    socket.write(`${commands.join('\r\n')}\r\n`)
  })
}
