import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js'
import type { ContractDocument, FaultCode, Operation } from '../core/contract.ts'
import { type ErrorCode, type RequestFault, ServiceError, wrongBody } from '../core/errors.ts'
import { isRecord } from '../core/json-values.ts'
import { LIMITS } from '../core/limits.ts'
import { UUID } from '../core/uuids.ts'
import { refuseOddShape, withoutOtherShapes } from './body-shapes.ts'
import { floodIn, ofMany, type SizeLimit, sizeLimitsOf } from './flood.ts'
import { withKindsAsConditions } from './kind-schemas.ts'
import { withKeysNamed } from './map-keys.ts'
import { hasBody } from './read-body.ts'
import { withoutOtherTypes, withoutUnions } from './union-faults.ts'
import { isMisread, isUnstorable } from './unstorable.ts'

/** Validates path, query and body against the contract, and converts numeric parameters. */
export type Validate = (req: Request, res: Response) => Promise<void>

/** Bodies of at most this size cannot contain texts large enough to need a check before the validator. */
const SMALL_BYTES = 16_384

/** Prepares an operation's checks. */
export type ValidatorFor = (operation: Operation) => Promise<Validate>

/**
 * Prepares the contract's checks. The validator would look the operation up for every request and compile each
 * path on its way; the result is cached here, which halves its cost. Throws when the contract is not valid.
 */
export async function createValidators(document: ContractDocument): Promise<ValidatorFor> {
  const [load, locate, , check] = OpenApiValidator.middleware({
    apiSpec: withKindsAsConditions(document) as never,
    validateRequests: { allErrors: true, coerceTypes: false, allowUnknownQueryParameters: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
    formats: { uuid: UUID },
  }) as RequestHandler[]
  if (!load || !locate || !check) throw new Error('The validator has other parts than expected')
  const app = express()
  await run(load, requestFor(app, 'GET', '/'))
  return async (operation) => {
    const openapi = await located(locate, app, operation)
    // A form's fields are checked later, as they are read.
    const { requestBody: _body, ...schema } = openapi.schema
    const ofForm = { ...openapi, schema }
    const limits = sizeLimitsOf(document, operation)
    const limitsOfMany = limits.filter(ofMany)
    return async (req, res) => {
      if (operation.takesNothing && !req.url.includes('?')) return
      readInstants(req, operation)
      refuseOddParameters(req, operation)
      const isForm = req.headers['content-type'] === 'multipart/form-data'
      if (!isForm) refuseUnknownKind(req.body, operation)
      if (!isForm) refuseOddShape(req.body, operation)
      const mayBeLong = !(Number(req.headers['content-length']) <= SMALL_BYTES)
      if (!isForm) refuseFlood(req.body, mayBeLong ? limits : limitsOfMany, operation)
      if (!hasBody(req)) delete req.headers['content-type']
      const request = req as Request & OpenApiRequest
      const pathParams = req.params as Record<string, string>
      request.openapi = { ...(isForm ? ofForm : openapi), pathParams }
      try {
        await run(check, req, res)
      } catch (error) {
        throw requestFault(error, operation, req.body)
      }
    }
  }
}

async function located(locate: RequestHandler, app: Express, { method, path }: Operation) {
  const probe = requestFor(app, method.toUpperCase(), path.replace(/\{\w+\}/g, 'x'))
  await run(locate, probe)
  if (!probe.openapi) throw new Error(`The validator does not know ${method} ${path}`)
  return probe.openapi
}

function requestFor(app: Express, method: string, url: string): Request & OpenApiRequest {
  const parts = { method, url, originalUrl: url, baseUrl: '' }
  return Object.assign(Object.create(app.request) as Request & OpenApiRequest, parts)
}

function run(handler: RequestHandler, req: Request, res = {} as Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    Promise.resolve(handler(req, res, next)).catch(reject)
  })
}

/** A raw plus in a query stands for a space, which before an instant's offset can only have been the plus. */
function readInstants(req: Request, { queryInstants }: Operation): void {
  if (queryInstants.length === 0 || !req.url.includes('+')) return
  const { query } = req
  for (const name of queryInstants) {
    const value = query[name]
    if (typeof value === 'string') query[name] = value.replace(/ (?=\d\d:\d\d$)/, '+')
  }
  // Express would parse it again at every access.
  Object.defineProperty(req, 'query', { value: query, writable: true, configurable: true })
}

/** The validator would read 0x10 and 1e1 as numbers, and pass a NUL on to PostgreSQL. */
function refuseOddParameters(req: Request, { integers }: Operation): void {
  for (const name of Object.keys(req.params)) {
    const value = String(req.params[name])
    if (isUnstorable(value) || (integers.path.includes(name) && !/^\d{1,16}$/.test(value))) {
      throw fault('invalid_id', `The identifier ${name} is malformed.`, [
        { path: name, message: 'is malformed' },
      ])
    }
  }
  for (const [name, value] of Object.entries(req.query)) {
    // The validator would read brackets as lists and objects, and drop those without a name.
    if (name.includes('[')) throw badQuery(name, 'is not known')
    if (typeof value !== 'string') throw badQuery(name, 'is given more than once')
    if (isUnstorable(value)) throw badQuery(name, 'holds a NUL or a broken surrogate pair')
    if (value.includes('\ufffd') && isMisread(req.url)) throw badQuery(name, 'is not UTF-8')
    if (integers.query.includes(name) && !/^\d{1,16}$/.test(value)) {
      throw badQuery(name, 'must be a whole number in plain digits')
    }
  }
}

