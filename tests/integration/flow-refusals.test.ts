import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import { listen } from '../support/channel.ts'
import { storeFlow, twoScreens } from '../support/flows.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { connectTo } from '../support/uploads.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it.each<[number, object, ErrorCode, object]>([
  [401, { code: 190, message: 'Bad token' }, 'upstream_auth_error', { channel_code: 190 }],
  [400, { code: 139000, message: 'Blocked' }, 'upstream_error', { channel_code: 139000 }],
  [500, { code: 2, message: 'Out of order' }, 'upstream_error', { retryable: true }],
])('nothing changes when the channel refuses with %i %j', async (status, error, code, details) => {
  const api = await listen((request, response) => {
    request.resume()
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error: { type: 'OAuthException', ...error } }))
  })
  const project = await service.project()
  const id = await storeFlow(service, project, { status: 'draft' })
  const before = await project.client.ok('listFlows')
  await connectTo(service, project, api.url)

  const { client } = project
  const prompt = 'A contact form with name, phone and an optional comment.'
  const refusals = [
    await client.refused('createFlow', code, { body: { name: 'contact', prompt } }),
    await client.refused('updateFlow', code, { path: { id }, body: { definition: twoScreens() } }),
    await client.refused('updateFlow', code, { path: { id }, body: { name: 'other' } }),
    await client.refused('publishFlow', code, { path: { id } }),
  ]
  await api.close()

  for (const refused of refusals) {
    expect(refused).toMatchObject({ status: 502, details: { outcome: 'refused', ...details } })
  }
  expect(await client.ok('listFlows')).toEqual(before)
})

it.each([
  ['a page for an answer', 200, '<html>'],
  ['a success without a word', 200, ''],
  ["a gateway's page", 502, '<html>'],
  ["a gateway's silence", 504, ''],
])('with %s the channel may have done it, and the outcome says so', async (_what, status, page) => {
  const api = await listen((request, response) => {
    request.resume()
    response.writeHead(status).end(page)
  })
  const project = await service.project()
  const id = await storeFlow(service, project, { status: 'draft' })
  await connectTo(service, project, api.url)

  const { client } = project
  const prompt = 'A contact form with name, phone and an optional comment.'
  const code = 'upstream_error'
  const refusals = [
    await client.refused('createFlow', code, { body: { name: 'contact', prompt } }),
    await client.refused('updateFlow', code, { path: { id }, body: { definition: twoScreens() } }),
    await client.refused('publishFlow', code, { path: { id } }),
  ]
  await api.close()

  for (const { details } of refusals) {
    expect(details).toEqual({ outcome: 'unknown', channel_code: null, retryable: true })
  }
})

it('a name that the account has is the caller’s to change, however the channel words it', async () => {
  const api = await listen((request, response) => {
    request.resume()
    response.writeHead(400, { 'Content-Type': 'application/json' })
    const error = { code: 100, error_subcode: 1, message: 'Invalid parameter' }
    const user = { error_user_title: 'Flow name is not unique', error_user_msg: 'Choose another.' }
    response.end(JSON.stringify({ error: { ...error, ...user } }))
  })
  const project = await service.project()
  await connectTo(service, project, api.url)
  const prompt = 'A contact form with name, phone and an optional comment.'
  const body = { name: 'contact', prompt }
  const refused = await project.client.refused('createFlow', 'invalid_request', { body })
  await api.close()
  expect(refused.details).toEqual({
    errors: [{ path: 'name', message: 'is the name of another flow' }],
  })
})

it.each([
  ['name', 0, ['other']],
  ['definition', 1, ['other', 'visit_survey']],
])('a flow stays as it is when the channel refuses its new %s', async (refused, sent, named) => {
  const names: unknown[] = []
  let uploads = 0
  const api = await listen((request, response) => {
    const isUpload = request.url?.endsWith('/assets') === true
    if (isUpload) uploads++
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      if (!isUpload) names.push((JSON.parse(text) as { name: unknown }).name)
      const isRefused = isUpload === (refused === 'definition')
      response.writeHead(isRefused ? 400 : 200, { 'Content-Type': 'application/json' })
      const error = { code: 100, error_subcode: 1, message: 'Refused' }
      response.end(JSON.stringify(isRefused ? { error } : { success: true }))
    })
  })
  const project = await service.project()
  const id = await storeFlow(service, project, { status: 'draft', name: 'visit_survey' })
  const before = await project.client.ok('listFlows')
  await connectTo(service, project, api.url)

  const body = { name: 'other', definition: { ...twoScreens(), version: '7.2' } }
  await project.client.refused('updateFlow', 'upstream_error', { path: { id }, body })
  await api.close()

  expect({ names, uploads }).toEqual({ names: named, uploads: sent })
  expect(await project.client.ok('listFlows')).toEqual(before)
})

it('what a caller can cause by words or code alone is logged as a warning, not as an error', async () => {
  const { client } = await service.project()
  const path = { path: 'bot.ts' }
  await client.ok('putFile', { path, body: { content: 'not even code' } })
  const refusals = [
    await client.refused('createFlow', 'flow_generation_failed', {
      body: { name: 'x', prompt: '0' },
    }),
    await client.refused('createDeployment', 'build_failed', { body: {} }),
  ]
  const lines = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const { requestId, code } of refusals) {
    const said = { level: 'warn', event: 'request.failed', requestId, code }
    expect(lines).toContainEqual(expect.objectContaining(said))
  }
})
