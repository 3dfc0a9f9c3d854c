import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as serverAddress from '../../capabilities/channel-accounts/server-address.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, storeTemplate } from '../support/templates.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  await serverAddress.note(service.ctx, service.url)
  project = await service.project()
})
afterAll(() => service.stop())

const run = (...argv: string[]) => operate(envOf(service), argv)
async function answer(...argv: string[]) {
  const { code, out, err } = await run(...argv)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as unknown
}
const move = (name: string, status: string) =>
  run(
    'sandbox',
    'template',
    '--project',
    project.id,
    '--name',
    name,
    '--language',
    'en_US',
    '--status',
    status,
  )
const create = async (name: string) => {
  const content = { type: 'BODY' as const, text: 'Hi.' }
  const draft = { name, language: 'en_US', category: 'UTILITY' as const, components: [content] }
  const { template } = await project.client.ok('createTemplate', { body: draft })
  await service.sandbox.idle()
  return template.id
}
const statusOf = async (id: string) =>
  (await project.client.ok('getTemplate', { path: { id } })).template.status

describe('the operator', () => {
  it('lets the sandbox move a template by a signed callback, which a later fetch agrees with', async () => {
    const id = await create('moved')
    const { code, out } = await move('moved', 'PAUSED')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ delivered: true, template_id: id, status: 'PAUSED' })
    expect(await statusOf(id)).toBe('PAUSED')
    expect(await answer('template', 'sync', '--project', project.id)).toEqual({
      added: 0,
      changed: 0,
      removed: 0,
    })
    expect(await statusOf(id)).toBe('PAUSED')

    await move('moved', 'DELETED')
    await project.client.refused('getTemplate', 'not_found', { path: { id } })
  })

  it('moves a template that only the service knows, too, and none that nobody knows', async () => {
    const parts = { name: 'stored', status: 'PENDING', components: [body('Hi.')] }
    const id = await storeTemplate(service, project, parts)
    expect((await move('stored', 'APPROVED')).code).toBe(0)
    expect(await statusOf(id)).toBe('APPROVED')

    const { code, err } = await move('unheard_of', 'APPROVED')
    expect({ code, err }).toEqual({ code: 1, err: 'There is no template unheard_of in en_US.\n' })
  })

  it('lists the templates of a project by name', async () => {
    const own = await service.project()
    for (const name of ['b', 'a']) {
      await storeTemplate(service, own, { name, components: [body('Hi.')] })
    }
    expect(await answer('template', 'list', '--project', own.id)).toEqual({
      templates: ['a', 'b'].map((name) => ({
        id: expect.any(String),
        name,
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        rejection_reason: null,
      })),
    })
  })

  it('fetches the templates from the sandbox now', async () => {
    const own = await service.project()
    await storeTemplate(service, own, { name: 'gone_there', components: [body('Hi.')] })
    expect(await answer('template', 'sync', '--project', own.id)).toEqual({
      added: 0,
      changed: 0,
      removed: 1,
    })
    const { code } = await run('template', 'sync', '--project', 'nobody')
    expect(code).toBe(1)
  })
})
