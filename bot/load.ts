import type { BotCode, BotHandler, BuildFault } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { createBuildSlots } from './build-slots.ts'
import { LANES } from './lanes.ts'
import { firstPlace } from './stack.ts'
import { startThread } from './thread.ts'

const slots = createBuildSlots()

/**
 * Loads a bot as production does, in a thread of its own that is thrown away then, and looks which
 * handlers it has. Never rejects for what the code does: it answers what is wrong; null when there is no
 * room for it now.
 */
export const checkBundle: BotCode['check'] = async ({ bundle, sourceMap }, projectId) => {
  // Each thread has its own memory, and code may take all that it may have of it.
  const giveBack = await slots.take(projectId)
  if (!giveBack) return null
  const { handlers, fault } = await load(bundle).finally(giveBack)
  if (fault !== null) return { ok: false, errors: [faultOf(fault, sourceMap)] }
  if (handlers.includes('onMessage')) return { ok: true, handlers }
  const text = 'It must export a function onMessage(ctx).'
  return { ok: false, errors: [{ file: 'bot.ts', line: null, column: null, text }] }
}

function load(bundle: string): Promise<{ handlers: BotHandler[]; fault: string | null }> {
  return new Promise((resolve) => {
    const settle = (handlers: BotHandler[], fault: string | null) => {
      clearTimeout(timer)
      thread.end()
      resolve({ handlers, fault })
    }
    const late = `It did not load within ${LIMITS.botCheckMs / 1000} s.`
    const timer = setTimeout(() => settle([], late), LIMITS.botCheckMs)
    const thread = startThread({
      niceness: LANES.slow.niceness,
      stuckMs: LIMITS.botStuckSlowMs,
      onMessage(message) {
        if (message.kind === 'checked') settle(message.handlers, message.fault)
      },
      onDeath: (_run, reason) => settle([], `It could not be loaded: ${reason}.`),
    })
    thread.post({ kind: 'check', bundle, computingMs: LIMITS.botCheckComputingMs })
  })
}

/** The first line says what was thrown; the rest, where. */
function faultOf(thrown: string, sourceMap: string): BuildFault {
  const [text = ''] = thrown.split('\n', 1)
  const place = firstPlace(thrown, sourceMap)
  return { file: null, line: null, column: null, ...place, text: `When it is loaded: ${text}` }
}
