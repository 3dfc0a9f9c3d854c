import type { Schema } from '../../core/contract.ts'
import type { RequestFault } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { TEMPLATE_LANGUAGES } from '../../core/template-languages.ts'
import { buttonsFaults } from './template-button-rules.ts'
import { bodyFaults, footerFaults, headerFaults, unknownMembers } from './template-text-rules.ts'

type Draft = Schema<'CreateTemplateRequest'>
type Component = Draft['components'][number]

/** The members that each type of component may have beside its type. */
const MEMBERS: Record<Component['type'], readonly string[]> = {
  HEADER: ['format', 'text', 'example'],
  BODY: ['text', 'example', 'add_security_recommendation'],
  FOOTER: ['text', 'code_expiration_minutes'],
  BUTTONS: ['buttons'],
}

/**
 * All faults of a template to be created, by the channel's rules; empty when the channel may be asked. Paths
 * are relative to the request's body.
 */
export function templateFaults(draft: Draft): RequestFault[] {
  const { components, language, category } = draft
  const faults: RequestFault[] = []
  if (!TEMPLATE_LANGUAGES.has(language)) {
    const message = 'must be a language that the channel knows, such as en_US'
    faults.push({ path: 'language', message })
  }
  for (const type of ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']) {
    const { length } = components.filter((one) => one.type === type)
    if (length > 1) faults.push({ path: 'components', message: `must hold one ${type} only` })
  }
  if (!components.some(({ type }) => type === 'BODY')) {
    faults.push({ path: 'components', message: 'must hold a BODY' })
  }
  if (category === 'AUTHENTICATION' && !components.some(({ type }) => type === 'BUTTONS')) {
    faults.push({ path: 'components', message: 'must hold BUTTONS with one of type OTP' })
  }
  for (const [index, component] of components.entries()) {
    const path = `components.${index}`
    const known = ['type', ...MEMBERS[component.type]]
    const others = Object.entries(component).filter(([name]) => !known.includes(name))
    faults.push(...unknownMembers(path, Object.fromEntries(others)))
    const isOneTime = category === 'AUTHENTICATION'
    faults.push(...(isOneTime ? oneTimeFaults(path, component) : ownFaults(path, component, draft)))
  }
  return faults.slice(0, LIMITS.faultsTold)
}

/** Faults of a component whose texts are the project's own. */
function ownFaults(path: string, component: Component, draft: Draft): RequestFault[] {
  const format = draft.parameter_format ?? 'POSITIONAL'
  switch (component.type) {
    case 'HEADER':
      return headerFaults(path, component, format)
    case 'BODY':
      return bodyFaults(path, component, format)
    case 'FOOTER':
      return footerFaults(path, component)
    case 'BUTTONS': {
      const at = `${path}.buttons`
      const { buttons = [] } = component
      const faults = buttons.flatMap(({ type }, index) =>
        type === 'OTP'
          ? [{ path: `${at}.${index}.type`, message: 'goes with AUTHENTICATION only' }]
          : [],
      )
      return [...faults, ...buttonsFaults(at, buttons)]
    }
  }
}

/** Faults of a component of a one-time code, whose texts the channel writes. */
function oneTimeFaults(path: string, component: Component): RequestFault[] {
  switch (component.type) {
    case 'HEADER':
      return [{ path, message: 'does not go with AUTHENTICATION' }]
    case 'BODY': {
      const { text, example } = component
      return unexpected(path, { text, example })
    }
    case 'FOOTER': {
      const { text, code_expiration_minutes: minutes } = component
      const at = `${path}.code_expiration_minutes`
      const most = LIMITS.templateCodeMinutes
      const isGood = Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= most
      const message = `must be a whole number from 1 to ${most}`
      return [...unexpected(path, { text }), ...(isGood ? [] : [{ path: at, message }])]
    }
    case 'BUTTONS': {
      const at = `${path}.buttons`
      const { buttons = [] } = component
      const isOne = buttons.length === 1 && buttons[0]?.type === 'OTP'
      const faults = isOne ? [] : [{ path: at, message: 'must be one button of type OTP' }]
      return [...faults, ...buttonsFaults(at, buttons)]
    }
  }
}

function unexpected(path: string, members: Record<string, unknown>): RequestFault[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({
      path: `${path}.${name}`,
      message: 'does not go with AUTHENTICATION: the channel writes it',
    }))
}
