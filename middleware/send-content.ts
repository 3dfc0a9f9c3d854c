import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Context } from '../core/context.ts'
import type { Content } from '../core/transfer.ts'
import { budgetHeaders } from './reply.ts'

/** What a header may say of a file that somebody else has named a type for. */
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w.+-]{1,50}=[\w.+-]{1,50})?$/

/**
 * Answers with a file's bytes, which no browser shows or runs. When they end early, or nobody reads on,
 * the connection is cut, for the answer has begun.
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
  // Whatever fails of the two, it ends both.
  await pipeline(body, res).catch((error: unknown) => {
    ctx.log.warn('content.cut', { requestId, error })
  })
}

/** The name twice: in ASCII for old readers, and whole as RFC 6266 has it. */
function attachment(filename: string): string {
  const ascii = filename.replace(/[^ -~]|["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
