import type { Place, Raw } from './faults.ts'
import type { Shape } from './values.ts'
import { anything, flag, optional, required, text } from './values.ts'

/** The type of the value that a component adds to the form, or `any` where the type depends on other things. */
export type ValueType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any'

export type Component = {
  shape: Shape
  /** The first version that knows the component. */
  since?: number
  gives?: ValueType
  /** Rules between its members. */
  also?: (component: Raw, place: Place) => void
}

/** The members that every component has. */
export const common = { type: required(anything), visible: optional(flag) }

/** A name that references and payloads use. */
export const name = text(200)

/** A text that has no limit of its own. */
export const long = text(4_096)
