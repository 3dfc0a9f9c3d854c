import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import * as botLog from '../../capabilities/bots/bot-log.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Io, command, type Noun } from './command.ts'
import { optional, required, text, toggle, wholeNumber } from './flags.ts'
import { asJsonLine } from './print.ts'

const SHOWN = 100
const POLL_MS = 500

export const bot: Noun = {
  says: "Bots: what a project's own code has logged",
  verbs: {
    logs: command({
      says: 'Shows the last lines that the bot of a project logged, and what went wrong in its runs.',
      flags: {
        project: required('ID', 'the project whose bot it is', text),
        limit: optional(
          'N',
          `how many lines, ${LIMITS.botLogLinesShown} at the most; ${SHOWN} when left out`,
          wholeNumber(1, LIMITS.botLogLinesShown),
        ),
        follow: toggle('goes on with what comes, one JSON object a line, until Ctrl-C'),
      },
      run: async (ctx, { project: id, limit = SHOWN, follow: isFollowing }, _, io) => {
        const projectId = await projects.requireId(ctx, id)
        if (!isFollowing) return { lines: await botLog.last(ctx, projectId, limit) }
        await follow(botLog.tail(ctx, projectId, limit), io)
        return null
      },
    }),
  },
}

/** Writes lines as they come until it is interrupted, or nobody reads on. */
async function follow(next: ReturnType<typeof botLog.tail>, io: Io): Promise<void> {
  const { stdout } = io
  const unread = new AbortController()
  const end = () => unread.abort()
  stdout.once('error', end)
  const signal = AbortSignal.any([io.stop, unread.signal])
  while (!signal.aborted) {
    for (const line of await next()) {
      if (!stdout.write(asJsonLine(line))) await once(stdout, 'drain', { signal }).catch(end)
    }
    await pause(POLL_MS, undefined, { signal }).catch(end)
  }
}
