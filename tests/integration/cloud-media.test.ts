import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { Channel, OutgoingFile } from '../../core/ports.ts'
import { accessToken, channelAccount, listen, phoneNumberId } from '../support/channel.ts'
import {
  createStandIns,
  errorOf,
  fileOf,
  graphError,
  type Seen,
  valueOf,
} from '../support/channel-files.ts'

let channel: Channel
let standIns: ReturnType<typeof createStandIns>

beforeEach(() => {
  channel = createCloudApi({ timeoutMs: 300, fileTimeoutMs: 200 })
  standIns = createStandIns()
})
afterEach(async () => {
  await standIns.close()
  await channel.close()
})

const bytes = randomBytes(300_000)

describe('an upload of media', () => {
  it('is a form of known length with the product, the type and the named file', async () => {
    const { url, seen } = await standIns.channelThat([200, { id: '1037543291543636' }])
    const { file } = fileOf(bytes, { filename: 'a "b"\r\nñ.jpg' })
    const answer = await channel.uploadMedia(channelAccount(url), file)

    expect(answer).toEqual({ ok: true, value: { mediaId: '1037543291543636' } })
    const [{ method, headers, body, ...request }] = seen as [Seen]
    expect([method, request.url]).toEqual(['POST', `/v25.0/${phoneNumberId}/media`])
    expect(headers).toMatchObject({
      authorization: `Bearer ${accessToken}`,
      'content-length': String(body.length),
      'user-agent': 'messaging-automation-service',
    })
    expect(headers['transfer-encoding']).toBeUndefined()
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    expect([form.get('messaging_product'), form.get('type')]).toEqual(['whatsapp', 'image/jpeg'])
    const sent = form.get('file') as File
    expect([sent.type, [...form.keys()].length]).toEqual(['image/jpeg', 3])
    expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
    expect(body.toString('latin1')).toContain('filename="a %22b%22%0D%0A')
  })

  it('is read as it is sent: a channel that takes nothing leaves the file almost unread', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 65_536
        yield Buffer.alloc(65_536)
      }
    }
    const url = await standIns.serveRaw((socket) => socket.pause())
    const open = async () => Readable.from(endless(), { objectMode: false })
    const file = { ...fileOf(bytes).file, sizeBytes: 100 * 1024 * 1024, open }
    const error = errorOf(await channel.uploadMedia(channelAccount(url), file))

    expect(error).toMatchObject({ kind: 'transient', retryable: true, details: 'ETIMEDOUT' })
    // What the two kernels hold for a connection.
    expect(read).toBeLessThan(16 * 1024 * 1024)
  })

  it.each<[string, [number, unknown], object]>([
    ['its token', [401, graphError(190)], { kind: 'auth', code: 190, retryable: false }],
    ['the file', [400, graphError(100)], { kind: 'parameter', code: 100, retryable: false }],
    ['nothing, but fails', [500, graphError(131000)], { kind: 'transient', retryable: true }],
    ['nothing, with a page', [502, Buffer.from('<html>')], { kind: 'transient', code: null }],
    ['nothing, without an id', [200, {}], { code: null, httpStatus: 200 }],
    ['nothing, with an odd id', [200, { id: '../x' }], { code: null, httpStatus: 200 }],
  ])('says what is known when the channel refuses %s', async (_what, answer, error) => {
    const { url } = await standIns.channelThat(answer)
    const given = await channel.uploadMedia(channelAccount(url), fileOf(bytes).file)
    expect(errorOf(given)).toMatchObject(error)
  })

  it('is refused early without being sent to its end', async () => {
    const url = await standIns.serveRaw((socket) => {
      const body = JSON.stringify(graphError(190))
      socket.end(`HTTP/1.1 401 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    })
    const large = randomBytes(8 * 1024 * 1024)
    const { kind } = errorOf(await channel.uploadMedia(channelAccount(url), fileOf(large).file))
    // The connection may break under the rest of the file before the answer is read.
    expect(['auth', 'transient']).toContain(kind)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['resets the connection in the middle', (socket) => socket.resetAndDestroy()],
    ['hangs up in the middle', (socket) => socket.destroy()],
    ['never answers', (socket) => void socket.resume()],
    [
      'breaks off its answer',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
    ],
    ['answers nonsense', (socket) => socket.end('SSH-2.0-Open\r\n')],
  ])('is given up in time, its file closed, when the channel %s', async (_what, act) => {
    const startedAt = performance.now()
    const { file, opened } = fileOf(bytes)
    const error = errorOf(
      await channel.uploadMedia(channelAccount(await standIns.serveRaw(act)), file),
    )

    expect(error).toMatchObject({ kind: 'transient', code: null, retryable: true })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    for (const stream of opened) expect(stream.destroyed || stream.readableEnded).toBe(true)
  })

  it('fails, and opens no file, when nobody listens', async () => {
    const server = await listen(() => {})
    await server.close()
    const { file, opened } = fileOf(bytes)
    const error = errorOf(await channel.uploadMedia(channelAccount(server.url), file))
    expect([error.details, opened]).toEqual(['ECONNREFUSED', []])
  })

  it.each<[string, Partial<OutgoingFile>]>([
    ['is shorter than it says', { sizeBytes: bytes.length + 1 }],
    ['is longer than it says', { sizeBytes: bytes.length - 1 }],
    ['cannot be opened', { open: () => Promise.reject(new Error('ENOENT')) }],
  ])('fails without throwing when its file %s', async (_what, more) => {
    const { url } = await standIns.channelThat([200, { id: '1' }])
    const answer = await channel.uploadMedia(channelAccount(url), fileOf(bytes, more).file)
    expect(errorOf(answer).code).toBeNull()
  })
})

describe('a medium of the channel', () => {
  const about = { url: 'https://x.example/a', mime_type: 'image/jpeg', id: '12' }

  it.each<[unknown, number | null]>([
    ['303833', 303_833],
    [303_833, 303_833],
    [undefined, null],
    ['many', null],
    [-1, null],
    [1.5, null],
  ])('whose size is told as %p has %p bytes', async (file_size, sizeBytes) => {
    const { url } = await standIns.channelThat([200, { ...about, file_size }])
    expect(await channel.findMedia(channelAccount(url), '12')).toEqual({
      ok: true,
      value: { url: about.url, mimeType: 'image/jpeg', sizeBytes },
    })
  })

  it('is asked for without the number, on which no customer has uploaded it', async () => {
    const { url, seen } = await standIns.channelThat([200, about])
    await channel.findMedia(channelAccount(url), '12')
    expect(seen[0]?.url).toBe('/v25.0/12')
  })

  it('that it does not know is a refusal', async () => {
    const { url } = await standIns.channelThat([400, graphError(100, { error_subcode: 33 })])
    const error = errorOf(await channel.findMedia(channelAccount(url), '12'))
    expect(error).toMatchObject({ kind: 'parameter', code: 100, subcode: 33 })
  })

  it('is deleted by its id', async () => {
    const { url, seen } = await standIns.channelThat(
      [200, { success: true }],
      [200, { success: false }],
    )
    const account = channelAccount(url)
    expect(await channel.deleteMedia(account, '12')).toEqual({ ok: true, value: null })
    expect((await channel.deleteMedia(account, '12')).ok).toBe(false)
    const own = `/v25.0/12?phone_number_id=${phoneNumberId}`
    expect(seen[0]).toMatchObject({ method: 'DELETE', url: own })
  })

  it('is read with the token and a name of ours', async () => {
    const { url, seen } = await standIns.channelThat([200, bytes])
    const stream = valueOf(await channel.openMedia(channelAccount(url), `${url}/a?x=%3D=`))

    expect((await buffer(stream)).equals(bytes)).toBe(true)
    expect(seen[0]).toMatchObject({
      url: '/a?x=%3D=',
      headers: { authorization: `Bearer ${accessToken}`, 'user-agent': expect.any(String) },
    })
  })

  it.each([401, 404, 500, 302])('is an error when its address answers %i', async (status) => {
    const { url } = await standIns.channelThat([status, 'no'])
    const error = errorOf(await channel.openMedia(channelAccount(url), `${url}/a`))
    expect(error.httpStatus).toBe(status)
  })

  it.each([
    ['plain http elsewhere', (other: string) => `${other}/a`],
    ['another scheme', () => 'file:///etc/passwd'],
    ['no address', () => 'lookaside'],
  ])('at %s is not asked for: the token stays here', async (_what, addressOf) => {
    const here = await standIns.channelThat()
    const other = await standIns.channelThat([200, bytes])
    const answer = await channel.openMedia(channelAccount(here.url), addressOf(other.url))

    errorOf(answer)
    expect([here.seen, other.seen]).toEqual([[], []])
  })

  it.each<[string, string, (socket: Socket) => void]>([
    ['breaks off', 'UND_ERR_SOCKET', (socket) => setTimeout(() => socket.destroy(), 20)],
    ['stops', 'ETIMEDOUT', () => {}],
  ])(
    'that %s in the middle fails its reader in time, and tells no token',
    async (_w, code, act) => {
      const url = await standIns.serveRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf')
        act(socket)
      })
      const stream = valueOf(await channel.openMedia(channelAccount(url), `${url}/a`))
      const error: unknown = await buffer(stream).catch((thrown: unknown) => thrown)

      expect(String(error)).toBe(`Error: The channel broke off: ${code}`)
      expect(Object.keys(error as object)).toEqual([])
    },
  )

  it('that nobody reads lets go of its connection when it is closed', async () => {
    let closed: Promise<void> | undefined
    const url = await standIns.serveRaw((socket) => {
      closed = new Promise((resolve) => socket.once('close', () => resolve()))
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf')
    })
    valueOf(await channel.openMedia(channelAccount(url), `${url}/a`)).destroy()

    await expect(closed).resolves.toBeUndefined()
  })
})
