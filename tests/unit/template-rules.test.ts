import { describe, expect, it } from '@jest/globals'
import { TEMPLATE_LANGUAGES } from '../../core/template-languages.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'
import {
  body,
  call,
  codeBody,
  codeButtons,
  faultsOf,
  flow,
  footer,
  hello,
  NAMED,
  namedBody,
  oneTime,
  otp,
  type Parts,
  pathsOf,
  reply,
  text,
  url,
  withButtons,
} from '../support/template-drafts.ts'

const app = { package_name: 'org.example.app', signature_hash: 'K8a/AINcGX7' }
const good: [string, Parts][] = [
  ['variables in a row, used twice', { components: [body('A {{2}}, {{1}}, {{2}}.', 'x', 'y')] }],
  ['named variables', { ...NAMED, components: [namedBody('Hi {{first_name}}!', 'first_name')] }],
  [
    'a named header',
    {
      ...NAMED,
      components: [
        text('For {{who}}', { header_text_named_params: [{ param_name: 'who', example: 'A' }] }),
        hello,
      ],
    },
  ],
  ['underscores within words', { components: [text('order_id_number: 2 * 3'), hello] }],
  ['replies before the others', withButtons(reply(), reply('No'), url('https://a.example'))],
  [
    'replies after the others',
    withButtons(url('https://a.example'), call('+15550001234'), reply()),
  ],
  ['a variable at the end of an address', withButtons(url('https://a.example/{{1}}', 'x'))],
  ['a flow by its JSON', withButtons(flow({ flow_json: '{}', navigate_screen: 'A' }))],
  ['a place', { components: [{ type: 'HEADER', format: 'LOCATION' } as never, hello] }],
  ['a one-time code', oneTime(codeBody, codeButtons(otp({ otp_type: 'COPY_CODE', text: 'Copy' })))],
  [
    'a one-time code for an app',
    oneTime(codeBody, codeButtons(otp({ otp_type: 'ONE_TAP', supported_apps: [app] }))),
  ],
]

