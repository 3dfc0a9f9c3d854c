import { Readable } from 'node:stream'
import { AxiosError } from 'axios'
import type { AxiosInstance } from 'axios'
import { isRecord, parseJson } from '../core/json-values.ts'
import { holdsMoreValues } from '../core/json-values.ts'
import type { ChannelAccount, ChannelAnswer, ChannelError } from '../core/channel-account.ts'
import { noAnswer, readChannelError } from './errors.ts'
import { cleanText } from './text.ts'

const cursorLengthMax = 2_000
/** Far above the contents of a page of a hundred templates or flows; a flow's definition is the user's own. */
const answerValuesMax = 200_000

export type CloudRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Complete, as `cloudUrl` builds it. */
  url: string
  /** Text or a stream, sent unchanged; `headers` give the type unless it is JSON. */
  body?: string | Readable
  headers?: Record<string, string>
  /** Replaces the client's own timeout. */
  timeoutMs?: number
  answerBytesMax?: number
}

/**
 * One exchange with the channel on behalf of an account. Never throws: `read` extracts the value from the
 * answer's JSON, or answers null when it is malformed. Failures tell what is known, and never contain the
 * account's token.
 */
export type CloudExchange = <T>(
  account: ChannelAccount,
  request: CloudRequest,
  read: (answer: Record<string, unknown>) => T | null,
) => Promise<ChannelAnswer<T>>

/** The URL of an object of the channel; each part becomes one escaped segment of the path. */
export function cloudUrl({ apiUrl, apiVersion }: ChannelAccount, ...parts: string[]): string {
  const path = [apiVersion, ...parts].map(encodeURIComponent).join('/')
  return `${apiUrl.replace(/\/+$/, '')}/${path}`
}

/**
 * A URL that this account requests, with the proof that it has the app's secret if it is to give one
 * (https://developers.facebook.com/docs/graph-api/guides/secure-requests). Only the API takes it: the URL of a file that
 * the channel has named is signed as it is.
 */
export function provenUrl(url: string, account: ChannelAccount): string {
  const { appSecretProof } = account
  if (appSecretProof === null || !url.startsWith(`${cloudUrl(account)}/`)) return url
  return `${url}${url.includes('?') ? '&' : '?'}appsecret_proof=${appSecretProof}`
}

/** Called with every error that the channel answers. */
export type HearRefusal = (account: ChannelAccount, error: ChannelError) => void

/** Makes exchanges over a client, whose limits apply unless a request has its own. */
export function createCloudExchange(client: AxiosInstance, hear: HearRefusal): CloudExchange {
  return async (account, { method, url, body, ...request }, read) => {
    try {
      const { status, data } = await client.request<string>({
        method,
        url: provenUrl(url, account),
        data: body,
        headers: { Authorization: `Bearer ${account.accessToken}`, ...request.headers },
        ...(request.timeoutMs === undefined ? {} : { timeout: request.timeoutMs }),
        ...(request.answerBytesMax === undefined
          ? {}
          : { maxContentLength: request.answerBytesMax }),
      })
      const text = withoutToken(data, account.accessToken)
      const isTooMuch = holdsMoreValues(Buffer.from(text), answerValuesMax)
      const answer = isTooMuch ? undefined : parseJson(text)
      const result = readAnswer(status, answer, read)
      if (!result.ok) hear(account, result.error)
      return result
    } catch (error) {
      if (body instanceof Readable) body.destroy()
      return { ok: false, error: failureOf(error) }
    }
  }
}

/** An exchange whose answer only confirms that it was done. */
export async function carryOut(
  exchange: CloudExchange,
  account: ChannelAccount,
  request: CloudRequest,
): Promise<ChannelAnswer<null>> {
  const answer = await exchange(account, request, ({ success }) => success === true || null)
  return answer.ok ? { ok: true, value: null } : answer
}

/** The cursor of the next page of a list; null after the last page. */
export function nextPageOf(paging: unknown): string | null {
  if (!isRecord(paging) || typeof paging.next !== 'string') return null
  const after = isRecord(paging.cursors) ? paging.cursors.after : null
  return typeof after === 'string' && after !== '' ? cleanText(after, cursorLengthMax) : null
}

/** A server that echoes the request's headers must not put the token into answers and logs. */
export function withoutToken(text: string, token: string): string {
  if (token === '') return text
  const rest = text.replaceAll(token, '[token]')
  // Any character of JSON may be written as an escape.
  return rest.includes('\\') ? rest.replace(inJson(token), '[token]') : rest
}

/** Finds a text in JSON, whichever of its characters are escaped there. */
function inJson(text: string): RegExp {
  const forms = text.split('').map((unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
    const eitherCase = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    return `(?:\\\\?\\u${code}|\\\\u${eitherCase})`
  })
  return new RegExp(forms.join(''), 'g')
}

function readAnswer<T>(
  status: number,
  answer: unknown,
  read: (answer: Record<string, unknown>) => T | null,
): ChannelAnswer<T> {
  const isGood = status >= 200 && status < 300 && isRecord(answer) && !isRecord(answer.error)
  const value = isGood ? read(answer) : null
  return value === null
    ? { ok: false, error: readChannelError(status, answer) }
    : { ok: true, value }
}

/** The error for an exchange without a usable answer. */
export function failureOf(error: unknown): ChannelError {
  if (!(error instanceof AxiosError)) return noAnswer('The request could not be made', null)
  if (error.response) return readChannelError(error.response.status, '')
  const title = error.request ? 'The channel did not answer' : 'The channel could not be reached'
  return noAnswer(title, error.code ?? null)
}
