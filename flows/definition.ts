import { isRecord } from '../core/json-values.ts'
import type { FlowFault, Place, Raw } from './rules/faults.ts'
import { ENOUGH_FAULTS, items, member, report, wholePlace, within } from './rules/faults.ts'
import { checkReferences } from './rules/references.ts'
import { checkRouting } from './rules/routing.ts'
import { checkScreen } from './rules/screen-rules.ts'
import { readScreen, type Screen } from './rules/screens.ts'
import { anything, missing, oneOf, optional, required, shaped, text } from './rules/values.ts'

/** The versions that the channel can show, and those that it still publishes. */
const VERSIONS = ['2.1', '3.0', '3.1', '4.0', '5.0', '5.1', '6.0', '6.1', '6.2', '6.3', '7.0']
const LATEST = ['7.1', '7.2', '7.3']
const PUBLISHABLE_SINCE = 501
const SCREENS_MAX = 100
const CAROUSELS_MAX = 3
const DEPTH_MAX = 64
/** The length of the longest name that the channel accepts anywhere. */
const NAME_CHARACTERS = 200

/**
 * The faults of a flow's definition under the channel's rules, at most 50; none for a definition that the
 * channel accepts. Takes any parsed JSON, and never throws.
 */
export function flowFaults(definition: unknown): FlowFault[] {
  const place = wholePlace()
  try {
    checkWhole(definition, place)
  } catch (error) {
    if (error !== ENOUGH_FAULTS) throw error
  }
  return place.faults
}

/** The reasons why a valid definition cannot be published: the channel publishes only new versions. */
export function publishingFaults(definition: unknown): FlowFault[] {
  const faults = flowFaults(definition)
  if (faults.length > 0) return faults
  const place = wholePlace()
  const version = readVersion(definition as Raw, place) ?? 0
  if (version < PUBLISHABLE_SINCE) {
    const message = 'must be 5.1 or newer to be published'
    report(within(place, 'version'), 'UNSUPPORTED_FLOW_JSON_VERSION', message)
  }
  return place.faults
}

function checkWhole(definition: unknown, place: Place): void {
  const { isTooDeep, longName } = measure(definition)
  if (isTooDeep) {
    report(place, 'INVALID_FLOW_JSON', `must not nest deeper than ${DEPTH_MAX} levels`)
  } else if (!isRecord(definition)) {
    report(place, 'INVALID_FLOW_JSON', 'must be an object')
  } else if (longName !== null) {
    const message = `must not have names of more than ${NAME_CHARACTERS} characters, such as ${longName}`
    report(place, 'INVALID_PROPERTY_KEY', message)
  } else {
    const version = readVersion(definition, place)
    if (version !== null) checkAll(definition, { ...place, version })
  }
}

const shownOfName = /^[^]{0,40}/u

/** Looks at one level after another; a recursion over a hostile document could overflow the stack. */
function measure(value: unknown): { isTooDeep: boolean; longName: string | null } {
  let longName: string | null = null
  let level: unknown[] = [value]
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
    level = level.flatMap((one): unknown[] => {
      if (typeof one !== 'object' || one === null) return []
      const long = Object.keys(one).find(({ length }) => length > NAME_CHARACTERS)
      longName ??= long === undefined ? null : `${shownOfName.exec(long)?.[0] ?? ''}…`
      return Object.values(one)
    })
  }
  return { isTooDeep: level.length > 0, longName }
}

function readVersion(definition: Raw, place: Place): number | null {
  const version = member(definition, 'version')
  const at = within(place, 'version')
  if (version === undefined) {
    report(at, 'MISSING_FLOW_JSON_VERSION', 'is required')
  } else if (typeof version !== 'string' || !/^\d{1,3}\.\d{1,2}$/.test(version)) {
    report(at, 'INVALID_FLOW_JSON_VERSION', 'must be a text such as "7.3"')
  } else if (![...VERSIONS, ...LATEST].includes(version)) {
    report(at, 'UNSUPPORTED_FLOW_JSON_VERSION', 'is not a version that the channel takes')
  } else {
    const [major, minor] = version.split('.')
    return Number(major) * 100 + Number(minor)
  }
  return null
}

