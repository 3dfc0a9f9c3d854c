import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ContractDocument } from '../core/contract.ts'

const ORIGINS_KEPT = 100
const HOST = /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-fA-F:.]{2,45}\](?::\d{1,5})?$/

/** Serves the contract, with the address under which the caller reached it. */
export function contractDocument(
  document: ContractDocument,
  publicUrl: string | null,
): RequestHandler {
  const rendered = new Map<string, { body: string; etag: string }>()
  const render = (origin: string) => {
    const known = rendered.get(origin)
    if (known) return known
    const servers = [{ ...document.servers[0], url: origin }]
    const body = JSON.stringify({ ...document, servers })
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
    if (rendered.size >= ORIGINS_KEPT) rendered.clear()
    rendered.set(origin, { body, etag })
    return { body, etag }
  }
  return (req, res) => {
    req.exchange.name = 'getOpenApiDocument'
    const host = req.headers.host ?? ''
    const own = `http://${HOST.test(host) ? host : 'localhost'}`
    const { body, etag } = render(publicUrl ?? own)
    const headers = {
      'X-Request-Id': req.exchange.requestId,
      ETag: etag,
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      ...(publicUrl === null ? { Vary: 'Host' } : {}),
    }
    const held = req.headers['if-none-match']
      ?.split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
    if (held?.some((tag) => tag === etag || tag === '*')) {
      res.writeHead(304, headers).end()
      return
    }
    const type = 'application/json; charset=utf-8'
    const length = Buffer.byteLength(body)
    res.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': length }).end(body)
  }
}
