import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChannelAccount, ChannelAnswer } from '../core/channel-account.ts'
import type { Channel, OutgoingFile } from '../core/ports.ts'
import type { FileTimeout } from './cloud-media.ts'
import { cloudUrl } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'

/** How often an upload is continued, each time after a longer pause. */
const resumesMax = 3
const pauseMs = 100
/** The channel's own ids and handles have a few hundred characters. */
const sessionForm = /^upload:[\x21-\x7e]{1,4096}$/
const handleForm = /^[\x21-\x7e]{1,8192}$/

/** Uploads samples of template headers to the account's app, resuming where an upload broke off. */
export function cloudSamples(
  exchange: CloudExchange,
  timeoutFor: FileTimeout,
): Pick<Channel, 'uploadSample'> {
  return {
    async uploadSample(account, file) {
      const endsAt = performance.now() + timeoutFor(file.sizeBytes)
      const upload = { exchange, account, file }
      const session = await begin(upload)
      if (!session.ok) return session
      let answer = await send(upload, session.value, 0, endsAt)
      for (let resumes = 1; mayResume(answer, endsAt) && resumes <= resumesMax; resumes++) {
        await pause(pauseMs * resumes)
        const offset = await askOffset(upload, session.value)
        if (offset.ok) answer = await send(upload, session.value, offset.value, endsAt)
        else if (offset.error.kind !== 'transient') return offset
      }
      return answer
    },
  }
}

type Upload = { exchange: CloudExchange; account: ChannelAccount; file: OutgoingFile }

/** Answers with the URL of the upload session, whose signed id is used unchanged. */
function begin({ exchange, account, file }: Upload): Promise<ChannelAnswer<string>> {
  const query = new URLSearchParams({
    file_name: file.filename,
    file_length: String(file.sizeBytes),
    file_type: file.mimeType,
  })
  const url = `${cloudUrl(account, account.appId, 'uploads')}?${query.toString()}`
  const request = { method: 'POST', url, headers: headersOf(account) } as const
  return exchange(account, request, ({ id }) =>
    typeof id === 'string' && sessionForm.test(id) ? `${cloudUrl(account)}/${id}` : null,
  )
}

function send(
  { exchange, account, file }: Upload,
  url: string,
  offset: number,
  endsAt: number,
): Promise<ChannelAnswer<{ handle: string }>> {
  const headers = {
    ...headersOf(account),
    file_offset: String(offset),
    'Content-Type': file.mimeType,
    'Content-Length': String(file.sizeBytes - offset),
  }
  const body = Readable.from(bytesFrom(file, offset), { objectMode: false })
  const timeoutMs = Math.max(1, endsAt - performance.now())
  return exchange(account, { method: 'POST', url, body, headers, timeoutMs }, ({ h }) => {
    // A session with several uploads answers with one handle per line.
    const [handle = ''] = typeof h === 'string' ? h.trim().split(/\r?\n/, 1) : []
    return handleForm.test(handle) ? { handle } : null
  })
}

/** The number of bytes received so far. */
function askOffset(
  { exchange, account, file }: Upload,
  url: string,
): Promise<ChannelAnswer<number>> {
  return exchange(account, { method: 'GET', url, headers: headersOf(account) }, (answer) => {
    const offset = Number(answer.file_offset)
    const isWithin = Number.isSafeInteger(offset) && offset >= 0 && offset <= file.sizeBytes
    return answer.file_offset != null && isWithin ? offset : null
  })
}

/** Uploads use another scheme for the token than all other requests. */
function headersOf({ accessToken }: ChannelAccount) {
  return { Authorization: `OAuth ${accessToken}` }
}

function mayResume(answer: ChannelAnswer<unknown>, endsAt: number): boolean {
  return !answer.ok && answer.error.kind === 'transient' && performance.now() < endsAt
}

async function* bytesFrom(file: OutgoingFile, offset: number) {
  let toSkip = offset
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip)
    toSkip = Math.max(0, toSkip - chunk.length)
  }
}
