import { PassThrough, Readable } from 'node:stream'
import { expect, it } from '@jest/globals'
import type { Request, Response } from 'express'
import type { Context } from '../../core/context.ts'
import { sendContent } from '../../middleware/send-content.ts'

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
