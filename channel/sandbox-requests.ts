import { isRecord } from '../core/json-values.ts'
import { normalisePhone } from '../core/phone.ts'
import { checkText, first, invalid, missing, wrong } from './sandbox-faults.ts'
import type { Fault } from './sandbox-faults.ts'
import { checkInteractive } from './sandbox-interactive.ts'

type Raw = Record<string, unknown>

/** Checks the body of a send against the channel's rules and limits. */
export function checkSend(body: Raw): Fault {
  return (
    checkEnvelope(body) ??
    (typeof body.type === 'string' && Object.hasOwn(checks, body.type)
      ? (checks[body.type]?.(body[body.type], body) ?? null)
      : invalid('type', 'is not one of the message types'))
  )
}

/** Checks a body that marks a customer's message as read. */
export function checkRead(body: Raw): Fault {
  if (body.messaging_product !== 'whatsapp') return wrongProduct
  return checkText(body.message_id, 'message_id', 512)
}

function checkEnvelope(body: Raw): Fault {
  const { to, recipient, context, biz_opaque_callback_data: callbackData } = body
  if (body.messaging_product !== 'whatsapp') return wrongProduct
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') {
    return invalid('recipient_type', 'must be "individual"')
  }
  if (to === undefined && recipient === undefined) return missing('to')
  if (to !== undefined && normalisePhone(to) === null) return wrong('to', 'is not a phone number')
  if (to === undefined && !userIdForm.test(String(recipient))) {
    return wrong('recipient', 'is not a user id')
  }
  if (body.type === undefined) return missing('type')
  if (context !== undefined && (!isRecord(context) || typeof context.message_id !== 'string')) {
    return missing('context.message_id')
  }
  return callbackData === undefined
    ? null
    : checkText(callbackData, 'biz_opaque_callback_data', 512)
}

const wrongProduct = invalid('messaging_product', 'must be "whatsapp"')
const userIdForm = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

const checks: Record<string, (value: unknown, body: Raw) => Fault> = {
  text: (text) => {
    if (!isRecord(text)) return missing('text')
    if (text.preview_url !== undefined && typeof text.preview_url !== 'boolean') {
      return invalid('text.preview_url', 'must be a boolean')
    }
    return checkText(text.body, 'text.body', 4096)
  },
  image: (value) => checkMedia('image', value, ['caption']),
  video: (value) => checkMedia('video', value, ['caption']),
  audio: (value) => checkMedia('audio', value, ['voice']),
  document: (value) => checkMedia('document', value, ['caption', 'filename']),
  sticker: (value) => checkMedia('sticker', value, []),
  location: (location) => {
    if (!isRecord(location)) return missing('location')
    return (
      checkDegrees(location.latitude, 'location.latitude', 90) ??
      checkDegrees(location.longitude, 'location.longitude', 180)
    )
  },
  contacts: (contacts) => {
    if (!Array.isArray(contacts) || contacts.length === 0) return missing('contacts')
    if (contacts.length > 257) return invalid('contacts', 'must have at most 257 entries')
    return first(contacts, (contact: unknown, index) => {
      const name = isRecord(contact) && isRecord(contact.name) ? contact.name : {}
      return checkText(name.formatted_name, `contacts[${index}].name.formatted_name`, 1024)
    })
  },
  reaction: (reaction, body) => {
    if (!isRecord(reaction)) return missing('reaction')
    if (body.context !== undefined) return invalid('context', 'cannot come with a reaction')
    if (typeof reaction.emoji !== 'string') return missing('reaction.emoji')
    return checkText(reaction.message_id, 'reaction.message_id', 512)
  },
  interactive: (interactive) =>
    isRecord(interactive) ? checkInteractive(interactive) : missing('interactive'),
  template: (template) => (isRecord(template) ? checkTemplate(template) : missing('template')),
}

const captionLengthMax = 1024

/** The channel accepts a number in place of its digits. */
function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function checkMedia(type: string, value: unknown, optional: readonly string[]): Fault {
  if (!isRecord(value)) return missing(type)
  const allowed = ['id', 'link', ...optional]
  const unknown = Object.keys(value).find((name) => !allowed.includes(name))
  if (unknown !== undefined) return invalid(`${type}.${unknown}`, 'is not allowed')
  if ((value.id === undefined) === (value.link === undefined)) {
    return invalid(type, 'must have exactly one of id and link')
  }
  if (value.link !== undefined && !/^https?:\/\/\S+$/i.test(asText(value.link))) {
    return wrong(`${type}.link`, 'is not an http or https address')
  }
  if (value.id !== undefined && !/^\d{1,32}$/.test(asText(value.id))) {
    return wrong(`${type}.id`, 'is not a media id')
  }
  return value.caption === undefined
    ? null
    : checkText(value.caption, `${type}.caption`, captionLengthMax)
}

/** The channel accepts coordinates as text and as numbers. */
function checkDegrees(value: unknown, name: string, max: number): Fault {
  if (value === undefined || value === '') return missing(name)
  const degrees = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
  return Math.abs(degrees) <= max ? null : wrong(name, `is not between -${max} and ${max}`)
}

function checkTemplate(template: Raw): Fault {
  const language = isRecord(template.language) ? template.language : {}
  const fault =
    checkText(template.name, 'template.name', 512) ??
    checkText(language.code, 'template.language.code', 20)
  if (fault) return fault
  if (template.components === undefined) return null
  if (!Array.isArray(template.components)) return invalid('template.components', 'must be a list')
  return first(template.components, (component: unknown, index) =>
    checkComponent(component, `template.components[${index}]`),
  )
}

function checkComponent(component: unknown, name: string): Fault {
  if (!isRecord(component) || typeof component.type !== 'string') return missing(`${name}.type`)
  const type = component.type.toLowerCase()
  if (!componentTypes.includes(type)) return invalid(`${name}.type`, 'is not a component')
  if (type === 'button') {
    const fault = checkText(component.sub_type, `${name}.sub_type`, 64)
    if (fault) return fault
    if (!/^\d$/.test(asText(component.index))) return wrong(`${name}.index`, 'is not 0 to 9')
  }
  const parameters = component.parameters ?? []
  if (!Array.isArray(parameters)) return invalid(`${name}.parameters`, 'must be a list')
  return first(parameters, (parameter: unknown) => checkParameter(parameter, `${name}.parameters`))
}

const componentTypes = ['header', 'body', 'button', 'carousel', 'limited_time_offer']
const couponLengthMax = 20

function checkParameter(parameter: unknown, name: string): Fault {
  if (!isRecord(parameter)) return invalid(name, 'must hold objects')
  switch (parameter.type) {
    case 'text':
      return checkTemplateText(parameter.text, name)
    case 'image':
    case 'video':
      return checkMedia(parameter.type, parameter[parameter.type], [])
    case 'document':
      return checkMedia('document', parameter.document, ['filename'])
    case 'payload':
      return checkText(parameter.payload, `${name}.payload`, 2_000)
    case 'coupon_code':
      return checkText(parameter.coupon_code, `${name}.coupon_code`, couponLengthMax)
    default:
      return checkText(parameter.type, `${name}.type`, 64)
  }
}

function checkTemplateText(text: unknown, name: string): Fault {
  if (typeof text === 'string' && /[\n\r\t]| {5}/.test(text)) {
    const rule = 'cannot have new-line or tab characters or more than 4 consecutive spaces'
    return { code: 132018, details: `Param ${name} text ${rule}.` }
  }
  return checkText(text, `${name}.text`, 32_768)
}
