import { describe, expect, it } from '@jest/globals'
import {
  body,
  call,
  code,
  codeBody,
  codeButtons,
  faultsOf,
  flow,
  footer,
  hello,
  oneTime,
  otp,
  type Parts,
  pathsOf,
  reply,
  text,
  url,
  withButtons,
} from '../support/template-drafts.ts'

/** A case that is at a limit and one that is a step over it; the path is where the fault is. */
type Limit = { what: string; at: Parts; over: Parts; path: string }
const limits: Limit[] = [
  {
    what: 'a header of 60 characters, counted as people do',
    at: { components: [text('é'.repeat(58) + '👍👍'), hello] },
    over: { components: [text('x'.repeat(61)), hello] },
    path: 'components.0.text',
  },
  {
    what: 'a header with one variable',
    at: { components: [text('Order {{1}}', { header_text: ['7'] }), hello] },
    over: { components: [text('{{1}} of {{2}}', { header_text: ['7', '8'] }), hello] },
    path: 'components.0.text',
  },
  {
    what: 'a body of 1024 characters',
    at: { components: [body('x'.repeat(1024))] },
    over: { components: [body('x'.repeat(1025))] },
    path: 'components.0.text',
  },
  {
    what: 'a footer of 60 characters',
    at: { components: [hello, footer('x'.repeat(60))] },
    over: { components: [hello, footer('x'.repeat(61))] },
    path: 'components.1.text',
  },
  {
    what: 'ten buttons',
    at: withButtons(...Array.from({ length: 10 }, () => reply())),
    over: withButtons(...Array.from({ length: 11 }, () => reply())),
    path: 'components.1.buttons',
  },
  {
    what: 'two URL buttons',
    at: withButtons(url('https://a.example'), url('https://b.example')),
    over: withButtons(...['a', 'b', 'c'].map((one) => url(`https://${one}.example`))),
    path: 'components.1.buttons',
  },
  {
    what: 'one phone button',
    at: withButtons(call('+15550001234')),
    over: withButtons(call('+15550001234'), call('+15550001235')),
    path: 'components.1.buttons',
  },
  {
    what: 'one code button',
    at: withButtons(code('SAVE')),
    over: withButtons(code('SAVE'), code('MORE')),
    path: 'components.1.buttons',
  },
  {
    what: 'one flow button',
    at: withButtons(flow({ flow_id: '1' })),
    over: withButtons(flow({ flow_id: '1' }), flow({ flow_id: '2' })),
    path: 'components.1.buttons',
  },
  {
    what: 'a label of 25 characters',
    at: withButtons(reply('x'.repeat(25))),
    over: withButtons(reply('x'.repeat(26))),
    path: 'components.1.buttons.0.text',
  },
  {
    what: 'an address of 2000 characters',
    at: withButtons(url(`https://a.example/${'x'.repeat(1982)}`)),
    over: withButtons(url(`https://a.example/${'x'.repeat(1983)}`)),
    path: 'components.1.buttons.0.url',
  },
  {
    what: 'a phone number of 20 characters',
    at: withButtons(call('+1 (555) 000-123-456')),
    over: withButtons(call('+1 (555) 000-1234-567')),
    path: 'components.1.buttons.0.phone_number',
  },
  {
    what: 'a code of 20 characters',
    at: withButtons(code('x'.repeat(20))),
    over: withButtons(code('x'.repeat(21))),
    path: 'components.1.buttons.0.example',
  },
  {
    what: 'a code that expires after 90 minutes',
    at: oneTime(codeBody, { type: 'FOOTER', code_expiration_minutes: 90 }, codeButtons(otp())),
    over: oneTime(codeBody, { type: 'FOOTER', code_expiration_minutes: 91 }, codeButtons(otp())),
    path: 'components.1.code_expiration_minutes',
  },
  {
    what: 'a code that expires after one minute',
    at: oneTime(codeBody, { type: 'FOOTER', code_expiration_minutes: 1 }, codeButtons(otp())),
    over: oneTime(codeBody, { type: 'FOOTER', code_expiration_minutes: 0 }, codeButtons(otp())),
    path: 'components.1.code_expiration_minutes',
  },
]

describe('a limit', () => {
  it.each(limits)('lets through $what, and no more', ({ at, over, path }) => {
    expect(faultsOf(at)).toEqual([])
    expect(pathsOf(over)).toContain(path)
  })
})

describe('of a text that is many times as long as it may be', () => {
  const endless = '{{a} {{1}}}'.repeat(1_000)
  it.each<[string, Parts, string]>([
    ['body', { components: [body(endless)] }, 'components.0.text'],
    ['header', { components: [text(endless), hello] }, 'components.0.text'],
    ['button', withButtons(url(`https://a.example/${endless}`)), 'components.1.buttons.0.url'],
  ])('nothing but that is told: %s', (_what, parts, path) => {
    expect(faultsOf(parts)).toEqual([
      { path, message: expect.stringMatching(/^must have at most/) },
    ])
  })
})
