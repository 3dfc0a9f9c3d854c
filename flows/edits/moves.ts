import { laidOut } from '../forms/builder.ts'
import type { Field, Form } from '../forms/form.ts'
import { added } from './additions.ts'
import { type Changed, fieldNamed, isAfter, namesIn, sectionOf } from './changes.ts'

/** Moves a field before or after another one, or to the beginning or the end when there is none. */
export function moved(form: Form, what: string, where: string, beside?: string): Changed {
  const field = fieldNamed(form, what)
  const others = { ...form, fields: form.fields.filter((one) => one !== field) }
  const isEnd = /^(?:end|bottom|last|final|último|ultimo)/i.test(where)
  const other = beside === undefined ? others.fields.at(isEnd ? -1 : 0) : fieldNamed(others, beside)
  if (!field || !other) return null
  const at = others.fields.indexOf(other) + Number(isEnd || isAfter(where))
  const after = { ...field, section: sectionOf(others, other) }
  return { ...form, fields: others.fields.toSpliced(at, 0, after) }
}

/** Moves fields, in the order in which they are named, before or after another one, to the beginning or the end. */
export function allMoved(form: Form, what: string, where: string, beside?: string): Changed {
  if (fieldNamed(form, what)) return moved(form, what, where, beside)
  const [first = '', ...others] = namesIn(what)
  let after = moved(form, first, where, beside)
  let last = first
  for (const name of others) {
    after = after && moved(after, name, 'after', last)
    last = name
  }
  return after
}

/** Moves a field to a place, from 1, among all; null where there are not so many. */
export function movedToPlace(form: Form, what: string, place: number): Changed {
  const others = form.fields.filter((one) => one !== fieldNamed(form, what))
  const before = others[place - 2]
  return before ? moved(form, what, 'after', before.label) : null
}

/** Moves a field by one place; null where there is none. */
export function movedByOne(form: Form, what: string, isUp: boolean): Changed {
  const field = fieldNamed(form, what)
  const other = field && form.fields[form.fields.indexOf(field) + (isUp ? -1 : 1)]
  return other ? moved(form, what, isUp ? 'before' : 'after', other.label) : null
}

/** How many screens ask for something. */
export function screensIn(form: Form): number {
  return Math.max(...laidOut(form).map(({ section }) => section)) + 1
}

/** Moves fields to the end of a screen, by its number from 1; Infinity for a new one, which all of them share. */
export function allMovedToScreen(form: Form, what: string, screen: number): Changed {
  const names = fieldNamed(form, what) ? [what] : namesIn(what)
  let after: Changed = form
  let at = screen
  for (const name of names) {
    after = after && movedToScreen(after, name, at)
    const moved = after && fieldNamed({ ...after, fields: laidOut(after) }, name)
    at = moved ? moved.section + 1 : at
  }
  return after
}

function movedToScreen(form: Form, what: string, screen: number): Changed {
  const field = fieldNamed(form, what)
  if (!field) return null
  const fields = laidOut(form)
  const last = sectionOf({ ...form, fields }, undefined)
  const section = Math.min(screen - 1, last + 1)
  const at = form.fields.indexOf(field)
  const others = fields.toSpliced(at, 1)
  const end = others.findLastIndex((one) => one.section <= section && one.kind !== 'consent') + 1
  return { ...form, fields: others.toSpliced(end, 0, { ...field, section }) }
}

/** Puts two fields in the place of each other. */
export function swapped(form: Form, one: string, other: string): Changed {
  const [first, second] = [fieldNamed(form, one), fieldNamed(form, other)]
  if (!first || !second) return null
  const swap = (field: Field): Field => {
    if (field === first) return { ...second, section: sectionOf(form, first) }
    return field === second ? { ...first, section: sectionOf(form, second) } : field
  }
  return { ...form, fields: form.fields.map(swap) }
}

/** Divides the fields evenly between so many screens; null where there are fewer fields. */
export function divided(form: Form, screens: number): Changed {
  const asked = form.fields.filter(({ kind }) => kind !== 'consent')
  if (asked.length < screens) return null
  const screenOf = (field: Field) =>
    Math.floor((Math.max(0, asked.indexOf(field)) * screens) / asked.length)
  return { ...form, fields: form.fields.map((one) => ({ ...one, section: screenOf(one) })) }
}

