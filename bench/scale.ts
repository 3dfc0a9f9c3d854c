import { misused, readFlags as flagsOf } from '../scripts/flags.ts'
import { type Bed, withBed } from './bed.ts'
import { server, takeTurns } from './measure.ts'
import { writeBlock } from './report.ts'
import { cpuTimeUs } from './processes.ts'
import { type Filled, fillProject } from './projects.ts'
import { request, UNIQUE } from './requests.ts'
import { BALANCERS, type Balancer, startBalancer } from './scale/balancer.ts'
import { type Restart, restartUnderLoad } from './scale/restart.ts'
import { type ApiServer, startApi } from './scale/servers.ts'
import { type Wall, wallsOf } from './scale/walls.ts'
import { connectToSandbox } from './scenarios/sandbox-account.ts'
import { typical } from './timing.ts'

const USAGE = `npm run scale -- [--balancer haproxy|nginx] [--servers 3] [--rounds 3] [--seconds 2] [--write]

--write   puts the figures into docs/SCALING.md`
const CONVERSATIONS = 20_000
const CONNECTIONS = 48
const SENT_TO = 500

const progress = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

type Flags = {
  balancer: string
  servers: number
  rounds: number
  seconds: number
  write: boolean
}
type Step = { servers: number; what: string; perSecond: number; p99Ms: number; cpuUs: number }

/**
 * Adds `ROLE=api` processes behind a balancer one after another, over one PostgreSQL and one Redis, with a worker
 * beside them: measures how much each adds, where PostgreSQL's time goes, and whether a rolling restart is
 * noticed.
 */
async function main(): Promise<void> {
  const flags = readFlags()
  await withBed({ profileDir: null, progress }, async (bed) => {
    const wanted = { id: 'scale', conversations: CONVERSATIONS, isOpen: true }
    const project = await fillProject(bed, wanted)
    await connectToSandbox(bed, project.id)
    const work = await workOf(bed, project)
    const servers: ApiServer[] = []
    const steps: Step[] = []
    let balancer: Balancer | null = null
    while (servers.length < flags.servers) {
      progress(`${servers.length + 1} of ${flags.servers} servers`)
      servers.push(await startApi(bed))
      const ports = servers.map(({ port }) => port)
      await balancer?.stop()
      balancer = bed.keep(await startBalancer(bed.folder, flags.balancer, ports))
      steps.push(...(await measure(bed, flags, { url: balancer.url, servers, work })))
    }
    const url = balancer?.url ?? ''
    progress('Looking at PostgreSQL while messages are sent')
    const sends = { 'send a message': work['send a message'] ?? [] }
    const walls = await wallsOf(bed, () => measure(bed, flags, { url, servers, work: sends }))
    progress('Replacing every server under load')
    const restart = await restartUnderLoad(url, project.secret, await asked(bed, project), servers)
    const text = report(steps, walls, restart)
    process.stdout.write(`${text}\n`)
    if (flags.write) await writeBlock('docs/SCALING.md', 'scale', ['```text', text, '```'])
    if (restart.failed.length > 0) process.exitCode = 1
  })
}

type Work = Record<string, string[]>

async function workOf(bed: Bed, { id, secret }: Filled): Promise<Work> {
  const phones = await phonesOf(bed, id)
  const key = { 'Idempotency-Key': UNIQUE }
  const message = (phone: string) => ({ type: 'text', phone, content: 'On its way.' })
  return {
    ping: [request('GET', '/v1/ping', secret)],
    'list conversations': [request('GET', '/v1/conversations?limit=50', secret)],
    'send a message': phones.map((phone) =>
      request('POST', '/v1/messages', secret, message(phone), key),
    ),
  }
}

async function phonesOf({ admin }: Bed, projectId: string): Promise<string[]> {
  const { rows } = await admin.query<{ phone: string }>(
    'SELECT phone FROM contacts WHERE project_id = $1 ORDER BY id LIMIT $2',
    [projectId, SENT_TO],
  )
  return rows.map(({ phone }) => phone)
}

/** The requests of clients during the restart: reads, and sends with a key each. */
async function asked(bed: Bed, { id }: Filled) {
  const phones = await phonesOf(bed, id)
  const sends = phones.slice(0, 10).map((phone) => ({
    method: 'POST' as const,
    path: '/v1/messages',
    keyed: true,
    body: { type: 'text', phone, content: 'On its way.' },
  }))
  const reads = ['/v1/ping', '/v1/conversations?limit=50', '/v1/contacts?limit=20']
  return [...sends, ...reads.map((path) => ({ method: 'GET' as const, path }))]
}

async function measure(
  { loader }: Bed,
  { rounds, seconds }: Flags,
  { url, servers, work }: { url: string; servers: ApiServer[]; work: Work },
): Promise<Step[]> {
  const steps: Step[] = []
  for (const [what, requests] of Object.entries(work)) {
    const contestant = server(loader, { name: what, pid: servers[0]?.pid() ?? 0, url, requests })
    const cpuBefore = cpuOf(servers)
    let asked = 0
    const counting = {
      name: what,
      measure: async (load: { connections: number; seconds: number }) => {
        const sample = await contestant.measure(load)
        asked += sample.perSecond * load.seconds
        return sample
      },
    }
    const options = { rounds, seconds, progress: () => {} }
    const samples = await takeTurns([counting], options, CONNECTIONS)
    const { perSecond, p99Ms } = typical(samples.get(what) ?? [])
    const cpuUs = (cpuOf(servers) - cpuBefore) / asked
    steps.push({ servers: servers.length, what, perSecond, p99Ms, cpuUs })
  }
  return steps
}

function cpuOf(servers: ApiServer[]): number {
  return servers.reduce((sum, { pid }) => sum + cpuTimeUs(pid()), 0)
}

function report(
  steps: Step[],
  { statements, waits }: { statements: Wall[]; waits: Wall[] },
  { requests, failed, tookMs }: Restart,
): string {
  const rows = steps.map(({ servers, what, perSecond, p99Ms, cpuUs }) =>
    [
      ...[String(servers).padStart(7), what.padEnd(18), perSecond.toFixed(0).padStart(10)],
      ...[p99Ms.toFixed(1).padStart(8), cpuUs.toFixed(0).padStart(8)],
    ].join('  '),
  )
  const shown = ({ what, share, detail }: Wall) =>
    `${(100 * share).toFixed(0).padStart(4)} %  ${detail.padEnd(28)} ${what}`
  return [
    'servers  request             per second    p99 ms    CPU µs',
    ...rows,
    '\nStatements, by their share of PostgreSQL’s time while messages are sent',
    ...statements.map(shown),
    '\nWhat its busy connections were seen doing, or waiting for',
    ...waits.map(shown),
    `\nEvery server was replaced in turn within ${(tookMs / 1000).toFixed(1)} s:`,
    `${requests} requests, ${failed.length === 0 ? 'none failed' : 'of which failed:'}`,
    ...failed,
  ].join('\n')
}

function readFlags(): Flags {
  const { values } = flagsOf(USAGE, {
    options: {
      balancer: { type: 'string', default: 'haproxy' },
      servers: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      write: { type: 'boolean', default: false },
    },
  })
  const numbers = [values.servers, values.rounds, values.seconds].map(Number)
  if (!numbers.every((number) => number > 0 && number <= 600)) misused(USAGE)
  const [servers = 0, rounds = 0, seconds = 0] = numbers
  const { balancer, write } = values
  if (!Object.hasOwn(BALANCERS, balancer)) misused(USAGE)
  return { balancer, servers, rounds, seconds, write }
}

await main()
