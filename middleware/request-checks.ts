import express, { type Request, type Response } from 'express'
import { type ContractDocument, type OperationId, operationsOf } from '../core/contract.ts'
import { LIMITS } from '../core/limits.ts'
import { refuseUnstorable } from './read-body.ts'
import type { Validate, ValidatorFor } from './validate.ts'

/** The validator tells operations of one path apart by their method. */
type Check = { validate: Validate; method: string }

/** What would be a request's; left out where it would have none. */
type Asked = { path?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/**
 * Prepares the contract's checks for what asks like a request and is none. The checks of an operation
 * throw what its request would be answered; they are made when they are first needed.
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
    // Nobody has counted its bytes: it may be of any size.
    const length = String(LIMITS.bodyBytes)
    const content = { 'content-type': 'application/json', 'content-length': length }
    const headers = body === undefined ? {} : content
    const parts = { method, url, originalUrl: url, baseUrl: '', headers, params: { ...path }, body }
    const request = Object.assign(Object.create(app.request) as Request, parts)
    await validate(request, {} as Response)
  }
}
