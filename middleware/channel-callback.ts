import { timingSafeEqual } from 'node:crypto'
import { type Request, Router } from 'express'
import {
  createStatusBatches,
  holdsOnlyStatuses,
} from '../capabilities/callbacks/callback-batches.ts'
import * as callbacks from '../capabilities/callbacks/callbacks.ts'
import * as channelAccounts from '../capabilities/channel-accounts/channel-accounts.ts'
import { isSignedBy, mayBeSignature, readCallback } from '../channel/callback.ts'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { createSlots, withSlot } from '../core/slots.ts'
import { type CallbackPart, partsOf } from './callback-parts.ts'
import { createCallbackReader, tooBusy } from './callback-body.ts'
import { noSuchMethod } from './failure.ts'
import { succeed } from './reply.ts'

const PATH = '/:projectId/webhook'

/**
 * Receives the channel's requests below `/channel`: its handshake and its signed callbacks. A callback is
 * answered 200 once it is committed, before any subscriber or bot is told. The channel repeats whatever is
 * answered otherwise, so a body that cannot be understood is stored and answered 200 too.
 */
export function channelCallback(ctx: Context): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const batches = createStatusBatches(ctx)
  // Callbacks of one project wait for each other's row locks, and must leave connections to other projects.
  const turns = createSlots({
    atOnce: LIMITS.callbacksAtOnce,
    atOnceEach: LIMITS.callbacksAtOnceEach,
    waitingMax: LIMITS.callbacksWaiting,
    waitMs: LIMITS.callbackWaitMs,
  })
  const readBody = createCallbackReader()
  const refuse = noSuchMethod(['GET', 'POST'])

  router.all(PATH, (req, _res, next) => {
    req.exchange.name = 'channelCallback'
    next()
  })
  // Before the others, since Express would serve HEAD as a GET.
  router.head(PATH, refuse)
  router.get(PATH, async (req, res) => {
    const account = await accountOf(ctx, req)
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = req.query
    if (mode !== 'subscribe' || typeof token !== 'string' || !equal(token, account.verifyToken)) {
      throw new ServiceError('insufficient_scope', 'The verify token does not fit.', {
        details: { required: [], held: [], project_id: account.projectId },
      })
    }
    res.writeHead(200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': req.exchange.requestId,
    })
    res.end(typeof challenge === 'string' ? challenge.slice(0, 1_000) : '')
  })

  async function take({ account: { projectId, phoneNumberId }, value, body }: CallbackPart) {
    const updates = readCallback(value, phoneNumberId, ctx.now())
    for (const [kind, list] of Object.entries(updates)) {
      if (list.length > 0) ctx.metrics.callbackUpdates.inc({ kind }, list.length)
    }
    const takeAll = () => callbacks.take(ctx, projectId, updates, body)
    await (holdsOnlyStatuses(updates)
      ? batches.take(projectId, updates.statuses)
      : withSlot(turns, projectId, takeAll, tooBusy))
  }

  router.post(PATH, async (req, res) => {
    const signature = req.get('x-hub-signature-256')
    // Anybody may post here, so nothing is read unless the signature has the right form.
    if (!mayBeSignature(signature)) throw badSignature()
    const account = await accountOf(ctx, req)
    await readBody(req, account.projectId, async (raw) => {
      if (!isSignedBy(raw, signature, account.appSecret)) throw badSignature()
      for (const part of await partsOf(ctx, account, raw)) await take(part)
    })
    succeed(req, res, 200, { received: true })
  })
  router.all(PATH, refuse)
  return router
}

function badSignature(): ServiceError {
  return new ServiceError('invalid_api_key', 'The signature does not fit the body.')
}

/** The account of the project in the path, which the request's log line names from here on. */
async function accountOf(ctx: Context, req: Request<{ projectId: string }>) {
  const account = await channelAccounts.find(ctx, req.params.projectId)
  if (!account) throw new ServiceError('not_found', 'There is no such project.')
  req.exchange.project = { id: account.projectId }
  return account
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
