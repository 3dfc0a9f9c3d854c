import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Context } from '../core/context.ts'
import type { Content } from '../core/transfer.ts'
import { budgetHeaders } from './reply.ts'

/** A media type that is safe in a header, since somebody else has named it. */
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w.+-]{1,50}=[\w.+-]{1,50})?$/

/**
 * Answers with a file's bytes in a way that no browser shows or executes. When the source fails or the client
 * stops reading, the connection is cut, because the answer has begun.
 */
export async function sendContent(
  ctx: Context,
  req: Request,
  res: Response,
  { body, sizeBytes, mimeType, filename }: Content,
): Promise<void> {
  const { requestId, budgets } = req.exchange
  res.writeHead(200, {
    'X-Request-Id': requestId,
    'Content-Type': MIME_TYPE.test(mimeType) ? mimeType : 'application/octet-stream',
    'Content-Length': sizeBytes,
    'Content-Disposition': attachment(filename),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...budgetHeaders(budgets),
  })
  // An error of either stream ends both.
  await pipeline(body, res).catch((error: unknown) => {
    ctx.log.warn('content.cut', { requestId, error })
  })
}

/** The filename twice: in ASCII for old clients, and in full by RFC 6266. */
function attachment(filename: string): string {
  const ascii = filename.replace(/[^ -~]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
