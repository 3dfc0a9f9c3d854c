import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { createApp } from '../../app.ts'
import type { Handlers } from '../../core/handlers.ts'
import { type ContractDocument, readContract } from '../../core/contract.ts'
import { handlers } from '../../handlers/index.ts'
import { createValidators } from '../../middleware/validate.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function start(document: ContractDocument, table: object = handlers) {
  return createApp(service.ctx, {
    document,
    handlers: table as Handlers,
    isReady: async () => true,
    validatorFor: await createValidators(document),
  })
}

/** The contract after a change to a copy of it. */
function contractWith(change: (document: ContractDocument) => void): ContractDocument {
  const document = structuredClone(readContract())
  change(document)
  return document
}

describe('the start', () => {
  it('succeeds with the contract and its handlers', async () => {
    await expect(start(readContract())).resolves.toBeDefined()
  })

  it('is refused while an operation has no handler, and names it', async () => {
    const { ping: _, ...rest } = handlers
    await expect(start(readContract(), rest)).rejects.toThrow(
      'openapi.yaml and handlers/ disagree. Without a handler: ping.',
    )
  })

  it('is refused while a handler has no operation, and names it', async () => {
    const document = contractWith(({ paths }) => delete paths['/v1/ping'])
    await expect(start(document)).rejects.toThrow('Without an operation: ping.')
  })

  it('names both when an operation was renamed', async () => {
    const document = contractWith(({ paths }) => {
      const ping = paths['/v1/ping']?.get
      if (ping) ping.operationId = 'knock'
    })
    await expect(start(document)).rejects.toThrow(
      'Without a handler: knock. Without an operation: ping.',
    )
  })

  it('is refused for a reference to nothing', async () => {
    const document = contractWith(({ components }) => delete components.parameters.NumericId)
    await expect(start(document)).rejects.toThrow('NumericId')
  })

  it('is refused for what a path says of all its operations, which nothing looks at', async () => {
    const document = contractWith(({ paths }) => {
      const { get } = paths['/v1/contacts/{id}'] ?? {}
      if (!get) throw new Error('There is no such operation')
      Object.assign(paths['/v1/contacts/{id}'] ?? {}, { parameters: get.parameters })
      delete get.parameters
    })
    await expect(start(document)).rejects.toThrow(
      'nothing looks at the parameters of /v1/contacts/{id}; say it in its operations',
    )
  })

  it('is refused for a document that is no OpenAPI', async () => {
    const document = contractWith(({ paths }) => {
      Object.assign(paths['/v1/ping']?.get ?? {}, { responses: 'none' })
    })
    const said = jest.spyOn(console, 'error').mockImplementation(() => {})
    try {
      await expect(start(document)).rejects.toThrow('invalid')
      expect(JSON.stringify(said.mock.calls)).toContain('/paths/~1v1~1ping/get/responses')
    } finally {
      said.mockRestore()
    }
  })
})
