import { hash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ContractDocument } from '../core/contract.ts'

/** A placeholder for the server's URL, which differs between callers, in the document that is rendered once. */
const ORIGIN = 'urn:origin'
const HOST = /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-fA-F:.]{2,45}\](?::\d{1,5})?$/

/** Serves the contract, with the URL under which the caller reached it as its server. */
export function contractDocument(
  document: ContractDocument,
  publicUrl: string | null,
): RequestHandler {
  const servers = [{ ...document.servers[0], url: ORIGIN }]
  const text = JSON.stringify({ ...document, servers })
  const [before, after] = text.split(JSON.stringify(ORIGIN)).map((part) => Buffer.from(part))
  if (!before || !after) throw new Error('The contract does not name the server')
  const digest = hash('sha256', text, 'base64url').slice(0, 27)
  return (req, res) => {
    req.exchange.name = 'getOpenApiDocument'
    const host = req.headers.host ?? ''
    const reached = `http://${HOST.test(host) ? host : 'localhost'}`
    const origin = JSON.stringify(publicUrl ?? reached)
    const etag = `"${hash('sha256', digest + origin, 'base64url').slice(0, 27)}"`
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
    const own = Buffer.from(origin)
    res.writeHead(200, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': before.length + own.length + after.length,
    })
    // Not put together: a client that reads slowly, of which there may be thousands, would have a copy of its own.
    res.write(before)
    res.write(own)
    res.end(after)
  }
}
