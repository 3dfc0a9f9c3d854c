import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { dial } from '../support/raw.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { printedKey, type ServiceProcess, startProcess } from '../support/process.ts'
import { AMPLE, formType, MIB, text } from '../support/uploads.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const UPLOADS = Number(process.env.UPLOADS ?? 16)
const FILE_BYTES = Number(process.env.UPLOAD_MIB ?? 30) * MIB
const RSS_MAX_BYTES = 400 * MIB
/** Node.js 24 leaves 100 MiB more than others for young objects, however little is uploaded. */
const NODE_OPTIONS = '--max-semi-space-size=16'

let database: TestDatabase
let folder: string
let running: ServiceProcess[]
beforeEach(async () => {
  database = await createDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'uploads-'))
  running = []
})
afterEach(async () => {
  for (const { kill } of running) await kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start() {
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_OPTIONS,
    ...AMPLE,
  }
  const started = await startProcess({ ...env, RATE_LIMIT_PER_MINUTE: '1000000' })
  running.push(started)
  return started
}

const head = `--x-boundary-x\r\nContent-Disposition: form-data; name="file"; filename="log.txt"\r\nContent-Type: text/plain\r\n\r\n`
const tail = '\r\n--x-boundary-x--\r\n'

/** Sends a text of so many bytes, never holding more than a piece of it. */
async function upload(url: string, key: string, bytes: number) {
  const posted = request(`${url}/v1/media`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': formType(),
      'content-length': head.length + bytes + tail.length,
    },
  })
  const answered = once(posted, 'response')
  const piece = text(65_536)
  function* pieces() {
    yield head
    for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left)
    yield tail
  }
  await pipeline(Readable.from(pieces()), posted)
  const [response] = (await answered) as [{ statusCode: number } & AsyncIterable<Buffer>]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() }
}

/** The most memory that a process has ever held. */
async function peakBytes({ child }: ServiceProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

describe('many large uploads at once', () => {
  it(`never lie in memory: ${UPLOADS} of ${FILE_BYTES / MIB} MiB`, async () => {
    const service = await start()
    const key = printedKey(service)
    const sent = Array.from({ length: UPLOADS }, () => upload(service.url, key, FILE_BYTES))
    const answers = await Promise.all(sent)

    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    expect(await readdir(path.join(folder, 'uploads'))).toEqual([])
    expect(await peakBytes(service)).toBeLessThan(RSS_MAX_BYTES)
    if (process.env.UPLOADS) console.log(`Peak: ${(await peakBytes(service)) / MIB} MiB`)
  })
})

describe('a process that is killed while files arrive', () => {
  it('leaves files that the next one removes when they are old', async () => {
    const first = await start()
    const socket = await dial(first.url)
    socket.write(
      `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${printedKey(first)}\r\n` +
        `Content-Type: ${formType()}\r\nContent-Length: ${10 * MIB}\r\n\r\n${head}`,
    )
    socket.write(text(MIB))
    const uploads = path.join(folder, 'uploads')
    while ((await readdir(uploads)).length === 0) await new Promise(setImmediate)
    await first.kill()
    const left = await readdir(uploads)
    expect(left).toHaveLength(1)

    const longAgo = new Date(Date.now() - 11 * 60 * 1000)
    for (const name of left) await utimes(path.join(uploads, name), longAgo, longAgo)
    await start()
    expect(await readdir(uploads)).toEqual([])
  })
})