/** Puts all fields on one screen, which is the only one; null where they have no room on it. */
export function onOneScreen(form: Form): Changed {
  const whole = { ...form, fields: form.fields.map((one) => ({ ...one, section: 0 })) }
  const isRoom = laidOut(whole).every(({ section }) => section === 0)
  return isRoom ? { ...whole, isReviewed: false } : null
}

/** Puts the fields behind one, of those on its screen, on a screen of their own. */
export function dividedBehind(form: Form, last: string): Changed {
  const field = fieldNamed(form, last)
  if (!field) return null
  const end = form.fields.indexOf(field)
  const isBehind = ({ section }: Field, at: number) =>
    section > field.section || (section === field.section && at > end)
  const after = (one: Field, at: number) =>
    isBehind(one, at) ? { ...one, section: one.section + 1 } : one
  return { ...form, fields: form.fields.map(after) }
}

/** Puts some fields on the first screen, and all others on the second. */
export function withoutRest(form: Form, first: string): Changed {
  const named = namesIn(first).map((name) => fieldNamed(form, name))
  if (named.includes(undefined)) return null
  const [ahead, rest] = [true, false].map((isFirst) =>
    form.fields
      .filter((field) => named.includes(field) === isFirst)
      .map((field) => ({ ...field, section: isFirst ? 0 : 1 })),
  )
  return { ...form, fields: [...(ahead ?? []), ...(rest ?? [])] }
}

/** Puts several fields first, in the order of their names; undefined where the words name no two of them. */
export function inThisOrder(form: Form, what: string): Changed | undefined {
  const named = namesIn(what).map((name) => fieldNamed(form, name))
  const first = named.filter((one) => one !== undefined)
  if (first.length < Math.max(named.length, 2) || new Set(first).size < first.length)
    return undefined
  const fields = [...first, ...form.fields.filter((one) => !first.includes(one))]
  // Each place stays on its screen, whatever stands there now.
  return {
    ...form,
    fields: fields.map((one, at) => ({ ...one, section: form.fields[at]?.section ?? 0 })),
  }
}

/** Adds fields at the end of a screen, by its number from 1; one that there is not yet has to be the next. */
export function addedOnScreen(form: Form, what: string, screen: number): Changed {
  const divided = { ...form, fields: laidOut(form) }
  return screen > screensIn(form) + 1 ? null : addedThere(divided, what, screen - 1)
}

/** Adds fields on a screen of their own behind the one with a number from 1; null where that is the last. */
export function addedBehindScreen(form: Form, what: string, screen: number): Changed {
  if (screen >= screensIn(form)) return null
  const fields = laidOut(form).map((one) =>
    one.section >= screen ? { ...one, section: one.section + 1 } : one,
  )
  return addedThere({ ...form, fields }, what, screen)
}

/** Adds fields to a section, behind what is in it and before it. */
function addedThere(form: Form, what: string, section: number): Changed {
  const last = form.fields.findLast((one) => one.section <= section && one.kind !== 'consent')
  const after = last && added(form, what, 'after', `"${last.label}"`)
  const isNew = (one: Field) => !form.fields.includes(one)
  if (!after) return null
  return { ...after, fields: after.fields.map((one) => (isNew(one) ? { ...one, section } : one)) }
}

/** Puts what is on one screen and the next on one; null where other screens lie between them. */
export function screensJoined(form: Form, one: number, other: number): Changed {
  const [first, second] = [Math.min(one, other), Math.max(one, other)]
  if (second !== first + 1 || second > screensIn(form)) return null
  const fields = laidOut(form).map((field) =>
    field.section >= second - 1 ? { ...field, section: field.section - 1 } : field,
  )
  const isRoom = laidOut({ ...form, fields }).every(
    ({ section }, at) => section === fields[at]?.section,
  )
  return isRoom ? { ...form, fields } : null
}

/** The number of the screen that asks for a field; undefined where there is none. */
export function screenOf(form: Form, what: string): number | undefined {
  const field = fieldNamed(form, what)
  const at = field ? form.fields.indexOf(field) : -1
  const section = laidOut(form)[at]?.section
  return section === undefined ? undefined : section + 1
}

/** Removes what a screen asks for, by its number from 1; null where it is the only one. */
export function withoutScreen(form: Form, screen: number): Changed {
  const isThere = screen <= screensIn(form) && screensIn(form) > 1
  const fields = laidOut(form).filter((one) => one.kind === 'consent' || one.section !== screen - 1)
  return isThere && fields.length < form.fields.length ? { ...form, fields } : null
}
