import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AxiosError } from 'axios'
import type { AxiosInstance } from 'axios'
import { LIMITS } from '../core/limits.ts'
import type { Channel, ChannelAccount, ChannelAnswer, OutgoingFile } from '../core/ports.ts'
import { readUrl } from '../core/urls.ts'
import { cloudUrl, failureOf, carryOut } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
import { noAnswer, readChannelError } from './errors.ts'
import { cleanLine } from './text.ts'

type MediaMethods = Pick<Channel, 'uploadMedia' | 'findMedia' | 'openMedia' | 'deleteMedia'>

const urlLengthMax = 4_096
const mimeTypeLengthMax = 255
const idForm = /^[\w.-]{1,128}$/

/** How long an exchange that carries so many bytes may take. */
export type FileTimeout = (sizeBytes: number) => number

/** The media of an account's phone number, over the channel's API. */
export function cloudMedia(
  client: AxiosInstance,
  exchange: CloudExchange,
  timeoutFor: FileTimeout,
): MediaMethods {
  return {
    uploadMedia(account, file) {
      const url = cloudUrl(account, account.phoneNumberId, 'media')
      const { body, headers, sizeBytes } = formOf(file)
      const request = { method: 'POST', url, body, headers } as const
      return exchange(account, { ...request, timeoutMs: timeoutFor(sizeBytes) }, ({ id }) => {
        const mediaId = typeof id === 'number' ? String(id) : id
        return typeof mediaId === 'string' && idForm.test(mediaId) ? { mediaId } : null
      })
    },

    findMedia(account, mediaId) {
      return exchange(account, { method: 'GET', url: mediaUrl(account, mediaId) }, (answer) => {
        const { url, mime_type: mimeType, file_size: size } = answer
        if (typeof url !== 'string' || url.length > urlLengthMax) return null
        if (typeof mimeType !== 'string') return null
        return { url, mimeType: cleanLine(mimeType, mimeTypeLengthMax), sizeBytes: sizeOf(size) }
      })
    },

    openMedia(account, url) {
      return open(client, account, url, timeoutFor(LIMITS.channelFileBytes))
    },

    deleteMedia(account, mediaId) {
      return carryOut(exchange, account, { method: 'DELETE', url: mediaUrl(account, mediaId) })
    },
  }
}

/** The number is named too: the media of another do not exist for it. */
function mediaUrl(account: ChannelAccount, mediaId: string): string {
  const owner = new URLSearchParams({ phone_number_id: account.phoneNumberId })
  return `${cloudUrl(account, mediaId)}?${owner.toString()}`
}

/** The channel gives a size as a number or as its digits. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null
}

/** A form whose length is known and whose file is read as it is sent, never whole. */
function formOf(file: OutgoingFile) {
  const boundary = `form-${randomUUID()}`
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    field('messaging_product', 'whatsapp') +
      field('type', file.mimeType) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
      `filename="${quoted(file.filename)}"\r\nContent-Type: ${file.mimeType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const sizeBytes = head.length + file.sizeBytes + tail.length
  async function* bytes() {
    yield head
    // Opened when it is its turn: a request that is never made leaves no file open.
    yield* await file.open()
    yield tail
  }
  return {
    body: Readable.from(bytes(), { objectMode: false }),
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(sizeBytes),
    },
    sizeBytes,
  }
}

/** As browsers write a name in a form. */
function quoted(filename: string): string {
  return filename.replace(/["\r\n]/g, encodeURIComponent)
}

/** The channel names the address, on a host of its choice: its token goes there encrypted only. */
async function open(
  client: AxiosInstance,
  account: ChannelAccount,
  url: string,
  timeoutMs: number,
): Promise<ChannelAnswer<Readable>> {
  if (!mayHaveToken(url, account.apiUrl)) {
    return { ok: false, error: noAnswer('The channel named an address without encryption', null) }
  }
  try {
    const { status, data } = await client.request<Readable>({
      method: 'GET',
      url,
      timeout: timeoutMs,
      responseType: 'stream',
      // Whoever reads it bounds it, and can tell that from a stream that broke off.
      maxContentLength: -1,
      headers: { Authorization: `Bearer ${account.accessToken}`, Accept: '*/*' },
    })
    if (status === 200) return { ok: true, value: withoutRequest(data) }
    data.destroy()
    return { ok: false, error: readChannelError(status, '') }
  } catch (error) {
    return { ok: false, error: failureOf(error) }
  }
}

/** The client's own failures hold the request, and with it the token. */
function withoutRequest(answer: Readable): Readable {
  async function* bytes() {
    try {
      yield* answer as AsyncIterable<Buffer>
    } catch (error) {
      const code = error instanceof AxiosError ? error.code : undefined
      throw new Error(`The channel broke off: ${code ?? 'no reason given'}`)
    }
  }
  const clean = Readable.from(bytes(), { objectMode: false })
  // One that nobody begins to read would else hold the connection.
  return clean.once('close', () => answer.destroy())
}

/** Whether the token may go to an address that the channel named: encrypted, or to its own server. */
export function mayHaveToken(url: string, apiUrl: string): boolean {
  const found = readUrl(url)
  if (!found) return false
  return found.protocol === 'https:' || found.origin === new URL(apiUrl).origin
}
