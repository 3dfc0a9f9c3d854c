import type { Context } from '../../core/context.ts'
import { must, statement } from '../../core/sql.ts'
import type { ChannelSend } from './idempotency-channel.ts'
import type { Figure, Options } from './scenario.ts'

const readRecipients = statement(
  'chaos-recipients',
  `SELECT phone, status, wamid, error ->> 'code', lease_until IS NOT NULL FROM broadcast_recipients
    WHERE broadcast_id = $1`,
)
const readBroadcast = statement(
  'chaos-broadcast',
  `SELECT status, total, queued + sent + delivered + read + failed + canceled + held, queued + held,
          sent + delivered + read, failed FROM broadcasts WHERE id = $1`,
)
const countMessages = statement(
  'chaos-messages',
  `SELECT count(*), count(DISTINCT contact_id) FROM messages WHERE origin = 'broadcast'`,
)

export type Played = {
  sends: ChannelSend[]
  options: Options
  /** Callbacks that the channel gave up. */
  problems: number
}

/** What was leaving when its worker was killed is unknown; far more would be given up without need. */
const UNKNOWN_SHARE = 0.25

const TAKEN = ['sent', 'delivered', 'read']

/** The figures of a run, with what each of them must be. */
export async function figuresOf(ctx: Context, id: string, played: Played): Promise<Figure[]> {
  const { sends, options, problems } = played
  const rows = await ctx.sql.rows(readRecipients, [id])
  const [broadcast = []] = await ctx.sql.rows(readBroadcast, [id])
  const [messages = []] = await ctx.sql.rows(countMessages)
  const [status, total, sum, left, taken, failed] = broadcast
  const timesSent = new Map<string, number>()
  for (const { to } of sends) timesSent.set(to, (timesSent.get(to) ?? 0) + 1)
  const wamids = new Map(sends.map(({ to, wamid }) => [to, wamid]))
  const recipients = rows.map(([phone, its, wamid, code]) => ({
    phone: must(phone),
    status: must(its),
    wamid: wamid ?? null,
    code: code ?? null,
  }))
  const count = (holds: (one: (typeof recipients)[number]) => boolean) =>
    recipients.filter(holds).length
  const isTaken = (one: { status: string }) => TAKEN.includes(one.status)
  const unknown = count(({ code }) => code === 'unknown_outcome')
  return [
    { name: 'recipients', value: recipients.length, due: options.size },
    { name: 'kills', value: options.kills },
    { name: 'sends that came to the channel', value: sends.length },
    { name: 'recipients that were sent to twice', value: repeated(timesSent), due: 0 },
    { name: 'recipients counted as sent', value: Number(taken), due: timesSent.size },
    { name: 'failed', value: Number(failed), due: unknown },
    { name: 'of these with an unknown outcome', value: unknown },
    {
      name: 'unknown above what kills may leave',
      value: Math.max(0, unknown - Math.ceil(options.size * UNKNOWN_SHARE)),
      due: 0,
    },
    {
      name: 'taken by the channel and not counted as sent',
      value: count((one) => timesSent.has(one.phone) && !isTaken(one)),
      due: 0,
    },
    {
      name: 'with another wamid than the channel gave',
      value: count((one) => isTaken(one) && wamids.get(one.phone) !== one.wamid),
      due: 0,
    },
    { name: 'messages', value: Number(messages[0]), due: timesSent.size },
    { name: 'customers with a message', value: Number(messages[1]), due: timesSent.size },
    { name: 'total', value: Number(total), due: options.size },
    { name: 'sum of the other counts', value: Number(sum), due: options.size },
    { name: 'still queued or held', value: Number(left), due: 0 },
    { name: 'complete', value: Number(status === 'completed'), due: 1 },
    { name: 'callbacks that the channel gave up', value: problems, due: 0 },
  ]
}

function repeated(times: Map<string, number>): number {
  return [...times.values()].filter((count) => count > 1).length
}
