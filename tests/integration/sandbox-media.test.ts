import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import { type Sandbox, startSandbox } from '../../channel/sandbox.ts'
import { openMediaFolder } from '../../channel/sandbox-media-folder.ts'
import { sampleTypeOf } from '../../channel/sandbox-uploads.ts'
import type { Channel } from '../../core/ports.ts'
import { accessToken, channelAccount, phoneNumberId, sandboxAccount } from '../support/channel.ts'
import { errorOf, fileOf, valueOf } from '../support/channel-files.ts'
import { dial } from '../support/raw.ts'
import { until } from '../support/until.ts'

const MIB = 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000
const owner = sandboxAccount('http://127.0.0.1:1')

let folder: string
let now: Date
let channel: Channel
let sandbox: Sandbox
let problems: string[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sandbox-media-'))
  now = new Date('2026-11-21T10:00:00Z')
  problems = []
  channel = createCloudApi({ timeoutMs: 5_000 })
  sandbox = await start()
})
afterEach(async () => {
  await channel.close()
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

function start(mediaFolder = folder): Promise<Sandbox> {
  return startSandbox({
    findAccount: async (by, id) => (owner[by] === id ? owner : null),
    mediaFolder,
    onProblem: (message) => problems.push(message),
    now: () => now,
  })
}

const account = (more = {}) => channelAccount(sandbox.url, more)
const advance = (ms: number) => (now = new Date(now.getTime() + ms))

async function upload(bytes: Buffer, mimeType = 'image/jpeg'): Promise<string> {
  const { file } = fileOf(bytes, { mimeType })
  return valueOf(await channel.uploadMedia(account(), file)).mediaId
}

/** As any HTTP client asks, with the token or without. */
function ask(address: string, init: RequestInit = {}, token: string | null = accessToken) {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  return fetch(new URL(address, sandbox.url), { ...init, headers })
}

function form(
  fields: Record<string, string>,
  file?: { bytes: Buffer; type: string; name?: string },
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  if (file) {
    const blob = new Blob([new Uint8Array(file.bytes)], { type: file.type })
    body.set(file.name ?? 'file', blob, 'f')
  }
  return ask(`/v25.0/${phoneNumberId}/media`, { method: 'POST', body })
}

describe('a medium in the sandbox', () => {
  it('comes back as it was uploaded, with its size and digest', async () => {
    const bytes = randomBytes(2 * MIB)
    const id = await upload(bytes)
    const found = valueOf(await channel.findMedia(account(), id))
    const stream = valueOf(await channel.openMedia(account(), found.url))

    expect(id).toMatch(/^\d{16}$/)
    expect(found).toMatchObject({ mimeType: 'image/jpeg', sizeBytes: bytes.length })
    expect((await buffer(stream)).equals(bytes)).toBe(true)
    expect(await ask(`/v25.0/${id}`).then((answer) => answer.json())).toMatchObject({
      messaging_product: 'whatsapp',
      id,
      file_size: String(bytes.length),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  it('is there for 30 days, and for another server of the same folder', async () => {
    const id = await upload(Buffer.from('x'))
    await sandbox.close()
    sandbox = await start()
    advance(30 * DAY_MS - 1)
    expect((await channel.findMedia(account(), id)).ok).toBe(true)
    advance(1)

    expect(errorOf(await channel.findMedia(account(), id))).toMatchObject({
      code: 100,
      subcode: 33,
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('is unknown once it is deleted, as one that never was', async () => {
    const id = await upload(Buffer.from('x'))
    expect((await channel.deleteMedia(account(), id)).ok).toBe(true)

    for (const unknown of [id, '4711']) {
      const unknownObject = { httpStatus: 400, code: 100, subcode: 33 }
      expect(errorOf(await channel.findMedia(account(), unknown))).toMatchObject(unknownObject)
      expect(errorOf(await channel.deleteMedia(account(), unknown))).toMatchObject(unknownObject)
    }
  })

  it('is unknown to another phone number', async () => {
    const id = await upload(Buffer.from('x'))
    const other = account({ phoneNumberId: '111' })
    expect(errorOf(await channel.deleteMedia(other, id))).toMatchObject({ code: 100, subcode: 33 })
    const answer = await ask(`/v25.0/${id}?phone_number_id=111`)
    expect(await answer.json()).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  })

  it('has an address that answers for five minutes, to its own token alone', async () => {
    const { url } = valueOf(await channel.findMedia(account(), await upload(Buffer.from('x'))))
    const statuses = async () => [
      (await ask(url)).status,
      (await ask(url, {}, null)).status,
      (await ask(url, {}, 'EAAother')).status,
    ]
    expect(await statuses()).toEqual([200, 401, 401])
    advance(5 * 60_000 - 1)
    expect(await statuses()).toEqual([200, 401, 401])
    advance(1)
    expect(await statuses()).toEqual([404, 401, 401])
  })

  it('is given out at no address but the one that was made for it', async () => {
    const [one, two] = [await upload(Buffer.from('1')), await upload(Buffer.from('2'))]
    const { url } = valueOf(await channel.findMedia(account(), one))
    const forged = [
      url.replace(one, two),
      url.replace(/ext=\d+/, 'ext=9999999999'),
      url.split('?')[0]!,
    ]

    for (const address of forged) expect((await ask(address)).status).toBe(404)
    expect((await channel.openMedia(account(), url.replace(one, '4711'))).ok).toBe(false)
  })

  it.each<[string, number, number]>([
    ['image/png', 5 * MIB, 200],
    ['image/png', 5 * MIB + 1, 400],
    ['audio/ogg', 16 * MIB + 1, 400],
    ['image/webp', 500 * 1024, 200],
    ['image/webp', 500 * 1024 + 1, 400],
    ['text/plain', 0, 400],
    ['image/gif', 10, 400],
  ])(
    'of %s with %i bytes is answered with %i, and only what is taken stays',
    async (type, size, status) => {
      const bytes = Buffer.alloc(size, 1)
      const answer = await form({ messaging_product: 'whatsapp', type }, { bytes, type })

      expect(answer.status).toBe(status)
      expect(await readdir(folder)).toHaveLength(status === 200 ? 2 : 0)
    },
  )

  it.each<[string, () => Promise<Response>]>([
    ['without a product', () => form({ type: 'image/png' }, png)],
    ['of another product', () => form({ messaging_product: 'x', type: 'image/png' }, png)],
    ['of two types', () => form({ messaging_product: 'whatsapp', type: 'image/jpeg' }, png)],
    ['without a file', () => form({ messaging_product: 'whatsapp', type: 'image/png' })],
    [
      'with a file of another name',
      () => form({ messaging_product: 'whatsapp' }, { ...png, name: 'other' }),
    ],
    ['that is no form', () => ask(`/v25.0/${phoneNumberId}/media`, { method: 'POST', body: '{}' })],
  ])('in an upload %s is refused as a parameter', async (_what, send) => {
    const answer = await send()
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 100 } })
    expect(await readdir(folder)).toEqual([])
  })

  it('whose upload breaks off leaves nothing behind', async () => {
    const socket = await dial(sandbox.url)
    socket.write(
      `POST /v25.0/${phoneNumberId}/media HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n` +
        `Authorization: Bearer ${accessToken}\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: ' +
        'form-data; name="file"; filename="f"\r\nContent-Type: image/png\r\n\r\n' +
        'x'.repeat(100_000),
    )
    await until(async () => (await readdir(folder)).length === 1, 'a staged file')
    socket.destroy()
    await until(async () => (await readdir(folder)).length === 0, 'an empty folder')
  })

  it('whose form breaks off before its file is begun with is refused, and ends nothing else', async () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="f"'
    const body = `--b\r\n${head}\r\nContent-Type: image/png\r\n\r\nx`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const url = `/v25.0/${phoneNumberId}/media`
    const answer = await ask(url, { method: 'POST', headers, body })

    expect(answer.status).toBe(400)
    expect(await readdir(folder)).toEqual([])
    expect(await upload(Buffer.from('x'))).toMatch(/^\d+$/)
  })

  it('whose bytes break off at once leaves nothing behind, however busy the disk is', async () => {
    const media = openMediaFolder(folder)
    for (let round = 0; round < 20; round++) {
      const many = Array.from({ length: 50 }, () => media.stage(brokenOff(), 100))
      const staged = await Promise.allSettled(many)

      expect(new Set(staged.map(({ status }) => status))).toEqual(new Set(['rejected']))
      expect(await readdir(folder)).toEqual([])
    }
  })

  it.each([
    ['too many', { mediaMax: 2, bytesMax: 1_000 }],
    ['too many bytes', { mediaMax: 99, bytesMax: 200 }],
  ])('makes room for a new one when it is the oldest of %s', async (_what, bounds) => {
    const media = openMediaFolder(folder, bounds)
    const ids: string[] = []
    for (const at of [3, 1, 2, 4]) {
      const staged = await media.stage(bytesOf(Buffer.alloc(100)), 100)
      const about = { phoneNumberId, mimeType: 'image/png', expiresAt: new Date(now.getTime() + 1) }
      const { id } = await media.keep(staged!, about)
      ids.push(id)
      await utimes(path.join(folder, id), at, at)
    }
    const isThere = await Promise.all(ids.map(async (id) => (await media.find(id, now)) !== null))

    // The third came when the second was the oldest, the last when the third was.
    expect(isThere).toEqual([true, false, false, true])
    expect(await readdir(folder)).toHaveLength(4)
  })

  it('lies in a folder that goes with a sandbox which was given none', async () => {
    const before = await folders()
    await sandbox.close()
    sandbox = await startSandbox({ findAccount: async () => owner })
    await upload(Buffer.from('x'))
    expect(await folders()).toHaveLength(before.length + 1)
    await sandbox.close()

    expect(await folders()).toEqual(before)
    async function folders() {
      const names = await readdir(tmpdir())
      return names.filter((name) => /^sandbox-[0-9a-f-]{36}$/.test(name))
    }
  })
})

async function* brokenOff(): AsyncGenerator<Buffer> {
  await setImmediate()
  throw new Error('The form broke off')
}

async function* bytesOf(bytes: Buffer) {
  yield bytes
}

const png = { bytes: Buffer.from('png'), type: 'image/png' }

describe('a sample in the sandbox', () => {
  const begin = (query: string) => ask(`/v25.0/${owner.appId}/uploads?${query}`, { method: 'POST' })
  const begun = (query = 'file_name=a&file_length=10&file_type=image/png') =>
    begin(query).then((answer) => answer.json() as Promise<{ id: string }>)
  const send = (id: string, offset: string | null, body: string) =>
    ask(`/v25.0/${id}`, {
      method: 'POST',
      body,
      headers: offset === null ? {} : { file_offset: offset },
    })

  it('becomes a handle that tells its type to its own account, for a day', async () => {
    const { file } = fileOf(randomBytes(MIB), { mimeType: 'video/mp4' })
    const { handle } = valueOf(await channel.uploadSample(account(), file))

    expect(handle).toMatch(/^4::/)
    expect(sampleTypeOf(owner, handle, now)).toBe('video/mp4')
    expect(sampleTypeOf({ ...owner, appId: '1' }, handle, now)).toBeNull()
    expect(sampleTypeOf({ ...owner, appSecret: 'other' }, handle, now)).toBeNull()
    expect(sampleTypeOf(owner, `${handle}x`, now)).toBeNull()
    expect(sampleTypeOf(owner, handle, new Date(now.getTime() + DAY_MS))).toBeNull()
    expect(sampleTypeOf(owner, '1037543291543636', now)).toBeNull()
  })

  it('comes in parts, from where the session stands', async () => {
    const { id } = await begun()
    expect(id).toMatch(/^upload:[\w-]+\?sig=[\w-]+$/)
    expect(await (await send(id, '0', 'abcd')).json()).toEqual({ id, file_offset: 4 })
    expect((await send(id, '0', 'abcd')).status).toBe(400)
    expect(await (await ask(`/v25.0/${id}`)).json()).toEqual({ id, file_offset: 4 })

    expect(await (await send(id, '4', 'efghij')).json()).toEqual({
      h: expect.stringMatching(/^4::/),
    })
    expect((await send(id, '10', '')).status).toBe(400)
  })

  it('that breaks off counts what has come', async () => {
    const { id } = await begun('file_name=a&file_length=100000&file_type=image/png')
    const socket = await dial(sandbox.url)
    socket.write(
      `POST /v25.0/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nfile_offset: 0\r\n` +
        `Authorization: OAuth ${accessToken}\r\n\r\n${'x'.repeat(5_000)}`,
    )
    const offset = async () =>
      ((await (await ask(`/v25.0/${id}`)).json()) as { file_offset: number }).file_offset
    await until(async () => (await offset()) === 5_000, 'the offset behind what has come')
    socket.destroy()

    expect((await send(id, '5000', 'x'.repeat(95_000))).status).toBe(200)
    expect(problems).toEqual([])
  })

  it('of more bytes than the session is for is refused, and so is the session then', async () => {
    const { id } = await begun()
    expect((await send(id, '0', 'x'.repeat(11))).status).toBe(400)
    expect((await send(id, '0', 'x'.repeat(10))).status).toBe(400)
  })

  it.each([
    ['no offset', async () => send((await begun()).id, null, 'x')],
    ['an odd offset', async () => send((await begun()).id, 'x', 'x')],
    ['another signature', async () => send(`${(await begun()).id}x`, '0', 'x')],
    ['no signature', async () => send((await begun()).id.split('?')[0]!, '0', 'x')],
    ['an audio type', () => begin('file_name=a&file_length=10&file_type=audio/ogg')],
    ['no type', () => begin('file_name=a&file_length=10')],
    ['no length', () => begin('file_name=a&file_type=image/png')],
    ['a length of nothing', () => begin('file_length=0&file_type=image/png')],
    ['too great a length', () => begin('file_length=104857601&file_type=image/png')],
  ])('with %s is refused as a parameter', async (_what, ask) => {
    const answer = await ask()
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 100 } }])
  })
})
