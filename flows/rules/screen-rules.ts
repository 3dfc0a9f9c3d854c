import { isRecord } from '../../core/json-values.ts'
import { actionsOf } from './actions.ts'
import { checkComponent, checkContainer, valueTypeOf } from './components.ts'
import type { FlowError, Place, Raw } from './faults.ts'
import { items, member, report, within } from './faults.ts'
import { branchesOf, type Placed, type Screen } from './screens.ts'

import { anything, listOf, optional, record, required, shaped, text } from './values.ts'

const COMPONENTS_MAX = 50

const layout = shaped({ type: required(singleColumn), children: required(anything) })

const screen = shaped({
  id: required(anything),
  title: optional(text(200)),
  terminal: optional(realFlag),
  success: optional(realFlag),
  data: optional(dataModel),
  layout: required(layout),
  refresh_on_back: optional(realFlag),
  sensitive: optional(listOf(text(200), 0, COMPONENTS_MAX), 501),
})

/** Checks one screen on its own: its members, its components, and how many there are of each. */
export function checkScreen({ raw, place, components }: Screen, hasEndpoint: boolean): void {
  screen(raw, place)
  if (raw.success !== undefined && raw.terminal !== true) {
    report(within(place, 'success'), 'INVALID_DEPENDENCIES', 'needs terminal to be true')
  }
  if (raw.refresh_on_back !== undefined && !hasEndpoint) {
    report(within(place, 'refresh_on_back'), 'INVALID_DEPENDENCIES', 'needs data_api_version')
  }
  for (const { type, component, place: at } of components) {
    checkComponent(type, component, at)
    checkContainer(type, component, at)
  }
  checkNumbers(components, place)
  checkLonePlaces(components, place, raw.terminal === true)
  checkInputs(components, place)
  checkActions(raw, components, hasEndpoint)
  const shown = footersIn(member(raw.layout, 'children'), within(place, 'layout', 'children'))
  if (raw.terminal === true && shown === 0) {
    report(place, 'MISSING_FOOTER_ON_TERMINAL_SCREEN', 'must have a Footer, as it is terminal')
  }
  if (shown > 1) report(place, 'MORE_THAN_ONE_FOOTER', 'must have one Footer at the most')
}

function singleColumn(value: unknown, place: Place): void {
  if (value === 'SingleColumnLayout') return
  report(place, 'INVALID_PROPERTY_VALUE', 'must be SingleColumnLayout')
}

function realFlag(value: unknown, place: Place): void {
  if (typeof value === 'boolean') return
  report(place, 'INVALID_PROPERTY_TYPE', 'must be true or false')
}

const TYPES = ['string', 'number', 'boolean', 'object', 'array']

function dataModel(value: unknown, place: Place): void {
  record(value, place)
  for (const [name, field] of Object.entries(isRecord(value) ? value : {})) {
    const at = within(place, name)
    checkModel(field, at)
    if (!isRecord(field)) continue
    const example = member(field, '__example__')
    if (example === undefined) report(at, 'INVALID_SCREEN_DATA', 'needs an __example__')
    else if (isType(field.type) && typeOfValue(example) !== field.type) {
      const message = `must be of the type ${field.type}`
      report(within(at, '__example__'), 'INVALID_SCREEN_DATA', message)
    }
  }
}

const model = shaped({
  type: required(anything),
  __example__: optional(anything),
  properties: optional(record),
  items: optional(record),
})

function checkModel(field: unknown, place: Place): void {
  model(field, place)
  if (!isRecord(field)) return
  const { type } = field
  if (type !== undefined && !isType(type)) {
    report(within(place, 'type'), 'INVALID_SCREEN_DATA', `must be one of ${TYPES.join(', ')}`)
  }
  const due = type === 'array' ? 'items' : type === 'object' ? 'properties' : null
  if (due !== null && !isRecord(field[due])) {
    report(within(place, due), 'INVALID_SCREEN_DATA', `is required with the type ${String(type)}`)
  }
  if (isRecord(field.items)) checkModel(field.items, within(place, 'items'))
  for (const [name, inner] of Object.entries(isRecord(field.properties) ? field.properties : {})) {
    checkModel(inner, within(place, 'properties', name))
  }
}

function isType(value: unknown): value is string {
  return TYPES.some((type) => type === value)
}

