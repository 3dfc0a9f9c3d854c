import { type BodyLimit, type FaultCode, readContract, type Scope } from '../../core/contract.ts'
import type { ErrorCode } from '../../core/errors.ts'

export const document = readContract()

/** The contract as a plain document, for tests that look at more of it than the service does. */
export type Schema = {
  $ref?: string
  description?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  propertyNames?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  maxLength?: number
  maxItems?: number
  uniqueItems?: boolean
  maximum?: number
}
export type Example = { summary?: string; value: unknown }
type Content = Record<string, { schema: Schema; examples?: Record<string, Example> }>
type Referring = { $ref?: string }

export type DeclaredResponse = Referring & {
  description: string
  headers?: Record<string, object>
  content?: Content
}
export type DeclaredParameter = Referring & {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}
export type DeclaredOperation = {
  method: string
  path: string
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  'x-required-scopes': Scope[]
  'x-error-codes': ErrorCode[]
  'x-project'?: string
  'x-body-error-codes'?: FaultCode[]
  'x-body-limit'?: BodyLimit
  parameters: DeclaredParameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, DeclaredResponse>
}

type Components = {
  schemas: Record<string, Schema>
  responses: Record<string, DeclaredResponse>
  parameters: Record<string, DeclaredParameter>
}
export type DeclaredEvent = Pick<
  DeclaredOperation,
  'summary' | 'description' | 'tags' | 'x-required-scopes' | 'parameters' | 'responses'
> & { requestBody: { content: Content } }
type PlainDocument = {
  components: Components
  webhooks: Record<string, { post: DeclaredEvent }>
  paths: Record<string, Record<string, DeclaredOperation>>
}
const plain = JSON.parse(JSON.stringify(document)) as PlainDocument

export const { components } = plain

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of the contract, its parameters and responses looked up. */
export const declaredOperations: DeclaredOperation[] = Object.entries(plain.paths).flatMap(
  ([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, declared]) => ({
        ...declared,
        method,
        path,
        parameters: (declared.parameters ?? []).map((one) => resolved(one, components.parameters)),
        responses: Object.fromEntries(
          Object.entries(declared.responses).map(([status, response]) => [
            status,
            resolved(response, components.responses),
          ]),
        ),
      })),
)

/** Every event that webhooks are told, by its name; `custom` stands for those of a project's own. */
export const declaredEvents: Record<string, DeclaredEvent> = Object.fromEntries(
  Object.entries(plain.webhooks).map(([name, { post }]) => [
    name,
    { ...post, parameters: post.parameters.map((one) => resolved(one, components.parameters)) },
  ]),
)

/** The parts of a request that an operation's JSON body and its first example make. */
export function requestExamplesOf({ requestBody }: DeclaredOperation): [string, unknown][] {
  const { examples = {} } = requestBody?.content['application/json'] ?? {}
  return Object.entries(examples).map(([name, { value }]) => [name, value])
}

/** A response's schema and examples, where it is JSON. */
export function jsonOf({ content }: DeclaredResponse) {
  const { schema = {}, examples = {} } = content?.['application/json'] ?? {}
  return { schema, examples: Object.entries(examples) }
}

/** A schema with its reference followed, and its name when it has one. */
export function followed(schema: Schema): { schema: Schema; name: string | null } {
  const name = schema.$ref?.replace('#/components/schemas/', '') ?? null
  if (name === null) return { schema, name }
  const found = components.schemas[name]
  if (!found) throw new Error(`The contract refers to the unknown schema ${name}`)
  return { schema: found, name }
}

/**
 * Calls `visit` for every schema that can be reached, each named one once, with its place: the
 * named schema that it belongs to, and the members that lead to it.
 */
export function walk(
  start: Schema,
  visit: (schema: Schema, place: string) => void,
  place = '',
  seen = new Set<string>(),
): void {
  const { schema, name } = followed(start)
  if (name !== null && seen.has(name)) return
  if (name !== null) seen.add(name)
  const here = name ?? place
  visit(schema, here)
  const inner: [string, Schema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].map(
      (one): [string, Schema] => ['', one],
    ),
    ...(schema.items ? [['[]', schema.items] as [string, Schema]] : []),
    ...(typeof schema.additionalProperties === 'object'
      ? [['*', schema.additionalProperties] as [string, Schema]]
      : []),
  ]
  for (const [member, one] of inner) {
    walk(one, visit, member === '' ? here : `${here}.${member}`, seen)
  }
}

function resolved<T extends Referring>(value: T, known: Record<string, T>): T {
  const name = value.$ref?.split('/').at(-1)
  if (name === undefined) return value
  const found = known[name]
  if (!found) throw new Error(`The contract refers to the unknown ${value.$ref}`)
  return found
}
