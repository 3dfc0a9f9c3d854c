import { isRecord } from '../../core/json-values.ts'
import type { ValueType } from './component.ts'
import { isComponent, isContainer, valueTypeOf } from './components.ts'
import type { Place, Raw } from './faults.ts'
import { member, report, within } from './faults.ts'
import { wrongType } from './values.ts'

/** A component and its place. */
export type Placed = { type: string; component: Raw; place: Place; isInForm: boolean }

/** A screen, with everything that its components and other screens refer to. */
export type Screen = {
  id: string
  raw: Raw
  place: Place
  components: Placed[]
  /** The types of the data passed to it, and of its inputs, by name. */
  data: ReadonlyMap<string, ValueType>
  inputs: ReadonlyMap<string, ValueType>
}

const IF_NESTING_MAX = 3

/** Reads a screen; reports unknown components and components at places where they cannot be nested. */
export function readScreen(raw: Raw, id: string, place: Place): Screen {
  const components: Placed[] = []
  const layout = member(raw, 'layout')
  if (isRecord(layout)) {
    const at = within(place, 'layout', 'children')
    collect(member(layout, 'children'), at, { isInForm: false, ifs: 0 }, components)
  }
  const data = new Map<string, ValueType>()
  const models = member(raw, 'data')
  for (const [name, model] of Object.entries(isRecord(models) ? models : {})) {
    data.set(name, typeOf(member(model, 'type')))
  }
  const inputs = new Map<string, ValueType>()
  for (const { type, component } of components) {
    const gives = valueTypeOf(type)
    if (gives !== null && typeof component.name === 'string') inputs.set(component.name, gives)
  }
  return { id, raw, place, components, data, inputs }
}

function typeOf(type: unknown): ValueType {
  const known = ['string', 'number', 'boolean', 'object', 'array'] as const
  return known.find((one) => one === type) ?? 'any'
}

type Nesting = { isInForm: boolean; ifs: number }

function collect(children: unknown, place: Place, nesting: Nesting, found: Placed[]): void {
  if (!Array.isArray(children)) return wrongType(place, 'a list of components')
  for (const [index, component] of children.entries()) {
    const at = within(place, index)
    if (!isRecord(component)) wrongType(at, 'a component')
    else collectOne(component, at, nesting, found)
  }
}

function collectOne(component: Raw, place: Place, nesting: Nesting, found: Placed[]): void {
  const type = member(component, 'type')
  if (type === undefined) {
    return report(within(place, 'type'), 'MISSING_REQUIRED_TYPE_PROPERTY', 'is required')
  }
  if (typeof type !== 'string' || !isComponent(type)) {
    return report(within(place, 'type'), 'INVALID_PROPERTY_VALUE', 'is not a component')
  }
  if (type === 'Form' && nesting.isInForm) {
    return report(place, 'INVALID_PROPERTY_VALUE', 'must not be a form within a form')
  }
  const ifs = nesting.ifs + (type === 'If' ? 1 : 0)
  if (ifs > IF_NESTING_MAX) {
    const message = `must not nest deeper than ${IF_NESTING_MAX} conditions`
    return report(place, 'INVALID_PROPERTY_VALUE', message)
  }
  found.push({ type, component, place, isInForm: nesting.isInForm })
  const inner = { isInForm: nesting.isInForm || type === 'Form', ifs }
  for (const [branch, at] of branchesOf({ type, component, place })) {
    collect(branch, at, inner, found)
  }
}

/** The lists of components that a component holds, each with its place. */
export function branchesOf({
  type,
  component,
  place,
}: Pick<Placed, 'type' | 'component' | 'place'>): [unknown, Place][] {
  if (!isContainer(type)) return []
  if (type === 'Switch') {
    const cases = member(component, 'cases')
    return Object.entries(isRecord(cases) ? cases : {}).map(([name, list]) => [
      list,
      within(place, 'cases', name),
    ])
  }
  const names = type === 'Form' ? ['children'] : ['then', 'else']
  return names
    .filter((name) => Object.hasOwn(component, name))
    .map((name) => [component[name], within(place, name)])
}
