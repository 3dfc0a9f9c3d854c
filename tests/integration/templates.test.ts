import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isoMedia, png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, buttons, header, storeTemplate } from '../support/templates.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const greeting = { type: 'BODY' as const, text: 'Hello.' }
const draft = (name: string, more: object = {}) => ({
  name,
  language: 'en_US',
  category: 'UTILITY' as const,
  components: [greeting],
  ...more,
})
const create = async (name: string, more: object = {}, by = project) =>
  (await by.client.ok('createTemplate', { body: draft(name, more) })).template
const statusOf = async (id: string, by = project) =>
  (await by.client.ok('getTemplate', { path: { id } })).template.status
const inSandbox = (name: string) => service.ctx.db.sandboxTemplate.findMany({ where: { name } })

describe('a template', () => {
  it('is created in review, shown as it was asked for, and approved by the channel', async () => {
    const components = [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
      { ...body('Hello {{1}}, see {{2}}.'), example: { body_text: [['Ana', 'it']] } },
      { type: 'FOOTER', text: 'Bye' },
      buttons({ type: 'QUICK_REPLY', text: 'Thanks' }),
    ]
    const created = await create('whole', { components })

    expect(created).toMatchObject({ name: 'whole', language: 'en_US', category: 'UTILITY' })
    expect(created).toMatchObject({ parameter_format: 'POSITIONAL', rejection_reason: null })
    expect(created.components).toEqual(components)
    expect(created.created_at).toBe(service.ctx.now().toISOString())
    await service.sandbox.idle()
    expect(await project.client.ok('getTemplate', { path: { id: created.id } })).toEqual({
      template: { ...created, status: 'APPROVED', updated_at: service.ctx.now().toISOString() },
    })
    expect(await inSandbox('whole')).toMatchObject([{ status: 'APPROVED', components }])
  })

  it('is rejected with the reason that the channel gives', async () => {
    const { id } = await create('to_reject')
    await service.sandbox.idle()

    const { template } = await project.client.ok('getTemplate', { path: { id } })
    expect(template).toMatchObject({ status: 'REJECTED', rejection_reason: 'INVALID_FORMAT' })
  })

  it('is in the category that the channel answers, whatever was asked for', async () => {
    expect((await create('recat_offer')).category).toBe('MARKETING')
  })

  it('can be sent as soon as it is approved', async () => {
    await create('sendable', {
      components: [{ ...body('Hi {{1}}.'), example: { body_text: [['A']] } }],
    })
    await service.sandbox.idle()

    const send = { type: 'template' as const, phone: '+15550001234', template_name: 'sendable' }
    const { status } = await project.client.ok('sendMessage', {
      body: { ...send, language: 'en_US', variables: ['Ana'] },
    })
    expect(status).toBe('sent')
  })

  it('exists once in each language, and in other projects', async () => {
    await create('once')
    await service.sandbox.idle()
    const before = await inSandbox('once')
    const refusal = await project.client.refused('createTemplate', 'template_exists', {
      body: draft('once'),
    })
    expect(refusal.status).toBe(409)
    expect(await inSandbox('once')).toEqual(before)
    await create('once', { language: 'es' })
    await create('once', {}, await service.project())
  })

  it('is created once by requests at the same time, and nothing is left over', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        project.client.send('createTemplate', { body: draft('contested') }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await inSandbox('contested')).toHaveLength(1)
    const query = { name: 'contested' }
    expect((await project.client.ok('listTemplates', { query })).templates).toHaveLength(1)
  })

  it('whose verdict comes before its creation is recorded has that verdict', async () => {
    const parked = { projectId: project.id, name: 'swift', language: 'en_US' }
    const at = service.ctx.now()
    await service.ctx.db.parkedTemplateStatus.create({
      data: { ...parked, status: 'APPROVED', at, receivedAt: at },
    })
    expect((await create('swift')).status).toBe('APPROVED')
    expect(await service.ctx.db.parkedTemplateStatus.count({ where: parked })).toBe(0)
  })

  it('has no verdict of the one that had its name before', async () => {
    const former = { projectId: project.id, name: 'renewed', language: 'en_US', templateId: '123' }
    const at = service.ctx.now()
    await service.ctx.db.parkedTemplateStatus.create({
      data: { ...former, status: 'APPROVED', at, receivedAt: at },
    })
    expect((await create('renewed')).status).toBe('PENDING')
    expect(await service.ctx.db.parkedTemplateStatus.count({ where: former })).toBe(0)
  })
})

