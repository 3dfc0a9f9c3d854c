import { expect, it, jest } from '@jest/globals'
import { createBotPool } from '../../bot/pool.ts'
import type { FromThread } from '../../bot/protocol.ts'
import { startThread, type Thread } from '../../bot/thread.ts'
import { TIERS } from '../../bot/tiers.ts'
import { LIMITS } from '../../core/limits.ts'
import { bundleOf, runBot } from '../support/bot-jobs.ts'

const dead = { post() {}, end() {}, bundles: { has: () => false, use: () => null } }

/** A thread that the system ends before it begins, as it does without a file descriptor left. */
const stillborn: typeof startThread = ({ onDeath }) => {
  setImmediate(() => onDeath(null, 'ERR_WORKER_INIT_FAILED: EMFILE'))
  return dead
}

it('a run is not to blame for threads that do not begin: it is lost, and waits for better times', async () => {
  const problems: string[] = []
  const pool = createBotPool((problem) => void problems.push(problem), stillborn)
  expect(await runBot(pool, bundleOf('() => {}'))).toMatchObject({ result: 'lost', begun: 4 })
  expect(problems).toContain('ERR_WORKER_INIT_FAILED: EMFILE')
  pool.stop()
})

it('a run may be to blame for a thread that ends after it has begun, while nobody computes', async () => {
  const pool = createBotPool(
    () => {},
    ({ onDeath }) => {
      setImmediate(() => onDeath(0, 'out of memory'))
      return dead
    },
  )
  expect(await runBot(pool, bundleOf('() => {}'))).toMatchObject({ result: 'broken' })
  pool.stop()
})

it('a thread that ends tells whether it had begun', async () => {
  const deathOf = (niceness: number, onReady: (thread: Thread) => void) =>
    new Promise<number | null>((onDeath) => {
      const onMessage = ({ kind }: FromThread) => {
        if (kind === 'ready') onReady(thread)
      }
      const thread = startThread({ niceness, stuckMs: 60_000, onMessage, onDeath })
    })
  // No thread takes such a message, and no system such a priority.
  expect(await deathOf(0, (thread) => thread.post(null as never))).toBe(0)
  if (process.platform === 'linux') expect(await deathOf(1_000, () => {})).toBeNull()
})

it('a run that a slow thread gets nowhere with in its time has said what it said in a quick one', async () => {
  const lines = [{ level: 'info' as const, text: 'begun' }]
  const pool = createBotPool(
    () => {},
    ({ niceness, onMessage, onDeath }) => {
      const sayAndDie = (run: number) => {
        onMessage({ kind: 'said', run, lines, linesDropped: 7 })
        onDeath(run, 'It could not be interrupted')
      }
      const hang = () => {
        jest.useFakeTimers({ doNotFake: ['performance'] })
        onMessage({ kind: 'ready', cpuFile: null })
        jest.advanceTimersByTime(LIMITS.botRunMs)
        jest.useRealTimers()
      }
      const post: Thread['post'] = (message) => {
        if (message.kind !== 'begin') return
        setImmediate(niceness === TIERS.slow.niceness ? hang : sayAndDie, message.run)
      }
      return { ...dead, post }
    },
  )
  expect(await runBot(pool, bundleOf('() => {}'))).toMatchObject({
    result: 'late',
    lines,
    linesDropped: 7,
  })
  pool.stop()
})
