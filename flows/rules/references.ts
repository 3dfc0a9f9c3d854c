import { isRecord } from '../../core/json-values.ts'
import type { ValueType } from './component.ts'
import type { Place } from './faults.ts'
import { report, within } from './faults.ts'
import type { Screen } from './screens.ts'
import { isExpression } from './values.ts'

const EXPRESSION_VERSION = 600
const OTHER_SCREEN_VERSION = 400
const inText = /\$\{([^}]*)\}/g
const form = /^(?:screen\.([A-Za-z_]+)\.)?(form|data)\.([^.\s]+)((?:\.[^.\s]+)*)$/

type Reference = { screenId: string | null; of: 'form' | 'data'; name: string; isDeep: boolean }

/** The members that hold other components; those are checked on their own. */
const held = ['children', 'then', 'else', 'cases']

/**
 * Checks that whatever the components of a screen refer to is declared, on this screen or on the screen that is
 * named.
 */
export function checkReferences(screen: Screen, screens: ReadonlyMap<string, Screen>): void {
  for (const { component, place } of screen.components) {
    for (const [name, value] of Object.entries(component)) {
      if (!held.includes(name)) checkValue(value, within(place, name), screen, screens)
    }
  }
}

function checkValue(
  value: unknown,
  place: Place,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): void {
  if (typeof value === 'string') return checkText(value, place, screen, screens)
  if (Array.isArray(value)) {
    return value.forEach((item, index) => checkValue(item, within(place, index), screen, screens))
  }
  for (const [name, item] of Object.entries(isRecord(value) ? value : {})) {
    checkValue(item, within(place, name), screen, screens)
  }
}

function checkText(
  value: string,
  place: Place,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): void {
  if (isExpression(value) && place.version < EXPRESSION_VERSION) {
    report(place, 'INVALID_PROPERTY_VALUE', 'needs version 6.0, as it is an expression')
  }
  // Nothing can end after the last brace, however often it begins there.
  const closed = value.slice(0, value.lastIndexOf('}') + 1)
  for (const [whole, inside = ''] of closed.matchAll(inText)) {
    const reference = readReference(inside)
    if (!reference) {
      report(place, 'INVALID_SCREEN_DYNAMIC_DATA', `must not refer to ${shown(whole)}`)
    } else if (reference.screenId !== null && place.version < OTHER_SCREEN_VERSION) {
      report(place, 'INVALID_SCREEN_DYNAMIC_DATA', 'needs version 4.0 to refer to a screen')
    } else if (typeOf(reference, screen, screens) === null) {
      report(place, 'INVALID_SCREEN_DYNAMIC_DATA', `refers to ${shown(whole)}, which is not there`)
    }
  }
}

function shown(reference: string): string {
  return reference.slice(0, 100)
}

function readReference(inside: string): Reference | null {
  const [, screenId, of, name, deeper] = form.exec(inside) ?? []
  if ((of !== 'form' && of !== 'data') || name === undefined) return null
  return { screenId: screenId ?? null, of, name, isDeep: deeper !== '' }
}

function typeOf(
  { screenId, of, name, isDeep }: Reference,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): ValueType | null {
  const meant = screenId === null ? screen : screens.get(screenId)
  const type = (of === 'form' ? meant?.inputs : meant?.data)?.get(name) ?? null
  return isDeep && type !== null ? 'any' : type
}

/** The type of a value that an action passes on; `any` when it is known only while the flow runs. */
export function typeOfPassed(
  value: unknown,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): ValueType {
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'string') {
    const type = typeof value
    const isPlain = type === 'number' || type === 'boolean'
    return isPlain ? type : isRecord(value) ? 'object' : 'any'
  }
  const [, inside] = /^\$\{([^}]*)\}$/.exec(value) ?? []
  if (inside === undefined) return isExpression(value) ? 'any' : 'string'
  const reference = readReference(inside)
  return (reference && typeOf(reference, screen, screens)) ?? 'any'
}

/** The input whose value is passed on, on the screen that passes it; null for anything else. */
export function inputPassed(value: unknown): string | null {
  const [, inside] = typeof value === 'string' ? (/^\$\{([^}]*)\}$/.exec(value) ?? []) : []
  const reference = inside === undefined ? null : readReference(inside)
  return reference?.of === 'form' && reference.screenId === null ? reference.name : null
}