const ONE_OF = 'must be equal to one of the allowed values:'

describe('a template that breaks the rules', () => {
  it('is refused with every fault, and the channel does not hear of it', async () => {
    const components = [body('{{1}}'), { type: 'FOOTER', text: 'x'.repeat(61) }]
    const { status, details } = await project.client.refused('createTemplate', 'invalid_request', {
      body: draft('faulty', { language: 'xx', components }),
    })
    expect(status).toBe(400)
    expect(details.errors).toEqual([
      { path: 'language', message: expect.stringContaining('en_US') },
      { path: 'components.0.text', message: expect.stringContaining('start nor end') },
      { path: 'components.0.example.body_text', message: expect.stringContaining('one example') },
      { path: 'components.1.text', message: expect.stringContaining('60 characters') },
    ])
    expect(await inSandbox('faulty')).toEqual([])
  })

  it.each<[string, object, object[]]>([
    ['a name with capitals', { name: 'Hello' }, [{ path: 'name' }]],
    ['a name that is too long', { name: 'a'.repeat(513) }, [{ path: 'name' }]],
    ['no components', { components: [] }, [{ path: 'components' }]],
    ['an unknown category', { category: 'OFFER' }, [{ path: 'category' }]],
    ['an unknown member', { allow_category_change: true }, [{ path: 'allow_category_change' }]],
    ['a component of no kind', { components: [{}] }, [{ path: 'components.0.type' }]],
    ['a component that is none', { components: [1] }, [{ path: 'components.0' }]],
    [
      'an unknown kind of component',
      { components: [greeting, { type: 'CAROUSEL' }] },
      [
        {
          path: 'components.1.type',
          message: `${ONE_OF} HEADER, BODY, FOOTER, BUTTONS`,
        },
      ],
    ],
    [
      'an unknown kind of button',
      { components: [greeting, buttons({ type: 'CATALOG' })] },
      [
        {
          path: 'components.1.buttons.0.type',
          message: `${ONE_OF} QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW, OTP`,
        },
      ],
    ],
    [
      'a number for a text',
      { components: [{ type: 'BODY', text: 5 }] },
      [{ path: 'components.0.text', message: 'must be string' }],
    ],
    [
      'two faults of one button',
      {
        components: [
          greeting,
          buttons({ type: 'QUICK_REPLY' }, { type: 'URL', text: 'a', url: 'b' }),
        ],
      },
      [{ path: 'components.1.buttons.0.text' }, { path: 'components.1.buttons.1.url' }],
    ],
  ])('such as %s is told where', async (_what, more, errors) => {
    const { details } = await project.client.refused('createTemplate', 'invalid_request', {
      body: draft('faulty', more),
    })
    const paths = errors.map((error) => expect.objectContaining(error))
    expect(details.errors).toEqual(paths)
  })
})

describe('the header of a medium', () => {
  const SAMPLES = {
    IMAGE: { bytes: png(), filename: 'a.png', mime: 'image/png' },
    VIDEO: { bytes: isoMedia('isom', ['vide']), filename: 'a.mp4', mime: 'video/mp4' },
  }
  const keep = async (format: keyof typeof SAMPLES = 'IMAGE', by = project) => {
    const { bytes, ...named } = SAMPLES[format]
    const sample = { format, data: bytes.toString('base64'), ...named }
    return (await by.client.ok('uploadHeaderSample', { body: sample })).handle
  }
  const pictured = (handle: string) => ({
    components: [{ ...header('IMAGE'), example: { header_handle: [handle] } }, greeting],
  })
  const refused = (name: string, handle: string) =>
    project.client.refused('createTemplate', 'invalid_request', {
      body: draft(name, pictured(handle)),
    })

  it("goes to the channel with the channel's own handle, which nobody else sees", async () => {
    const handle = await keep()
    const created = await create('pictured', pictured(handle))

    expect(created.components).toEqual(pictured(handle).components)
    const [kept] = await inSandbox('pictured')
    expect(kept?.components).toMatchObject([
      { example: { header_handle: [expect.stringMatching(/^4::.*:ARb/)] } },
      greeting,
    ])
    expect(JSON.stringify(kept?.components)).not.toContain(handle)
  })

  it('takes a handle once', async () => {
    const handle = await keep()
    await create('pictured_once', pictured(handle))
    const { details } = await refused('pictured_twice', handle)
    expect(details.errors).toMatchObject([{ path: 'components.0.example.header_handle.0' }])
  })

  it('takes no handle of another project, of another format or of nobody, and no media id', async () => {
    const foreign = await keep('IMAGE', await service.project())
    for (const handle of [foreign, await keep('VIDEO'), 'hs_never', '1013859600285441']) {
      await refused('unpictured', handle)
    }
    expect(await inSandbox('unpictured')).toEqual([])
  })

  it('gives the handle back when the channel refuses the template', async () => {
    const handle = await keep()
    const body = draft('hello_world', pictured(handle)) as never
    await project.client.refused('createTemplate', 'invalid_template', { body })
    await create('pictured_again', pictured(handle))
  })
})

