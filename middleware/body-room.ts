import type { Request } from 'express'
import type { Operation } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { createByteRoom } from './byte-room.ts'

/**
 * Limits the memory for JSON bodies: large ones together take at most `roomBytes` until their requests are
 * done. A form's file goes to disk as it arrives and takes none. Answers with the function that gives the room
 * back; throws `server_error` when there is none left.
 */
export function createBodyRoom(roomBytes: number = LIMITS.bodyBytesAtOnce) {
  const take = createByteRoom(roomBytes)
  return (req: Request, operation: Operation, owner: string): (() => void) => {
    const giveBack = take(owner, bytesOf(req, operation))
    if (giveBack) return giveBack
    const message = 'Too many large bodies arrive at once; send it again.'
    throw new ServiceError('server_error', message, { retryAfterS: 1 })
  }
}

/**
 * Small bodies need no room, since there cannot be enough of them; nor do bodies over the limit, which are not
 * read.
 */
function bytesOf(req: Request, { hasBody, takesForm, bodyLimit }: Operation): number {
  const isForm = takesForm && /^\s*multipart\//i.test(req.headers['content-type'] ?? '')
  if (!hasBody || isForm) return 0
  const isChunked = req.headers['transfer-encoding'] !== undefined
  const declared = isChunked ? bodyLimit.bytes : Number(req.headers['content-length'] ?? 0)
  return declared <= LIMITS.bodyBytesAlways || declared > bodyLimit.bytes ? 0 : declared
}
