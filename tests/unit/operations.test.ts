import { expect, it } from '@jest/globals'
import { type ContractDocument, operationsOf, readContract } from '../../core/contract.ts'

/** What is read of an operation that takes the parameters, in a contract with a schema more. */
function reading(parameters: object[], named: object) {
  const document = structuredClone(readContract())
  Object.assign(document.components.schemas, { Named: named })
  const { get } = document.paths['/v1/contacts'] ?? {}
  document.paths = { '/v1/contacts': { get: { ...get, parameters } } } as ContractDocument['paths']
  return operationsOf(document)[0]
}

const schema = { $ref: '#/components/schemas/Named' }

it('a number is one whether its schema is written out or named', () => {
  const parameters = [
    { name: 'page', in: 'query', schema },
    { name: 'size', in: 'query', schema: { type: 'integer' } },
  ]
  expect(reading(parameters, { type: 'integer' })?.integers.query).toEqual(['page', 'size'])
})

it('so is an instant', () => {
  const parameters = [{ name: 'since', in: 'query', schema }]
  const operation = reading(parameters, { type: 'string', format: 'date-time' })
  expect(operation?.queryInstants).toEqual(['since'])
})

it('a schema that nobody has named is told', () => {
  const parameters = [{ name: 'page', in: 'query', schema: { $ref: '#/components/schemas/None' } }]
  expect(() => reading(parameters, {})).toThrow('refers to #/components/schemas/None')
})

it('an operation without a name is told by its path', () => {
  const document = structuredClone(readContract())
  Object.assign(document.paths['/v1/contacts']?.get ?? {}, { operationId: undefined })
  expect(() => operationsOf(document)).toThrow('get /v1/contacts has no operationId')
})
