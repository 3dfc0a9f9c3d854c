import { templateFaults } from '../../capabilities/templates/template-rules.ts'

export type Draft = Parameters<typeof templateFaults>[0]
export type Parts = Partial<Draft>

export const hello = { type: 'BODY' as const, text: 'Hello.' }
const draft = (parts: Parts = {}): Draft => ({
  name: 'greeting',
  language: 'en_US',
  category: 'UTILITY',
  components: [hello],
  ...parts,
})
export const faultsOf = (parts: Parts) => templateFaults(draft(parts))
export const pathsOf = (parts: Parts) => faultsOf(parts).map(({ path }) => path)

export const NAMED = { parameter_format: 'NAMED' } as const
export const text = (value: string, example?: object) =>
  ({ type: 'HEADER', format: 'TEXT', text: value, ...(example ? { example } : {}) }) as never
export const body = (value: string, ...row: string[]) =>
  ({
    type: 'BODY',
    text: value,
    ...(row.length > 0 ? { example: { body_text: [row] } } : {}),
  }) as never
export const namedBody = (value: string, ...names: string[]) => {
  const examples = names.map((param_name) => ({ param_name, example: 'x' }))
  return { type: 'BODY', text: value, example: { body_text_named_params: examples } } as never
}
export const footer = (value: string) => ({ type: 'FOOTER', text: value }) as never
export const reply = (label = 'Yes') => ({ type: 'QUICK_REPLY', text: label })
export const url = (address: string, ...example: string[]) => ({
  type: 'URL',
  text: 'See',
  url: address,
  ...(example.length > 0 ? { example } : {}),
})
export const call = (phone: string) => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number: phone })
export const code = (example: string) => ({ type: 'COPY_CODE', example })
export const flow = (more: object) => ({ type: 'FLOW', text: 'Start', ...more })
export const withButtons = (...buttons: object[]): Parts => ({
  components: [hello, { type: 'BUTTONS', buttons } as never],
})
export const otp = (more: object = { otp_type: 'COPY_CODE' }) => ({ type: 'OTP', ...more })
export const oneTime = (...components: object[]): Parts => ({
  category: 'AUTHENTICATION' as const,
  components: components as never,
})
export const codeBody = { type: 'BODY', add_security_recommendation: true }
export const codeButtons = (...buttons: object[]) => ({ type: 'BUTTONS', buttons })
