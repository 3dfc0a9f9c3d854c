import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { startFaultS3 } from '../support/fault-s3.ts'
import { dial } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, contentOf, fileForm, MIB, text } from '../support/uploads.ts'

/** More than the buffers of a connection hold. */
const bytes = text(8 * MIB)

let s3: Awaited<ReturnType<typeof startFaultS3>>
let service: TestService
let project: TestProject
beforeAll(async () => {
  s3 = await startFaultS3()
  service = await startTestService({ env: { ...AMPLE, MEDIA_STORE_URL: s3.url } })
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(async () => {
  await service.stop()
  await s3.stop()
})

async function upload({ client }: TestProject): Promise<string> {
  const body = fileForm(bytes, 'prices.txt', 'text/plain') as never
  return (await client.ok('uploadMedia', { body })).media.slug
}

/** Somebody who begins to read a file, and does not go on. */
async function stall({ key }: TestProject, slug: string): Promise<Socket> {
  const socket = await dial(service.url)
  const head = `GET /v1/media/${slug}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}`
  socket.write(`${head}\r\n\r\n`)
  const [begin] = (await once(socket, 'data')) as [Buffer]
  expect(begin.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /)
  return socket.pause()
}

it('many slow readers of one project leave room for others, and its next one is told to wait', async () => {
  const slug = await upload(project)
  const other = await service.project()
  const others = await upload(other)
  const limit = LIMITS.downloadsAtOnceEach
  const sockets = await Promise.all(Array.from({ length: limit }, () => stall(project, slug)))

  const path = { slug }
  const { details, headers } = await project.client.refused('getMediaContent', 'rate_limited', {
    path,
  })
  expect(headers.get('retry-after')).toBe('5')
  const resetAt = new Date(service.ctx.now().getTime() + 5_000).toISOString()
  expect(details).toEqual({ limit_name: 'downloads-at-once', limit, remaining: 0, resetAt })
  expect(bytes.equals(await contentOf(other, others))).toBe(true)

  const waiting = contentOf(project, slug)
  sockets[0]?.destroy()
  expect(bytes.equals(await waiting)).toBe(true)
  for (const socket of sockets) socket.destroy()
})

it('a reader gives his place to the next one, however his file ends', async () => {
  const slug = await upload(project)
  const all = <T>(read: () => Promise<T>) =>
    Promise.all(Array.from({ length: LIMITS.downloadsAtOnceEach }, read))
  for (const [fault, due] of [
    ['short', 410],
    [403, 500],
  ] as const) {
    s3.become(fault, 'GET')
    const asked = await all(() => project.client.send('getMediaContent', { path: { slug } }))
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([due]))
  }
  s3.become('pass')
  for (const read of await all(() => contentOf(project, slug))) {
    expect(bytes.equals(read)).toBe(true)
  }
})
