import { kindOf } from '../filetypes/kinds.ts'
import { isRecord } from '../core/json-values.ts'
import { TEMPLATE_LANGUAGES } from '../core/template-languages.ts'
import type { SandboxTemplate } from '../core/sandbox-store.ts'

export type SandboxDraft = Pick<
  SandboxTemplate,
  'name' | 'language' | 'category' | 'parameterFormat' | 'components'
>

/** Why a template is refused, in the channel's terms. */
export type Refusal = { fault: string; subcode?: number; title?: string }

const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION']
/** Names of the channel's own sample templates, which are reserved. */
const reserved = ['hello_world', 'sample_shipping_confirmation', 'sample_issue_resolution']
const bodyLengthMax = 1024
const headerIncorrect = { subcode: 2388047, title: 'Header format is incorrect' }
const variable = '\\{\\{\\s*\\w+\\s*\\}\\}'
const variableAtEdge = new RegExp(`^\\s*${variable}|${variable}\\s*$`)

/** The media type of the sample behind a handle; null when the handle was not given to the account. */
type TypeOfSample = (handle: string) => string | null

/** Checks a template to be created; answers with the template or with the channel's error. */
export function checkTemplateDraft(
  body: Record<string, unknown>,
  typeOfSample: TypeOfSample,
): SandboxDraft | Refusal {
  const { name, language, parameter_format: format = 'positional' } = body
  const category = String(body.category).toUpperCase()
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    return { fault: 'The name may hold lower-case letters, digits and underscores only.' }
  }
  if (reserved.includes(name)) {
    return { fault: `The name ${name} is reserved for a sample of the channel's own.` }
  }
  if (typeof language !== 'string' || !TEMPLATE_LANGUAGES.has(language)) {
    return { fault: 'The language is not one that the channel supports.' }
  }
  if (!categories.includes(category)) return { fault: 'The category is not one of the channel.' }
  const isNamed = String(format).toLowerCase() === 'named'
  if (!isNamed && String(format).toLowerCase() !== 'positional') {
    return { fault: 'parameter_format must be named or positional.' }
  }
  const components = readComponents(body.components, typeOfSample)
  if (!Array.isArray(components)) return components
  return { name, language, category, parameterFormat: isNamed ? 'NAMED' : 'POSITIONAL', components }
}

function readComponents(
  given: unknown,
  typeOfSample: TypeOfSample,
): Record<string, unknown>[] | Refusal {
  const list = Array.isArray(given) ? given.filter(isRecord) : []
  const components = list.map((one) => ({ ...one, type: String(one.type).toUpperCase() }))
  if (!components.some(({ type }) => type === 'BODY')) {
    return { fault: 'A message template must have a body.' }
  }
  for (const component of components) {
    const refusal =
      component.type === 'BODY' ? checkBody(component) : checkHeader(component, typeOfSample)
    if (refusal) return refusal
  }
  return components
}

function checkBody(body: Record<string, unknown>): Refusal | null {
  const { text } = body
  if (typeof text !== 'string') return null
  if ([...text].length > bodyLengthMax) {
    const fault = `The body must have at most ${bodyLengthMax} characters.`
    return { subcode: 2388040, title: 'Character limit exceeded', fault }
  }
  if (!variableAtEdge.test(text)) return null
  const fault = 'Variables cannot be at the start or at the end of the body.'
  return { subcode: 2388299, title: 'Variables at the start or the end', fault }
}

function checkHeader(
  { type, format, example }: Record<string, unknown>,
  typeOfSample: TypeOfSample,
): Refusal | null {
  const kind = String(format).toLowerCase()
  if (type !== 'HEADER' || !['image', 'video', 'document'].includes(kind)) return null
  const handles = isRecord(example) ? example.header_handle : null
  const handle: unknown = Array.isArray(handles) ? handles[0] : undefined
  const incorrect = (fault: string) => ({ ...headerIncorrect, fault })
  if (typeof handle !== 'string') {
    return incorrect('A header of this format needs the handle of an uploaded sample.')
  }
  const sampleType = typeOfSample(handle)
  if (sampleType === null) {
    return incorrect('The header handle is not of a sample that this app uploaded in the last day.')
  }
  if (kindOf(sampleType) === kind) return null
  return incorrect(`The header handle is of a sample of the type ${sampleType}.`)
}
