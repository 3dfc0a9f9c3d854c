import { misused, readFlags as flagsOf } from '../scripts/flags.ts'
import { type Bed, withBed } from './bed.ts'
import type { Rounds } from './measure.ts'
import { untilIdle } from './processes.ts'
import { fillProject } from './projects.ts'
import { asText, machine, writeReadme } from './report.ts'
import { isReached, type Result } from './result.ts'
import { bots } from './scenarios/bots.ts'
import { broadcasts } from './scenarios/broadcasts.ts'
import { callbacks } from './scenarios/callbacks.ts'
import { depth } from './scenarios/depth.ts'
import { page } from './scenarios/page.ts'
import { ping } from './scenarios/ping.ts'
import { send } from './scenarios/send.ts'
import { tables } from './scenarios/tables.ts'
import { webhooks } from './scenarios/webhooks.ts'

const SCENARIOS = [
  'ping',
  'send',
  'callbacks',
  'webhooks',
  'bots',
  'broadcasts',
  'page',
  'depth',
  'tables',
] as const
type Scenario = (typeof SCENARIOS)[number]

const USAGE = `npm run bench -- [--rounds 7] [--seconds 2] [--only ${SCENARIOS.join('|')}]…
  [--conversations 1000000] [--json] [--readme] [--profile folder]

--json      prints the figures as JSON
--readme    writes them into README.md
--profile   writes a CPU profile of the service into the folder`

const SMALL = 10_000
const MINUTES_MAX = 120

type Flags = {
  rounds: number
  seconds: number
  only: Scenario[]
  conversations: number
  json: boolean
  readme: boolean
  profile: string | null
}

const progress = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

/** Measures the service beside its references, and prints the ratios and the goals that they reach. */
async function main(): Promise<void> {
  const flags = readFlags()
  const { rounds, seconds } = flags
  await withBed({ profileDir: flags.profile, progress }, async (bed) => {
    const { rows } = await bed.admin.query<{ server_version: string }>('SHOW server_version')
    const result = await measureAll(bed, flags)
    const on = machine(rows[0]?.server_version ?? 'unknown', bed.redisUrl !== null)
    const how = `${rounds} interleaved rounds of ${seconds} s`
    const goals = result.goals.map((goal) => ({ ...goal, reached: isReached(goal) }))
    const text = flags.json
      ? JSON.stringify({ ...on, rounds, seconds, ...result, goals }, null, 2)
      : asText(result, on, how)
    process.stdout.write(`${text}\n`)
    if (flags.readme) await writeReadme(result, on, how)
  })
}

async function measureAll(bed: Bed, flags: Flags): Promise<Result> {
  const { only, conversations, rounds, seconds } = flags
  const results: Result[] = []
  const take = async (name: Scenario, measure: (rounds: Rounds) => Promise<Result>) => {
    if (!only.includes(name)) return
    // Background work left over from the previous scenario would be measured with this one.
    await untilIdle(bed.product)
    results.push(
      await measure({ rounds, seconds, progress: (line) => progress(`${name}: ${line}`) }),
    )
  }
  await take('ping', (under) => ping(bed, under))
  await take('send', (under) => send(bed, under))
  await take('callbacks', (under) => callbacks(bed, under))
  await take('webhooks', (under) => webhooks(bed, under))
  await take('bots', (under) => bots(bed, under))
  await take('broadcasts', (under) => broadcasts(bed, under))
  if (only.includes('page') || only.includes('depth')) {
    progress(`Making a project with ${conversations.toLocaleString('en')} conversations`)
    const large = await fillProject(bed, { id: 'bench-large', conversations, isOpen: false })
    await take('page', (under) => page(bed, under, large))
    await take('depth', async (under) => {
      const wanted = { id: 'bench-small', conversations: SMALL, isOpen: false }
      return depth(bed, under, { large, small: await fillProject(bed, wanted) })
    })
  }
  await take('tables', (under) => tables(bed, under, { large: conversations, small: SMALL }))
  return {
    rates: results.flatMap(({ rates }) => rates),
    goals: results.flatMap(({ goals }) => goals),
    notes: results.flatMap(({ notes }) => notes),
  }
}

function readFlags(): Flags {
  const { values } = flagsOf(USAGE, {
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string', multiple: true, default: [...SCENARIOS] },
      conversations: { type: 'string', default: '1000000' },
      json: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  })
  return {
    rounds: number('rounds', values.rounds, 1, 1_000),
    seconds: number('seconds', values.seconds, 0.1, MINUTES_MAX * 60),
    only: values.only.flatMap((names) => names.split(',')).map(scenario),
    conversations: number('conversations', values.conversations, SMALL, 100_000_000),
    json: values.json,
    readme: values.readme,
    profile: values.profile ?? null,
  }
}

function number(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (value >= least && value <= most) return value
  misused(USAGE, `--${name} is a number from ${least} to ${most}.`)
}

function scenario(name: string): Scenario {
  const known = SCENARIOS.find((one) => one === name)
  if (known) return known
  misused(USAGE, `There is no scenario ${name}.`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
