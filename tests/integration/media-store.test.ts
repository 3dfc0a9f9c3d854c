import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { loadConfig } from '../../core/config.ts'
import type { MediaStore } from '../../core/stores.ts'
import { createAgents } from '../../egress/agents.ts'
import { createTunneledConnect } from '../../egress/connect.ts'
import { createTunnel } from '../../egress/tunnel.ts'
import { openFileSystemStore } from '../../storage/file-system.ts'
import { openMediaStore } from '../../storage/open.ts'
import type { CreateAgents } from '../../storage/s3.ts'
import { bodyOf, listen } from '../support/channel.ts'
import { createYard } from '../support/egress.ts'
import { startProxy } from '../support/proxy.ts'
import { startS3 } from '../support/s3.ts'
import { until } from '../support/until.ts'

const MIB = 1024 * 1024
/** On Linux, a file system of its own. */
const OTHER_DISK = '/dev/shm'
const now = () => new Date('2026-11-21T10:00:00Z')

const yard = createYard()
let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
let store: MediaStore

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'media-store-'))
  await mkdir(path.join(folder, 's3'))
  s3 = await startS3(path.join(folder, 's3'))
})
afterAll(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await store.close()
  await yard.close()
})

/** A store as the service opens it, with a data folder of its own. */
function open(mediaStoreUrl = '', agents?: CreateAgents): Promise<MediaStore> {
  const env = { DATA_DIR: path.join(folder, randomUUID()), MEDIA_STORE_URL: mediaStoreUrl }
  return openMediaStore(loadConfig(env), now, agents)
}

/** A store in a bucket that this machine reaches only through a proxy. */
async function openBehindProxy(): Promise<MediaStore> {
  const { url } = await startProxy({ port: s3.port }, { listening: yard.listening })
  const connect = createTunneledConnect({
    tunnel: createTunnel(url),
    allow: new Set(),
    timeoutMs: 2_000,
  })
  const address = s3.url.replace('127.0.0.1', 'bucket.example.com')
  return open(address, (most) => createAgents(connect, most))
}

async function fileOf(bytes: Buffer) {
  const file = path.join(folder, `upload-${randomUUID()}`)
  await writeFile(file, bytes)
  return { path: file, sizeBytes: bytes.length }
}

async function read(key: string): Promise<Buffer | null> {
  const found = await store.open(key)
  if (!found) return null
  const bytes = await buffer(found.body)
  expect(found.sizeBytes).toBe(bytes.length)
  return bytes
}

describe.each([
  ['on the file system', () => open()],
  ['in an S3-compatible store', () => open(s3.url)],
  ['in an S3-compatible store behind a proxy', openBehindProxy],
])('a media store %s', (_where, start) => {
  beforeEach(async () => {
    store = await start()
  })

  it.each([
    ['one byte', 1],
    ['a file larger than any buffer', 3 * MIB + 7],
  ])('gives back %s as it was kept', async (_what, size) => {
    const bytes = randomBytes(size)
    const key = randomUUID()
    await store.put(key, await fileOf(bytes))

    expect((await read(key))?.equals(bytes)).toBe(true)
    expect((await read(key))?.equals(bytes)).toBe(true)
  })

  it('has nothing under a key that was never used', async () => {
    expect(await store.open(randomUUID())).toBeNull()
  })

  it('has nothing any more under a key that was removed, and removing it again is harmless', async () => {
    const key = randomUUID()
    await store.put(key, await fileOf(Buffer.from('x')))
    await store.remove(key)
    await store.remove(key)

    expect(await store.open(key)).toBeNull()
  })

  it('keeps the later of two files under one key', async () => {
    const key = randomUUID()
    await store.put(key, await fileOf(Buffer.from('first')))
    await store.put(key, await fileOf(Buffer.from('second')))

    expect(String(await read(key))).toBe('second')
  })

  it('lets a reader stop in the middle', async () => {
    const key = randomUUID()
    await store.put(key, await fileOf(randomBytes(MIB)))
    const { body } = (await store.open(key))!
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    // Resolves or rejects, but ends: nothing is held open for a reader who has gone.
    await finished(body).catch(() => {})
    expect((await read(key))?.length).toBe(MIB)
  })

  it.each([
    '../../../etc/passwd',
    'a/b',
    '.incoming',
    '',
    'short',
    `A${randomUUID()}`,
    'x'.repeat(65),
  ])('refuses %p, which is no key of ours, whatever is asked', async (key) => {
    const file = await fileOf(Buffer.from('x'))
    const refusal = /A media key is/
    await expect((async () => store.put(key, file))()).rejects.toThrow(refusal)
    await expect((async () => store.open(key))()).rejects.toThrow(refusal)
    await expect((async () => store.remove(key))()).rejects.toThrow(refusal)
  })

  it('rejects a file that is not there, and keeps nothing', async () => {
    const key = randomUUID()
    const file = { path: path.join(folder, 'nowhere'), sizeBytes: 1 }
    await expect(store.put(key, file)).rejects.toThrow()

    expect(await store.open(key)).toBeNull()
  })

  it('rejects what cannot be read, and keeps nothing', async () => {
    const key = randomUUID()
    await expect(store.put(key, { path: folder, sizeBytes: 10 })).rejects.toThrow('EISDIR')

    expect(await store.open(key)).toBeNull()
  })
})

