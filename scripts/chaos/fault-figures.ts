import type { Context } from '../../core/context.ts'
import { must, statement } from '../../core/sql.ts'
import type { FaultyChannel, Taken } from './fault-channel.ts'
import type { Asked, Sender, Tally } from './fault-clients.ts'
import type { FailingReceiver } from './fault-receiver.ts'
import { tableFigures } from './fault-tables.ts'
import type { Figure } from './scenario.ts'

const ATTEMPTS_MAX = 5

/** What a run brought. */
export type Outcome = {
  asked: Asked[]
  senders: Sender[]
  tally: Tally
  channel: FaultyChannel
  /** How much the channel had taken before the replays. */
  takenBefore: number
  receiver: FailingReceiver
  /** The contents that customers wrote, each of which somebody has answered with 200. */
  written: string[]
  botProject: string
  lockMs: number
  say: (line: string) => void
}

/** The figures of a run, with what each of them must be. */
export async function figuresOf(ctx: Context, outcome: Outcome): Promise<Figure[]> {
  const { asked, tally, channel } = outcome
  return [
    { name: 'keys', value: asked.length },
    { name: 'calls', value: tally.calls },
    { name: 'calls cut off', value: tally.cutOff },
    { name: 'calls told that the key is in progress', value: tally.inProgress },
    { name: 'calls answered 502', value: tally.upstream },
    { name: 'calls answered 500', value: tally.serverErrors },
    { name: 'sends that the channel took', value: channel.taken.length },
    { name: 'answers that break the contract', value: tally.problems.length, due: 0 },
    ...keyFigures(outcome),
    ...(await quotaFigures(ctx, outcome)),
    ...(await customerFigures(ctx, outcome)),
    ...(await deliveryFigures(ctx, outcome)),
    ...(await tableFigures(ctx)),
  ]
}

/**
 * Whether something was sent again although it must not have been. It may when the lock of its key was
 * over and nobody had been told of the first: nothing says then that the channel has it.
 */
function isWrong(sends: Taken[], lockMs: number): boolean {
  // A send leaves within half a lock of its claim.
  const slackMs = lockMs / 2
  return sends.slice(1).some((again, index) => {
    const { takenAt, toldAt } = sends[index] ?? again
    const wasLocked = again.takenAt - takenAt < slackMs
    const wasTold = toldAt !== null && toldAt < again.takenAt - slackMs
    return wasLocked || wasTold
  })
}

function sendsByContent({ taken }: FaultyChannel): Map<string, Taken[]> {
  const sends = new Map<string, Taken[]>()
  for (const one of taken) sends.set(one.content, [...(sends.get(one.content) ?? []), one])
  return sends
}

function keyFigures({ asked, channel, takenBefore, lockMs }: Outcome): Figure[] {
  const sends = sendsByContent(channel)
  const sentBy = ({ key }: Asked) => sends.get(key) ?? []
  const count = (holds: (one: Asked) => boolean) => asked.filter(holds).length
  const isAgain = (one: Asked) => sentBy(one).length > 1
  const wrong = count((one) => isWrong(sentBy(one), lockMs))
  const textsOf = ({ answers }: Asked) => answers.flatMap((answer) => answer?.text ?? [])
  const toldAfter = channel.taken.map(({ takenAt, toldAt }) => (toldAt ?? Infinity) - takenAt)
  return [
    { name: 'keys sent twice', value: wrong, due: 0 },
    { name: 'keys told of after their lock, sent again', value: count(isAgain) - wrong },
    {
      name: 'keys not sent although answered so',
      value: count((one) => one.reachesChannel !== sentBy(one).length > 0),
      due: 0,
    },
    {
      name: 'clients never answered',
      value: asked.flatMap(({ answers }) => answers).filter((answer) => !answer).length,
      due: 0,
    },
    {
      name: 'keys with differing answers',
      value: count((one) => !isAgain(one) && new Set(textsOf(one)).size > 1),
      due: 0,
    },
    {
      name: 'answers with another wamid than the channel’s',
      value: count((one) =>
        one.answers.some(
          (answer) =>
            answer?.wamid != null && !sentBy(one).some(({ wamid }) => wamid === answer.wamid),
        ),
      ),
      due: 0,
    },
    {
      name: 'keys replayed with other bytes',
      value: count(
        (one) =>
          !isAgain(one) && (one.replay?.isReplay !== true || one.replay.text !== textsOf(one)[0]),
      ),
      due: 0,
    },
    { name: 'sends during the replays', value: channel.taken.length - takenBefore, due: 0 },
    { name: 'slowest first callback, ms', value: Math.round(Math.max(0, ...toldAfter)) },
    { name: 'lock of a key, ms', value: lockMs },
  ]
}

const findUsed = statement('chaos-used-of', 'SELECT used FROM send_budgets WHERE project_id = $1')
const findAttempts = statement(
  'chaos-attempts-of',
  'SELECT id, charged_on IS NOT NULL FROM send_attempts WHERE project_id = $1',
)

/** Midnight UTC begins a new day, and its count. */
const daysOf = (taken: Taken[]) =>
  new Set(taken.map(({ takenAt }) => Math.floor((performance.timeOrigin + takenAt) / 86_400_000)))

