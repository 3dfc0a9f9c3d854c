import type { Schema } from '../../core/contract.ts'
import type { RequestFault } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { normalisePhone } from '../../core/phone.ts'
import { readUrl } from '../../core/urls.ts'
import { isEndless, lengthFaults, unknownMembers } from './template-text-rules.ts'
import { positionalFaults, variablesIn } from './template-variable-rules.ts'

type Button = Schema<'TemplateButtonComponent'>
type Kind<T extends Button['type']> = Extract<Button, { type: T }>

/** How many buttons of a type one template may have; quick replies are limited by the total alone. */
const AT_MOST: Record<Button['type'], number> = {
  QUICK_REPLY: LIMITS.templateButtons,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  OTP: 1,
}

/** Only one part may match any character, so that a long text that is no URL fails without backtracking. */
const ADDRESS = /^https?:\/\/([^\s/?#]+)(?:[/?#]\S*)?$/i

/** The faults of a template's buttons: of each one, of their number by type, and of their order. */
export function buttonsFaults(path: string, buttons: Button[]): RequestFault[] {
  const faults: RequestFault[] = []
  if (buttons.length === 0) faults.push({ path, message: 'must hold a button' })
  if (buttons.length > LIMITS.templateButtons) {
    faults.push({ path, message: `must hold at most ${LIMITS.templateButtons} buttons` })
  }
  for (const [type, most] of Object.entries(AT_MOST)) {
    const { length } = buttons.filter((button) => button.type === type)
    if (length > most && most < LIMITS.templateButtons) {
      faults.push({ path, message: `must hold at most ${most} of type ${type}` })
    }
  }
  if (!repliesStandTogether(buttons)) {
    const message = 'must hold its quick replies together, before or after all others'
    faults.push({ path, message })
  }
  return [
    ...faults,
    ...buttons.flatMap((button, index) => buttonFaults(`${path}.${index}`, button)),
  ]
}

function repliesStandTogether(buttons: Button[]): boolean {
  const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY')
  const changes = isReply.filter((one, index) => index > 0 && one !== isReply[index - 1])
  return changes.length <= 1
}

function buttonFaults(path: string, button: Button): RequestFault[] {
  switch (button.type) {
    case 'QUICK_REPLY': {
      const { type: _, text, ...others } = button
      return [...labelFaults(path, text), ...unknownMembers(path, others)]
    }
    case 'URL':
      return urlFaults(path, button)
    case 'PHONE_NUMBER':
      return phoneFaults(path, button)
    case 'COPY_CODE': {
      const { type: _, example, ...others } = button
      return [
        ...requiredText(`${path}.example`, example, LIMITS.templateCodeCharacters),
        ...unknownMembers(path, others),
      ]
    }
    case 'FLOW':
      return flowFaults(path, button)
    case 'OTP':
      return oneTimeFaults(path, button)
  }
}

function urlFaults(path: string, { type: _, text, url, example, ...others }: Kind<'URL'>) {
  const at = `${path}.url`
  if (isEndless(url ?? '')) return requiredText(at, url, LIMITS.templateUrlCharacters)
  const variables = variablesIn(url ?? '')
  const faults = [
    ...labelFaults(path, text),
    ...requiredText(at, url, LIMITS.templateUrlCharacters),
    ...positionalFaults(`${path}.example`, variables, example),
    ...unknownMembers(path, others),
  ]
  const plain = url?.replace(/\{\{1\}\}$/, '') ?? ''
  if (/\{\{|\}\}/.test(plain)) {
    faults.push({ path: at, message: 'may hold one variable only: {{1}}, at its end' })
  }
  if (url === undefined) return faults
  const host = ADDRESS.exec(plain)?.[1]?.toLowerCase()
  if (host === undefined || !readUrl(plain)) {
    faults.push({ path: at, message: 'must be an address that starts with https:// or http://' })
  } else if (/(^|\.)wa\.me$/.test(host)) {
    faults.push({ path: at, message: 'must not lead to wa.me' })
  }
  return faults
}

function phoneFaults(
  path: string,
  { type: _, text, phone_number: phone, ...others }: Kind<'PHONE_NUMBER'>,
) {
  const at = `${path}.phone_number`
  const faults = [
    ...labelFaults(path, text),
    ...requiredText(at, phone, LIMITS.templatePhoneCharacters),
    ...unknownMembers(path, others),
  ]
  if (phone !== undefined && normalisePhone(phone) === null) {
    faults.push({ path: at, message: 'must be a phone number with its country code' })
  }
  return faults
}

function flowFaults(
  path: string,
  { type: _, text, flow_id, flow_name, flow_json, ...button }: Kind<'FLOW'>,
) {
  const {
    flow_action: action = 'navigate',
    navigate_screen: screen,
    icon: _icon,
    ...others
  } = button
  const faults = [...labelFaults(path, text), ...unknownMembers(path, others)]
  const named = [flow_id, flow_name, flow_json].filter((one) => one !== undefined)
  if (named.length !== 1 || named[0] === '') {
    faults.push({ path, message: 'must have exactly one of flow_id, flow_name and flow_json' })
  }
  if (action !== 'navigate' && screen !== undefined) {
    const message = 'goes with the flow_action navigate only'
    faults.push({ path: `${path}.navigate_screen`, message })
  }
  return faults
}

function oneTimeFaults(path: string, button: Kind<'OTP'>): RequestFault[] {
  const { type: _, otp_type: kind, text, autofill_text: filling, ...rest } = button
  const { supported_apps: apps = [], zero_tap_terms_accepted: agreed, ...others } = rest
  const faults = [
    ...(text === undefined ? [] : labelFaults(path, text)),
    ...(filling === undefined ? [] : labelFaults(path, filling, 'autofill_text')),
    ...unknownMembers(path, others),
  ]
  if (kind === undefined) return [...faults, { path: `${path}.otp_type`, message: 'is required' }]
  const at = `${path}.supported_apps`
  if (kind === 'COPY_CODE' && apps.length > 0) {
    faults.push({ path: at, message: 'goes with ONE_TAP and ZERO_TAP only' })
  }
  if (kind !== 'COPY_CODE' && (apps.length === 0 || apps.length > LIMITS.templateApps)) {
    faults.push({ path: at, message: `must name one to ${LIMITS.templateApps} apps` })
  }
  if (kind === 'ZERO_TAP' && agreed !== true) {
    const message = 'must be true: the terms are accepted by the project'
    faults.push({ path: `${path}.zero_tap_terms_accepted`, message })
  }
  return faults
}

function labelFaults(path: string, label: string | undefined, member = 'text'): RequestFault[] {
  const at = `${path}.${member}`
  const faults = requiredText(at, label, LIMITS.templateButtonCharacters)
  return /\{\{/.test(label ?? '')
    ? [...faults, { path: at, message: 'must hold no variable' }]
    : faults
}

function requiredText(path: string, text: string | undefined, charactersMax: number) {
  if (text === undefined || text.trim() === '') return [{ path, message: 'is required' }]
  return lengthFaults(path, text, charactersMax)
}
