import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { PROJECT_ROOT } from '../core/root.ts'

/** Node finds the project's packages from here, and nothing here is ever committed. */
const BUNDLES = path.join(PROJECT_ROOT, 'node_modules', '.cache', 'bench')
const PROGRAMS = [
  'load',
  'contestants/bare-ping',
  'contestants/bare-page',
  'contestants/bare-rows',
  'contestants/bare-send',
  'contestants/bare-callback',
  'contestants/upstream-calls',
  'contestants/sandbox',
  'contestants/bot-customers',
  'contestants/webhook-agenda-jobs',
  'contestants/webhook-boss-batches',
  'contestants/webhook-emits',
  'contestants/webhook-latency',
  'contestants/webhook-posts',
  'contestants/webhook-sink',
  'ordinary-stack',
]
const TICKS_PER_SECOND = 100
const READY_LIMIT_MS = 30_000
const READY_POLL_MS = 20
const STOP_LIMIT_MS = 5_000
const IDLE_LIMIT_MS = 120_000
const IDLE_WATCH_MS = 1_000
/** As a share of a processor; an idle service uses less. */
const IDLE_SHARE = 0.05

/** A process that this run started and stops. */
export type Child = { process: ChildProcess; pid: number; stop(): Promise<void> }

/** Bundles the programs like the service; a loader's hooks would slow them down. */
export async function bundlePrograms(): Promise<void> {
  await mkdir(BUNDLES, { recursive: true })
  await build({
    absWorkingDir: path.join(PROJECT_ROOT, 'bench'),
    entryPoints: PROGRAMS.map((name) => `${name}.ts`),
    outdir: BUNDLES,
    outbase: '.',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
}

/** Starts one of the bundled programs, without this process's loader. */
export function start(program: string): Child {
  return child(
    fork(path.join(BUNDLES, `${program}.js`), {
      execArgv: [],
      // Preserves the types of Buffers and Dates.
      serialization: 'advanced',
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  )
}

/** Starts a server program, passes it its options and waits for its address. */
export async function startServer(
  program: string,
  options: unknown,
): Promise<Child & { url: string }> {
  const server = start(program)
  server.process.send({ options })
  const url = await answer(server.process)
  return { ...server, url }
}

async function answer(server: ChildProcess): Promise<string> {
  const ended = once(server, 'exit').then(() => [{ problem: 'It ended' }])
  const [message] = (await Promise.race([once(server, 'message'), ended])) as [
    { url?: string; problem?: string },
  ]
  if (message.url === undefined) throw new Error(`A contestant did not start: ${message.problem}`)
  return message.url
}

/** Starts any other command; prints only its error output. */
export function run(command: string, args: string[], env: Record<string, string> = {}): Child {
  const options = { cwd: PROJECT_ROOT, env: { ...process.env, ...env } }
  return child(spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] }))
}

function child(started: ChildProcess): Child {
  const hasEnded = () => started.exitCode !== null || started.signalCode !== null
  // A command that does not exist ends at once; whoever waits for it will notice.
  started.on('error', () => {})
  return {
    process: started,
    pid: started.pid ?? 0,
    async stop() {
      if (started.pid === undefined || hasEnded()) return
      const exit = once(started, 'exit')
      started.kill('SIGTERM')
      const timer = setTimeout(() => started.kill('SIGKILL'), STOP_LIMIT_MS)
      await exit
      clearTimeout(timer)
    },
  }
}

/** The processor time that a process has used, in microseconds; NaN without /proc. */
export function cpuTimeUs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1e6
  } catch {
    return Number.NaN
  }
}

/** Waits until a process is almost idle; throws when it stays busy. */
export async function untilIdle({ pid }: { pid: number }): Promise<void> {
  const deadline = performance.now() + IDLE_LIMIT_MS
  for (;;) {
    const before = cpuTimeUs(pid)
    await pause(IDLE_WATCH_MS)
    const share = (cpuTimeUs(pid) - before) / (IDLE_WATCH_MS * 1000)
    if (Number.isNaN(share) || share < IDLE_SHARE) return
    if (performance.now() > deadline)
      throw new Error('The service is busy though it has nothing to do')
  }
}

/** Waits until `isReady` answers true; throws when the process ends first or takes too long. */
export async function untilReady(
  { process: server }: Child,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null || !server.pid
  while (!(await isReady().catch(() => false))) {
    if (hasEnded()) throw new Error('A server ended before it was ready')
    if (performance.now() > deadline) throw new Error('A server took too long to get ready')
    await pause(READY_POLL_MS)
  }
}
