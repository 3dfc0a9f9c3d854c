import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readStarter } from '../../bot/starter-files.ts'
import type { OperationId } from '../../core/contract.ts'
import { faults, schemaOf } from '../support/channel-schema.ts'
import { listen, type Listening } from '../support/channel.ts'
import { guardedOperations } from '../support/client.ts'
import { components, declaredOperations, jsonOf, requestExamplesOf } from '../support/document.ts'
import { identified, makeResources, requestFor, type Resources } from '../support/resources.ts'
import { validate } from '../support/responses.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const responseExamples = declaredOperations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, response]) =>
    jsonOf(response).examples.map(([name, { value }]) => ({
      name: `${operationId} ${status} ${name}`,
      schema: jsonOf(response).schema,
      value,
    })),
  ),
)

const requestExamples = guardedOperations.flatMap((operation) => {
  const declared = declaredOperations.filter(({ operationId }) => operationId === operation.id)
  return declared.flatMap(requestExamplesOf).map(([name, body]) => ({ operation, name, body }))
})

describe('the response examples', () => {
  it.each(responseExamples)('$name fits its schema', ({ name, schema, value }) => {
    expect(() => validate(`example ${name}`, schema, value)).not.toThrow()
  })

  it('would not pass with a member that their schema does not know', () => {
    const schema = components.schemas.Failure ?? {}
    const failure = { success: false, error: { code: 'not_found', message: '' }, request_id: 'r' }
    expect(() => validate('Failure', schema, { ...failure, more: 1 })).toThrow('additional')
  })
})

type FileExample = { path: string; size: number; sha256: string; content?: string }

/** Whatever in an example, however deep, is a code file. */
function filesIn(value: unknown): FileExample[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'path' in value && 'sha256' in value ? [value as FileExample] : []
  return [...own, ...Object.values(value).flatMap(filesIn)]
}

describe('the code files of the examples', () => {
  const files = responseExamples.flatMap(({ value }) => filesIn(value))
  const starter = readStarter()

  it.each(files)('$path has the size and the hash of what it holds', (file) => {
    const bytes = file.content === undefined ? starter.get(file.path) : Buffer.from(file.content)
    const sha256 = createHash('sha256').update(bytes!).digest('hex')
    expect([file.size, file.sha256]).toEqual([bytes!.length, sha256])
  })
})

describe('the request examples', () => {
  /** Stands in for the web. */
  let files: Listening
  let service: TestService
  let project: TestProject
  let resources: Resources
  beforeAll(async () => {
    files = await listen((_req, res) => res.setHeader('Content-Type', 'text/plain').end('Prices'))
    service = await startTestService({ env: { EGRESS_ALLOW: new URL(files.url).host } })
    project = await service.project()
    resources = await makeResources(service, project)
  })
  afterAll(async () => {
    await service.stop()
    await files.close()
  })

  /** An example's body, with the project's own ids in place of those that it makes up. */
  const realised = (body: unknown): unknown => {
    if (typeof body !== 'object' || body === null) return body
    const quoted = Number(resources.messages?.own.id)
    const isNumber = 'reply_to' in body && typeof body.reply_to === 'number'
    const own = new Map<string, unknown>([
      ['conversation_id', resources.conversations?.own.id],
      ['reply_to', isNumber ? quoted : String(quoted)],
      ['flow_id', resources.flows?.own.id],
      ['source_url', `${files.url}/prices.txt`],
      ['audience', 'audience' in body ? realisedAudience(body.audience) : undefined],
    ])
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, own.get(name) ?? value]),
    )
  }
  const realisedAudience = (audience: unknown): unknown => {
    const { id } = resources.segments?.own ?? {}
    return JSON.stringify(audience).includes('segment_id') ? { segment_id: id } : audience
  }

  it.each(requestExamples)('$operation.id succeeds as in "$name"', async ({ operation, body }) => {
    const path = identified(operation, resources, 'own')
    const parts = { ...requestFor(operation, path), body: realised(body) }

    const answer = await project.client.send(operation.id as OperationId, parts)

    expect(answer).toMatchObject({ status: operation.successStatus, body: { success: true } })
  })

  const sends = requestExamples.filter(({ operation }) => operation.id === 'sendMessage')
  it.each(sends)('reach the channel in its published form: "$name"', async ({ body }) => {
    await project.client.ok('sendMessage', { body: realised(body) as never })

    const sent = service.sandbox.requests.at(-1)?.body ?? {}
    const schema = schemaOf(sent)
    expect(sent).toMatchObject({ messaging_product: 'whatsapp', to: '+15550001234' })
    if (schema) expect(faults(schema, sent)).toEqual([])
  })

  const withoutBody = guardedOperations.filter(({ hasBody }) => !hasBody)
  it.each(withoutBody)('$id succeeds with nothing but what its path names', async (operation) => {
    const own = await service.project()
    const path = identified(operation, await makeResources(service, own), 'own')

    const answer = await own.client.send(operation.id as OperationId, requestFor(operation, path))

    expect(answer.status).toBe(operation.successStatus)
    if (!operation.answersBytes) expect(answer.body).toMatchObject({ success: true })
  })
})