const ENDPOINT_VERSION = 300

const root = shaped({
  version: required(anything),
  screens: required(anything),
  routing_model: optional(anything),
  data_api_version: optional(oneOf('3.0', '4.0'), ENDPOINT_VERSION),
  data_channel_uri: optional(text(2_000)),
})

function checkAll(definition: Raw, place: Place): void {
  root(definition, place)
  const hasEndpoint = Object.hasOwn(definition, 'data_api_version')
  if (hasEndpoint && !Object.hasOwn(definition, 'routing_model')) missing(place, 'routing_model')
  if (Object.hasOwn(definition, 'data_channel_uri') && place.version >= ENDPOINT_VERSION) {
    const message = 'is not known from version 3.0 on'
    report(within(place, 'data_channel_uri'), 'INVALID_PROPERTY_KEY', message)
  }
  const screens = readScreens(member(definition, 'screens'), within(place, 'screens'))
  for (const screen of screens.values()) {
    checkScreen(screen, hasEndpoint || place.version < ENDPOINT_VERSION)
    checkReferences(screen, screens)
  }
  if (screens.size === 0) return
  checkEndings([...screens.values()], within(place, 'screens'))
  checkRouting(screens, member(definition, 'routing_model'), place)
}

/** The screens by id, in their order; reports and leaves out whatever is not a screen. */
function readScreens(given: unknown, place: Place): Map<string, Screen> {
  const screens = new Map<string, Screen>()
  if (given === undefined) return screens
  if (!Array.isArray(given)) {
    report(place, 'INVALID_PROPERTY_TYPE', 'must be a list of screens')
    return screens
  }
  if (given.length === 0) report(place, 'MIN_ITEMS_REQUIRED', 'must have at least one screen')
  if (given.length > SCREENS_MAX) {
    report(place, 'MAX_SCREENS_NUMBER', `must have at most ${SCREENS_MAX} screens`)
  }
  for (const [index, raw] of given.slice(0, SCREENS_MAX).entries()) {
    const at = within(place, index)
    if (!isRecord(raw)) {
      report(at, 'INVALID_PROPERTY_TYPE', 'must be a screen')
      continue
    }
    const id = readId(raw, at)
    const isTaken = id !== null && screens.has(id)
    if (isTaken) report(within(at, 'id'), 'DUPLICATE_SCREEN_IDS', 'is the id of another screen')
    // A screen without a usable id is still checked, under a name that nothing can refer to.
    const key = id === null || isTaken ? `#${index}` : id
    screens.set(key, readScreen(raw, key, at))
  }
  return screens
}

function readId(raw: Raw, place: Place): string | null {
  const id = member(raw, 'id')
  const at = within(place, 'id')
  if (id === undefined) return null
  if (typeof id !== 'string') {
    report(at, 'INVALID_PROPERTY_TYPE', 'must be a text')
    return null
  }
  if (!/^[A-Za-z_]{1,200}$/.test(id)) {
    report(at, 'PATTERN_MISMATCH', 'must have letters and underscores only')
    return null
  }
  if (id.toUpperCase() === 'SUCCESS') {
    report(at, 'SCREEN_ID_IS_RESERVED_KEYWORD', "must not be SUCCESS, which is the channel's own")
    return null
  }
  return id
}

function checkEndings(screens: Screen[], place: Place): void {
  const terminal = screens.filter(({ raw }) => raw.terminal === true)
  if (terminal.length === 0) {
    report(place, 'MISSING_TERMINAL_SCREEN', 'must have a screen that is terminal')
  } else if (!terminal.some(({ raw }) => raw.success !== false)) {
    const message = 'must have a terminal screen that is a success'
    report(place, 'MISSING_TERMINAL_SCREEN', message)
  }
  const carousels = screens.flatMap(({ components }) =>
    items(components).filter((one) => member(one, 'type') === 'ImageCarousel'),
  )
  if (carousels.length > CAROUSELS_MAX) {
    const message = `must have at most ${CAROUSELS_MAX} ImageCarousels in all`
    report(place, 'INVALID_PROPERTY_VALUE', message)
  }
}
