import { describe, expect, it } from '@jest/globals'
import {
  bodyValues,
  mustFit,
  placeholdersOf,
  render,
} from '../../capabilities/templates/template-variables.ts'
import { type ServiceError } from '../../core/errors.ts'

const body = (text: string) => ({ type: 'BODY', text })
const bodyOf = (text: string) => placeholdersOf([body(text)]).body
const headerOf = (format: string, text?: string) =>
  placeholdersOf([{ type: 'HEADER', format, ...(text === undefined ? {} : { text }) }])
const buttonsOf = (...buttons: { type: string; url?: string; text?: string }[]) =>
  placeholdersOf([{ type: 'BUTTONS', buttons }]).buttons

/** The details of the mismatch that `work` throws. */
function mismatch(work: () => unknown): Record<string, unknown> {
  try {
    work()
  } catch (error) {
    expect(error).toMatchObject({ code: 'template_variable_mismatch', status: 400 })
    return (error as ServiceError).details ?? {}
  }
  throw new Error('Nothing was thrown')
}

describe('the placeholders of a body', () => {
  it.each<[string, string[]]>([
    ['Hello', []],
    ['Hi {{1}}, order {{2}}', ['1', '2']],
    ['{{2}} before {{1}}', ['1', '2']],
    ['{{10}} {{9}} {{1}}', ['1', '9', '10']],
    ['{{1}} and {{1}} again', ['1']],
    ['Hi {{ first_name }}, {{order_id}}', ['first_name', 'order_id']],
    ['{{b}} {{a}} {{b}}', ['b', 'a']],
    ['{1} {{}} {{a b}} {{a-b}} }}{{', []],
    ['{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
  ])('are told from %j', (text, names) => {
    expect(bodyOf(text)).toEqual(names)
  })

  it('are none in a template without a body', () => {
    expect(placeholdersOf([])).toEqual({
      body: [],
      bodyText: '',
      header: 'none',
      headerName: null,
      buttons: [],
      unsendable: null,
    })
  })

  it('are found beside a component that does not say what it is', () => {
    const components = [{ text: '{{1}}' }, { type: 'BODY', text: 'Hi {{2}}', buttons: [{}] }]
    expect(placeholdersOf(components)).toMatchObject({ body: ['2'], unsendable: null })
  })

  it.each([
    ['carousel', [{ type: 'carousel' }]],
    ['limited_time_offer', [{ type: 'LIMITED_TIME_OFFER' }]],
    ['gif', [{ type: 'HEADER', format: 'GIF' }]],
    ['product', [{ type: 'HEADER', format: 'Product' }]],
    ['mpm', [{ type: 'BUTTONS', buttons: [{ type: 'MPM' }] }]],
  ])('cannot be filled in a template with a %s', (unsendable, components) => {
    expect(placeholdersOf(components)).toMatchObject({ unsendable })
  })

  it('are found whatever the letter case of the components', () => {
    expect(placeholdersOf([{ type: 'body', text: '{{1}}' }]).body).toEqual(['1'])
  })
})

describe('the header', () => {
  it.each<[string, string | undefined, string, string | null]>([
    ['TEXT', 'Plain', 'none', null],
    ['TEXT', 'Order {{1}}', 'text', '1'],
    ['text', 'Order {{number}}', 'text', 'number'],
    ['IMAGE', undefined, 'image', null],
    ['Video', undefined, 'video', null],
    ['DOCUMENT', undefined, 'document', null],
    ['LOCATION', undefined, 'location', null],
  ])('of format %s and text %j asks for %s', (format, text, header, headerName) => {
    expect(headerOf(format, text)).toMatchObject({ header, headerName })
  })
})

describe('the buttons', () => {
  it('ask for a value where the channel needs one, each at its own place', () => {
    const found = buttonsOf(
      { type: 'QUICK_REPLY', text: 'Yes' },
      { type: 'PHONE_NUMBER', text: 'Call' },
      { type: 'URL', url: 'https://a.example/' },
      { type: 'URL', url: 'https://a.example/{{1}}' },
      { type: 'copy_code' },
      { type: 'FLOW', text: 'Start' },
      { type: 'VOICE_CALL', text: 'Call' },
    )
    expect(found).toEqual([
      { index: 0, subType: 'quick_reply', required: false },
      { index: 3, subType: 'url', required: true },
      { index: 4, subType: 'copy_code', required: true },
      { index: 5, subType: 'flow', required: false },
    ])
  })

  it.each([
    { type: 'OTP', text: 'Copy code' },
    { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}' },
  ])('of a one-time code ask for nothing, the code being in the body: $type', (button) => {
    const buttons = { type: 'BUTTONS', buttons: [button] }
    const bare = { type: 'BODY', add_security_recommendation: true }
    expect(placeholdersOf([bare, buttons])).toMatchObject({
      body: ['1'],
      bodyText: '*{{1}}* is your verification code.',
      buttons: [{ index: 0, subType: 'otp', required: false }],
    })
    expect(placeholdersOf([body('Code: {{1}}'), buttons]).bodyText).toBe('Code: {{1}}')
  })
})

describe('the text', () => {
  it('holds every value where its placeholder stood, and none is read as a placeholder', () => {
    expect(render('{{1}}, {{ 2 }} and {{1}}', { 1: '{{2}}', 2: '$& $1' })).toBe(
      '{{2}}, $& $1 and {{2}}',
    )
    expect(render('Hi {{toString}}', {})).toBe('Hi {{toString}}')
  })
})

describe('the values of a body', () => {
  it('may be named, or listed in order', () => {
    expect(bodyValues(['1', '2'], { 2: 'b', 1: 'a' })).toEqual({ 1: 'a', 2: 'b' })
    expect(bodyValues(['1', '2'], ['a', 'b'])).toEqual({ 1: 'a', 2: 'b' })
    expect(bodyValues(['b', 'a'], ['x', 'y'])).toEqual({ b: 'x', a: 'y' })
    expect(bodyValues([], undefined)).toEqual({})
    expect(bodyValues([], [])).toEqual({})
  })

  it.each<[string[], Record<string, string> | string[] | undefined, string[], string[]]>([
    [['1', '2'], undefined, ['1', '2'], []],
    [['1', '2'], { 1: 'a' }, ['2'], []],
    [['1', '2'], ['a'], ['2'], []],
    [['1'], { 1: 'a', 2: 'b' }, [], ['2']],
    [['1'], ['a', 'b', 'c'], [], ['2', '3']],
    [['1', '3'], ['a', 'b', 'c'], [], ['3']],
    [[], { toString: 'a' }, [], ['toString']],
    [['toString'], {}, ['toString'], []],
    [['name'], { Name: 'a' }, ['name'], ['Name']],
    [['name'], { 1: 'a' }, ['name'], ['1']],
  ])('for %j may not be %j', (expected, given, missing, unexpected) => {
    expect(mismatch(() => bodyValues(expected, given))).toEqual({
      component: 'body',
      expected,
      missing,
      unexpected,
    })
  })

  it('keep a placeholder that is called like a member of every object', () => {
    const values = bodyValues(
      ['__proto__'],
      JSON.parse('{"__proto__":"a"}') as Record<string, string>,
    )
    expect(render('{{__proto__}}', values)).toBe('a')
    expect(render('{{__proto__}}', bodyValues(['__proto__'], ['b']))).toBe('b')
  })
})

describe('a mismatch', () => {
  it('says in one sentence what is missing and what is too much', () => {
    const mismatch = { missing: ['0'], unexpected: ['4', '5'] }
    expect(() => mustFit('body', ['0'], mismatch)).toThrow(
      "The template's body lacks a value for 0 and has no place for 4, 5.",
    )
    expect(() => mustFit('buttons', ['0'], mismatch)).toThrow(
      "The template's buttons lack a value for 0 and have no place for 4, 5.",
    )
  })
})
