import type { Request } from 'express'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { createBodyRoom } from './body-room.ts'
import { readBytes } from './read-bytes.ts'
import { refuseEncoded } from './read-body.ts'

const LIMIT = { bytes: LIMITS.callbackBytes, code: 'payload_too_large' } as const

/** Reads the body of a callback to a project; answers with the result of `use`. */
export type ReadCallback = <T>(
  req: Request,
  projectId: string,
  use: (raw: Buffer) => Promise<T>,
) => Promise<T>

/**
 * Prepares the reading of callbacks, whose senders are verified only after reading: large ones together take at
 * most `roomBytes` of memory until they are processed, and those to one project at most as much as they leave
 * to the others. Small ones take none, so that forged large ones cannot keep the channel's callbacks out.
 * Reading throws `server_error` with status 503 when there is no room left, `unsupported_media_type` for a
 * compressed body, and what reading bytes throws.
 */
export function createCallbackReader({
  roomBytes = LIMITS.callbackBytesAtOnce,
  timeoutMs = LIMITS.requestTimeoutMs,
}: { roomBytes?: number; timeoutMs?: number } = {}): ReadCallback {
  const roomOf = createBodyRoom({
    bytes: roomBytes,
    smallBytes: LIMITS.callbackBytesAlways,
    busy: tooBusy,
  })
  return async (req, projectId, use) => {
    refuseEncoded(req)
    const room = roomOf(projectId)
    try {
      return await use(await readBytes(req, { limit: LIMIT, room, timeoutMs }))
    } finally {
      room.giveBack()
    }
  }
}

/** The 503 for a callback for which there is no memory now. */
export function tooBusy(): ServiceError {
  const message = 'Too many callbacks arrive at once; send it again.'
  return new ServiceError('server_error', message, { status: 503, retryAfterS: 1 })
}
