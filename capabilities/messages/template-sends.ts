import type { Schema } from '../../core/contract.ts'
import { ServiceError, unfitBody } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Composed, filenameOf, named, type SentMedia } from './message-kinds.ts'
import { lengthFaults } from '../templates/template-text-rules.ts'
import { bodyValues, isMediaHeader, mustFit, render } from '../templates/template-variables.ts'
import type { StoredTemplate } from '../templates/templates.ts'

type Request = Schema<'SendTemplateMessage'>
type Values = Record<string, string>

/** Line breaks, tabs and runs of spaces, which the channel refuses in values. */
const UNSENDABLE = /[\n\r\t]| {5,}/

/**
 * Composes the send of a stored template. Throws `template_variable_mismatch` when the values do not match its
 * placeholders, `missing_media` for a media header without a medium, `invalid_request` for a value that no
 * template may hold.
 */
export function composeTemplate(
  request: Request,
  template: StoredTemplate,
  media: SentMedia | null,
): Composed & { template: Schema<'MessageTemplate'> } {
  const { placeholders, name, language } = template
  const { unsendable } = placeholders
  if (unsendable !== null) {
    throw new ServiceError(
      'template_variable_mismatch',
      `The template ${name} holds a ${unsendable}, which a send cannot fill; send another one.`,
      {
        details: {
          component: unsendable,
          expected: [unsendable],
          missing: [unsendable],
          unexpected: [],
        },
      },
    )
  }
  const values = bodyValues(placeholders.body, request.variables)
  for (const [place, value] of Object.entries(values)) mustBeSendable(`variables.${place}`, value)
  const components = [
    ...headerComponent(request, template, media),
    ...bodyComponent(values, template),
    ...buttonComponents(request, template, values),
  ]
  const { header, buttons } = request
  return {
    message: {
      type: 'template',
      template: {
        name,
        language: { code: language },
        ...(components.length > 0 ? { components } : {}),
      },
    },
    draft: {
      content: render(placeholders.bodyText, values),
      media: media && named(media.kept, header?.filename),
      payload: header || buttons ? { header: header ?? null, buttons: buttons ?? [] } : null,
    },
    template: { name, language, variables: values },
  }
}

function headerComponent(request: Request, template: StoredTemplate, media: SentMedia | null) {
  const { header: kind, headerName } = template.placeholders
  const { text, filename } = request.header ?? {}
  const wantsMedia = isMediaHeader(kind)
  const expected = kind === 'text' ? [headerName ?? '1'] : kind === 'none' ? [] : [kind]
  const unexpected = [
    ...(kind !== 'text' && text !== undefined ? ['text'] : []),
    ...(!wantsMedia && media !== null ? ['media'] : []),
    ...(kind !== 'document' && filename !== undefined ? ['filename'] : []),
  ]
  // No value in a request can fill a location header; the channel would only refuse it. A medium that is the
  // only thing missing from a header has its own code.
  const isMissing =
    kind === 'location' ||
    (kind === 'text' && text === undefined) ||
    (wantsMedia && media === null && unexpected.length > 0)
  mustFit('header', expected, { missing: isMissing ? expected : [], unexpected })
  if (wantsMedia) {
    if (!media) {
      const problem = `The template's header needs its ${kind}: name it in header.`
      throw new ServiceError('missing_media', problem)
    }
    const title = kind === 'document' ? filenameOf(named(media.kept, filename)) : {}
    const body = { ...media.reference, ...title }
    return [{ type: 'header', parameters: [{ type: kind, [kind]: body }] }]
  }
  if (kind !== 'text' || text === undefined) return []
  mustBeSendable('header.text', text)
  return [{ type: 'header', parameters: [parameter(template, headerName ?? '1', text)] }]
}

function bodyComponent(values: Values, template: StoredTemplate) {
  const { body } = template.placeholders
  if (body.length === 0) return []
  const parameters = body.map((name) => parameter(template, name, values[name] ?? ''))
  return [{ type: 'body', parameters }]
}

function buttonComponents(request: Request, template: StoredTemplate, values: Values) {
  const { buttons } = template.placeholders
  const given = givenButtons(request)
  const taking = buttons.filter(({ subType }) => subType !== 'flow' && subType !== 'otp')
  mustFit(
    'buttons',
    taking.filter(({ required }) => required).map(({ index }) => String(index)),
    {
      missing: taking
        .filter((one) => one.required && !given.has(one.index))
        .map((one) => String(one.index)),
      unexpected: [...given.keys()]
        .filter((index) => !taking.some((button) => button.index === index))
        .map(String),
    },
  )
  return buttons.flatMap(({ index, subType }) => {
    const value = given.get(index)
    switch (subType) {
      case 'url':
        return [button('url', index, { type: 'text', text: lineFor(request, index) })]
      case 'copy_code': {
        const code = lineFor(request, index, LIMITS.templateCodeCharacters)
        return [button('copy_code', index, { type: 'coupon_code', coupon_code: code })]
      }
      case 'quick_reply':
        return value === undefined
          ? []
          : [button('quick_reply', index, { type: 'payload', payload: value })]
      case 'flow':
        return [button('flow', index, { type: 'action', action: {} })]
      case 'otp':
        // A one-time code is sent twice: in the body, and for the button that copies it.
        return [button('url', index, { type: 'text', text: Object.values(values)[0] })]
    }
  })
}

/** The values of the buttons by their index; throws `invalid_request` for an index that is named twice. */
function givenButtons({ buttons = [] }: Request): Map<number, string> {
  const given = new Map(buttons.map(({ index, value }) => [index, value]))
  if (given.size === buttons.length) return given
  throw unfitBody('buttons', 'must have different indexes')
}

/** The value of a button that takes a single line of limited length. */
function lineFor({ buttons = [] }: Request, index: number, charactersMax = Infinity): string {
  const place = buttons.findIndex((button) => button.index === index)
  const value = buttons[place]?.value ?? ''
  const path = `buttons.${place}.value`
  mustBeSendable(path, value)
  const [fault] = lengthFaults(path, value, charactersMax)
  if (fault) throw unfitBody(fault.path, fault.message)
  return value
}

function button(subType: string, index: number, parameter: Record<string, unknown>) {
  return { type: 'button', sub_type: subType, index: String(index), parameters: [parameter] }
}

function parameter({ isNamed }: StoredTemplate, name: string, text: string) {
  return { type: 'text', ...(isNamed ? { parameter_name: name } : {}), text }
}

/** Throws `invalid_request` with the path for a value that the channel refuses in any template. */
export function mustBeSendable(path: string, value: string): void {
  if (!UNSENDABLE.test(value)) return
  throw new ServiceError('invalid_request', `${path} holds a line break, a tab or a long gap.`, {
    details: {
      errors: [{ path, message: 'must be one line without tabs or more than four spaces' }],
    },
  })
}
