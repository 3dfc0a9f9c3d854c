import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { components, operations } from '../generated/openapi.ts'
import type { ErrorCode } from './errors.ts'
import { LIMITS } from './limits.ts'
import { PROJECT_ROOT } from './root.ts'
import type { Content, UploadForm } from './transfer.ts'

/** Every operation of the contract except the one that serves the contract. */
export type OperationId = Exclude<keyof operations, 'getOpenApiDocument'>

/** A named schema of the contract. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Scope = Schema<'Scope'>

type PartOf<O extends OperationId, In extends 'path' | 'query'> = NonNullable<
  operations[O]['parameters'][In]
>
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined
type FormOf<T> = T extends { content: { 'multipart/form-data': unknown } } ? UploadForm : never
type BodyOf<O extends OperationId> = operations[O] extends { requestBody: infer Body }
  ? JsonOf<Body> | FormOf<Body>
  : undefined

/** The validated parts of a request, as the contract declares them for the operation. */
export type OperationRequest<O extends OperationId> = {
  path: PartOf<O, 'path'>
  query: PartOf<O, 'query'>
  body: BodyOf<O>
}

type SuccessOf<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 ? JsonOf<Responses[Status]> : never
}[keyof Responses]

/** The `data` member of the operation's one success response, or its bytes. */
export type Data<O extends OperationId> =
  operations[O]['responses'] extends Record<200, { content: { '*/*': unknown } }>
    ? Content
    : Extract<SuccessOf<operations[O]['responses']>, { data: unknown }>['data']

/**
 * The error code for a fault at a path, where it differs from `invalid_request` for bodies and `bad_request`
 * for queries. For a body of several kinds it may be limited to some kinds.
 */
export type FaultCode = { path: string; keyword?: string; code: ErrorCode; kinds?: string[] }

/** The largest JSON body, and the error for a larger one. */
export type BodyLimit = { bytes: number; code: 'payload_too_large' | 'file_too_large' }

/** One of several shapes of a body: only this shape has the member `mark`. */
export type BodyShape = { mark: string; required: string[]; members: string[] }

/** What the code needs to know of an operation; read from the contract once, at the start. */
export type Operation = {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  scopes: Scope[]
  /** `X-Service-Project` is ignored, and a paused project does not stop the call. */
  ignoresProject: boolean
  /** Served without a credential. */
  isPublic: boolean
  hasBody: boolean
  /** The body may also be a multipart form. */
  takesForm: boolean
  bodyLimit: BodyLimit
  /** The answer is a file instead of JSON. */
  answersBytes: boolean
  /** It takes an `Idempotency-Key`. */
  isIdempotent: boolean
  successStatus: number
  bodyErrorCodes: FaultCode[]
  queryErrorCodes: FaultCode[]
  /** The member that discriminates the kinds of body, and the kinds. */
  bodyKind: { member: string; kinds: string[] } | null
  /** The shapes of body, when no member discriminates them; else empty. */
  bodyShapes: BodyShape[]
  /** Members of a body that map keys to values, and the pattern of their keys. */
  bodyMaps: { member: string; pattern: string }[]
  /** Parameters that must be written in plain digits. */
  integers: { path: string[]; query: string[] }
  /** All query parameters, and those that are instants. */
  queryNames: string[]
  queryInstants: string[]
  /** The path parameter that may contain slashes; null for nearly all operations. */
  manySegments: string | null
  /** Takes no parameters and no body; headers have checks of their own. */
  takesNothing: boolean
}

type Parameter = {
  $ref?: string
  name: string
  in: string
  schema?: SchemaObject
  'x-many-segments'?: boolean
}
type SchemaObject = {
  $ref?: string
  type?: string
  format?: string
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  oneOf?: SchemaObject[]
  properties?: Record<string, SchemaObject>
  propertyNames?: SchemaObject
  pattern?: string
  required?: string[]
}
type OperationObject = {
  operationId: string
  'x-required-scopes': Scope[]
  'x-project'?: string
  'x-body-error-codes'?: FaultCode[]
  'x-query-error-codes'?: FaultCode[]
  'x-body-limit'?: BodyLimit
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: SchemaObject }> }
  parameters?: Parameter[]
  responses: Record<string, { content?: Record<string, unknown> }>
}
export type ContractDocument = {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, SchemaObject> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Reads `openapi.yaml`; throws when it cannot be read or parsed. */
export function readContract(file = path.join(PROJECT_ROOT, 'openapi.yaml')): ContractDocument {
  return parse(readFileSync(file, 'utf8')) as ContractDocument
}

/** The operations of a contract, in its order; throws for parameters common to all operations of a path. */
export function operationsOf(document: ContractDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const unseen = Object.keys(item).find((name) => !METHODS.some((method) => method === name))
    if (unseen !== undefined) {
      throw new Error(
        `openapi.yaml: nothing looks at the ${unseen} of ${path}; say it in its operations`,
      )
    }
    return METHODS.flatMap((method) => {
      const declared = item[method]
      return declared ? [describe(document, path, method, declared)] : []
    })
  })
}

