import { createBotPool } from '../../bot/pool.ts'
import type { CheckRequest } from '../../capabilities/bots/bot-runs.ts'
import { startBots } from '../../capabilities/bots/bot-dispatcher.ts'
import type { BotEnding, BotJob } from '../../core/bot-pool.ts'
import type { BotHandler } from '../../core/bots.ts'
import type { Context } from '../../core/context.ts'
import { readContract } from '../../core/contract.ts'
import { must, oneOff, statement } from '../../core/sql.ts'
import { createRequestChecks } from '../../middleware/request-checks.ts'
import { createValidators } from '../../middleware/validate.ts'
import { deployCode } from './bot-code.ts'
import type { TestProject, TestService } from './service.ts'
import { until } from './until.ts'

const NOTHING_SAID = { text: '', lines: [], linesDropped: 0, computedMs: 0 }

/**
 * Runs bots in this process until `stop`, woken by what is announced, as the service itself does;
 * `endingOf` says how a run ends that is not to be run at all.
 */
export async function runBots(
  ctx: Context,
  endingOf: (job: BotJob) => BotEnding['result'] | null = () => null,
) {
  const problems: string[] = []
  const real = createBotPool((problem) => void problems.push(problem))
  const run = (job: BotJob) => {
    const result = endingOf(job)
    return result ? Promise.resolve({ ...NOTHING_SAID, result }) : real.run(job)
  }
  const pool = { ...real, run }
  const bots = startBots(ctx, { pool, check: await (check ??= makeCheck()) })
  const stopHearing = ctx.sql.onAnnounced('bots', bots.wake)
  return {
    problems,
    wake: bots.wake,
    async stop() {
      stopHearing()
      await bots.stop()
    },
  }
}

let check: Promise<CheckRequest> | undefined

/** The checks of what bots send, made once: that takes longer than most of their runs. */
async function makeCheck(): Promise<CheckRequest> {
  const document = readContract()
  return createRequestChecks(document, await createValidators(document))
}

/** Puts handlers into production, past the build: `{ onMessage: '(ctx) => …' }`. */
export async function deployHandlers(
  { ctx }: Pick<TestService, 'ctx'>,
  { id }: Pick<TestProject, 'id'>,
  handlers: Partial<Record<BotHandler, string>>,
): Promise<void> {
  const members = Object.entries(handlers).map(([name, code]) => `${name}: ${code}`)
  const bundle = `var bot = (() => ({ ${members.join(', ')} }))()`
  await deployCode(ctx, id, bundle, Object.keys(handlers) as BotHandler[])
}

const countRuns = statement(
  'test-count-bot-runs',
  'SELECT count(*) FROM bot_runs WHERE project_id = $1',
)

/** How many runs of a project wait or are under way. */
export async function runsLeft({ ctx }: Pick<TestService, 'ctx'>, projectId: string) {
  return Number((await ctx.sql.rows(countRuns, [projectId]))[0]?.[0])
}

/** Resolves when a project's bot has run for everything that came. */
export async function untilRun(
  service: Pick<TestService, 'ctx'>,
  { id }: TestProject,
  patienceMs?: number,
) {
  await until(async () => (await runsLeft(service, id)) === 0, 'the runs of the bot', patienceMs)
}

/** Resolves when a project's bot has run for everything, however often it was put off meanwhile. */
export async function untilRunAtLast(
  service: Pick<TestService, 'ctx' | 'advance'>,
  { id }: TestProject,
  endingOf?: (job: BotJob) => BotEnding['result'] | null,
): Promise<void> {
  const bots = await runBots(service.ctx, endingOf)
  try {
    await until(async () => {
      service.advance(1_000)
      bots.wake()
      return (await runsLeft(service, id)) === 0
    }, 'the runs end')
  } finally {
    await bots.stop()
  }
}

const readLog = statement(
  'test-bot-log',
  'SELECT level, text FROM bot_log_lines WHERE project_id = $1 ORDER BY id',
)

/** What a project's bot has logged. */
export async function logOf({ ctx }: Pick<TestService, 'ctx'>, { id }: TestProject) {
  const rows = await ctx.sql.rows(readLog, [id])
  return rows.map(([level, text]) => ({ level: must(level), text: must(text) }))
}

/**
 * Has PostgreSQL fail so many of what is done to a project's rows of a table, as it fails what it does
 * while it is being shut down.
 */
export async function failTimes(
  { ctx }: Pick<TestService, 'ctx'>,
  { id }: Pick<TestProject, 'id'>,
  deed: 'INSERT ON send_attempts' | 'INSERT ON events' | 'DELETE ON bot_runs',
  times: number,
): Promise<void> {
  const name = `test_fails_${id.replaceAll('-', '')}`
  const row = deed.startsWith('DELETE') ? 'OLD' : 'NEW'
  // What a sequence gives out stays given out when its transaction fails.
  const commands = [
    `CREATE SEQUENCE ${name}`,
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('${name}') <= ${times} THEN
         RAISE 'terminating connection due to administrator command' USING ERRCODE = '57P01';
       END IF; RETURN ${row}; END $$`,
    `CREATE TRIGGER ${name} BEFORE ${deed} FOR EACH ROW
       WHEN (${row}.project_id = '${id}') EXECUTE FUNCTION ${name}()`,
  ]
  for (const command of commands) await ctx.sql.rows(oneOff(command))
}
