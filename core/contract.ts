import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { components, operations } from '../generated/openapi.ts'
import type { ErrorCode } from './errors.ts'
import type { ProjectContext } from './context.ts'
import type { Rendered } from './rendered.ts'
import type { Replay } from './replay.ts'
import { PROJECT_ROOT } from './root.ts'

/** Every operation of the contract but the one that serves the contract itself. */
export type OperationId = Exclude<keyof operations, 'getOpenApiDocument'>

/** A named schema of the contract. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Scope = Schema<'Scope'>

type PartOf<O extends OperationId, In extends 'path' | 'query'> = NonNullable<
  operations[O]['parameters'][In]
>
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined
type BodyOf<O extends OperationId> = operations[O] extends { requestBody: infer Body }
  ? JsonOf<Body>
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

/** The `data` member of the operation's one success response. */
export type Data<O extends OperationId> = Extract<
  SuccessOf<operations[O]['responses']>,
  { data: unknown }
>['data']

export type Handler<O extends OperationId> = (
  ctx: ProjectContext,
  request: OperationRequest<O>,
) => Promise<Data<O> | Rendered | Replay> | Data<O>

/** One handler for every operation: leaving one out, or adding one, does not compile. */
export type Handlers = { readonly [O in OperationId]: Handler<O> }

/** Which code a fault in a body has when it is not `invalid_request`, or in a query not `bad_request`. */
export type FaultCode = { path: string; keyword?: string; code: ErrorCode }

/** What the code needs to know of an operation; read from the contract once, at start. */
export type Operation = {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  scopes: Scope[]
  /** `X-Service-Project` is not looked at, and a paused project does not stop the call. */
  ignoresProject: boolean
  /** Served without a credential. */
  isPublic: boolean
  hasBody: boolean
  /** It takes an `Idempotency-Key`. */
  isIdempotent: boolean
  successStatus: number
  bodyErrorCodes: FaultCode[]
  queryErrorCodes: FaultCode[]
  /** The member that tells the kinds of body apart, and the kinds that there are. */
  bodyKind: { member: string; kinds: string[] } | null
  /** Names of the parameters that must be written in plain digits. */
  integers: { path: string[]; query: string[] }
  /** Nothing but headers can be given, which have checks of their own. */
  takesNothing: boolean
}

type Parameter = { $ref?: string; name: string; in: string; schema?: { type?: string } }
type SchemaObject = {
  $ref?: string
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
}
type OperationObject = {
  operationId: string
  'x-required-scopes': Scope[]
  'x-project'?: string
  'x-body-error-codes'?: FaultCode[]
  'x-query-error-codes'?: FaultCode[]
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: SchemaObject }> }
  parameters?: Parameter[]
  responses: Record<string, unknown>
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

/** The operations of a contract, in its order. */
export function operationsOf(document: ContractDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const declared = item[method]
      return declared ? [describe(document, path, method, declared)] : []
    }),
  )
}

function describe(
  document: ContractDocument,
  path: string,
  method: Operation['method'],
  declared: OperationObject,
): Operation {
  const parameters = (declared.parameters ?? []).map((parameter) => resolve(document, parameter))
  const integersIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.schema?.type === 'integer')
      .map((parameter) => parameter.name)
  return {
    id: declared.operationId,
    method,
    path,
    scopes: declared['x-required-scopes'],
    ignoresProject: declared['x-project'] === 'ignored',
    isPublic: declared.security?.length === 0,
    hasBody: declared.requestBody !== undefined,
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    successStatus: Number(Object.keys(declared.responses).find((status) => status.startsWith('2'))),
    bodyErrorCodes: declared['x-body-error-codes'] ?? [],
    queryErrorCodes: declared['x-query-error-codes'] ?? [],
    bodyKind: bodyKindOf(document, declared),
    integers: { path: integersIn('path'), query: integersIn('query') },
    takesNothing: !declared.requestBody && parameters.every((one) => one.in === 'header'),
  }
}

function bodyKindOf(document: ContractDocument, { requestBody }: OperationObject) {
  const schema = requestBody?.content['application/json']?.schema
  const name = schema?.$ref?.replace('#/components/schemas/', '')
  const { discriminator } = (name === undefined ? schema : document.components.schemas[name]) ?? {}
  if (!discriminator) return null
  return { member: discriminator.propertyName, kinds: Object.keys(discriminator.mapping ?? {}) }
}

function resolve(document: ContractDocument, parameter: Parameter): Parameter {
  const name = parameter.$ref?.replace('#/components/parameters/', '')
  if (name === undefined) return parameter
  const found = document.components.parameters[name]
  if (!found) throw new Error(`openapi.yaml refers to the unknown parameter ${name}`)
  return found
}
