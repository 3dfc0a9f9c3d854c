import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { messageOf } from '../core/caught-errors.ts'
import { LIMITS } from '../core/limits.ts'
import type { Agents, MediaStore } from '../core/stores.ts'
import { mustBeKey } from './keys.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** Enough for a file of 100 MB over a slow line. */
const PUT_TIMEOUT_MS = 300_000
/** More than there are downloads at once, which leaves some for sends and uploads. */
const CONNECTIONS_MAX = 256
const TRIES = 3
const RETRY_PAUSE_MS = 200

/** Makes agents with up to so many connections to a host. */
export type CreateAgents = (connectionsMax: number) => Agents

/**
 * Stores media in a bucket of an S3-compatible store, given as
 * `s3+https://KEY:SECRET@HOST/BUCKET?region=REGION`, which is reached directly unless agents are given. Without
 * `KEY:SECRET@`, credentials come from where Amazon's tools find them: variables, a role of the machine or container.
 * Throws when a part of the URL is missing, or when there are no credentials.
 */
export async function openS3Store(
  storeUrl: string,
  createAgents?: CreateAgents,
): Promise<MediaStore> {
  const { bucket, ...address } = readAddress(storeUrl)
  const agents = createAgents?.(CONNECTIONS_MAX)
  // A large library that most installations never load.
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    ...address,
    forcePathStyle: true,
    maxAttempts: TRIES,
    // It would print a warning for each failed try; the final error is thrown.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    // Checksums beyond the signature are Amazon's own; other stores refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: LIMITS.mediaStoreSilenceMs,
      httpAgent: agents?.http ?? { maxSockets: CONNECTIONS_MAX },
      httpsAgent: agents?.https ?? { maxSockets: CONNECTIONS_MAX },
    },
  })
  if (!address.credentials) await mustHaveCredentials(client)
  const statusOf = (error: unknown) =>
    error instanceof s3.S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const objectOf = (key: string) => ({ Bucket: bucket, Key: mustBeKey(key) })

  return {
    async put(key, file) {
      const object = { ...objectOf(key), ContentLength: file.sizeBytes }
      const deadline = AbortSignal.timeout(PUT_TIMEOUT_MS)
      const startedAt = performance.now()
      // The library does not retry a stream, since it cannot open another one.
      for (let tries = 1; ; tries++) {
        try {
          return await readInto(file.path, deadline, (body, abortSignal) =>
            client.send(new s3.PutObjectCommand({ ...object, Body: body }), { abortSignal }),
          )
        } catch (error) {
          // Somebody waits for it: a store that was silent once is not waited for again.
          const isLate = performance.now() - startedAt >= LIMITS.mediaStoreSilenceMs
          if (tries >= TRIES || isLate || deadline.aborted || !mayPass(statusOf(error))) throw error
        }
        await pause(RETRY_PAUSE_MS * tries)
      }
    },
    async open(key) {
      try {
        const asked = new s3.GetObjectCommand(objectOf(key))
        const answer = await answered((abortSignal) => client.send(asked, { abortSignal }))
        const { Body: body, ContentLength: sizeBytes } = answer
        if (!(body instanceof Readable)) throw new Error('The media store answered no bytes')
        if (sizeBytes !== undefined) return { body, sizeBytes }
        body.destroy()
        throw new Error('The media store did not say how many bytes it answers')
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return null
        throw error
      }
    },
    async remove(key) {
      const asked = new s3.DeleteObjectCommand(objectOf(key))
      await answered((abortSignal) => client.send(asked, { abortSignal }))
    },
    async close() {
      client.destroy()
    },
  }
}

/** Gives an answer up that does not begin in time, however often it was asked for; its body may take longer. */
async function answered<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const tell = () => late.abort(new Error('The media store did not answer in time'))
  const timer = setTimeout(tell, LIMITS.mediaStoreAnswerMs)
  try {
    return await ask(late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends what a file holds. The library does not notice when it cannot be read. */
async function readInto(
  file: string,
  deadline: AbortSignal,
  send: (body: Readable, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const body = (await open(file)).createReadStream()
  const broken = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    body.once('error', (error) => {
      broken.abort(error)
      reject(error)
    })
  })
  try {
    await Promise.race([send(body, AbortSignal.any([deadline, broken.signal])), failed])
  } finally {
    body.destroy()
  }
}

/** At the start rather than at the first file. */
async function mustHaveCredentials(client: S3Client): Promise<void> {
  try {
    await client.config.credentials()
  } catch (cause) {
    client.destroy()
    throw new Error(
      `MEDIA_STORE_URL has no KEY:SECRET, and the environment has no credentials: ${messageOf(cause)}`,
      { cause },
    )
  }
}

/** Without a status there was no answer; the rest is trouble of the store itself. */
function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500
}

function readAddress(storeUrl: string) {
  const url = new URL(storeUrl.replace(/^s3\+/, ''))
  const [bucket, ...deeper] = url.pathname.split('/').filter((part) => part !== '')
  const region = url.searchParams.get('region')
  const [username, password] = [decoded(url.username), decoded(url.password)]
  const isWhole = username !== '' && password !== ''
  if (!bucket || deeper.length > 0 || !region || !(isWhole || isAnonymous(url))) {
    throw new Error(
      'MEDIA_STORE_URL must have the form s3+https://KEY:SECRET@HOST/BUCKET?region=REGION.',
    )
  }
  const credentials = { accessKeyId: username, secretAccessKey: password }
  return { bucket, region, endpoint: url.origin, ...(isWhole ? { credentials } : {}) }
}

function isAnonymous({ username, password }: URL): boolean {
  return username === '' && password === ''
}

/** Nothing for what cannot be decoded, such as a percent sign that stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
