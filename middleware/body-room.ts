import type { Request } from 'express'
import type { Operation } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import { LIMITS } from '../core/limits.ts'
import { createByteRoom } from './byte-room.ts'

/**
 * Prepares the room of JSON bodies: large ones have so much of this process's memory at once, until they are dealt
 * with. A form's file goes to disk as it comes, and takes none. Asking for it throws `server_error` with the status
 * 503 when there is none left, else answers with what gives it back.
 */
export function createBodyRoom(roomBytes: number = LIMITS.bodyBytesAtOnce) {
  const take = createByteRoom(roomBytes)
  return (req: Request, operation: Operation, owner: string): (() => void) => {
    const giveBack = take(owner, bytesOf(req, operation))
    if (giveBack) return giveBack
    const message = 'Too many large bodies arrive at once; send it again.'
    throw new ServiceError('server_error', message, { status: 503, retryAfterS: 1 })
  }
}

/** What is small takes no room, for there cannot be enough of it; nor does what is too large, and is not read. */
function bytesOf(req: Request, { hasBody, takesForm, bodyLimit }: Operation): number {
  const isForm = takesForm && /^\s*multipart\//i.test(req.headers['content-type'] ?? '')
  if (!hasBody || isForm) return 0
  const isChunked = req.headers['transfer-encoding'] !== undefined
  const declared = isChunked ? bodyLimit.bytes : Number(req.headers['content-length'] ?? 0)
  return declared <= LIMITS.bodyBytesAlways || declared > bodyLimit.bytes ? 0 : declared
}