function typeOfValue(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

const numbers: [types: string[], most: number, error: FlowError][] = [
  [['EmbeddedLink'], 2, 'MAX_EMBEDDED_LINK_PER_SCREEN'],
  [['Image'], 3, 'MAX_IMAGE_PER_SCREEN'],
  [['OptIn'], 5, 'MAX_OPT_IN_PER_SCREEN'],
  [['NavigationList'], 2, 'INVALID_PROPERTY_VALUE'],
  [['ImageCarousel'], 2, 'INVALID_PROPERTY_VALUE'],
  [['PhotoPicker', 'DocumentPicker'], 1, 'INVALID_PROPERTY_VALUE'],
]

function checkNumbers(components: Placed[], place: Place): void {
  if (components.length > COMPONENTS_MAX) {
    const message = `must have at most ${COMPONENTS_MAX} components`
    report(place, 'INVALID_PROPERTY_VALUE', message)
  }
  for (const [types, most, error] of numbers) {
    const count = components.filter(({ type }) => types.includes(type)).length
    if (count > most) report(place, error, `must have at most ${most} of ${types.join(', ')}`)
  }
}

const RICH_TEXT_FOOTER_VERSION = 603

/** Components that must be alone on their screen, except for a footer. */
function checkLonePlaces(components: Placed[], place: Place, isTerminal: boolean): void {
  const has = (wanted: string) => components.some(({ type }) => type === wanted)
  const others = (...allowed: string[]) => components.some(({ type }) => !allowed.includes(type))
  if (has('NavigationList') && others('NavigationList')) {
    report(place, 'INVALID_PROPERTY_VALUE', 'must have nothing beside a NavigationList')
  }
  if (has('NavigationList') && isTerminal) {
    report(place, 'INVALID_PROPERTY_VALUE', 'must not be terminal, as it has a NavigationList')
  }
  if (!has('RichText')) return
  const beside = place.version >= RICH_TEXT_FOOTER_VERSION ? ['RichText', 'Footer'] : ['RichText']
  if (others(...beside)) {
    report(place, 'INVALID_PROPERTY_VALUE', `must have nothing but ${beside.join(' and ')}`)
  }
}

const FORM_OPTIONAL_VERSION = 400

function checkInputs(components: Placed[], place: Place): void {
  const inputs = components.filter(({ type }) => valueTypeOf(type) !== null)
  const hasForm = components.some(({ type }) => type === 'Form')
  const seen = new Set<unknown>()
  for (const { component, place: at, isInForm } of inputs) {
    const { name } = component
    if (seen.has(name)) {
      report(within(at, 'name'), 'DUPLICATE_FORM_COMPONENT_NAMES', 'is the name of another input')
    }
    if (typeof name === 'string') seen.add(name)
    if (!isInForm && (hasForm || place.version < FORM_OPTIONAL_VERSION)) {
      report(at, 'COMPONENTS_OUTSIDE_FORM', 'must be inside the Form')
    }
  }
}

const endpointActions = ['data_exchange']

function checkActions(raw: Raw, components: Placed[], hasEndpoint: boolean): void {
  const actions = components.flatMap(({ component, place }) => actionsOf(component, place))
  for (const { name, place } of actions) {
    const at = within(place, 'name')
    if (name === 'complete' && raw.terminal !== true) {
      report(at, 'INVALID_COMPLETE_ACTION', 'must be on a terminal screen')
    }
    if (endpointActions.includes(name) && !hasEndpoint) {
      report(at, 'INVALID_PROPERTY_VALUE', 'needs data_api_version')
    }
  }
}

/** The maximum number of footers visible at the same time; reports branches of which only some have one. */
function footersIn(children: unknown, place: Place): number {
  let shown = 0
  for (const [index, component] of items(children).entries()) {
    const type = member(component, 'type')
    if (!isRecord(component) || typeof type !== 'string') continue
    const at = within(place, index)
    if (type === 'Footer') shown += 1
    else shown += footersInBranches({ type, component, place: at })
  }
  return shown
}

function footersInBranches(placed: Pick<Placed, 'type' | 'component' | 'place'>): number {
  const { type, component, place } = placed
  const counts = branchesOf(placed).map(([branch, at]) => footersIn(branch, at))
  const most = Math.max(0, ...counts)
  const isWhole = type !== 'If' || Object.hasOwn(component, 'else')
  if (most > 0 && type === 'If' && (!isWhole || counts.includes(0))) {
    const message = 'must have a Footer in both of then and else, or in none'
    report(place, 'MISSING_FOOTER_IN_IF_ELSE_BRANCHES', message)
  }
  if (type === 'Switch' && most > 0 && counts.includes(0)) {
    const message = 'must have a Footer in all of its cases, or in none'
    report(place, 'MISSING_FOOTER_IN_SWITCH_BRANCHES', message)
  }
  return most
}
