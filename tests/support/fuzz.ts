import * as fc from 'fast-check'
import type { Operation } from '../../core/contract.ts'
import {
  type DeclaredOperation,
  type DeclaredParameter,
  declaredOperations,
  followed,
  requestExamplesOf,
} from './document.ts'
import { fitting, hostileText, hostileValue, mutated } from './fuzz-values.ts'
import { validate } from './responses.ts'

/** A request as it was drawn; `path` is null where it names what the project has. */
export type Drawn = {
  path: Record<string, string> | null
  query: Record<string, string>
  headers: Record<string, string>
  body?: unknown
}

/** Draws requests of an operation: right ones, nearly right ones, and hostile ones. */
export function requestsOf(operation: Operation): fc.Arbitrary<Drawn> {
  const declared = declaredAs(operation)
  const path = parametersOf(declared, 'path', true)
  const query = parametersOf(declared, 'query', false)
  const unknown = fc.dictionary(hostileText, hostileText, { maxKeys: 1 })
  const drawn = {
    path: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: path }),
    query: fc.oneof(
      { weight: 6, arbitrary: query },
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.tuple(query, unknown).map(([a, b]) => ({ ...a, ...b })) },
    ),
    headers: headersOf(declared),
  }
  if (!operation.hasBody) return fc.record(drawn)
  return fc.record({ ...drawn, body: bodiesOf(declared) })
}

/** What a contract says against a request, or null when it fits. */
export function faultOf(operation: Operation, { path, query, body }: Drawn): string | null {
  const declared = declaredAs(operation)
  try {
    for (const [place, values] of [
      ['path', path ?? {}],
      ['query', query],
    ] as const) {
      const known = declared.parameters.filter((one) => one.in === place)
      for (const [name, text] of Object.entries(values)) {
        const parameter = known.find((one) => one.name === name)
        if (!parameter) return `${name} is not known`
        const schema = parameter.schema
        validate(`${declared.operationId} ${place} ${name}`, schema, read(text, schema))
      }
      const missing = known.find((one) => one.required && !Object.hasOwn(values, one.name))
      if (missing && path !== null) return `${missing.name} is required`
    }
    const schema = declared.requestBody?.content['application/json']?.schema
    if (schema) validate(`${declared.operationId} body`, schema, body)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** A parameter's text as the value that its schema speaks of; the text itself when it is none. */
function read(text: string, schema: DeclaredParameter['schema']): unknown {
  const { type } = followed(schema).schema
  if (type === 'integer') return /^\d{1,16}$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function parametersOf(declared: DeclaredOperation, place: string, isComplete: boolean) {
  const known = declared.parameters.filter((one) => one.in === place)
  const values = known.map(({ name, schema, example }) => {
    const right = fitting(schema).map(String)
    const usual = typeof example === 'string' ? fc.constant(example) : right
    const value = fc.oneof(
      { weight: 4, arbitrary: usual },
      { weight: 2, arbitrary: right },
      { weight: 1, arbitrary: hostileText },
    )
    return [name, place === 'path' ? value.filter(isAddressable) : value] as const
  })
  return fc.record(Object.fromEntries(values), {
    requiredKeys: known.filter(({ required }) => required || isComplete).map(({ name }) => name),
  })
}

/** Others would name another path. */
function isAddressable(text: string): boolean {
  return !['', '.', '..'].includes(text)
}

function headersOf(declared: DeclaredOperation): fc.Arbitrary<Record<string, string>> {
  const names = declared.parameters.filter((one) => one.in === 'header').map(({ name }) => name)
  // What HTTP itself takes: visible characters, and those that arrive as bytes.
  const value = fc.stringMatching(/^[\x21-\x7e\xa1-\xff][\x20-\x7e\xa1-\xff]{0,300}$/)
  const all = fc.record(Object.fromEntries(names.map((name) => [name, value])), {
    requiredKeys: [],
  })
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: all as fc.Arbitrary<Record<string, string>> },
  )
}

function bodiesOf(declared: DeclaredOperation): fc.Arbitrary<unknown> {
  const schema = declared.requestBody?.content['application/json']?.schema ?? {}
  const examples = requestExamplesOf(declared).map(([, body]) => body)
  const right = fc.oneof(fitting(schema), fc.constantFrom(...examples))
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 5, arbitrary: right.chain(mutated) },
    { weight: 1, arbitrary: hostileValue },
  )
}

function declaredAs({ id }: Operation): DeclaredOperation {
  const found = declaredOperations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`There is no operation ${id}`)
  return found
}