/** The validator reports an unknown kind of body in its message only. */
function refuseUnknownKind(body: unknown, operation: Operation): void {
  const { bodyKind } = operation
  if (!bodyKind) return
  // The validator would look for the member even in null.
  if (!isRecord(body)) throw wrongBody([{ path: '', message: 'must be object' }])
  const { member, kinds } = bodyKind
  const kind = Object.hasOwn(body, member) ? body[member] : undefined
  if (typeof kind === 'string' && kinds.includes(kind)) return
  const found = { place: 'body', path: member, keyword: 'discriminator', message: '' }
  const message = `must be one of ${kinds.join(', ')}`
  const code = codeOf([found], operation.bodyErrorCodes, 'invalid_request')
  throw fault(code, `The body's ${member} ${message}.`, [{ path: member, message }])
}

function refuseFlood(body: unknown, limits: readonly SizeLimit[], operation: Operation): void {
  const flood = floodIn(body, limits)
  if (!flood) return
  const { path, rule, keyword, message } = flood
  const found = { place: 'body', path: rule, keyword, message }
  throw wrongBody([{ path, message }], codeOf([found], operation.bodyErrorCodes, 'invalid_request'))
}

function badQuery(name: string, message: string): ServiceError {
  return fault('bad_request', `The query parameter ${name} ${message}.`, [{ path: name, message }])
}

type ValidatorError = { path: string; message?: string; errorCode?: string }

/** Converts the validator's error by the part of the request at fault. */
function requestFault(error: unknown, operation: Operation, body: unknown): unknown {
  if (!(error instanceof OpenApiValidator.error.BadRequest)) return error
  const errors: ValidatorError[] = error.errors ?? []
  const located = errors.map((one) => locate(one, operation)).filter(isNews)
  const placed = withKeysNamed(located, body, operation)
  const found = withoutUnions(withoutOtherTypes(withoutOtherShapes(placed, operation)))
  const [first] = found
  if (!first) return fault('invalid_request', 'The request does not match the schema.', [])
  const faults = found.map(({ path, message }) => ({ path, message })).slice(0, LIMITS.faultsTold)
  const unnamed = first.place === 'query' ? 'without a name' : 'it'
  const what = `${first.path === '' ? unnamed : first.path} ${first.message}`
  switch (first.place) {
    case 'params':
      return fault('invalid_id', `The identifier ${what}.`, faults)
    case 'query':
      return fault(
        first.path === 'cursor' && operation.queryNames.includes('cursor')
          ? 'invalid_cursor'
          : codeOf(found, operation.queryErrorCodes, 'bad_request'),
        `The query parameter ${what}.`,
        faults,
      )
    case 'headers':
      return fault('bad_request', `The header ${what}.`, faults)
    default: {
      const coded = codedFault(found, codesOf(operation, body))
      if (!coded) return wrongBody(faults)
      // The message leads with the fault that decided the code.
      const { path, message } = coded.fault
      const others = faults.filter((one) => one.path !== path || one.message !== message)
      return wrongBody([{ path, message }, ...others], coded.code)
    }
  }
}

type Located = RequestFault & { place: string; keyword: string }

const PLACES = ['params', 'query', 'headers', 'body']
/**
 * Longer than any path in the contract. A body's own member names may be of any length and contain any number
 * of dots, so processing each part of such a path would take too long.
 */
const PATH_CHARACTERS = 200

function locate({ path, message = '', errorCode }: ValidatorError, operation: Operation): Located {
  const parts = path.replace(/^[/.]/, '').split('/')
  const isPlaced = PLACES.includes(parts[0] ?? '')
  const keyword = errorCode?.split('.')[0] ?? 'unknown'
  const place = isPlaced ? (parts[0] ?? '') : 'body'
  const name = (isPlaced ? parts.slice(1) : parts).join('.').slice(0, PATH_CHARACTERS)
  // The validator reports empty and badly encoded parameters like unknown ones.
  const isKnown = keyword === 'unknown' && place === 'query' && operation.queryNames.includes(name)
  const known = message.startsWith('Empty') ? 'minProperties' : 'reserved'
  const phrase = PHRASES[isKnown ? known : keyword]
  return { place, path: name, message: phrase ?? message, keyword }
}

/** Phrases shown instead of the validator's own messages. */
const PHRASES: Record<string, string> = {
  additionalProperties: 'is not known',
  minProperties: 'must not be empty',
  required: 'is required',
  reserved: 'must have its reserved characters percent-encoded',
  unknown: 'is not known',
}

/** The codes for a body's faults, without those of other kinds. */
function codesOf({ bodyErrorCodes, bodyKind }: Operation, body: unknown): FaultCode[] {
  const kind = bodyKind && (body as Record<string, string>)[bodyKind.member]
  return bodyErrorCodes.filter(({ kinds }) => !kinds || (kind && kinds.includes(kind)))
}

/** Whether a fault says more than that a kind has faults, which are reported themselves. */
function isNews({ keyword }: Located): boolean {
  return keyword !== 'if'
}

/** The first of the contract's codes that fits a fault, with that fault. */
function codedFault(found: Located[], codes: FaultCode[]) {
  for (const { path, keyword, code } of codes) {
    const fault = found.find(
      (one) => one.path === path && (keyword === undefined || keyword === one.keyword),
    )
    if (fault) return { code, fault }
  }
  return null
}

function codeOf(found: Located[], codes: FaultCode[], otherwise: ErrorCode): ErrorCode {
  return codedFault(found, codes)?.code ?? otherwise
}

function fault(code: ErrorCode, message: string, errors: RequestFault[]): ServiceError {
  return new ServiceError(code as 'invalid_request', message, { details: { errors } })
}
