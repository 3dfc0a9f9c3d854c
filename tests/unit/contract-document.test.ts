import { describe, expect, it } from '@jest/globals'
import type { Request, Response } from 'express'
import type { ContractDocument } from '../../core/contract.ts'
import { contractDocument } from '../../middleware/contract-document.ts'

/** Serves a small document; `renders` counts how often it was made into text. */
function serve(publicUrl: string | null = null, title = 'Ä') {
  let rendered = 0
  const info = {
    toJSON() {
      rendered++
      return { title, version: '1.0.0' }
    },
  }
  const document = { openapi: '3.1.0', info, servers: [{ url: '/' }] } as unknown
  const handle = contractDocument(document as ContractDocument, publicUrl)
  const ask = (host: string, held?: string) => {
    const parts: Buffer[] = []
    const answer = { status: 0, headers: {} as Record<string, string | number>, parts, body: '' }
    const res = {
      writeHead(status: number, headers: Record<string, string | number>) {
        Object.assign(answer, { status, headers })
        return res
      },
      write: (part: Buffer) => parts.push(part),
      end(last = Buffer.alloc(0)) {
        parts.push(last)
        answer.body = Buffer.concat(parts).toString()
      },
    }
    const headers = { host, ...(held !== undefined && { 'if-none-match': held }) }
    const req = { headers, exchange: { requestId: 'id', name: 'none' } }
    void handle(req as unknown as Request, res as unknown as Response, () => {})
    return answer
  }
  const urlFor = (host: string) =>
    (JSON.parse(ask(host).body) as { servers: { url: string }[] }).servers[0]?.url
  return { ask, urlFor, renders: () => rendered }
}

describe('the document', () => {
  it('is rendered once for all addresses', () => {
    const { ask, renders } = serve()
    for (let i = 0; i < 100; i++) expect(ask(`${i}.example`).status).toBe(200)
    expect(renders()).toBe(1)
  })

  it('is the same memory for all, who may read slowly, but for the address', () => {
    const { ask } = serve()
    const [before, , after] = ask('a.example').parts
    const { parts } = ask('b.example')
    expect([parts[0] === before, parts[2] === after]).toEqual([true, true])
  })

  it.each(['a.example', 'a.example:8080', '[::1]', '[::1]:3000', '192.0.2.1:80'])(
    'names the caller’s address %s',
    (host) => expect(serve().urlFor(host)).toBe(`http://${host}`),
  )

  it.each(['', 'a.example/?x=', 'a@b', 'a b', '"><script>', 'ü.example', 'x'.repeat(254)])(
    'repeats nothing that is no host: %s',
    (host) => expect(serve().urlFor(host)).toBe('http://localhost'),
  )

  it('has another tag for each address: none is held for that of another one', () => {
    const { ask } = serve()
    const { ETag: tag } = ask('a.example').headers
    expect(ask('a.example', String(tag)).status).toBe(304)
    expect(ask('b.example', String(tag)).status).toBe(200)
  })

  it('has another tag when it says something else', () => {
    const tagOf = (title: string) => serve(null, title).ask('a.example').headers.ETag
    expect(tagOf('One')).toBe(tagOf('One'))
    expect(tagOf('One')).not.toBe(tagOf('Two'))
  })

  it('is the same at whatever address where PUBLIC_URL is set', () => {
    const { ask, urlFor, renders } = serve('https://api.example')
    expect([urlFor('a.example'), urlFor('b.example')]).toEqual([
      'https://api.example',
      'https://api.example',
    ])
    expect(renders()).toBe(1)
    expect(ask('a.example').headers).not.toHaveProperty('Vary')
  })

  it('may be read by a page of any other site, and says how many bytes it has', () => {
    const { headers, body } = serve().ask('a.example')
    expect(headers['Access-Control-Allow-Origin']).toBe('*')
    expect(headers['Content-Length']).toBe(Buffer.byteLength(body))
  })
})
