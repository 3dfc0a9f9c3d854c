import type { Place, Raw } from './faults.ts'
import type { Shape } from './values.ts'
import { anything, flag, optional, required, text } from './values.ts'

/** What a component gives to the form: the type of its value, or `any` where that depends. */
export type ValueType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any'

export type Component = {
  shape: Shape
  /** The first version that knows it. */
  since?: number
  gives?: ValueType
  /** Rules between its members. */
  also?: (component: Raw, place: Place) => void
}

/** What every component has. */
export const common = { type: required(anything), visible: optional(flag) }

/** A name that references and payloads use. */
export const name = text(200)

/** A text without a limit of its own. */
export const long = text(4_096)
