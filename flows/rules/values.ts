import { isRecord } from '../../core/json-values.ts'
import type { Place, Raw } from './faults.ts'
import { report, within } from './faults.ts'

/** Looks at a value and reports what is wrong with it. */
export type Check = (value: unknown, place: Place) => void

export type Property = { check: Check; isRequired: boolean; since: number }
export type Shape = Readonly<Record<string, Property>>

/** A property that is required since a version. */
export function required(check: Check, since = 0): Property {
  return { check, isRequired: true, since }
}

/** A property that is optional, and unknown to versions before `since`. */
export function optional(check: Check, since = 0): Property {
  return { check, isRequired: false, since }
}

/** Checks that an object has all required properties and no unknown ones. */
export function shaped(shape: Shape): Check {
  return (value, place) => {
    if (!isRecord(value)) return report(place, 'INVALID_PROPERTY_TYPE', 'must be an object')
    for (const [name, item] of Object.entries(value)) {
      const property = Object.hasOwn(shape, name) ? shape[name] : undefined
      const isTooNew = property && !property.isRequired && property.since > place.version
      if (!property) report(within(place, name), 'INVALID_PROPERTY_KEY', 'is not known here')
      else if (isTooNew) {
        const message = `needs version ${versionText(property.since)}`
        report(within(place, name), 'INVALID_PROPERTY_KEY', message)
      } else property.check(item, within(place, name))
    }
    for (const [name, { isRequired, since }] of Object.entries(shape)) {
      const isDue = isRequired && since <= place.version
      if (isDue && !Object.hasOwn(value, name)) missing(place, name)
    }
  }
}

/** A version as definitions write it. */
export function versionText(version: number): string {
  return `${Math.floor(version / 100)}.${version % 100}`
}

/** Reports a missing property, at the place where it should be. */
export function missing(place: Place, name: string): void {
  report(within(place, name), 'MISSING_REQUIRED_PROPERTY', 'is required')
}

const expression = /^\s*`[\s\S]*`\s*$/

/** Whether a text stands for a value that is known only while the flow runs. */
function isDynamic(value: unknown): boolean {
  return typeof value === 'string' && (holdsReference(value) || expression.test(value))
}

/** Whether a text contains `${…}`. Not a regular expression, which would search again from each `${`. */
function holdsReference(value: string): boolean {
  const start = value.indexOf('${')
  return start >= 0 && value.includes('}', start)
}

/** Whether a text is computed; versions before 6.0 do not support that. */
export function isExpression(value: string): boolean {
  return expression.test(value)
}

/** A text of 1 to so many characters, or one that is composed while the flow runs. */
export function text(charactersMax: number): Check {
  return (value, place) => {
    if (typeof value !== 'string') return wrongType(place, 'a text')
    if (isDynamic(value)) return
    if (value.length === 0) return report(place, 'MIN_CHARS_REQUIRED', 'must not be empty')
    if ([...value].length > charactersMax) {
      const message = `must have at most ${charactersMax} characters`
      report(place, 'INVALID_PROPERTY_VALUE', message)
    }
  }
}

/** A text, or a list of texts shown one after another. */
export function paragraphs(charactersMax: number): Check {
  const one = text(charactersMax)
  return (value, place) => {
    if (!Array.isArray(value)) return one(value, place)
    if (value.length === 0) report(place, 'MIN_ITEMS_REQUIRED', 'must not be empty')
    value.forEach((item, index) => one(item, within(place, index)))
  }
}

/** One of several words. */
export function oneOf(...words: string[]): Check {
  return (value, place) => {
    if (isDynamic(value) || words.includes(value as string)) return
    report(place, 'INVALID_ENUM_VALUE', `must be one of ${words.join(', ')}`)
  }
}

/** True, false, or a value that becomes one of them while the flow runs. */
export function flag(value: unknown, place: Place): void {
  if (typeof value !== 'boolean' && !isDynamic(value)) wrongType(place, 'true or false')
}

/** A whole number within bounds. */
export function whole(least: number, most: number): Check {
  return (value, place) => {
    if (isDynamic(value)) return
    if (typeof value !== 'number') return wrongType(place, 'a number')
    if (Number.isInteger(value) && value >= least && value <= most) return
    const message = `must be a whole number from ${least} to ${most}`
    report(place, 'INVALID_PROPERTY_VALUE', message)
  }
}

/** A number that is not negative. */
export function size(value: unknown, place: Place): void {
  if (isDynamic(value)) return
  if (typeof value !== 'number') return wrongType(place, 'a number')
  if (value < 0) report(place, 'INVALID_PROPERTY_VALUE', 'must not be negative')
}

/** A list of so many items that pass a check, or a value that becomes one while the flow runs. */
export function listOf(check: Check, least: number, most: number): Check {
  return (value, place) => {
    if (isDynamic(value)) return
    if (!Array.isArray(value)) return wrongType(place, 'a list')
    if (value.length < least) {
      report(place, 'MIN_ITEMS_REQUIRED', `must have at least ${least} items`)
    }
    if (value.length > most) {
      report(place, 'INVALID_PROPERTY_VALUE', `must have at most ${most} items`)
    }
    value.slice(0, most).forEach((item, index) => check(item, within(place, index)))
  }
}

/** Any object. */
export function record(value: unknown, place: Place): void {
  if (!isRecord(value) && !isDynamic(value)) wrongType(place, 'an object')
}

/** Anything at all. */
export function anything(): void {
  return undefined
}

const dayVersion = 500

/** A day: `YYYY-MM-DD`, or before version 5.0 a text of milliseconds since 1970. */
export function day(value: unknown, place: Place): void {
  if (isDynamic(value)) return
  if (typeof value !== 'string') return wrongType(place, 'a text')
  const isDay = place.version < dayVersion ? /^\d{1,15}$/.test(value) : isCalendarDay(value)
  if (isDay) return
  const form = place.version < dayVersion ? 'milliseconds since 1970' : 'a day such as 2027-03-31'
  report(place, 'INVALID_PROPERTY_VALUE_FORMAT', `must be ${form}`)
}

function isCalendarDay(value: string): boolean {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []
  if (year === undefined) return false
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const most = days[Number(month) - 1] ?? 0
  return Number(date) >= 1 && Number(date) <= most
}

/** A picture in base64 of at most so many bytes. */
export function picture(bytesMax: (version: number) => number): Check {
  return (value, place) => {
    if (isDynamic(value)) return
    if (typeof value !== 'string') return wrongType(place, 'a picture in base64')
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) {
      return report(place, 'INVALID_PROPERTY_VALUE_FORMAT', 'must be a picture in base64')
    }
    const most = bytesMax(place.version)
    // Padding stands for no bytes.
    const digits = value.replace(/=+$/, '').length
    if (Math.floor((digits * 3) / 4) > most) {
      report(place, 'INVALID_PROPERTY_VALUE', `must be a picture of at most ${most} bytes`)
    }
  }
}

/** Reports a lower bound that is above the upper one; either may be missing. */
export function checkBounds(component: Raw, place: Place, least: string, most: string): void {
  const [low, high] = [component[least], component[most]]
  if (typeof low !== 'number' || typeof high !== 'number' || low <= high) return
  report(within(place, least), 'MIN_VALUE_GREATER_THAN_MAX', `must not be above ${most}`)
}

/** Reports a value of the wrong type. */
export function wrongType(place: Place, what: string): void {
  report(place, 'INVALID_PROPERTY_TYPE', `must be ${what}`)
}
