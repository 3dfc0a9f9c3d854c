import type { BotCode, BotHandler, BuildFault } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { createBuildSlots } from './build-slots.ts'
import { TIERS } from './tiers.ts'
import type { Exported } from './protocol.ts'
import { firstPlace } from './stack.ts'
import { startThread } from './thread.ts'

const slots = createBuildSlots()

/**
 * Loads a bot as production does, in a thread of its own, and finds its handlers. Never rejects because of the
 * code: answers the faults; null when there is no capacity.
 */
export const checkBundle: BotCode['check'] = async ({ bundle, sourceMap }, projectId) => {
  // Each thread has its own memory, and code may use all that it is allowed.
  const giveBack = await slots.take(projectId)
  if (!giveBack) return null
  const { exported, fault } = await load(bundle).finally(giveBack)
  if (fault !== null) return { ok: false, errors: [faultOf(fault, sourceMap)] }
  const { callable, others } = exported
  const missing = [...callable, ...others].includes('onMessage')
    ? []
    : [inBot('It must export a function onMessage(ctx).')]
  const errors = [...others.map(notCallable), ...missing]
  return errors.length === 0 ? { ok: true, handlers: callable } : { ok: false, errors }
}

function notCallable(name: BotHandler): BuildFault {
  return inBot(
    `${name} must be a function, async or not; a class, a generator or a value cannot be called.`,
  )
}

function inBot(text: string): BuildFault {
  return { file: 'bot.ts', line: null, column: null, text }
}

type Loaded = { exported: Exported; fault: string | null }

function load(bundle: string): Promise<Loaded> {
  return new Promise((resolve) => {
    const settle = (loaded: Loaded) => {
      clearTimeout(timer)
      thread.end()
      resolve(loaded)
    }
    const fail = (fault: string) => settle({ exported: { callable: [], others: [] }, fault })
    const late = `It did not load within ${LIMITS.botCheckMs / 1000} s.`
    const timer = setTimeout(() => fail(late), LIMITS.botCheckMs)
    const thread = startThread({
      niceness: TIERS.slow.niceness,
      stuckMs: LIMITS.botStuckSlowMs,
      onMessage(message) {
        if (message.kind === 'checked') settle(message)
      },
      onDeath: (_run, reason) => fail(`It could not be loaded: ${reason}.`),
    })
    thread.post({ kind: 'check', bundle, computingMs: LIMITS.botCheckComputingMs })
  })
}

/** The first line is the error, the rest is the stack. */
function faultOf(thrown: string, sourceMap: string): BuildFault {
  const [text = ''] = thrown.split('\n', 1)
  const place = firstPlace(thrown, sourceMap)
  return { file: null, line: null, column: null, ...place, text: `When it is loaded: ${text}` }
}