const header = (format: string, more: object = {}): Parts => ({
  components: [{ type: 'HEADER', format, ...more } as never, hello],
})
const bad: [string, Parts, string][] = [
  ['an unknown language', { language: 'en-US' }, 'language'],
  ['no body', { components: [footer('Bye')] }, 'components'],
  ['two bodies', { components: [hello, hello] }, 'components'],
  ['two footers', { components: [hello, footer('a'), footer('b')] }, 'components'],
  ['an empty body', { components: [body('  ')] }, 'components.0.text'],
  ['a body without text', { components: [{ type: 'BODY' }] }, 'components.0.text'],
  ['a variable at the start', { components: [body('{{1}} hi', 'x')] }, 'components.0.text'],
  ['a variable at the end', { components: [body('Hi {{1}} ', 'x')] }, 'components.0.text'],
  [
    'variables side by side',
    { components: [body('a {{1}}{{2}} b', 'x', 'y')] },
    'components.0.text',
  ],
  [
    'variables with a gap only',
    { components: [body('a {{1}} {{2}} b', 'x', 'y')] },
    'components.0.text',
  ],
  ['a number left out', { components: [body('a {{1}} b {{3}} c', 'x', 'y')] }, 'components.0.text'],
  ['numbers from zero', { components: [body('a {{0}} b', 'x')] }, 'components.0.text'],
  [
    'a name among numbers',
    { components: [body('a {{1}} b {{name}} c', 'x', 'y')] },
    'components.0.text',
  ],
  [
    'a number among names',
    { ...NAMED, components: [namedBody('a {{1}} b', '1')] },
    'components.0.text',
  ],
  [
    'capitals in a name',
    { ...NAMED, components: [namedBody('a {{Name}} b', 'Name')] },
    'components.0.text',
  ],
  ['a sign in a name', { ...NAMED, components: [namedBody('a {{na#me}} b')] }, 'components.0.text'],
  [
    'a name twice',
    { ...NAMED, components: [namedBody('a {{n}} b {{n}} c', 'n')] },
    'components.0.text',
  ],
  ['braces without end', { components: [body('a {{1} b')] }, 'components.0.text'],
  ['empty braces', { components: [body('a {{}} b', 'x')] }, 'components.0.text'],
  ['no example', { components: [body('a {{1}} b')] }, 'components.0.example.body_text'],
  [
    'too few examples',
    { components: [body('a {{1}} b {{2}} c', 'x')] },
    'components.0.example.body_text.0',
  ],
  [
    'too many examples',
    { components: [body('a {{1}} b', 'x', 'y')] },
    'components.0.example.body_text.0',
  ],
  [
    'an empty example',
    { components: [body('a {{1}} b', ' ')] },
    'components.0.example.body_text.0.0',
  ],
  [
    'an example of no variable',
    { ...NAMED, components: [namedBody('a {{n}} b', 'n', 'm')] },
    'components.0.example.body_text_named_params.1.param_name',
  ],
  [
    'a named variable without example',
    { ...NAMED, components: [namedBody('a {{n}} b')] },
    'components.0.example.body_text_named_params',
  ],
  [
    'positional examples of named variables',
    { ...NAMED, components: [body('a {{n}} b', 'x')] },
    'components.0.example.body_text',
  ],
  ['a header of no format', { components: [{ type: 'HEADER' }, hello] }, 'components.0.format'],
  ['a row without buttons', { components: [hello, { type: 'BUTTONS' }] }, 'components.1.buttons'],
  [
    'a one-time button of no kind',
    oneTime(codeBody, codeButtons({ type: 'OTP' })),
    'components.1.buttons.0.otp_type',
  ],
  ['a header without text', header('TEXT'), 'components.0.text'],
  ['a header over two lines', header('TEXT', { text: 'a\nb' }), 'components.0.text'],
  ['a bold header', header('TEXT', { text: 'a *bold* word' }), 'components.0.text'],
  [
    'a header variable without example',
    header('TEXT', { text: 'a {{1}}' }),
    'components.0.example.header_text',
  ],
  ['an image without handle', header('IMAGE'), 'components.0.example.header_handle'],
  [
    'a video without handle',
    header('VIDEO', { example: {} }),
    'components.0.example.header_handle',
  ],
  [
    'a document with two handles',
    header('DOCUMENT', { example: { header_handle: ['a', 'b'] } }),
    'components.0.example.header_handle',
  ],
  [
    'an empty handle',
    header('IMAGE', { example: { header_handle: [''] } }),
    'components.0.example.header_handle',
  ],
  ['a text beside a medium', header('IMAGE', { text: 'a' }), 'components.0.text'],
  ['an example of a place', header('LOCATION', { example: {} }), 'components.0.example'],
  ['a variable in the footer', { components: [hello, footer('a {{1}}')] }, 'components.1.text'],
  [
    'a member of another component',
    { components: [{ ...hello, buttons: [] } as never] },
    'components.0.buttons',
  ],
  ['no button in the row', withButtons(), 'components.1.buttons'],
  [
    'replies on both sides',
    withButtons(reply(), url('https://a.example'), reply()),
    'components.1.buttons',
  ],
  [
    'replies in the middle',
    withButtons(url('https://a.example'), reply(), call('+15550001234')),
    'components.1.buttons',
  ],
  ['a button without label', withButtons({ type: 'QUICK_REPLY' }), 'components.1.buttons.0.text'],
  ['a variable in a label', withButtons(reply('{{1}}')), 'components.1.buttons.0.text'],
  ['a link without address', withButtons({ type: 'URL', text: 'a' }), 'components.1.buttons.0.url'],
  ['a link to no page', withButtons(url('mailto:a@a.example')), 'components.1.buttons.0.url'],
  ['a link to wa.me', withButtons(url('https://wa.me/15550001234')), 'components.1.buttons.0.url'],
  [
    'a variable within an address',
    withButtons(url('https://a.example/{{1}}/b', 'x')),
    'components.1.buttons.0.url',
  ],
  [
    'another variable in an address',
    withButtons(url('https://a.example/{{2}}', 'x')),
    'components.1.buttons.0.url',
  ],
  [
    'an address without example',
    withButtons(url('https://a.example/{{1}}')),
    'components.1.buttons.0.example',
  ],
  ['a number without country', withButtons(call('12345')), 'components.1.buttons.0.phone_number'],
  ['a code without example', withButtons({ type: 'COPY_CODE' }), 'components.1.buttons.0.example'],
  ['a flow without name', withButtons(flow({})), 'components.1.buttons.0'],
  [
    'a flow with two names',
    withButtons(flow({ flow_id: '1', flow_name: 'a' })),
    'components.1.buttons.0',
  ],
  [
    'a screen of an endpoint',
    withButtons(flow({ flow_id: '1', flow_action: 'data_exchange', navigate_screen: 'A' })),
    'components.1.buttons.0.navigate_screen',
  ],
  [
    'a member of another button',
    withButtons({ ...reply(), url: 'x' }),
    'components.1.buttons.0.url',
  ],
  ['a one-time button elsewhere', withButtons(otp()), 'components.1.buttons.0.type'],
  [
    'a security note elsewhere',
    { components: [{ ...hello, add_security_recommendation: true }] },
    'components.0.add_security_recommendation',
  ],
  [
    'an expiry elsewhere',
    { components: [hello, { ...(footer('a') as object), code_expiration_minutes: 5 } as never] },
    'components.1.code_expiration_minutes',
  ],
  ['a one-time code without button', oneTime(codeBody), 'components'],
  ['a one-time code with a text', oneTime(hello, codeButtons(otp())), 'components.0.text'],
  [
    'a one-time code with a header',
    oneTime({ type: 'HEADER', format: 'LOCATION' }, codeBody, codeButtons(otp())),
    'components.0',
  ],
  ['a one-time code with a reply', oneTime(codeBody, codeButtons(reply())), 'components.1.buttons'],
  ['two one-time buttons', oneTime(codeBody, codeButtons(otp(), otp())), 'components.1.buttons'],
  [
    'a footer text of a one-time code',
    oneTime(codeBody, { type: 'FOOTER', text: 'a' }, codeButtons(otp())),
    'components.1.text',
  ],
  [
    'an app button without app',
    oneTime(codeBody, codeButtons(otp({ otp_type: 'ONE_TAP' }))),
    'components.1.buttons.0.supported_apps',
  ],
  [
    'a zero-tap button without consent',
    oneTime(codeBody, codeButtons(otp({ otp_type: 'ZERO_TAP', supported_apps: [app] }))),
    'components.1.buttons.0.zero_tap_terms_accepted',
  ],
]

