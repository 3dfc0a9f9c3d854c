import { isRecord } from '../core/json-values.ts'

/** Why the channel refuses a body; null when it is accepted. */
export type Fault = { code: number; details: string } | null

/** Checks a text of 1 to `lengthMax` characters, counted as code points. */
export function checkText(value: unknown, name: string, lengthMax: number): Fault {
  if (value === undefined || value === null || value === '') return missing(name)
  if (typeof value !== 'string') return invalid(name, 'must be a string')
  return value.length > lengthMax && [...value].length > lengthMax
    ? invalid(name, `must be at most ${lengthMax} characters long`)
    : null
}

/** Checks that a member is unique among the objects of a list. */
export function checkUnique(list: unknown[], member: string, name: string): Fault {
  const values = list.map((item) => (isRecord(item) ? item[member] : undefined))
  return new Set(values).size === values.length
    ? null
    : wrong(`${name}.${member}`, 'must be unique')
}

/** The first fault in a list. */
export function first<Item>(list: Item[], check: (item: Item, index: number) => Fault): Fault {
  for (const [index, item] of list.entries()) {
    const fault = check(item, index)
    if (fault) return fault
  }
  return null
}

/** The fault of a missing member. */
export function missing(name: string): Fault {
  return { code: 131008, details: `Parameter ${name} is required.` }
}

/** The fault of a member with a wrong form or length. */
export function invalid(name: string, rule: string): Fault {
  return { code: 100, details: `Param ${name} ${rule}.` }
}

/** The fault of a member with the right form and an unusable value. */
export function wrong(name: string, rule: string): Fault {
  return { code: 131009, details: `Param ${name} ${rule}.` }
}
