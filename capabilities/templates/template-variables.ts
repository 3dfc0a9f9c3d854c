import { ServiceError } from '../../core/errors.ts'

/** A component of a stored template in the channel's shape, with the members that a send needs. */
export type TemplateComponent = {
  type?: string
  format?: string
  text?: string
  buttons?: TemplateButtonShape[]
}
type TemplateButtonShape = { type?: string; url?: string; text?: string }

/** A header that holds a medium. */
type MediaHeader = 'image' | 'video' | 'document'

/** Whether a header of this format holds a medium. */
export function isMediaHeader(format: string | undefined): format is MediaHeader {
  return format === 'image' || format === 'video' || format === 'document'
}

/** What a send of a template has to fill in. */
export type Placeholders = {
  /** Of the body, in their order of appearance: names, or "1", "2", … */
  body: string[]
  bodyText: string
  header: 'none' | 'text' | MediaHeader | 'location'
  headerName: string | null
  buttons: {
    index: number
    subType: 'url' | 'quick_reply' | 'copy_code' | 'flow' | 'otp'
    required: boolean
  }[]
  /** A part that a send cannot fill, such as a carousel; null for nearly all templates. */
  unsendable: string | null
}

/** Parts of templates made elsewhere whose content a send cannot express. */
const UNSENDABLE_PARTS = ['CAROUSEL', 'LIMITED_TIME_OFFER']
const UNSENDABLE_HEADERS = ['GIF', 'PRODUCT']
const UNSENDABLE_BUTTONS = ['MPM', 'SPM']

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g
/** The channel writes the body of a one-time code, so such a template may be stored without one. */
const ONE_TIME_BODY = '*{{1}}* is your verification code.'
/** The URL that the channel lists for the button of a one-time code. */
const ONE_TIME_URL = /^https:\/\/www\.whatsapp\.com\/otp\//i

/** Reads the placeholders of a template from its components. */
export function placeholdersOf(components: TemplateComponent[]): Placeholders {
  const named = (type: string) => components.find((one) => upper(one.type) === type)
  const buttons = (named('BUTTONS')?.buttons ?? []).flatMap(readButton)
  const isOneTime = buttons.some(({ subType }) => subType === 'otp')
  const bodyText = named('BODY')?.text ?? (isOneTime ? ONE_TIME_BODY : '')
  const header = named('HEADER')
  const [headerName] = namesIn(header?.text ?? '')
  const format = header?.format?.toLowerCase()
  const isKept = isMediaHeader(format) || format === 'location'
  return {
    body: namesIn(bodyText),
    bodyText,
    header: isKept ? format : headerName === undefined ? 'none' : 'text',
    headerName: headerName ?? null,
    buttons,
    unsendable: unsendableIn(components),
  }
}

function unsendableIn(components: TemplateComponent[]): string | null {
  const parts = components.map(({ type }) => upper(type))
  const headers = components.map(({ format }) => upper(format))
  const buttons = components.flatMap((one) => (one.buttons ?? []).map(({ type }) => upper(type)))
  const found =
    parts.find((type) => UNSENDABLE_PARTS.includes(type)) ??
    headers.find((format) => UNSENDABLE_HEADERS.includes(format)) ??
    buttons.find((type) => UNSENDABLE_BUTTONS.includes(type))
  return found?.toLowerCase() ?? null
}

/** A word that the channel may leave out, or write in either case. */
function upper(word: string | undefined): string {
  return word?.toUpperCase() ?? ''
}

/** The text of a template's body with its placeholders filled in. */
export function render(bodyText: string, values: Record<string, string>): string {
  return bodyText.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}

/**
 * The body's values by placeholder. Throws `template_variable_mismatch` with what was expected, missing and
 * unexpected.
 */
export function bodyValues(
  expected: string[],
  given: Record<string, string> | string[] | undefined,
): Record<string, string> {
  if (Array.isArray(given)) {
    const tooMuch = given.slice(expected.length).keys()
    mustFit('body', expected, {
      missing: expected.slice(given.length),
      unexpected: [...tooMuch].map((index) => String(expected.length + index + 1)),
    })
    return Object.fromEntries(expected.map((name, index) => [name, given[index] ?? '']))
  }
  const values = given ?? {}
  mustFit('body', expected, {
    missing: expected.filter((name) => !Object.hasOwn(values, name)),
    unexpected: Object.keys(values).filter((name) => !expected.includes(name)),
  })
  return values
}

/** Throws `template_variable_mismatch` if anything is missing or unexpected. */
export function mustFit(
  component: 'body' | 'header' | 'buttons',
  expected: string[],
  { missing, unexpected }: { missing: string[]; unexpected: string[] },
): void {
  if (missing.length === 0 && unexpected.length === 0) return
  const [lacks, has] = component === 'buttons' ? ['lack', 'have'] : ['lacks', 'has']
  const told = [
    missing.length > 0 ? `${lacks} a value for ${missing.join(', ')}` : '',
    unexpected.length > 0 ? `${has} no place for ${unexpected.join(', ')}` : '',
  ]
  throw new ServiceError(
    'template_variable_mismatch',
    `The template's ${component} ${told.filter(Boolean).join(' and ')}.`,
    { details: { component, expected, missing, unexpected } },
  )
}

function namesIn(text: string): string[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ''))]
  const isPositional = names.every((name) => /^\d+$/.test(name))
  return isPositional ? names.sort((a, b) => Number(a) - Number(b)) : names
}

function readButton({ type, url }: TemplateButtonShape, index: number): Placeholders['buttons'] {
  switch (upper(type)) {
    case 'URL':
      if (ONE_TIME_URL.test(url ?? '')) return [{ index, subType: 'otp', required: false }]
      return namesIn(url ?? '').length > 0 ? [{ index, subType: 'url', required: true }] : []
    case 'QUICK_REPLY':
      return [{ index, subType: 'quick_reply', required: false }]
    case 'COPY_CODE':
      return [{ index, subType: 'copy_code', required: true }]
    case 'FLOW':
      return [{ index, subType: 'flow', required: false }]
    case 'OTP':
      return [{ index, subType: 'otp', required: false }]
    default:
      return []
  }
}
