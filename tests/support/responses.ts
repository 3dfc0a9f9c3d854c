import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ContractDocument } from '../../core/contract.ts'
import {
  type DeclaredOperation,
  type DeclaredResponse,
  declaredOperations,
  document,
} from './document.ts'
import { checkDetails, type Told } from './error-table.ts'
import { noteSeen } from './seen.ts'

export type Answer = { status: number; headers: Headers; body: unknown }

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'contract', components: document.components })
const compiled = new Map<string, ValidateFunction>()

/**
 * Holds an answer against the contract: a documented status, a body of its schema, a code that the
 * operation may answer with, the details that it promises, and the headers that every answer carries.
 * Throws what is wrong.
 */
export function checkAnswer(operationId: string | null, answer: Answer): void {
  const requestId = answer.headers.get('x-request-id')
  if (!requestId) throw new Error('An answer lacks X-Request-Id')
  const failure = answer.body as { error?: Told; request_id?: string } | null
  if (answer.status >= 400) {
    matches('Failure', answer.body)
    if (failure?.error) checkDetails(failure.error)
    // A replay tells the request that was answered first.
    const isReplay = answer.headers.get('idempotent-replayed') === 'true'
    if ((failure?.request_id === requestId) === isReplay) {
      throw new Error('request_id and X-Request-Id differ, or agree in a replay')
    }
  }
  if (operationId === null) return
  const declared = declaredOperation(operationId)
  const response = declared.responses[answer.status]
  if (!response) throw new Error(`${operationId} does not document the status ${answer.status}`)
  const schema = response.content?.['application/json']?.schema
  if (schema) validate(`${operationId} ${answer.status}`, schema, answer.body)
  if (response.content?.['*/*'] && !Buffer.isBuffer(answer.body)) {
    throw new Error(`${operationId} ${answer.status} answers no bytes`)
  }
  for (const name of answer.headers.keys()) mustBeKnown(operationId, name, response)
  const code = failure?.error?.code
  if (code !== undefined && !declared['x-error-codes'].some((one) => one === code)) {
    throw new Error(`${operationId} answers ${code}, which x-error-codes does not list`)
  }
  if (code !== undefined) noteSeen(operationId, answer.status, code)
}

const ALWAYS_KNOWN =
  /^(x-request-id|content-|cache-control|x-content-type|date|connection|keep-alive|transfer-encoding)/

function mustBeKnown(operationId: string, name: string, response: DeclaredResponse): void {
  if (ALWAYS_KNOWN.test(name)) return
  const declared = Object.keys(response.headers ?? {}).map((header) => header.toLowerCase())
  if (name.startsWith('ratelimit') && !declared.includes(name)) {
    throw new Error(`${operationId} does not document the header ${name}`)
  }
}

function matches(schema: keyof ContractDocument['components']['schemas'], body: unknown): void {
  validate(schema, { $ref: `contract#/components/schemas/${schema}` }, body)
}

/** Throws what is wrong when a value does not fit its schema; `name` stands for the schema. */
export function validate(name: string, schema: object, body: unknown): void {
  let check = compiled.get(name)
  if (!check) {
    check = ajv.compile(
      JSON.parse(
        JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'),
      ) as object,
    )
    compiled.set(name, check)
  }
  if (check(body)) return
  throw new Error(
    `${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body).slice(0, 500)}`,
  )
}

function declaredOperation(operationId: string): DeclaredOperation {
  const declared = declaredOperations.find((one) => one.operationId === operationId)
  if (!declared) throw new Error(`There is no operation ${operationId}`)
  return declared
}
