import { isRecord } from '../../core/json-values.ts'
import type { Component, ValueType } from './component.ts'
import { common, long, name } from './component.ts'
import { DISPLAYS } from './displays.ts'
import type { Place, Raw } from './faults.ts'
import { report, within } from './faults.ts'
import { INPUTS } from './inputs.ts'
import type { Shape } from './values.ts'
import { anything, optional, record, required, shaped, versionText } from './values.ts'

const COMPONENTS: ReadonlyMap<string, Component> = new Map([...INPUTS, ...DISPLAYS])
const inputs: ReadonlyMap<string, Component> = new Map(INPUTS)

/** The type of the value that an input adds to the form; null for components that are not inputs. */
export function valueTypeOf(type: string): ValueType | null {
  return inputs.get(type)?.gives ?? null
}

/** Whether there is a component with this name. */
export function isComponent(type: string): boolean {
  return COMPONENTS.has(type) || isContainer(type)
}

/** Checks a component's own members against its shape and the rules between them. */
export function checkComponent(type: string, component: Raw, place: Place): void {
  const known = COMPONENTS.get(type)
  if (!known) return
  const { shape, since = 0, also } = known
  if (since > place.version) {
    const version = versionText(since)
    return report(within(place, 'type'), 'INVALID_PROPERTY_VALUE', `needs version ${version}`)
  }
  shaped(shape)(component, place)
  also?.(component, place)
}

const containers: Record<string, Shape> = {
  Form: {
    ...common,
    name: required(name),
    children: required(anything),
    'init-values': optional(record),
    'error-messages': optional(record),
  },
  If: {
    type: required(anything),
    condition: required(long),
    then: required(anything),
    else: optional(anything),
  },
  Switch: {
    type: required(anything),
    value: required(long),
    cases: required(record),
  },
}

/** Whether a component holds other components, as `Form`, `If` and `Switch` do. */
export function isContainer(type: string): boolean {
  return Object.hasOwn(containers, type)
}

/** Checks the members of a component that holds others, without looking at those others. */
export function checkContainer(type: string, component: Raw, place: Place): void {
  const shape = containers[type]
  if (!shape) return
  if (type !== 'Form' && place.version < 400) {
    return report(within(place, 'type'), 'INVALID_PROPERTY_VALUE', 'needs version 4.0')
  }
  shaped(shape)(component, place)
  const { cases } = component
  if (type === 'Switch' && isRecord(cases) && Object.keys(cases).length === 0) {
    report(within(place, 'cases'), 'MIN_ITEMS_REQUIRED', 'must not be empty')
  }
}
