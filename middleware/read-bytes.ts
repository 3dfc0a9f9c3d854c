import type { Request } from 'express'
import type { BodyLimit } from '../core/contract.ts'
import { ServiceError } from '../core/errors.ts'
import type { BodyRoom } from './body-room.ts'

/**
 * Reads a body whole. The room that it takes is held for what it declares, and otherwise for what has arrived:
 * many clients declare no size, however small their bodies are. Throws the limit's code for a body that is, or
 * declares to be, larger; what `room` throws; and `bad_request` for one that breaks off, or does not arrive
 * within `timeoutMs`, because the server's own limit is that of the largest upload.
 */
export async function readBytes(
  req: Request,
  { limit, room, timeoutMs }: { limit: BodyLimit; room: BodyRoom; timeoutMs: number },
): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0)
  // Told before it has arrived, which may take longer than there is time.
  if (declared > limit.bytes) throw tooLarge(limit)
  room.hold(declared)
  return await new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const more = (part: Buffer) => {
      length += part.length
      try {
        if (length > limit.bytes) throw tooLarge(limit)
        room.hold(length)
        parts.push(part)
      } catch (error) {
        end(() => reject(error))
      }
    }
    const end = (settle: () => void) => {
      clearTimeout(timer)
      req.off('data', more).off('end', whole).off('close', broken)
      // What is left is for whoever answers: nothing more of it is kept.
      req.pause()
      settle()
    }
    const whole = () => end(() => resolve(Buffer.concat(parts)))
    const broken = () => end(() => reject(brokenOff()))
    const timer = setTimeout(() => end(() => reject(late())), timeoutMs)
    // A client that disconnected before reading began is told of by no event.
    if (req.destroyed) broken()
    else req.on('data', more).once('end', whole).once('close', broken)
  })
}

function tooLarge({ bytes, code }: BodyLimit): ServiceError {
  const details = { limit_bytes: bytes }
  return new ServiceError(code, `The body is larger than ${bytes} bytes.`, { details })
}

function brokenOff(): ServiceError {
  return new ServiceError('bad_request', 'The body ended before it was complete.')
}

function late(): ServiceError {
  return new ServiceError('bad_request', 'The request did not arrive in time.')
}
