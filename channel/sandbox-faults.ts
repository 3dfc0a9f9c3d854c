import { isRecord } from './text.ts'

/** Why the channel refuses a body; null when it takes it. */
export type Fault = { code: number; details: string } | null

/** A text of 1 to `lengthMax` characters, an emoji counting as one. */
export function checkText(value: unknown, name: string, lengthMax: number): Fault {
  if (value === undefined || value === null || value === '') return missing(name)
  if (typeof value !== 'string') return invalid(name, 'must be a string')
  return value.length > lengthMax && [...value].length > lengthMax
    ? invalid(name, `must be at most ${lengthMax} characters long`)
    : null
}

/** Whether no two of a list's objects agree in a member. */
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

/** A member that must be there is not. */
export function missing(name: string): Fault {
  return { code: 131008, details: `Parameter ${name} is required.` }
}

/** A member breaks a rule of form or length. */
export function invalid(name: string, rule: string): Fault {
  return { code: 100, details: `Param ${name} ${rule}.` }
}

/** A member has the right form but no usable value. */
export function wrong(name: string, rule: string): Fault {
  return { code: 131009, details: `Param ${name} ${rule}.` }
}
