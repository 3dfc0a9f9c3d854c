import { isRecord, parseJson } from '../core/json-values.ts'
import type { ChannelError, ChannelErrorKind } from '../core/channel-account.ts'
import { readLine } from './text.ts'

/**
 * What the channel's codes mean. `retryable` says whether the same message may be sent again
 * later: after seconds (throughput, transient), hours (quality, a paused template) or a day (the
 * marketing limit of one customer). A code that is not here is `unknown`.
 */
const kinds: Record<ChannelErrorKind, { retryable: boolean; codes: readonly number[] }> = {
  auth: { retryable: false, codes: [0, 102, 104, 190] },
  permission: { retryable: false, codes: [3, 10, 131005] },
  window: { retryable: false, codes: [131047] },
  recipient: { retryable: false, codes: [130403, 130497, 131021, 131026, 131030, 137000] },
  opt_out: { retryable: false, codes: [131050] },
  marketing_limit: { retryable: true, codes: [131049] },
  experiment: { retryable: false, codes: [130472] },
  quality: { retryable: true, codes: [368, 131048, 131064] },
  // While a number's throughput is raised, it takes nothing for about a minute.
  throughput: { retryable: true, codes: [130429, 131057] },
  pair_rate: { retryable: true, codes: [131056] },
  api_rate: { retryable: true, codes: [4, 17, 613, 80007, 80008] },
  transient: {
    retryable: true,
    codes: [1, 2, 131000, 131016, 133004, 134101, 134102],
  },
  template: {
    retryable: false,
    codes: [132000, 132001, 132005, 132007, 132008, 132012, 132018],
  },
  template_paused: { retryable: true, codes: [132015] },
  template_disabled: { retryable: false, codes: [132016] },
  parameter: {
    retryable: false,
    codes: [33, 100, 131008, 131009, 131051, 131055, 131062, 134100, 135000],
  },
  media: { retryable: false, codes: [131052, 131053] },
  account: { retryable: false, codes: [131031, 131037, 131042, 131063, 134011] },
  registration: { retryable: false, codes: [131045] },
  flow: { retryable: false, codes: [132068, 132069] },
  unknown: { retryable: false, codes: [] },
}

const ranges: readonly { from: number; to: number; kind: ChannelErrorKind }[] = [
  { from: 200, to: 299, kind: 'permission' },
  { from: 133000, to: 133016, kind: 'registration' },
  { from: 139000, to: 139006, kind: 'flow' },
]

/** A throttled flow recovers by itself; a blocked one does not. */
const retryableCodes: ReadonlySet<number> = new Set([132069])

const kindOfCode: ReadonlyMap<number, ChannelErrorKind> = new Map(
  Object.entries(kinds).flatMap(([kind, { codes }]) =>
    codes.map((code) => [code, kind as ChannelErrorKind] as const),
  ),
)

/** The code of a token that the channel does not accept. */
const AUTH = 190

const titleLengthMax = 200
const detailsLengthMax = 1_000
const traceIdLengthMax = 100

/**
 * The error in an answer of the API, whose body may be parsed or not. `code` is null exactly when
 * the body is not the channel's own: a proxy's page, nothing at all. Such an answer is classified
 * by its HTTP status. Never throws.
 */
export function readChannelError(httpStatus: number, body: unknown): ChannelError {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const error = isRecord(parsed) && isRecord(parsed.error) ? parsed.error : {}
  const code = readCode(error.code)
  if (code === null) return answerWithoutCode(httpStatus)
  const forPeople = readLine(error.error_user_msg, detailsLengthMax)
  const data = detailsOf(error.error_data)
  // Beside a text for people, a plain string is meant for machines.
  const details = isRecord(error.error_data) ? (data ?? forPeople) : (forPeople ?? data)
  // The message of an invalid parameter is generic; the title beside it tells what is wrong.
  const message =
    readLine(error.error_user_title, titleLengthMax) ??
    readLine(error.message, titleLengthMax)?.replace(/^\(#\d+\)\s*/, '')
  const otherwise = error.is_transient === true ? 'transient' : kindOfStatus(httpStatus)
  return {
    ...classify(isUnproven(code, message) ? AUTH : code, details, otherwise),
    code,
    subcode: readCode(error.error_subcode),
    title: message || `Channel error ${code}`,
    details,
    httpStatus,
    traceId: readLine(error.fbtrace_id, traceIdLengthMax),
  }
}

/** The error in `statuses[].errors` of a callback: the first of the list. Never throws. */
export function readStatusError(errors: unknown): ChannelError {
  const first: unknown = Array.isArray(errors) ? errors[0] : errors
  const error = isRecord(first) ? first : {}
  const code = readCode(error.code)
  const details = detailsOf(error.error_data)
  const title = readLine(error.title, titleLengthMax) ?? readLine(error.message, titleLengthMax)
  return {
    ...classify(code, details, 'unknown'),
    code,
    subcode: null,
    title: title ?? (code === null ? 'Unknown channel error' : `Channel error ${code}`),
    details,
    httpStatus: null,
    traceId: null,
  }
}

/** An exchange without an answer. `details` is a code such as ECONNREFUSED. */
export function noAnswer(title: string, details: string | null): ChannelError {
  const common = {
    code: null,
    subcode: null,
    httpStatus: null,
    traceId: null,
    retryable: true,
  } as const
  return { ...common, kind: 'transient', title, details }
}

function classify(
  code: number | null,
  details: string | null,
  otherwise: ChannelErrorKind,
): Pick<ChannelError, 'kind' | 'retryable'> {
  const listed = code === null ? undefined : (kindOfCode.get(code) ?? kindOfRange(code))
  const kind = listed ?? otherwise
  const retryable =
    kinds[kind].retryable ||
    (code !== null && retryableCodes.has(code)) ||
    (code === 131053 && isServersFault(details))
  return { kind, retryable }
}

function kindOfRange(code: number): ChannelErrorKind | undefined {
  return ranges.find(({ from, to }) => code >= from && code <= to)?.kind
}

/** A token without the proof that its app requires, or with a wrong one, is refused as an invalid parameter. */
function isUnproven(code: number, message: string | undefined): boolean {
  return code === 100 && message?.includes('appsecret_proof') === true
}

/** Media that the channel could not fetch from a busy or failing server may be available later. */
function isServersFault(details: string | null): boolean {
  return details !== null && /http code (429|5\d\d)/i.test(details)
}

/**
 * The answer may be a proxy's, whose 401 says nothing about the project's credentials: only a code of the
 * channel's does.
 */
function answerWithoutCode(httpStatus: number): ChannelError {
  const redirect = httpStatus >= 300 && httpStatus < 400
  const otherwise = redirect ? 'unknown' : 'transient'
  const kind = httpStatus === 429 ? 'throughput' : otherwise
  return {
    kind,
    code: null,
    subcode: null,
    title: `The channel answered HTTP ${httpStatus}`,
    details: redirect ? 'Redirects are not followed.' : 'The answer was not readable.',
    httpStatus,
    traceId: null,
    retryable: kinds[kind].retryable,
  }
}

function kindOfStatus(httpStatus: number): ChannelErrorKind {
  if (httpStatus === 401) return 'auth'
  if (httpStatus === 429) return 'throughput'
  return httpStatus >= 500 ? 'transient' : 'unknown'
}

function readCode(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** `error_data` is `{ details }` on most answers and a plain string on the template ones. */
function detailsOf(value: unknown): string | null {
  return readLine(isRecord(value) ? value.details : value, detailsLengthMax)
}