/** An attempt that died before the channel, or before its refusal was written, keeps its place. */
async function quotaFigures(ctx: Context, { senders, channel, asked }: Outcome) {
  const keys = new Set(asked.map(({ key }) => key))
  const isOneDay = daysOf(channel.taken).size <= 1
  let [used, due, unsettled, charged] = [0, 0, 0, 0]
  for (const { projectId } of senders) {
    const [budget] = await ctx.sql.rows(findUsed, [projectId])
    const taken = channel.taken.filter((one) => one.projectId === projectId)
    const known = new Set(taken.map(({ attemptId }) => attemptId))
    const left = await ctx.sql.rows(findAttempts, [projectId])
    charged += left.filter(([, isCharged]) => isCharged === 't').length
    unsettled += left.filter(([id]) => known.has(must(id))).length
    used += Number(budget?.[0])
    due += taken.filter(({ content }) => keys.has(content)).length
  }
  return [
    { name: 'sends that died before the channel', value: charged },
    { name: 'quota used', value: used, ...(isOneDay ? { due: due + charged } : {}) },
    { name: 'attempts left that the channel took', value: unsettled, due: 0 },
  ]
}

const findInbound = statement(
  'chaos-inbound',
  `SELECT content FROM messages WHERE project_id = $1 AND direction = 'inbound'`,
)
const findAnswers = statement(
  'chaos-bot-sends',
  `SELECT content FROM messages WHERE project_id = $1 AND origin = 'bot'`,
)
const findFailures = statement(
  'chaos-bot-failures',
  `SELECT text FROM bot_log_lines WHERE project_id = $1 AND level = 'error'`,
)
// A run that ended so may have been answered all the same: that its answer was slow is what made it late.
const findEnded = statement(
  'chaos-bot-ended',
  `SELECT l.run_id, array_to_json(array_agg(r.attempt_id))
     FROM bot_log_lines l LEFT JOIN idempotency_records r
       ON r.project_id = l.project_id AND r.key LIKE 'bot run ' || l.run_id || ' %'
    WHERE l.project_id = $1 AND l.level = 'error' AND l.text LIKE $2
    GROUP BY l.run_id`,
)
const LATE = 'The run took%'
const GIVEN_UP = 'The run was begun%'

/** How many runs of the bot ended with such a line before the channel had taken an answer. */
async function unanswered(ctx: Context, { channel, botProject }: Outcome, line: string) {
  const taken = new Set(channel.taken.map(({ attemptId }) => attemptId))
  const ended = await ctx.sql.rows(findEnded, [botProject, line])
  return ended.filter(([, attempts]) =>
    (JSON.parse(must(attempts)) as (string | null)[]).every((id) => id === null || !taken.has(id)),
  ).length
}

async function customerFigures(ctx: Context, outcome: Outcome): Promise<Figure[]> {
  const { written, channel, botProject, lockMs, say } = outcome
  const read = async (sql: typeof findInbound) =>
    (await ctx.sql.rows(sql, [botProject])).map(([column]) => column ?? '')
  const stored = await read(findInbound)
  const recorded = new Set(await read(findAnswers))
  const failures = await read(findFailures)
  for (const failure of new Set(failures)) say(`A run failed: ${failure}`)
  const sends = sendsByContent(channel)
  const answers = written.map((content) => sends.get(`Re ${content}`) ?? [])
  const wrong = answers.filter((all) => isWrong(all, lockMs)).length
  const again = answers.filter((all) => all.length > 1).length
  const missing = answers.filter((all) => all.length === 0).length
  const late = await unanswered(ctx, outcome, LATE)
  const givenUp = await unanswered(ctx, outcome, GIVEN_UP)
  const others = Math.max(0, missing - late - givenUp)
  const count = (holds: (answer: string) => boolean) =>
    written.filter((content) => holds(`Re ${content}`)).length
  return [
    { name: 'messages from customers', value: new Set(stored).size, due: written.length },
    { name: 'of them stored twice', value: stored.length - new Set(stored).size, due: 0 },
    { name: 'runs of the bot that ran out of time before their answer', value: late },
    { name: 'runs of the bot that were given up before their answer', value: givenUp },
    { name: 'not answered for any other reason', value: others, due: 0 },
    { name: 'answered by the bot twice', value: wrong, due: 0 },
    { name: 'answers told of after their lock, sent again', value: again - wrong },
    {
      name: 'answers of the bot not recorded',
      value: count((answer) => sends.has(answer) && !recorded.has(answer)),
      due: 0,
    },
    { name: 'runs of the bot that failed', value: failures.length },
  ]
}

const findDeliveries = statement('chaos-all-deliveries', 'SELECT id, status FROM deliveries')

async function deliveryFigures(ctx: Context, { receiver }: Outcome): Promise<Figure[]> {
  const deliveries = await ctx.sql.rows(findDeliveries)
  const answersTo = (id: string | null | undefined) => receiver.answers.get(must(id)) ?? []
  const isLost = ([id, status]: (typeof deliveries)[number]) => {
    const answers = answersTo(id)
    if (status === 'delivered') return !answers.includes(204)
    return status !== 'dropped' || answers.length < ATTEMPTS_MAX
  }
  return [
    { name: 'deliveries', value: deliveries.length },
    { name: 'dropped', value: deliveries.filter(([, status]) => status === 'dropped').length },
    {
      name: 'lost: neither taken nor failed five times',
      value: deliveries.filter(isLost).length,
      due: 0,
    },
  ]
}
