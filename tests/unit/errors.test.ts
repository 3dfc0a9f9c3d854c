import { describe, expect, it } from '@jest/globals'
import { ServiceError, STATUS, wrongBody } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

describe('a service error', () => {
  it('has the status of its code', () => {
    for (const code of ['not_found', 'rate_limited', 'upstream_error'] as const) {
      const error = new ServiceError(code as 'not_found', 'Said.')
      expect([error.code, error.status, error.message]).toEqual([code, STATUS[code], 'Said.'])
    }
  })

  it('carries details, headers and how long to wait', () => {
    const details = { limit_name: 'requests', limit: 60, remaining: 0, resetAt: '' }
    const headers = { 'X-More': '1' }
    const error = new ServiceError('rate_limited', 'Wait.', { details, headers, retryAfterS: 12 })
    expect(error).toMatchObject({ details, headers, retryAfterS: 12, status: 429 })
  })

  it('keeps its cause apart from its message', () => {
    const cause = new Error('password=hunter2')
    const error = new ServiceError('server_error', 'Something went wrong.', { cause })
    expect(error.cause).toBe(cause)
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('hunter2')
  })

  it('is an Error with a stack', () => {
    const error = new ServiceError('not_found', 'Gone.')
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('ServiceError')
    expect(error.stack).toContain('errors.test.ts')
  })
})

describe('the refusal of a body', () => {
  it('says the first fault, and tells as many as are told', () => {
    const faults = Array.from({ length: LIMITS.faultsTold + 1 }, (_, index) => ({
      path: `rows.${index}`,
      message: 'is required',
    }))
    expect(wrongBody(faults)).toMatchObject({
      code: 'invalid_request',
      status: 400,
      message: 'The body does not match the schema: rows.0 is required.',
      details: { errors: faults.slice(0, LIMITS.faultsTold) },
    })
  })

  it('names the body itself, and has the code of the contract', () => {
    const error = wrongBody([{ path: '', message: 'must be object' }], 'missing_content')
    expect(error.code).toBe('missing_content')
    expect(error.message).toBe('The body does not match the schema: it must be object.')
  })
})
