import { randomInt } from 'node:crypto'
import { bots } from './chaos/bots.ts'
import { broadcasts } from './chaos/broadcasts.ts'
import { faults } from './chaos/faults.ts'
import { idempotency } from './chaos/idempotency.ts'
import { broken, type Figure, type Scenario } from './chaos/scenario.ts'
import { webhooks } from './chaos/webhooks.ts'
import { failed } from './failed.ts'
import { misused, readFlags, wholeNumber } from './flags.ts'

type Unit = 'keys' | 'events' | 'recipients' | 'messages' | 'seconds'

/** `unit` is the flag that sets the size. */
const SCENARIOS: Record<string, { play: Scenario; unit: Unit; size: string }> = {
  idempotency: { play: idempotency, unit: 'keys', size: '1500' },
  webhooks: { play: webhooks, unit: 'events', size: '10000' },
  broadcasts: { play: broadcasts, unit: 'recipients', size: '4000' },
  bots: { play: bots, unit: 'messages', size: '1000' },
  faults: { play: faults, unit: 'seconds', size: '120' },
}
const NAMES = Object.keys(SCENARIOS).join('|')
const SIZES = '--keys 1500 | --events 10000 | --recipients 4000 | --messages 1000 | --seconds 120'
const USAGE = `npm run chaos -- ${NAMES} [${SIZES}] [--kills 100] [--seed N]`

/** Plays a scenario and prints its figures; the exit code is 1 when one of them is not as required. */
async function main(args: string[]): Promise<void> {
  const { positionals, values } = readFlags(USAGE, {
    args,
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      events: { type: 'string' },
      messages: { type: 'string' },
      recipients: { type: 'string' },
      seconds: { type: 'string' },
      kills: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
    },
  })
  const [name = ''] = positionals
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined
  if (!scenario || positionals.length > 1) misused(USAGE, 'Name one scenario.')
  const seed = wholeNumber(USAGE, 'seed', values.seed)
  const say = (line: string) => process.stderr.write(`${line}\n`)
  say(`${name} with --seed ${seed}`)
  const startedAt = performance.now()
  const { play, unit, size } = scenario
  const figures = await play({
    size: wholeNumber(USAGE, unit, values[unit] ?? size),
    kills: wholeNumber(USAGE, 'kills', values.kills),
    seed,
    say,
    databaseUrl: null,
  })
  for (const figure of figures) console.log(lineOf(figure))
  const faults = broken(figures).length
  const tookS = ((performance.now() - startedAt) / 1000).toFixed(0)
  const verdict = faults === 0 ? 'All held' : `${faults} did not hold`
  console.log(`\n${verdict} with --seed ${seed}, in ${tookS} s.`)
  process.exitCode = faults === 0 ? 0 : 1
}

function lineOf({ name, value, due }: Figure): string {
  const verdict = due === undefined ? '' : value === due ? '  ok' : `  BROKEN, must be ${due}`
  return `${name.padEnd(48)} ${String(value).padStart(7)}${verdict}`
}

main(process.argv.slice(2)).catch(failed)