describe('the file system', () => {
  it('holds files in folders by the first characters of their keys, and nothing beside them', async () => {
    const root = path.join(folder, randomUUID())
    store = await openFileSystemStore(root, now)
    const key = randomUUID()
    const file = await fileOf(Buffer.from('kept'))
    await store.put(key, file)

    expect(await readdir(root)).toEqual([key.slice(0, 2)])
    expect(String(await readFile(path.join(root, key.slice(0, 2), key)))).toBe('kept')
    await expect(readFile(file.path)).rejects.toThrow('ENOENT')
  })

  it('that cannot be read is not taken for one that has no such file', async () => {
    const root = path.join(folder, randomUUID())
    store = await openFileSystemStore(root, now)
    const key = randomUUID()
    await mkdir(root)
    await writeFile(path.join(root, key.slice(0, 2)), 'in the way')

    await expect(store.open(key)).rejects.toThrow('ENOTDIR')
  })

  const onOtherDisk = existsSync(OTHER_DISK) ? it : it.skip
  onOtherDisk('takes a file from another disk whole, and leaves nothing there', async () => {
    const root = await mkdtemp(path.join(OTHER_DISK, 'media-store-'))
    try {
      store = await openFileSystemStore(root, now)
      const [key, bytes] = [randomUUID(), randomBytes(MIB)]
      const file = await fileOf(bytes)
      await store.put(key, file)

      expect(await read(key)).toEqual(bytes)
      expect(await readdir(path.join(root, '.incoming'))).toEqual([])
      await expect(readFile(file.path)).rejects.toThrow('ENOENT')
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it('is rid of copies that a crash has left, but not of one that may be under way', async () => {
    const root = path.join(folder, randomUUID())
    const copies = path.join(root, '.incoming')
    await mkdir(copies, { recursive: true })
    for (const [name, minutes] of [
      ['old', 61],
      ['new', 59],
    ] as const) {
      const at = new Date(now().getTime() - minutes * 60_000)
      await writeFile(path.join(copies, name), 'x')
      await utimes(path.join(copies, name), at, at)
    }
    store = await openFileSystemStore(root, now)

    expect(await readdir(copies)).toEqual(['new'])
  })
})

/** What this process has open; nothing where the system does not tell. */
async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd').catch(() => [])
  return Promise.all(handles.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')))
}

describe('an S3-compatible store', () => {
  it.each([503, 429, 0])(
    'that fails twice with %i is sent the whole file a third time',
    async (status) => {
      const bodies: { length: string | undefined; size: number }[] = []
      const server = await listen(async (request, response) => {
        const body = await bodyOf(request)
        bodies.push({ length: request.headers['content-length'], size: body.length })
        // 0 is no answer at all.
        if (bodies.length < 3 && status === 0) request.socket.destroy()
        else response.writeHead(bodies.length < 3 ? status : 200).end()
      })
      const { host } = new URL(server.url)
      store = await open(`s3+http://KEY:SECRET@${host}/bucket?region=x`)
      await store.put(randomUUID(), await fileOf(randomBytes(100_000)))
      await server.close()

      expect(bodies).toEqual(Array(3).fill({ length: '100000', size: 100_000 }))
    },
    20_000,
  )

  it('that refuses the key is asked once, and the secret is not in the error', async () => {
    let asked = 0
    const server = await listen(async (request, response) => {
      await bodyOf(request)
      asked++
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    })
    const { host } = new URL(server.url)
    store = await open(`s3+http://KEY:VERYSECRET@${host}/bucket?region=x`)
    const error: unknown = await store
      .put(randomUUID(), await fileOf(Buffer.from('x')))
      .catch((thrown: unknown) => thrown)
    await server.close()

    expect([asked, String(error)]).toEqual([1, expect.stringContaining('AccessDenied')])
    expect(JSON.stringify(error)).not.toContain('VERYSECRET')
  })

  it.each([
    [503, 'SlowDown'],
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
  ])('that answers %i %s is not taken for one that has no such file', async (status, code) => {
    const server = await listen((_, response) => {
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    })
    store = await open(`s3+http://KEY:SECRET@${new URL(server.url).host}/bucket?region=x`)
    await expect(store.open(randomUUID())).rejects.toMatchObject({ name: code })
    await server.close()
  })

  it('that refuses a file leaves it closed', async () => {
    const server = await listen((_, response) => void response.writeHead(403).end())
    store = await open(`s3+http://KEY:SECRET@${new URL(server.url).host}/bucket?region=x`)
    const file = await fileOf(randomBytes(MIB))
    await expect(store.put(randomUUID(), file)).rejects.toThrow()
    await until(async () => !(await openFiles()).includes(file.path), 'it is closed')
    await server.close()
  })

  it.each([
    's3+https://KEY@HOST/BUCKET?region=REGION',
    's3+https://:SECRET@HOST/BUCKET?region=REGION',
    's3+https://KEY:SECRET@HOST/?region=REGION',
    's3+https://KEY:SECRET@HOST/BUCKET',
    's3+https://KEY:SECRET@HOST/BUCKET/deeper?region=REGION',
    's3+https://KEY:100%@HOST/BUCKET?region=REGION',
  ])(
    'whose address lacks a part that can be read, as %s does, is refused without naming it',
    async (url) => {
      store = await open()
      await expect(open(url)).rejects.toThrow(
        'MEDIA_STORE_URL must have the form s3+https://KEY:SECRET@HOST/BUCKET?region=REGION.',
      )
    },
  )
})
