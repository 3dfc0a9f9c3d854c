import { isRecord } from '../../core/json-values.ts'
import { actionsOf, type PlacedAction } from './actions.ts'
import type { Place } from './faults.ts'
import { items, member, report, within } from './faults.ts'
import { inputPassed, typeOfPassed } from './references.ts'
import type { Screen } from './screens.ts'

type Screens = ReadonlyMap<string, Screen>
type Edges = Map<string, Set<string>>

const EDGES_MAX = 10

/**
 * Checks how screens lead to each other: each step goes to an existing screen with the data that it declares,
 * only forward, from a single first screen, and finally to an end.
 */
export function checkRouting(screens: Screens, model: unknown, root: Place): void {
  const walked = stepsOf(screens)
  const place = model === undefined ? within(root, 'screens') : within(root, 'routing_model')
  const edges = model === undefined ? walked : readModel(model, screens, place)
  if (!edges) return
  for (const [from, targets] of model === undefined ? [] : walked) {
    for (const to of targets) {
      if (!edges.get(from)?.has(to)) {
        report(place, 'INVALID_ROUTING_MODEL', `must lead from ${from} to ${to}, as an action does`)
      }
    }
  }
  for (const [from, targets] of edges) {
    if (targets.size <= EDGES_MAX) continue
    const message = `must lead from ${from} to at most ${EDGES_MAX} screens`
    report(place, 'INVALID_ROUTING_MODEL', message)
  }
  checkOrder(edges, screens, place)
  checkEnds(edges, screens)
}

/** The steps that the actions of the screens make; reports those that lead nowhere. */
function stepsOf(screens: Screens): Edges {
  const edges: Edges = new Map([...screens.keys()].map((id) => [id, new Set()]))
  for (const screen of screens.values()) {
    const actions = screen.components.flatMap(({ component, place }) => actionsOf(component, place))
    const picked = pickedOn(screen)
    for (const step of actions.filter(({ name }) => name === 'navigate')) {
      const to = checkStep(step, { from: screen, picked, screens })
      if (to !== null) edges.get(screen.id)?.add(to)
    }
  }
  return edges
}

type Origin = { from: Screen; picked: ReadonlySet<unknown>; screens: Screens }

function checkStep({ action, place }: PlacedAction, origin: Origin): string | null {
  const { from, screens } = origin
  const id = member(member(action, 'next'), 'name')
  const at = within(place, 'next', 'name')
  if (typeof id !== 'string') return null
  const error = 'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME'
  const target = screens.get(id)
  if (!target || target === from) {
    report(at, error, target ? 'must be another screen' : 'must be the id of a screen')
    return null
  }
  checkPassed(member(action, 'payload'), within(place, 'payload'), { ...origin, target })
  return id
}

const pickers = ['PhotoPicker', 'DocumentPicker']

function pickedOn({ components }: Screen): ReadonlySet<unknown> {
  const chosen = components.filter(({ type }) => pickers.includes(type))
  return new Set(chosen.map(({ component }) => component.name))
}

function checkPassed(
  payload: unknown,
  place: Place,
  { from, picked, target, screens }: Origin & { target: Screen },
): void {
  const error = 'INVALID_NAVIGATE_ACTION_PAYLOAD'
  const given = isRecord(payload) ? payload : {}
  for (const name of target.data.keys()) {
    if (Object.hasOwn(given, name)) continue
    report(within(place, name), error, `is required by the screen ${target.id}`)
  }
  for (const [name, value] of Object.entries(given)) {
    const at = within(place, name)
    const due = target.data.get(name)
    const type = typeOfPassed(value, from, screens)
    const isAny = due === 'any' || type === 'any'
    if (due === undefined) report(at, error, `is not in the data of the screen ${target.id}`)
    else if (!isAny && type !== due) report(at, error, `must be of the type ${due}`)
    const input = inputPassed(value)
    if (input !== null && picked.has(input)) report(at, error, 'must not be what a picker gives')
  }
}

function readModel(model: unknown, screens: Screens, place: Place): Edges | null {
  if (!isRecord(model)) {
    report(place, 'INVALID_PROPERTY_TYPE', 'must be an object')
    return null
  }
  const edges: Edges = new Map([...screens.keys()].map((id) => [id, new Set()]))
  for (const [from, targets] of Object.entries(model)) {
    const at = within(place, from)
    if (!screens.has(from)) report(at, 'INVALID_ROUTING_MODEL', 'must be the id of a screen')
    if (!Array.isArray(targets)) report(at, 'INVALID_PROPERTY_TYPE', 'must be a list of screens')
    for (const [index, to] of items(targets).entries()) {
      const isKnown = typeof to === 'string' && screens.has(to) && to !== from
      if (isKnown) edges.get(from)?.add(to)
      else report(within(at, index), 'INVALID_ROUTING_MODEL', 'must be the id of another screen')
    }
  }
  return edges
}

/** Repeatedly removes screens that no other screen leads to; those that remain form a circle. */
function checkOrder(edges: Edges, screens: Screens, place: Place): void {
  const inbound = new Map([...screens.keys()].map((id) => [id, 0]))
  for (const targets of edges.values()) {
    for (const to of targets) inbound.set(to, (inbound.get(to) ?? 0) + 1)
  }
  const first = [...inbound].filter(([, count]) => count === 0).map(([id]) => id)
  const open = [...first]
  let taken = 0
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    taken += 1
    for (const to of edges.get(id) ?? []) {
      const left = (inbound.get(to) ?? 0) - 1
      inbound.set(to, left)
      if (left === 0) open.push(to)
    }
  }
  if (taken < screens.size) {
    report(place, 'INVALID_ROUTING_MODEL', 'must lead forward only, and never round in a circle')
  } else if (first.length !== 1) {
    const message = `must begin with one screen, and begins with ${first.join(', ')}`
    report(place, 'INVALID_ROUTING_MODEL', message)
  }
}

/**
 * From every screen, a terminal screen must be reachable; screens that are opened from a terminal one are left
 * by going back.
 */
function checkEnds(edges: Edges, screens: Screens): void {
  const terminal = [...screens.values()].filter(({ raw }) => raw.terminal === true)
  const ends = new Set(terminal.map(({ id }) => id))
  for (const id of [...ends]) for (const to of edges.get(id) ?? []) ends.add(to)
  const into = new Map<string, string[]>()
  for (const [from, targets] of edges) {
    for (const to of targets) into.set(to, [...(into.get(to) ?? []), from])
  }
  const open = [...ends]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const from of into.get(id) ?? []) {
      if (ends.has(from)) continue
      ends.add(from)
      open.push(from)
    }
  }
  if (terminal.length === 0) return
  for (const { id, place } of screens.values()) {
    if (!ends.has(id)) report(place, 'INVALID_ROUTING_MODEL', 'must lead to a terminal screen')
  }
}
