import { isRecord } from '../../core/json-values.ts'
import { LIMITS } from '../../core/limits.ts'

/** The channel's own names for the faults of a flow's definition, as far as they are checked here. */
export type FlowError =
  | 'COMPONENTS_OUTSIDE_FORM'
  | 'DUPLICATE_FORM_COMPONENT_NAMES'
  | 'DUPLICATE_SCREEN_IDS'
  | 'INVALID_COMPLETE_ACTION'
  | 'INVALID_DEPENDENCIES'
  | 'INVALID_ENUM_VALUE'
  | 'INVALID_FLOW_JSON'
  | 'INVALID_FLOW_JSON_VERSION'
  | 'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME'
  | 'INVALID_NAVIGATE_ACTION_PAYLOAD'
  | 'INVALID_PROPERTY_KEY'
  | 'INVALID_PROPERTY_TYPE'
  | 'INVALID_PROPERTY_VALUE'
  | 'INVALID_PROPERTY_VALUE_FORMAT'
  | 'INVALID_ROUTING_MODEL'
  | 'INVALID_SCREEN_DATA'
  | 'INVALID_SCREEN_DYNAMIC_DATA'
  | 'MAX_EMBEDDED_LINK_PER_SCREEN'
  | 'MAX_IMAGE_PER_SCREEN'
  | 'MAX_OPT_IN_PER_SCREEN'
  | 'MAX_SCREENS_NUMBER'
  | 'MIN_CHARS_REQUIRED'
  | 'MIN_ITEMS_REQUIRED'
  | 'MIN_VALUE_GREATER_THAN_MAX'
  | 'MISSING_FLOW_JSON_VERSION'
  | 'MISSING_FOOTER_IN_IF_ELSE_BRANCHES'
  | 'MISSING_FOOTER_IN_SWITCH_BRANCHES'
  | 'MISSING_FOOTER_ON_TERMINAL_SCREEN'
  | 'MISSING_REQUIRED_PROPERTY'
  | 'MISSING_REQUIRED_TYPE_PROPERTY'
  | 'MISSING_TERMINAL_SCREEN'
  | 'MORE_THAN_ONE_FOOTER'
  | 'PATTERN_MISMATCH'
  | 'SCREEN_ID_IS_RESERVED_KEYWORD'
  | 'UNSUPPORTED_FLOW_JSON_VERSION'

/** One fault of a definition: its place as a JSON pointer, and what is wrong there. */
export type FlowFault = { error: FlowError; pointer: string; message: string }

/** The place in a definition that a check looks at, and the list for the faults it finds. */
export type Place = {
  /** The enclosing place, and the member or item of it that this is; null for the whole definition. */
  from: { place: Place; step: string | number } | null
  /** The definition's version in hundredths: 703 for "7.3". */
  version: number
  faults: FlowFault[]
}

export type Raw = Record<string, unknown>

/** Ends the checks of a definition with the faults found so far; whoever fixes those will ask again. */
export const ENOUGH_FAULTS = new Error(`There are ${LIMITS.faultsTold} faults`)

/**
 * Notes a fault at a place; `message` continues a sentence that begins with the place's name: "must be a list".
 * Throws `ENOUGH_FAULTS` with the last fault that is told.
 */
export function report(place: Place, error: FlowError, message: string): void {
  place.faults.push({ error, pointer: pointerTo(place), message })
  if (place.faults.length >= LIMITS.faultsTold) throw ENOUGH_FAULTS
}

/** The place of the whole definition. */
export function wholePlace(): Place {
  return { from: null, version: 0, faults: [] }
}

/** The place of a member or an item within another place. */
export function within(place: Place, ...steps: (string | number)[]): Place {
  const { version, faults } = place
  return steps.reduce<Place>((at, step) => ({ from: { place: at, step }, version, faults }), place)
}

/** Built only for faults that are reported, since there are far more places than faults. */
function pointerTo(place: Place): string {
  const steps: string[] = []
  for (let { from } = place; from; { from } = from.place) {
    steps.unshift(`/${String(from.step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  return steps.join('')
}

/** An object's own member; a definition may use names that every JavaScript object inherits. */
export function member(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The items of a list; none for anything else. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
