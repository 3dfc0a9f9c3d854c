import { inspect, types } from 'node:util'
import { misused, readFlags as flagsOf } from '../scripts/flags.ts'
import { freePort } from '../scripts/free-port.ts'
import { withBed } from './bed.ts'
import { writeBlock } from './report.ts'
import { mixOf } from './soak/actions.ts'
import { drained, losses } from './soak/drain.ts'
import { type Ground, prepare, settingsFor } from './soak/ground.ts'
import { judgeFigures, judgeTables, settled, WARM_UP_SHARE } from './soak/judge.ts'
import { keepPace } from './soak/pace.ts'
import { asText, isSound, type Outcome } from './soak/report.ts'
import { createSampler, type Sampler } from './soak/samples.ts'

const USAGE = `npm run soak -- [--minutes 60] [--per-second 20] [--seed N] [--write]

--write   puts the figures into docs/SCALING.md`
/** The usual interval between samples; short runs take them more often, to have as many. */
const SAMPLE_MS = 10_000
const SAMPLES_MIN = 60
const PROGRESS_MS = 60_000
const MINUTES_MAX = 10_080
const PER_SECOND_MAX = 10_000

type Flags = { minutes: number; perSecond: number; seed: number; write: boolean }

const progress = (line: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${line}\n`)

/**
 * Two servers under a mixed load for an hour, with everything that callers, customers and bots do: nothing may
 * fail, grow without a reason, or be left undone.
 */
async function main(): Promise<void> {
  const flags = readFlags()
  const receiverPort = await freePort()
  const settings = settingsFor(receiverPort)
  await withBed({ profileDir: null, progress, settings }, async (bed) => {
    progress(`Preparing, seed ${flags.seed}`)
    const ground = await prepare(bed, receiverPort, flags.seed)
    const sampler = await createSampler(ground)
    try {
      const outcome = await soak(flags, ground, sampler)
      const text = asText(outcome)
      process.stdout.write(`${text}\n`)
      if (flags.write) await writeBlock('docs/SCALING.md', 'soak', ['```text', text, '```'])
      if (!isSound(outcome)) process.exitCode = 1
    } finally {
      sampler.close()
      await ground.client.close()
      await ground.receiver.close()
    }
  })
}

async function soak(flags: Flags, ground: Ground, sampler: Sampler): Promise<Outcome> {
  const { minutes, perSecond, seed } = flags
  const { client, random, receiver } = ground
  const { actions, inbound } = mixOf(ground)
  const onFault = (name: string, error: unknown) => {
    const { message, cause } = types.isNativeError(error) ? error : { message: name, cause: error }
    client.fault(message, typeof cause === 'string' ? cause : inspect(cause ?? error))
  }
  const timers = watch(flags, ground, sampler, onFault)
  const startedAt = performance.now()
  const risingSeconds = 60 * minutes * WARM_UP_SHARE
  const pace = { perSecond, seconds: 60 * minutes, risingSeconds, random, onFault }
  const begun = await keepPace(actions, pace).finally(() => timers.forEach(clearInterval))
  const seconds = (performance.now() - startedAt) / 1_000
  progress('Waiting for what is left')
  const left = await drained(ground)
  const samples = settled(sampler.samples)
  return {
    minutes,
    seconds,
    perSecond,
    seed,
    actions: begun,
    repeats: client.repeats(),
    requests: client.latencies.length,
    latencies: settled(client.latencies),
    deliveries: receiver.requests(),
    refused: receiver.refused(),
    faults: client.faults,
    left,
    lost: await losses(ground, inbound()),
    figures: judgeFigures(samples, minutes),
    tables: judgeTables(samples, minutes),
  }
}

/** Takes samples and prints the state once a minute; answers the timers. */
function watch(
  { minutes }: Flags,
  { client, servers }: Ground,
  sampler: Sampler,
  onFault: (name: string, error: unknown) => void,
): NodeJS.Timeout[] {
  const everyMs = Math.min(SAMPLE_MS, (60_000 * minutes) / SAMPLES_MIN)
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    await sampler.take().catch((error: unknown) => onFault('sample', error))
    isLooking = false
  }
  let answered = client.latencies.length
  let minute = 0
  const tell = () => {
    const perSecond = (1_000 * (client.latencies.length - answered)) / PROGRESS_MS
    answered = client.latencies.length
    const faults = [...client.faults.values()].reduce((sum, { count }) => sum + count, 0)
    const { figures = {} } = sampler.samples.at(-1) ?? {}
    const memory = servers.map(({ name }) => figures[`${name}: RSS, MB`]?.toFixed(0)).join(' and ')
    const of = `minute ${++minute} of ${minutes}`
    progress(`${of}: ${perSecond.toFixed(1)} requests a second, ${faults} faults, RSS ${memory} MB`)
  }
  return [setInterval(() => void look(), everyMs), setInterval(tell, PROGRESS_MS)]
}

function readFlags(): Flags {
  const { values } = flagsOf(USAGE, {
    options: {
      minutes: { type: 'string', default: '60' },
      'per-second': { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      write: { type: 'boolean', default: false },
    },
  })
  const [minutes, perSecond, seed] = [values.minutes, values['per-second'], values.seed].map(Number)
  const within = (value: number | undefined, most: number): value is number =>
    value !== undefined && value > 0 && value <= most
  if (!within(minutes, MINUTES_MAX)) misused(USAGE)
  if (!within(perSecond, PER_SECOND_MAX)) misused(USAGE)
  if (seed === undefined || !Number.isSafeInteger(seed)) misused(USAGE)
  return { minutes, perSecond, seed, write: values.write }
}

await main()
