import type { Readable } from 'node:stream'
import { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios'
import { isEncoded } from '../core/content-codings.ts'
import type { Download, DownloadFault } from '../core/egress.ts'
import { readUrl } from '../core/urls.ts'
import { readAddress, REFUSAL } from './addresses.ts'
import { REFUSED } from './connect.ts'
import { filenameOf, readUtf8 } from './filename.ts'
import { TOO_LARGE } from './undici-adapter.ts'

const redirectsMax = 3
const redirects = [301, 302, 303, 307, 308]

type Bounds = { bytesMax: number; timeoutMs: number }
type Outcome = { ok: true; download: Download } | ({ ok: false } & DownloadFault)

/** Makes downloads over the client, which follows no redirects by itself. */
export function createDownload(client: AxiosInstance, allow: ReadonlySet<string>) {
  return async (address: string, { bytesMax, timeoutMs }: Bounds): Promise<Outcome> => {
    const deadline = performance.now() + timeoutMs
    // A fragment is never sent.
    const [page = ''] = address.split('#', 1)
    let url = readAddress(page, { allowHttp: true, allow })
    for (let hop = 0; hop <= redirectsMax; hop += 1) {
      if (!url) return { ok: false, ...faultOf(REFUSED) }
      // A timeout of 0 would mean none.
      const timeout = Math.max(1, Math.ceil(deadline - performance.now()))
      const answer = await ask(client, url, { timeout, maxContentLength: bytesMax })
      if ('fault' in answer) return { ok: false, ...answer }
      if (!redirects.includes(answer.status)) return read(answer, url, bytesMax)
      answer.data.destroy()
      const location = text(answer.headers.location)
      if (location === null) return { ok: false, ...failed('It redirects to no address.') }
      url = nextAddress(readUtf8(location), url, allow)
    }
    return { ok: false, fault: 'failed', message: `It redirects more than ${redirectsMax} times.` }
  }
}

async function ask(
  client: AxiosInstance,
  url: URL,
  bounds: { timeout: number; maxContentLength: number },
): Promise<AxiosResponse<Readable> | DownloadFault> {
  try {
    return await client.get<Readable>(url.href, { ...bounds, responseType: 'stream' })
  } catch (error) {
    return faultOf(codeOf(error))
  }
}

/** The target of a redirect, checked like the first address; null when it may not be reached. */
function nextAddress(location: string, from: URL, allow: ReadonlySet<string>): URL | null {
  if (/[\p{Cc}\p{Z}\\]/u.test(location)) return null
  const next = readUrl(location, from)
  if (!next) return null
  next.hash = ''
  return readAddress(next.href, { allowHttp: true, allow })
}

function read({ status, headers, data }: AxiosResponse<Readable>, url: URL, bytesMax: number) {
  const refuse = (fault: DownloadFault): Outcome => {
    data.destroy()
    return { ok: false, ...fault }
  }
  if (status < 200 || status >= 300) return refuse(failed(`The server answered ${status}.`))
  if (isEncoded(headers['content-encoding'])) return refuse(failed('The file came compressed.'))
  const length = text(headers['content-length'])
  const sizeBytes = length === null ? null : Number(length)
  if (sizeBytes !== null && sizeBytes > bytesMax) return refuse(faultOf(TOO_LARGE))
  const [mimeType = ''] = (text(headers['content-type']) ?? '').split(';')
  const download: Download = {
    filename: filenameOf(text(headers['content-disposition']), url),
    mimeType: mimeType.trim().toLowerCase() || null,
    sizeBytes,
    body: bodyOf(data),
  }
  return { ok: true, download } satisfies Outcome
}

async function* bodyOf(data: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of data as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    const fault = faultOf(codeOf(error))
    throw Object.assign(new Error(fault.message, { cause: error }), fault)
  }
}

/** The value of a header; one that occurs twice is ignored. */
function text(header: unknown): string | null {
  return typeof header === 'string' ? header : null
}

function codeOf(error: unknown): string | undefined {
  return error instanceof AxiosError ? error.code : undefined
}

/** The fault, without details about this machine or its network. */
function faultOf(code: string | undefined): DownloadFault {
  if (code === REFUSED) return { fault: 'refused', message: REFUSAL }
  if (code === TOO_LARGE) return { fault: 'too_large', message: 'The file is too large.' }
  if (code === AxiosError.ETIMEDOUT) return failed('The download took too long.')
  return failed('The file could not be downloaded.')
}

function failed(message: string): DownloadFault {
  return { fault: 'failed', message }
}