describe('a template', () => {
  it.each(good)('may have %s', (_what, parts) => {
    expect(faultsOf(parts)).toEqual([])
  })

  it.each(bad)('may not have %s', (_what, parts, path) => {
    expect(pathsOf(parts)).toContain(path)
    for (const { message } of faultsOf(parts)) expect(message).toMatch(/^[a-z].*[^.]$/)
  })

  it.each(['1st_name', '1', 'n'.repeat(65)])('says what the name %s offends against', (name) => {
    const [fault] = faultsOf({ ...NAMED, components: [namedBody(`a {{${name}}} b`, name)] })
    expect(fault?.message).toMatch(/up to 64 lower-case .* not beginning with a digit/)
  })

  it('is told of every fault at once, and of fifty at the most', () => {
    const many = withButtons(...Array.from({ length: 100 }, () => reply('x'.repeat(30))))
    const parts = { language: 'xx', components: [body('{{1}}'), footer('{{1}}')] }

    expect(pathsOf(parts)).toEqual([
      'language',
      'components.0.text',
      'components.0.example.body_text',
      'components.1.text',
    ])
    expect(faultsOf(many)).toHaveLength(50)
  })

  it.each(['{{', '}} ', '*a', '{{1}}', ' '])(
    'is read in time in proportion to its length, also if it is %j over and over',
    async (part) => {
      const growth = await growthOf(5_000, (times) => {
        const value = part.repeat(times)
        return () => {
          faultsOf({ components: [text(value), body(value), footer(value)] })
          faultsOf(withButtons(url(value), call(value)))
        }
      })
      expect(growth).toBeLessThan(LINEAR_MOST)
    },
  )
})

describe('the languages', () => {
  it('are the codes that the channel lists, with underscores', () => {
    for (const language of ['en', 'en_US', 'es_MX', 'pt_BR', 'zh_CN', 'prs_AF', 'zu']) {
      expect(TEMPLATE_LANGUAGES.has(language)).toBe(true)
    }
    for (const language of TEMPLATE_LANGUAGES) expect(language).toMatch(/^[a-z]{2,3}(_[A-Z]{2})?$/)
  })
})
