import { isRecord } from '../../core/json-values.ts'
import type { Place } from './faults.ts'
import { items, member, report, within } from './faults.ts'
import type { Check, Shape } from './values.ts'
import { oneOf, optional, record, required, shaped, text, wrongType } from './values.ts'

type ActionName = 'navigate' | 'complete' | 'data_exchange' | 'update_data' | 'open_url'

const NAME_CHARACTERS = 200
const URL_CHARACTERS = 2_000

const next: Shape = { type: required(oneOf('screen')), name: required(text(NAME_CHARACTERS)) }
const named = { name: required(text(NAME_CHARACTERS)) }

const shapes: Record<ActionName, Shape> = {
  navigate: { ...named, next: required(shaped(next)), payload: optional(record) },
  complete: { ...named, payload: optional(record) },
  data_exchange: { ...named, payload: optional(record) },
  update_data: { ...named, payload: required(record) },
  open_url: { ...named, url: required(url) },
}

/** The first version that knows an action; actions not listed here have always been known. */
const since: Partial<Record<ActionName, number>> = { update_data: 600, open_url: 600 }

/** An action of those that its component allows. */
function action(...allowed: ActionName[]): Check {
  return (value, place) => {
    if (!isRecord(value)) return wrongType(place, 'an action')
    const name = allowed.find((one) => one === member(value, 'name'))
    if (name === undefined) {
      const message = `must be one of ${allowed.join(', ')}`
      return report(within(place, 'name'), 'INVALID_ENUM_VALUE', message)
    }
    if ((since[name] ?? 0) > place.version) {
      return report(within(place, 'name'), 'INVALID_PROPERTY_VALUE', 'needs version 6.0')
    }
    shaped(shapes[name])(value, place)
  }
}

function url(value: unknown, place: Place): void {
  text(URL_CHARACTERS)(value, place)
  if (typeof value === 'string' && !/^https?:\/\/[^\s/]|^\$\{|^`/.test(value)) {
    report(place, 'INVALID_PROPERTY_VALUE_FORMAT', 'must be an http or https address')
  }
}

export const footerAction = action('navigate', 'complete', 'data_exchange')
export const linkAction = action('navigate', 'data_exchange', 'open_url')
export const listAction = action('navigate', 'data_exchange')
export const selectAction = action('data_exchange', 'update_data')
export const unselectAction = action('update_data')

/** The members that hold an action, in components and in their items. */
const ACTION_MEMBERS = ['on-click-action', 'on-select-action', 'on-unselect-action']

export type PlacedAction = { name: string; action: Record<string, unknown>; place: Place }

/** The actions of a component and of its items. */
export function actionsOf(component: Record<string, unknown>, place: Place): PlacedAction[] {
  const lists = ['data-source', 'list-items'].flatMap((list) => {
    const given = items(component[list])
    return given.map((item, index) => ({ item, at: within(place, list, index) }))
  })
  return [{ item: component, at: place }, ...lists].flatMap(({ item, at }) =>
    ACTION_MEMBERS.flatMap((name) => {
      const given = member(item, name)
      const called = member(given, 'name')
      if (!isRecord(given) || typeof called !== 'string') return []
      return [{ name: called, action: given, place: within(at, name) }]
    }),
  )
}
