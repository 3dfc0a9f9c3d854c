import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import { statement } from '../../core/sql.ts'
import { storedMedium, storeMedium } from '../support/media.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { body, buttons, header, setTemplateStatus, storeTemplate } from '../support/templates.ts'

const PHONE = '+15550001234'
const QUICK = { type: 'QUICK_REPLY', text: 'Yes' }
const SITE = { type: 'URL', text: 'Home', url: 'https://a.example/' }
const TRACK = { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}' }

const withoutTriggers = statement(
  'test-without-triggers',
  'SET LOCAL session_replication_role = replica',
)
const approve = statement(
  'test-approve-template',
  `UPDATE templates SET status = 'APPROVED' WHERE project_id = $1 AND name = $2`,
)

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  await storeMedium(service, project)
  const store = (name: string, ...components: object[]) =>
    storeTemplate(service, project, { name, components })
  await store('plain', body('Hi.'))
  await store('two', body('{{1}} and {{2}}'))
  await store('headed', header('TEXT', 'Order {{1}}'), body('Hi.'))
  await store('pictured', header('IMAGE'), body('Hi.'))
  await store('filed', header('DOCUMENT'), body('Hi.'))
  await store('placed', header('LOCATION'), body('Hi.'))
  await store('buttoned', body('Hi.'), buttons(QUICK, SITE, TRACK, { type: 'COPY_CODE' }))
  await store('swiped', body('Hi.'), { type: 'CAROUSEL', cards: [] })
  await store('coded', body('{{1}}'), buttons({ type: 'OTP' }))
})
afterAll(() => service.stop())

const request = (name: string, more: object = {}) => ({
  type: 'template' as const,
  phone: PHONE,
  template_name: name,
  language: 'en_US',
  ...more,
})
const send = (name: string, more: object = {}) =>
  project.client.ok('sendMessage', { body: request(name, more) })

/** Who they are; the statuses of earlier sends may yet tell more of each of them. */
const contactsOf = async (by: TestProject) =>
  (await by.client.ok('listContacts')).contacts.map((contact) => contact.id)

/** Refused with the code before the channel hears of it, and without a contact being made. */
async function refused(code: ErrorCode, name: string, more: object = {}, by = project) {
  const { length } = service.sandbox.requests
  const before = await contactsOf(by)
  const refusal = await by.client.refused('sendMessage', code, { body: request(name, more) })
  expect(service.sandbox.requests).toHaveLength(length)
  expect(await contactsOf(by)).toEqual(before)
  return refusal
}

describe('a template is named', () => {
  it.each([{ template_name: undefined }, { template_name: '' }])(
    'by its name, or missing_template_name is answered: %j',
    async (more) => {
      expect((await refused('missing_template_name', 'plain', more)).status).toBe(400)
    },
  )

  it.each([{ language: undefined }, { language: '' }])(
    'with its language, or missing_language is answered: %j',
    async (more) => {
      expect((await refused('missing_language', 'plain', more)).status).toBe(400)
    },
  )

  it.each([{ template_name: null }, { language: 7 }, { template_name: 'a'.repeat(513) }])(
    'by texts of its length, or invalid_request is answered: %j',
    async (more) => {
      await refused('invalid_request', 'plain', more)
    },
  )

  it('exactly, or template_not_found is answered', async () => {
    await storeTemplate(service, await service.project(), {
      name: 'foreign',
      components: [body('Hi.')],
    })
    for (const name of ['unknown', 'foreign', 'PLAIN', 'plain ', '%']) {
      expect((await refused('template_not_found', name)).status).toBe(404)
    }
    for (const language of ['en', 'en_GB', 'EN_US', 'x', 'a'.repeat(15)]) {
      await refused('template_not_found', 'plain', { language })
    }
  })

  it('and may exist once in each language', async () => {
    const spanish = { name: 'plain', language: 'es', components: [body('Hola {{1}}.')] }
    await storeTemplate(service, project, spanish)
    await send('plain')
    await send('plain', { language: 'es', variables: ['Ana'] })
    await refused('template_variable_mismatch', 'plain', { language: 'es' })
  })
})

