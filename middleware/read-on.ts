import type { Readable } from 'node:stream'
import { LIMITS } from '../core/limits.ts'

/**
 * Reads what a client is still sending after its answer, and calls `end` once: when everything has arrived,
 * when nothing arrives for `idleMs`, and at the latest after `wholeMs` or `bytesMax`. If the connection were
 * closed at once, it would be reset, and a client that is still writing would never see the answer (RFC 9112,
 * 9.6).
 */
export function readOn(
  request: Readable,
  end: () => void,
  {
    idleMs = LIMITS.readOnIdleMs,
    wholeMs = LIMITS.readOnMs,
    bytesMax = LIMITS.readOnBytes,
  }: { idleMs?: number; wholeMs?: number; bytesMax?: number } = {},
): void {
  let isOver = false
  const finish = () => {
    if (isOver) return
    isOver = true
    clearTimeout(idle)
    clearTimeout(whole)
    request.off('data', more)
    end()
  }
  const idle = setTimeout(finish, idleMs)
  const whole = setTimeout(finish, wholeMs)
  let bytes = 0
  const more = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) finish()
    else idle.refresh()
  }
  request.on('data', more)
  for (const event of ['end', 'error', 'close'] as const) request.once(event, finish)
  if (request.destroyed || request.readableEnded) return finish()
  request.resume()
}
