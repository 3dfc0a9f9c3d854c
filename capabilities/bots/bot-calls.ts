import { hash } from 'node:crypto'
import type { Context, ProjectContext } from '../../core/context.ts'
import { isServiceError, ServiceError } from '../../core/errors.ts'
import { isRecord } from '../../core/json-values.ts'
import { Replay } from '../../core/replay.ts'
import { LIMITS } from '../../core/limits.ts'
import { must, statement } from '../../core/sql.ts'
import { changeOnce, createReadings, emitOnce, failingOnce, isUnknownYet } from './bot-effects.ts'
import { storedError } from './bot-effects.ts'
import type { Production } from './bot-productions.ts'
import type { BotCall, CheckRequest, LeasedRun } from './bot-runs.ts'
import * as botTables from './bot-tables.ts'
import * as contacts from '../conversations/contacts.ts'
import * as conversations from '../conversations/conversations.ts'
import type { SendRequest } from '../messages/message-kinds.ts'
import * as messages from '../messages/messages.ts'

type Operation = (call: BotCall, args: unknown[]) => Promise<unknown>

// Calls that have a key already were made before the run was started again, and are not counted twice.
const isUnheard = statement(
  'is-bot-unheard',
  `SELECT count(*) FILTER (WHERE origin = 'bot') = ${LIMITS.botSendsUnanswered}
          AND NOT EXISTS (SELECT FROM idempotency_records WHERE project_id = $2 AND key = $3),
          (SELECT status FROM projects WHERE id = $2)
     FROM (SELECT origin FROM messages WHERE conversation_id = $1
            ORDER BY id DESC LIMIT ${LIMITS.botSendsUnanswered}) AS latest`,
)

/**
 * Throws `bad_request` when a bot keeps talking to itself, as one may that sends in `onStatus`, and
 * `project_inactive` when the project was paused while the run waited for its turn.
 */
async function mustBeHeard({ sql }: Context, run: LeasedRun, key: string): Promise<void> {
  const [row] = await sql.rows(isUnheard, [run.conversationId, run.projectId, key])
  const status = must(row?.[1])
  if (status !== 'active') {
    const problem = `The project ${run.projectId} is ${status}; its bot sends nothing.`
    throw new ServiceError('project_inactive', problem)
  }
  if (row?.[0] !== 't') return
  const message = `A bot sends ${LIMITS.botSendsUnanswered} messages in a row at the most; the customer must write first.`
  throw new ServiceError('bad_request', message)
}

/** Everything that a bot can do; all of it is limited to its own project and the run's conversation. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  send: async ({ ctx, run, check, name }, [given]) => {
    const body = withRecipient(given, Number(run.conversationId))
    await check('sendMessage', { body })
    // No request can collide with this key: a request's key must not contain a space.
    const key = `bot run ${run.id} ${name}`
    await mustBeHeard(ctx, run, key)
    const idempotency = { key, fingerprint: Buffer.from(hash('sha256', key, 'buffer')) }
    const sent = await messages.send({ ...ctx, idempotency }, body as SendRequest, 'bot')
    return sent instanceof Replay ? replayed(sent) : sent
  },

  setState: async (call, [state]) => {
    const { run } = call
    await call.check('updateConversation', { path: { id: run.conversationId }, body: { state } })
    return changeOnce(call.ctx, run, { call: call.name, event: call.event }, (ctx) =>
      conversations.setOwnState(ctx, Number(run.conversationId), String(state)),
    )
  },

  setAttributes: (call, [attributes]) => changeContact(call, { attributes }),
  addTags: (call, [add]) => changeContact(call, { tags: { add } }),
  removeTags: (call, [remove]) => changeContact(call, { tags: { remove } }),

  rows: (call, [table, query]) => botTables.rows(call, table, query),
  insert: (call, [table, rows]) => botTables.insert(call, table, rows),
  update: (call, [table, change]) => botTables.update(call, table, change),
  delete: (call, [table, target]) => botTables.remove(call, table, target),

  emit: ({ ctx, run, name }, [event, ...payload]) => emitOnce(ctx, run, name, event, ...payload),
}

async function changeContact(call: BotCall, body: object): Promise<null> {
  const { run, contactId, event } = call
  await call.check('updateContact', { path: { id: String(contactId) }, body })
  return changeOnce(call.ctx, run, { call: call.name, event }, (ctx) =>
    contacts.updateWithin(ctx, contactId, body),
  )
}

function withRecipient(given: unknown, conversationId: number): unknown {
  if (!isRecord(given)) return given
  if (!('phone' in given || 'conversation_id' in given)) {
    return { ...given, conversation_id: conversationId }
  }
  const message = 'A bot answers in the conversation that it runs for; leave the recipient out.'
  throw new ServiceError('invalid_request', message, {
    details: { errors: [{ path: 'phone' in given ? 'phone' : 'conversation_id', message }] },
  })
}

/** The outcome of the same call in an earlier try of the run. */
function replayed({ answer }: Replay): unknown {
  if ('data' in answer) return answer.data
  throw storedError(answer.error)
}

