import express, { type Request, type Response } from 'express'
import { type ContractDocument, type OperationId, operationsOf } from '../core/contract.ts'
import { LIMITS } from '../core/limits.ts'
import { refuseUnstorable } from './read-body.ts'
import type { Validate, ValidatorFor } from './validate.ts'

/** The validator distinguishes the operations of a path by their method. */
type Check = { validate: Validate; method: string }

/** The parts of a request; omitted where there are none. */
type Asked = { path?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/**
 * Applies the contract's checks to calls that are not requests, such as a bot's. They throw what the request
 * would be answered with; the checks of an operation are prepared on first use.
 */
export function createRequestChecks(document: ContractDocument, validatorFor: ValidatorFor) {
  const app = express()
  app.set('query parser', 'simple')
  const made = new Map<OperationId, Promise<Check>>()

  async function make(id: OperationId): Promise<Check> {
    const operation = operationsOf(document).find((one) => one.id === id)
    if (!operation) throw new Error(`The contract has no operation ${id}`)
    return { validate: await validatorFor(operation), method: operation.method.toUpperCase() }
  }

  return async (id: OperationId, { path = {}, query = {}, body }: Asked): Promise<void> => {
    const check = made.get(id) ?? make(id)
    made.set(id, check)
    const { validate, method } = await check
    refuseUnstorable(body, 0)
    const url = `/?${new URLSearchParams(query)}`
    // The size is not known here; the largest one makes all checks apply.
    const length = String(LIMITS.bodyBytes)
    const content = { 'content-type': 'application/json', 'content-length': length }
    const headers = body === undefined ? {} : content
    const parts = { method, url, originalUrl: url, baseUrl: '', headers, params: { ...path }, body }
    const request = Object.assign(Object.create(app.request) as Request, parts)
    await validate(request, {} as Response)
  }
}
