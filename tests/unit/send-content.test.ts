import { PassThrough, Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Request, Response } from 'express'
import type { Context } from '../../core/context.ts'
import { sendContent } from '../../middleware/send-content.ts'
import { listen } from '../support/channel.ts'

/** The headers of a file of this name and type. */
async function headersOf(filename: string, mimeType = 'image/png') {
  let headers: Record<string, string> = {}
  const writeHead = (_status: number, given: Record<string, string>) => (headers = given)
  const res = Object.assign(new PassThrough(), { writeHead }) as unknown as Response
  const req = { exchange: { requestId: 'id', budgets: [] } } as unknown as Request
  const content = { body: Readable.from([Buffer.from('x')]), sizeBytes: 1, mimeType, filename }
  await sendContent({} as Context, req, res, content)
  return headers
}

it.each([
  ['a"; filename="page.html', 'a_; filename=_page.html'],
  ['50%.png', '50_.png'],
  ['back\\slash.png', 'back_slash.png'],
  ['é\r\n.png', '___.png'],
])('a file named %j ends no quotes and no line: it is %j to old readers', async (name, ascii) => {
  const { 'Content-Disposition': disposition = '' } = await headersOf(name)
  const [, plain, whole = ''] =
    /^attachment; filename="([^"\\%]*)"; filename\*=UTF-8''(\S*)$/.exec(disposition) ?? []
  expect(plain).toBe(ascii)
  expect(decodeURIComponent(whole)).toBe(name)
})

it('a file of a type that is none is bytes, and nothing else goes into the header', async () => {
  const { 'Content-Type': type } = await headersOf('a', 'text/html\r\nSet-Cookie: a=b')
  expect(type).toBe('application/octet-stream')
})

describe('the bytes of a file', () => {
  const told: unknown[] = []
  const ctx = { log: { warn: (...one: unknown[]) => void told.push(one) } } as unknown as Context
  const budget = { name: 'requests', quota: 60, windowS: 60, remaining: 59, resetS: 7 } as const
  /** Answers every request with a file of four bytes, as far as its source has them. */
  const serve = (body: Readable) =>
    listen((req, res) => {
      Object.assign(req, { exchange: { requestId: 'id', budgets: [budget] } })
      const content = { body, sizeBytes: 4, mimeType: 'image/png', filename: 'a.png' }
      void sendContent(ctx, req as Request, res as Response, content)
    })
  beforeEach(() => void (told.length = 0))

  it('come with their number, and with what is left of the budget', async () => {
    const server = await serve(Readable.from([Buffer.from('file')]))
    const { headers } = await fetch(server.url)
    expect(headers.get('content-length')).toBe('4')
    expect(headers.get('ratelimit-remaining')).toBe('59')
    await server.close()
  })

  it('that end early cut the connection, for a part is not to be taken for the whole', async () => {
    const parts = async function* () {
      yield Buffer.from('fi')
      await new Promise(setImmediate)
      throw new Error('The disk is gone')
    }
    const server = await serve(Readable.from(parts()))
    const answer = await fetch(server.url)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
    expect(told).toEqual([
      ['content.cut', { requestId: 'id', error: new Error('The disk is gone') }],
    ])
    await server.close()
  })

  it('are read no further when nobody takes them any more', async () => {
    const body = new Readable({ read() {} })
    body.push('fi')
    const ended = new Promise((resolve) => body.once('close', resolve))
    const server = await serve(body)
    const leaving = new AbortController()
    await fetch(server.url, { signal: leaving.signal })
    leaving.abort()
    await ended
    await server.close()
  })
})
