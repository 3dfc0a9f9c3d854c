import type { Context } from '../../core/context.ts'
import { must, statement } from '../../core/sql.ts'
import type { Figure, Options } from './scenario.ts'
import { DEAD_PATH, type startFaultyReceiver } from './webhook-receiver.ts'

const ATTEMPTS_MAX = 5

const readAll = statement(
  'chaos-deliveries',
  `SELECT d.id, d.webhook_id, d.status, d.attempts, jsonb_array_length(d.attempt_log)
     FROM deliveries d`,
)
const readWebhooks = statement(
  'chaos-webhooks',
  'SELECT id, is_active, failure_count, lease_until IS NOT NULL FROM webhooks',
)

type Stored = { id: string; webhookId: string; status: string; attempts: number; logged: number }
type Played = {
  receiver: Awaited<ReturnType<typeof startFaultyReceiver>>
  options: Options
  healthy: number
}

/** The figures of a run, with what each of them must be. */
export async function figuresOf(ctx: Context, played: Played): Promise<Figure[]> {
  const { receiver, options, healthy } = played
  const rows = await ctx.sql.rows(readAll)
  const all = rows.map(([id, webhookId, status, attempts, logged]): Stored => {
    const numbers = { attempts: Number(attempts), logged: Number(logged) }
    return { id: must(id), webhookId: must(webhookId), status: must(status), ...numbers }
  })
  const webhooks = await ctx.sql.rows(readWebhooks)
  const dead = webhooks.find(([id]) => id === 'wh_dead')
  const requests = [...receiver.arrived.values()].reduce((sum, one) => sum + one.answers.length, 0)
  const outcomes = all.reduce((sum, { attempts }) => sum + attempts, 0)
  return [
    { name: 'events', value: options.size },
    { name: 'kills', value: options.kills },
    { name: 'requests that came', value: requests },
    { name: 'attempts with an outcome', value: outcomes },
    { name: 'requests made again after a kill', value: requests - outcomes },
    ...lossFigures(played, all),
    ...attemptFigures(played, all),
    {
      name: 'registrations turned off',
      value: webhooks.filter(([, isActive]) => isActive === 'f').length,
      due: 1,
    },
    { name: 'failed events of the dead one when it was', value: Number(dead?.[2]), due: 10 },
    { name: 'healthy registrations', value: healthy },
  ]
}

function lossFigures({ receiver, options, healthy }: Played, all: Stored[]): Figure[] {
  const own = all.filter(({ webhookId }) => webhookId !== 'wh_dead')
  const took = (id: string) => receiver.arrived.get(id)?.answers.includes(204) ?? false
  const count = (holds: (one: Stored) => boolean) => own.filter(holds).length
  return [
    { name: 'deliveries to healthy registrations', value: own.length, due: options.size * healthy },
    { name: 'delivered', value: count(({ status }) => status === 'delivered') },
    { name: 'dropped after five failures', value: count(({ status }) => status === 'dropped') },
    {
      name: 'lost: neither taken nor failed five times',
      value: count(({ id, status, attempts }) =>
        status === 'delivered' ? !took(id) : status !== 'dropped' || attempts !== ATTEMPTS_MAX,
      ),
      due: 0,
    },
    {
      name: 'dropped although the receiver never failed five times',
      value: count(({ id, status }) => {
        const answers = receiver.arrived.get(id)?.answers ?? []
        return status === 'dropped' && answers.filter((one) => one !== 204).length < ATTEMPTS_MAX
      }),
      due: 0,
    },
  ]
}

function attemptFigures({ receiver }: Played, all: Stored[]): Figure[] {
  const known = new Set(all.map(({ id }) => id))
  const arrived = [...receiver.arrived]
  const most = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)
  return [
    {
      name: 'deliveries with more than five outcomes',
      value: all.filter(({ attempts, logged }) => attempts > ATTEMPTS_MAX || logged !== attempts)
        .length,
      due: 0,
    },
    {
      name: 'most outcomes of a delivery',
      value: most(all.map(({ attempts }) => attempts)),
      due: ATTEMPTS_MAX,
    },
    {
      name: 'ids that came and are no delivery’s',
      value: arrived.filter(([id]) => !known.has(id)).length,
      due: 0,
    },
    {
      name: 'ids that came with differing bodies',
      value: arrived.filter(([, { bodies }]) => bodies.size !== 1).length,
      due: 0,
    },
    {
      name: 'events that one path was told under two ids',
      value:
        arrived.length - new Set(arrived.map(([, { path, event }]) => `${path} ${event}`)).size,
      due: 0,
    },
    {
      name: 'subjects whose events first came out of order',
      value: [...receiver.order].filter(
        ([key, events]) =>
          !key.startsWith(DEAD_PATH) && events.some((n, i) => n < (events[i - 1] ?? -1)),
      ).length,
      due: 0,
    },
  ]
}