/** Performs the calls of one run, one after the other and each once. */
export type Caller = {
  /** Called when the code starts, perhaps again: calls are counted from the beginning. */
  begin(): void
  call(op: string, args: string): Promise<string>
  /** Begins no more calls; resolves when those that were begun are done. */
  close(): Promise<void>
}

const HEARD_ALL = `A run hears ${LIMITS.botHeardCharacters / 1024 / 1024} MiB of answers at the most.`

/** Why a failed call has no outcome yet; null when the error itself is the outcome, which the code is told. */
function whyNoOutcome(ctx: Context, run: LeasedRun, error: unknown): 'waits' | 'failed' | null {
  if (isUnknownYet(error)) return 'waits'
  if (isServiceError(error) || run.begun >= LIMITS.botBegunMost) return null
  ctx.log.warn('bot.call_failed', { project: run.projectId, run: run.id, error })
  return 'failed'
}

type Parties = { run: LeasedRun; production: Production; contactId: number; event: string }

/**
 * Creates the caller of a run. A call that was made in an earlier try is answered with its outcome from then.
 * `giveBack` is called when that outcome is not known yet, or when the service failed: the run will be started
 * again, and the code is not told. Faults that would not go away are told to the code.
 */
export function createCaller(
  ctx: Context,
  { run, production, contactId, event }: Parties,
  check: CheckRequest,
  giveBack: (why: 'waits' | 'failed') => void,
): Caller {
  const asked = { ctx: contextOf(ctx, production, run), run, contactId, event, check }
  const readings = createReadings(ctx, run)
  const answers = new Map<string, Promise<string>>()
  let counts = new Map<string, number>()
  let last: Promise<unknown> = Promise.resolve()
  let heard = 0
  let isClosed = false

  /** Null when the call has no outcome and the run has been given back. */
  async function perform(op: string, name: string, args: string): Promise<string | null> {
    const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined
    if (isClosed || !operation) throw new ServiceError('bad_request', `There is no ${op} here.`)
    if (heard > LIMITS.botHeardCharacters) throw new ServiceError('bad_request', HEARD_ALL)
    const given = JSON.parse(args) as unknown[]
    const answering = async () => JSON.stringify(await operation({ ...asked, name }, given))
    const work = async () => {
      if (op === 'rows') return readings.read(name, answering)
      await readings.keep()
      return answering()
    }
    try {
      const answer = await failingOnce(ctx, run, name, work)
      heard += answer.length
      return answer
    } catch (error) {
      const why = whyNoOutcome(ctx, run, error)
      if (why === null) throw error
      giveBack(why)
      isClosed = true
      return null
    }
  }

  return {
    begin: () => void (counts = new Map()),
    call(op, args) {
      const place = counts.get(op) ?? 0
      counts.set(op, place + 1)
      const name = `${op} ${place}`
      const known = answers.get(name)
      if (known) return known
      const done = last.then(() => perform(op, name, args))
      // The next call waits for this one, however it ends; its error reaches the code that made the call.
      last = done.catch(() => undefined)
      // Without an outcome the promise never settles, so the code goes no further.
      const answer = done.then((json) => json ?? new Promise<string>(() => {}))
      answers.set(name, answer)
      return answer
    },
    async close() {
      isClosed = true
      await last
    },
  }
}

function contextOf(ctx: Context, { project }: Production, run: LeasedRun): ProjectContext {
  const id = `bot-run-${run.id}`
  return {
    ...ctx,
    project,
    credential: { id, kind: 'key', grants: [project], defaultProjectId: project.id },
    requestId: id,
    idempotency: null,
    budgets: [],
  }
}

/** What the code is told of a failed call: the same as a client of the API would be. */
export function describeFailure(ctx: Context, run: LeasedRun, error: unknown): string {
  if (isServiceError(error)) {
    const { code, message, details = null } = error
    return JSON.stringify({ message, code, details })
  }
  ctx.log.error('bot.call_failed', { project: run.projectId, run: run.id, error })
  const message = 'Something went wrong in the service; it is not the bot.'
  return JSON.stringify({ message, code: 'server_error', details: null })
}
