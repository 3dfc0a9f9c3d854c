import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readChannelError, readStatusError } from '../../channel/errors.ts'

type Recorded = { http: number | null; body: { error?: { code: number }; code?: number } }
const file = new URL('../fixtures/channel/API_ERRORS.json', import.meta.url)
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))

function answer(code: unknown, more: object = {}) {
  return { error: { message: `(#${String(code)}) Title`, type: 'OAuthException', code, ...more } }
}

describe('an error answer of the channel', () => {
  it.each(recorded.filter(({ http }) => http !== null))('is read as recorded: %j', (sample) => {
    const error = readChannelError(sample.http ?? 0, JSON.stringify(sample.body))

    expect(error.code).toBe(sample.body.error?.code)
    expect(error.kind).not.toBe('unknown')
    expect(error.title).not.toMatch(/^\(#/)
    expect(error.traceId).toEqual(expect.any(String))
  })

  it.each([
    [0, 'auth', false],
    [190, 'auth', false],
    [10, 'permission', false],
    [200, 'permission', false],
    [299, 'permission', false],
    [131005, 'permission', false],
    [131047, 'window', false],
    [131026, 'recipient', false],
    [130497, 'recipient', false],
    [131050, 'opt_out', false],
    [131049, 'marketing_limit', true],
    [130472, 'experiment', false],
    [131048, 'quality', true],
    [130429, 'throughput', true],
    [131057, 'throughput', true],
    [131056, 'pair_rate', true],
    [80007, 'api_rate', true],
    [80008, 'api_rate', true],
    [131000, 'transient', true],
    [133004, 'transient', true],
    [132001, 'template', false],
    [132015, 'template_paused', true],
    [132016, 'template_disabled', false],
    [100, 'parameter', false],
    [33, 'parameter', false],
    [131053, 'media', false],
    [131031, 'account', false],
    [131042, 'account', false],
    [133010, 'registration', false],
    [132068, 'flow', false],
    [132069, 'flow', true],
    [139003, 'flow', false],
    [999999, 'unknown', false],
  ])('with code %i is of kind %s, retryable: %j', (code, kind, retryable) => {
    expect(readChannelError(400, answer(code))).toMatchObject({ code, kind, retryable })
  })

  it('takes a code that comes as text', () => {
    expect(readChannelError(400, answer('131047'))).toMatchObject({ code: 131047, kind: 'window' })
  })

  it.each([
    'API calls from the server require an appsecret_proof argument',
    'Invalid appsecret_proof provided in the API argument',
  ])('refuses the credentials where it says %j', (message) => {
    const { error } = answer(100)
    expect(readChannelError(400, { error: { ...error, message } })).toMatchObject({
      ...{ code: 100, kind: 'auth', title: message, retryable: false },
    })
  })

  it('trusts the answer for a code that it does not know', () => {
    expect(readChannelError(500, answer(987654)).kind).toBe('transient')
    expect(readChannelError(401, answer(2500)).kind).toBe('auth')
    expect(readChannelError(400, answer(987654, { is_transient: true })).kind).toBe('transient')
  })

  it.each([
    ['a page of HTML', 502, '<html>Bad Gateway</html>', 'transient'],
    ['nothing', 503, '', 'transient'],
    ['half a JSON', 500, '{"error":{"code":1', 'transient'],
    ['a text in place of the error', 400, '{"error":"invalid"}', 'transient'],
    ['a list', 404, '[]', 'transient'],
    ['null', 500, null, 'transient'],
    ['a page of HTML', 401, '<html>', 'transient'],
    ['a page of HTML', 403, '<html>', 'transient'],
    ['an error without a code', 401, '{"error":{"message":"No"}}', 'transient'],
    ['nothing', 429, '', 'throughput'],
    ['a redirect', 302, '', 'unknown'],
  ])('that is %s with HTTP %i is classified by the status', (_, httpStatus, body, kind) => {
    expect(readChannelError(httpStatus, body)).toMatchObject({ code: null, kind, httpStatus })
  })

  it('cannot bring control characters or pages of text into ours', () => {
    const details = `line\r\nbreak\u0000${'x'.repeat(5_000)}`

    const error = readChannelError(400, {
      error: { code: 100, message: 'm\u001b[31m'.repeat(500), error_data: { details } },
    })

    expect(error.title.length).toBeLessThanOrEqual(200)
    expect(error.details?.length).toBeLessThanOrEqual(1_000)
    expect(`${error.title}${error.details}`).not.toMatch(/\p{Cc}/u)
  })
})

describe('an error in a status callback', () => {
  it.each(recorded.filter(({ http }) => http === null))('is read as recorded: %j', (sample) => {
    const error = readStatusError([sample.body])

    expect(error.code).toBe(sample.body.code)
    expect(error.kind).not.toBe('unknown')
    expect(error.title).not.toBe('')
  })

  it('is worth another try when the server of the media was to blame', () => {
    const failed = (httpCode: number) => {
      const details = `failed with http code ${httpCode}`
      return readStatusError([{ code: 131053, error_data: { details } }])
    }

    expect(failed(503).retryable).toBe(true)
    expect(failed(404).retryable).toBe(false)
  })

  it.each([[undefined], [null], [[]], [['x']], [[{}]], ['text'], [[{ code: {} }]]])(
    'has no code when it is %j',
    (errors) => {
      expect(readStatusError(errors)).toMatchObject({ code: null, kind: 'unknown' })
    },
  )
})
