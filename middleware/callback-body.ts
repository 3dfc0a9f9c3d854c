import express, { type Request, type Response } from 'express'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { createByteRoom } from './byte-room.ts'
import { inTime, refuseTooLarge } from './read-body.ts'

const LIMIT = { bytes: LIMITS.callbackBytes, code: 'payload_too_large' } as const

/** Reads the body of a callback to a project; answers with the result of `use`. */
export type ReadCallback = <T>(
  req: Request,
  res: Response,
  projectId: string,
  use: (raw: Buffer) => Promise<T>,
) => Promise<T>

/**
 * Prepares the reading of callbacks, whose senders are verified only after reading: large ones together take at
 * most `roomBytes` of memory until they are processed, and those to one project at most as much as they leave
 * to the others. Reading throws `server_error` with status 503 when there is no room left, `payload_too_large`,
 * `unsupported_media_type` for a compressed body, and `bad_request` for one that breaks off or takes longer
 * than `timeoutMs`.
 */
export function createCallbackReader({
  roomBytes = LIMITS.callbackBytesAtOnce,
  timeoutMs = LIMITS.requestTimeoutMs,
}: { roomBytes?: number; timeoutMs?: number } = {}): ReadCallback {
  const readRaw = express.raw({ type: () => true, limit: LIMIT.bytes, inflate: false })
  const take = createByteRoom(roomBytes)
  return async (req, res, projectId, use) => {
    refuseTooLarge(req, LIMIT)
    const giveBack = take(projectId, roomFor(req))
    if (!giveBack) throw tooBusy()
    try {
      await inTime(timeoutMs, (done) => readRaw(req, res, done))
      return await use(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
    } finally {
      giveBack()
    }
  }
}

/** Small bodies need no room, so that forged large ones cannot keep the channel's callbacks out. */
function roomFor(req: Request): number {
  const declared = Number(req.headers['content-length'] ?? LIMIT.bytes)
  return declared <= LIMITS.callbackBytesAlways ? 0 : declared
}

/** The 503 for a callback for which there is no memory now. */
export function tooBusy(): ServiceError {
  const message = 'Too many callbacks arrive at once; send it again.'
  return new ServiceError('server_error', message, { status: 503, retryAfterS: 1 })
}