describe('the list of templates', () => {
  it('is of the project alone, the newest first, page by page', async () => {
    const own = await service.project()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.unshift((await create(`listed_${name}`, {}, own)).id)
      service.advance(1_000)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await own.client.ok('listTemplates', { query })
      seen.push(...page.templates.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(ids)
  })

  it('pages through templates of the same instant without loss', async () => {
    const own = await service.project()
    const names = ['a', 'b', 'c', 'd', 'e']
    const ids = await Promise.all(
      names.map((name) => storeTemplate(service, own, { name, components: [greeting] })),
    )
    await service.ctx.db.template.updateMany({
      where: { projectId: own.id },
      data: { createdAt: service.ctx.now() },
    })
    const first = await own.client.ok('listTemplates', { query: { limit: 3 } })
    const query = { limit: 3, cursor: first.nextCursor ?? '' }
    const second = await own.client.ok('listTemplates', { query })
    const seen = [...first.templates, ...second.templates].map(({ id }) => id)
    expect(seen.toSorted()).toEqual(ids.toSorted())
    await own.client.refused('listTemplates', 'invalid_cursor', { query: { ...query, name: 'a' } })
  })

  it('is filtered by name, language and status', async () => {
    const own = await service.project()
    const store = (name: string, language: string, status: string) =>
      storeTemplate(service, own, { name, language, status, components: [greeting] })
    await store('one', 'en_US', 'APPROVED')
    await store('one', 'es', 'REJECTED')
    await store('two', 'en_US', 'REJECTED')
    const found = async (query: Record<string, string>) => {
      const { templates } = await own.client.ok('listTemplates', { query })
      return templates.map(({ name, language }) => `${name} ${language}`).sort()
    }
    expect(await found({ name: 'one' })).toEqual(['one en_US', 'one es'])
    expect(await found({ language: 'en_US' })).toEqual(['one en_US', 'two en_US'])
    expect(await found({ status: 'REJECTED' })).toEqual(['one es', 'two en_US'])
    expect(await found({ status: 'REJECTED', name: 'two' })).toEqual(['two en_US'])
    expect(await found({ name: 'on%' })).toEqual([])
    const wrong = { query: { status: 'approved' as never } }
    await own.client.refused('listTemplates', 'bad_request', wrong)
  })
})

describe('the deletion of a template', () => {
  it('is at the channel and here, in this one language', async () => {
    const [english, spanish] = [
      await create('deletable'),
      await create('deletable', { language: 'es' }),
    ]
    await service.sandbox.idle()
    const path = { id: english.id }
    expect(await project.client.ok('deleteTemplate', { path })).toEqual({ deleted: true, ...path })

    await project.client.refused('getTemplate', 'not_found', { path })
    await project.client.refused('deleteTemplate', 'not_found', { path })
    expect(await statusOf(spanish.id)).toBe('APPROVED')
    const left = await inSandbox('deletable')
    expect(left.map(({ language, status }) => `${language} ${status}`).sort()).toEqual([
      'en_US DELETED',
      'es APPROVED',
    ])
  })

  it('blocks the name of an approved one for 30 days, as the channel says', async () => {
    const { id } = await create('blocked')
    await service.sandbox.idle()
    await project.client.ok('deleteTemplate', { path: { id } })
    const refusal = await project.client.refused('createTemplate', 'invalid_template', {
      body: draft('blocked'),
    })
    expect(refusal.message).toContain('Try again in 4 weeks')
    service.advance(30 * 24 * 60 * 60 * 1000)
    await create('blocked')
  })

  it('succeeds for a template that the channel does not know any more', async () => {
    const id = await storeTemplate(service, project, {
      name: 'unknown_there',
      components: [greeting],
    })
    await project.client.ok('deleteTemplate', { path: { id } })
    await project.client.refused('getTemplate', 'not_found', { path: { id } })
  })
})
