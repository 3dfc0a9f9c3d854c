import type { Context } from '../../core/context.ts'
import { type Statement, statement } from '../../core/sql.ts'
import type { ChannelSend } from './idempotency-channel.ts'
import type { Answer, Planned, Tally } from './idempotency-clients.ts'
import type { Figure } from './scenario.ts'

/** What a run brought; the lists of answers run parallel to `planned`. */
export type Outcome = {
  planned: Planned[]
  /** One for each client of the key; null where it gave up. */
  answers: (Answer | null)[][]
  replays: (Answer | null)[]
  tally: Tally
  /** Everything that the channel saw, and how much of it before the replays. */
  sends: ChannelSend[]
  sendsBefore: number
  kills: number
  /** Callbacks that the channel gave up. */
  problems: number
}

const budget = statement('chaos-used', 'SELECT used FROM send_budgets WHERE project_id = $1')
const attempts = statement('chaos-attempts', 'SELECT id FROM send_attempts WHERE project_id = $1')
const unfinished = statement(
  'chaos-unfinished',
  'SELECT key FROM idempotency_records WHERE project_id = $1 AND status IS NULL',
)
const outbound = statement(
  'chaos-outbound',
  `SELECT wamid FROM messages WHERE project_id = $1 AND direction = 'outbound'`,
)

/** The figures of a run, with what each of them must be. */
export async function figuresOf(
  ctx: Context,
  projectId: string,
  outcome: Outcome,
): Promise<Figure[]> {
  const read = async (sql: Statement) =>
    (await ctx.sql.rows(sql, [projectId])).map(([column]) => column ?? '')
  const { planned, answers, tally, sends, kills, problems } = outcome
  const left = await read(attempts)
  const messages = await read(outbound)
  const used = Number((await read(budget))[0])
  const taken = sends.filter(({ wamid }) => wamid !== null)
  const known = new Set(taken.map(({ attemptId }) => attemptId))
  return [
    { name: 'keys', value: planned.length },
    { name: 'clients', value: answers.flat().length },
    { name: 'kills', value: kills },
    { name: 'calls', value: tally.calls },
    { name: 'calls cut off', value: tally.lost },
    { name: 'calls told that the key is in progress', value: tally.inProgress },
    { name: 'calls answered with 5xx', value: tally.failed },
    { name: 'sends that the channel took', value: taken.length },
    { name: 'sends that died before the channel', value: left.length },
    ...answerFigures(outcome),
    { name: 'keys left in progress', value: (await read(unfinished)).length, due: 0 },
    { name: 'messages recorded', value: messages.length, due: taken.length },
    {
      name: 'attempts left that the channel took',
      value: left.filter((id) => known.has(id)).length,
      due: 0,
    },
    { name: 'quota used', value: used, due: taken.length + left.length },
    { name: 'callbacks given up', value: problems, due: 0 },
  ]
}

function answerFigures({ planned, answers, replays, sends, sendsBefore }: Outcome): Figure[] {
  const wamids = new Map<string, string[]>()
  for (const { content, wamid } of sends) {
    if (wamid !== null) wamids.set(content, [...(wamids.get(content) ?? []), wamid])
  }
  const timesSent = planned.map(({ key }) => wamids.get(key)?.length ?? 0)
  const expected = planned.map(({ reachesChannel }) => (reachesChannel ? 1 : 0))
  const count = (isBad: (one: Planned, index: number) => boolean) => planned.filter(isBad).length
  const textsOf = (index: number) => answers[index]?.flatMap((answer) => answer?.text ?? []) ?? []
  return [
    {
      name: 'keys sent more than once',
      value: timesSent.filter((times) => times > 1).length,
      due: 0,
    },
    {
      name: 'keys not sent as often as due',
      value: timesSent.filter((times, index) => times !== expected[index]).length,
      due: 0,
    },
    {
      name: 'clients never answered',
      value: answers.flat().filter((answer) => !answer).length,
      due: 0,
    },
    {
      name: 'keys with differing answers',
      value: count((_, index) => new Set(textsOf(index)).size > 1),
      due: 0,
    },
    {
      name: 'answers with another wamid than the channel’s',
      value: count(({ key }, index) =>
        (answers[index] ?? []).some(
          (answer) => answer?.wamid != null && !wamids.get(key)?.includes(answer.wamid),
        ),
      ),
      due: 0,
    },
    {
      name: 'keys replayed with the same bytes',
      value: count((_, i) => replays[i]?.isReplay === true && replays[i].text === textsOf(i)[0]),
      due: planned.length,
    },
    { name: 'sends during the replays', value: sends.length - sendsBefore, due: 0 },
  ]
}
