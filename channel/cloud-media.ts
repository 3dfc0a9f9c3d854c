import { Readable } from 'node:stream'
import { AxiosError } from 'axios'
import type { AxiosInstance } from 'axios'
import { LIMITS } from '../core/limits.ts'
import type { ChannelAccount, ChannelAnswer } from '../core/channel-account.ts'
import type { Channel, OutgoingFile } from '../core/ports.ts'
import { readUrl } from '../core/urls.ts'
import { cloudUrl, failureOf, carryOut } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
import { noAnswer, readChannelError } from './errors.ts'
import { formAround } from './form-around.ts'
import { cleanLine } from './text.ts'

type MediaMethods = Pick<Channel, 'uploadMedia' | 'findMedia' | 'openMedia' | 'deleteMedia'>

const urlLengthMax = 4_096
const mimeTypeLengthMax = 255
const idForm = /^[\w.-]{1,128}$/

/** The time limit in milliseconds for an exchange with a file of this size. */
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
      // Without the number: what a customer has sent was not uploaded on it, and may be refused under it.
      const request = { method: 'GET', url: cloudUrl(account, mediaId) } as const
      return exchange(account, request, (answer) => {
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
      // With the number, on which every medium to be deleted was uploaded: no other may be.
      const owner = new URLSearchParams({ phone_number_id: account.phoneNumberId })
      const url = `${cloudUrl(account, mediaId)}?${owner.toString()}`
      return carryOut(exchange, account, { method: 'DELETE', url })
    },
  }
}

/** The channel gives a size as a number or as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null
}

/** A multipart form of known length, whose file is streamed and never read whole. */
function formOf(file: OutgoingFile) {
  const form = formAround({ messaging_product: 'whatsapp', type: file.mimeType }, file)
  const [head, tail] = [Buffer.from(form.head), Buffer.from(form.tail)]
  const sizeBytes = head.length + file.sizeBytes + tail.length
  async function* bytes() {
    yield head
    // Opened only when it is sent: a request that is never made leaves no file open.
    yield* await file.open()
    yield tail
  }
  return {
    body: Readable.from(bytes(), { objectMode: false }),
    headers: {
      'Content-Type': form.contentType,
      'Content-Length': String(sizeBytes),
    },
    sizeBytes,
  }
}

/** The channel chooses the host of the URL; the token is sent there over TLS only. */
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
      // The reader limits the size, and can then tell a limit from a stream that broke off.
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

/** The client's errors refer to the request, which contains the token. */
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
  // A stream that nobody reads would keep the connection otherwise.
  return clean.once('close', () => answer.destroy())
}

/** Whether the token may be sent to a URL that the channel named: over https, or to the API's own server. */
export function mayHaveToken(url: string, apiUrl: string): boolean {
  const found = readUrl(url)
  if (!found) return false
  return found.protocol === 'https:' || found.origin === new URL(apiUrl).origin
}
