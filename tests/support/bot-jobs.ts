import type { BotEnding, BotJob, BotPool } from '../../core/bot-pool.ts'

/** A bundle as a build makes it, of a bot with these handlers. */
export function bundleOf(onMessage: string, around = ''): string {
  return `var bot = (() => { ${around}; return { onMessage: ${onMessage} } })()`
}

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })

let made = 0

/** Runs a handler once; calls are answered by `call`, and kept in `calls`. */
export async function runBot(
  pool: BotPool,
  bundle: string,
  { call, ...job }: Partial<BotJob> = {},
): Promise<BotEnding & { calls: [op: string, args: unknown][]; begun: number; tookMs: number }> {
  let calls: [string, unknown][] = []
  let begun = 0
  const startedAt = performance.now()
  const ending = await pool.run({
    projectId: `p${++made}`,
    botId: bundle,
    bundle,
    sourceMap: NO_MAP,
    signal: new AbortController().signal,
    handlers: ['onMessage'],
    event: JSON.stringify({ message: { content: 'Hello' } }),
    onBegin() {
      begun++
      calls = []
    },
    async call(op, args) {
      calls.push([op, JSON.parse(args) as unknown])
      return call ? call(op, args) : 'null'
    },
    describe: (error) => JSON.stringify({ message: String(error) }),
    ...job,
  })
  return { ...ending, calls, begun, tookMs: performance.now() - startedAt }
}