describe('a template', () => {
  const statuses = ['PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'PENDING_DELETION']
  it.each(statuses)('that is %s answers template_not_approved', async (status) => {
    const name = `is_${status.toLowerCase()}`
    await storeTemplate(service, project, { name, status, components: [body('Hi.')] })
    const refusal = await refused('template_not_approved', name)
    expect(refusal).toMatchObject({ status: 409, details: { status } })
  })

  it('whose status changes is sent, or not, from the very next request on', async () => {
    const parts = { name: 'changing', status: 'PENDING', components: [body('Hi.')] }
    const id = await storeTemplate(service, project, parts)
    await refused('template_not_approved', 'changing')
    for (const status of ['APPROVED', 'PAUSED', 'APPROVED', 'DISABLED']) {
      await setTemplateStatus(service, project, id, status)
      if (status === 'APPROVED') await send('changing')
      else await refused('template_not_approved', 'changing')
    }
  })

  it('that is approved is sent, though nobody has told of the change yet', async () => {
    const parts = { name: 'unheard', status: 'PENDING', components: [body('Hi.')] }
    await storeTemplate(service, project, parts)
    await refused('template_not_approved', 'unheard')
    await service.ctx.sql.transaction(async (tx) => {
      await tx.rows(withoutTriggers)
      await tx.rows(approve, [project.id, 'unheard'])
    })
    await send('unheard')
  })

  it('that is stored, or forgotten, counts from the very next request on', async () => {
    await refused('template_not_found', 'late')
    await storeTemplate(service, project, { name: 'late', components: [body('Hi.')] })
    await send('late')
    await service.ctx.db.template.deleteMany({ where: { name: 'late' } })
    await refused('template_not_found', 'late')
  })
})

describe('template_variable_mismatch tells what was expected, missing and unexpected', () => {
  type Told = { expected: string[]; missing: string[]; unexpected: string[] }
  const told = (expected: string[], missing: string[], unexpected: string[]): Told => ({
    expected,
    missing,
    unexpected,
  })

  it.each<[string, unknown, Told]>([
    ['two', undefined, told(['1', '2'], ['1', '2'], [])],
    ['two', { 1: 'a' }, told(['1', '2'], ['2'], [])],
    ['two', ['a'], told(['1', '2'], ['2'], [])],
    ['two', ['a', 'b', 'c'], told(['1', '2'], [], ['3'])],
    ['two', { 1: 'a', first: 'b' }, told(['1', '2'], ['2'], ['first'])],
    ['plain', { 1: 'a' }, told([], [], ['1'])],
    ['plain', ['a'], told([], [], ['1'])],
  ])('of the body of "%s" with %j', async (name, variables, expected) => {
    const { status, details } = await refused('template_variable_mismatch', name, { variables })
    expect({ status, details }).toEqual({
      status: 400,
      details: { component: 'body', ...expected },
    })
  })

  const image = { media_url: 'https://a.example/i.jpg' }
  it.each<[string, object | undefined, Told]>([
    ['headed', undefined, told(['1'], ['1'], [])],
    ['headed', image, told(['1'], ['1'], ['media'])],
    ['headed', { text: '1', ...image }, told(['1'], [], ['media'])],
    ['plain', { text: '1' }, told([], [], ['text'])],
    ['plain', image, told([], [], ['media'])],
    ['plain', { filename: 'a.pdf' }, told([], [], ['filename'])],
    ['pictured', { text: '1', ...image }, told(['image'], [], ['text'])],
    ['pictured', { filename: 'a.jpg', ...image }, told(['image'], [], ['filename'])],
    ['pictured', { text: '1' }, told(['image'], ['image'], ['text'])],
    ['pictured', { filename: 'a.jpg' }, told(['image'], ['image'], ['filename'])],
    ['placed', undefined, told(['location'], ['location'], [])],
  ])('of the header of "%s" with %j', async (name, given, expected) => {
    const { details } = await refused('template_variable_mismatch', name, { header: given })
    expect(details).toEqual({ component: 'header', ...expected })
  })

  const at = (...places: number[]) => places.map((index) => ({ index, value: 'a' }))
  it.each<[string, object[] | undefined, Told]>([
    ['buttoned', undefined, told(['2', '3'], ['2', '3'], [])],
    ['buttoned', at(0, 2), told(['2', '3'], ['3'], [])],
    ['buttoned', at(1, 2, 3), told(['2', '3'], [], ['1'])],
    ['buttoned', at(2, 3, 9), told(['2', '3'], [], ['9'])],
    ['plain', at(0), told([], [], ['0'])],
  ])('of the buttons of "%s" with %j', async (name, given, expected) => {
    const { details } = await refused('template_variable_mismatch', name, { buttons: given })
    expect(details).toEqual({ component: 'buttons', ...expected })
  })

  it('also of the button of a one-time code, which takes the code from the body', async () => {
    await send('coded', { variables: ['123456'] })
    const more = { variables: ['123456'], buttons: at(0) }
    const { details } = await refused('template_variable_mismatch', 'coded', more)
    expect(details).toEqual({ component: 'buttons', ...told([], [], ['0']) })
  })
})

describe('a template with a part that no send can fill', () => {
  it('is refused rather than sent without it', async () => {
    const { status, details } = await refused('template_variable_mismatch', 'swiped')
    expect(status).toBe(400)
    expect(details).toMatchObject({ component: 'carousel', missing: ['carousel'] })
  })
})

describe('the media header of a template', () => {
  const { slug } = storedMedium
  const link = 'https://a.example/i.jpg'

  it.each([undefined, { filename: 'a.pdf' }, { media_slug: slug, media_url: link }])(
    'answers missing_media unless exactly one source is named: %j',
    async (given) => {
      expect((await refused('missing_media', 'filed', { header: given })).status).toBe(400)
    },
  )

  it('answers media_not_found and MEDIA_EXPIRED as a medium does', async () => {
    const ended = { mediaId: '99', expiresAt: service.ctx.now() }
    await storeMedium(service, project, { kind: 'image', slug: 'gone', ...ended })
    await refused('media_not_found', 'pictured', { header: { media_slug: 'unknown' } })
    await refused('MEDIA_EXPIRED', 'pictured', { header: { media_slug: 'gone' } })
    await refused('MEDIA_EXPIRED', 'pictured', { header: { media_id: '99' } })
  })

  it('answers invalid_request when the medium is of another kind', async () => {
    const { details } = await refused('invalid_request', 'pictured', {
      header: { media_slug: slug },
    })
    const message = expect.stringContaining('document')
    expect(details.errors).toEqual([{ path: 'header.media_slug', message }])
  })
})

describe('the values of a template', () => {
  it.each(['a\nb', 'a\rb', 'a\tb', 'a     b'])(
    'are refused as invalid_request when they are %j, which the channel does not take',
    async (value) => {
      const track = {
        buttons: [
          { index: 3, value: 'a' },
          { index: 2, value },
        ],
      }
      const body = await refused('invalid_request', 'two', { variables: ['a', value] })
      const text = await refused('invalid_request', 'headed', { header: { text: value } })
      const button = await refused('invalid_request', 'buttoned', track)
      expect([body, text, button].map(({ details }) => details.errors)).toMatchObject([
        [{ path: 'variables.2' }],
        [{ path: 'header.text' }],
        [{ path: 'buttons.1.value' }],
      ])
    },
  )

  it('may have four spaces, braces, emoji and up to 1,024 characters', async () => {
    await send('two', { variables: ['a    b', '{{1}} 😀'] })
    await send('two', { variables: ['é'.repeat(1_024), 'b'] })
    await refused('invalid_request', 'two', { variables: ['é'.repeat(1_025), 'b'] })
  })

  it('are refused as invalid_request when a coupon code is longer than the channel takes', async () => {
    const given = (code: string) => ({
      buttons: [
        { index: 2, value: 'a' },
        { index: 3, value: code },
      ],
    })
    await send('buttoned', given('é'.repeat(20)))
    const { details } = await refused('invalid_request', 'buttoned', given('é'.repeat(21)))
    const message = 'must have at most 20 characters'
    expect(details.errors).toEqual([{ path: 'buttons.1.value', message }])
  })

  it.each<[string, object]>([
    ['two', { variables: ['', 'b'] }],
    ['two', { variables: { 1: 'a', 2: 7 } }],
    ['two', { variables: 'a' }],
    ['two', { variables: null }],
    ['headed', { header: { text: '' } }],
    ['headed', { header: { text: 'a'.repeat(61) } }],
    ['headed', { header: {} }],
    ['pictured', { header: { media_url: 'http://a.example/i.jpg' } }],
    ['buttoned', { buttons: [{ index: 10, value: 'a' }] }],
    ['buttoned', { buttons: [{ index: -1, value: 'a' }] }],
    ['buttoned', { buttons: [{ index: 2, value: '' }] }],
    ['buttoned', { buttons: [{ index: 2, value: 'a'.repeat(2_001) }] }],
    ['buttoned', { buttons: [2, 2, 3].map((index) => ({ index, value: 'a' })) }],
  ])('must fit the contract: "%s" refuses %j', async (name, more) => {
    await refused('invalid_request', name, more)
  })

  it('answer too_many_buttons for more than ten', async () => {
    const all = Array.from({ length: 11 }, () => ({ index: 0, value: 'a' }))
    await refused('too_many_buttons', 'buttoned', { buttons: all })
  })
})