function describe(
  document: ContractDocument,
  path: string,
  method: Operation['method'],
  declared: OperationObject,
): Operation {
  const { operationId: id } = declared
  if (!id) throw new Error(`openapi.yaml: ${method} ${path} has no operationId`)
  const parameters = (declared.parameters ?? []).map((one) => {
    const parameter = followed(document, one)
    return { ...parameter, schema: followed(document, parameter.schema ?? {}) }
  })
  const integersIn = (place: string) =>
    parameters.flatMap((one) => (one.in === place && one.schema.type === 'integer' ? one.name : []))
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const [status = '', success] =
    Object.entries(declared.responses).find(([status]) => status.startsWith('2')) ?? []
  return {
    id,
    method,
    path,
    scopes: declared['x-required-scopes'],
    ignoresProject: declared['x-project'] === 'ignored',
    isPublic: declared.security?.length === 0,
    hasBody: declared.requestBody !== undefined,
    takesForm: declared.requestBody?.content['multipart/form-data'] !== undefined,
    bodyLimit: declared['x-body-limit'] ?? { bytes: LIMITS.bodyBytes, code: 'payload_too_large' },
    answersBytes: success?.content?.['*/*'] !== undefined,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    successStatus: Number(status),
    bodyErrorCodes: declared['x-body-error-codes'] ?? [],
    queryErrorCodes: declared['x-query-error-codes'] ?? [],
    bodyKind: bodyKindOf(document, declared),
    bodyShapes: bodyShapesOf(document, declared),
    bodyMaps: bodyMapsOf(document, declared),
    integers: { path: integersIn('path'), query: integersIn('query') },
    queryNames: inQuery.map(({ name }) => name),
    queryInstants: inQuery.flatMap((one) => (one.schema.format === 'date-time' ? one.name : [])),
    manySegments: parameters.find((one) => one['x-many-segments'])?.name ?? null,
    takesNothing: !declared.requestBody && parameters.every((one) => one.in === 'header'),
  }
}

function bodyKindOf(document: ContractDocument, operation: OperationObject) {
  const { discriminator } = bodySchemaOf(document, operation) ?? {}
  if (!discriminator) return null
  return { member: discriminator.propertyName, kinds: Object.keys(discriminator.mapping ?? {}) }
}

function bodyShapesOf(document: ContractDocument, operation: OperationObject): BodyShape[] {
  const { discriminator, oneOf = [] } = bodySchemaOf(document, operation) ?? {}
  if (discriminator) return []
  const shapes = oneOf.map((schema) => followed(document, schema))
  return shapes.map(({ properties = {}, required = [] }) => {
    const others = shapes.filter((shape) => shape.properties !== properties)
    const mark = required.find((name) => others.every((shape) => !shape.properties?.[name]))
    if (mark === undefined) {
      throw new Error(`openapi.yaml: nothing marks a body of ${operation.operationId}`)
    }
    return { mark, required, members: Object.keys(properties) }
  })
}

function bodyMapsOf(document: ContractDocument, operation: OperationObject) {
  const { properties = {} } = bodySchemaOf(document, operation) ?? {}
  return Object.entries(properties).flatMap(([member, schema]) => {
    const { propertyNames } = followed(document, schema)
    const { pattern } = propertyNames ? followed(document, propertyNames) : {}
    return pattern === undefined ? [] : [{ member, pattern }]
  })
}

function bodySchemaOf(document: ContractDocument, { requestBody }: OperationObject) {
  const schema = requestBody?.content['application/json']?.schema
  return schema && followed(document, schema)
}

/** Resolves a reference to a component; answers other parts unchanged. */
function followed<T extends { $ref?: string }>({ components }: ContractDocument, part: T): T {
  if (part.$ref === undefined) return part
  const [, kind, name = ''] = /^#\/components\/(schemas|parameters)\/(\w+)$/.exec(part.$ref) ?? []
  const found = kind && components[kind as 'schemas'][name]
  if (!found) throw new Error(`openapi.yaml refers to ${part.$ref}, which is not there`)
  return found as T
}
