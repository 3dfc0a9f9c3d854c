import { type Field, type Form, plain } from '../forms/form.ts'
import { type Changed, exchanged, fieldNamed, hasChoices, isAfter } from './changes.ts'
import { listed, namesIn, unquoted, withMoreChoices } from './changes.ts'
import { TO } from './edit-words.ts'

/** The one field with choices, where a form has no other. */
export function onlyChosen({ fields }: Form): Field | undefined {
  const [field, other] = fields.filter(hasChoices)
  return other ? undefined : field
}

/** The one field that is answered by a number of a scale, where a form has no other. */
export function onlyRated({ fields }: Form): Field | undefined {
  const isScale = ({ choices }: Field) =>
    choices.length > 2 && choices.every((choice) => /^\d{1,2}$/.test(choice))
  const [field, other] = fields.filter(isScale)
  return other ? undefined : field
}

/** Whether some words list nothing but choices of a field. */
export function hasAll({ choices }: Field, said: string): boolean {
  const known = choices.map(plain)
  return listed(said).every((choice) => known.includes(plain(choice)))
}

const PAIR = new RegExp(`^(.+?) ${TO} (.+)$`, 'iu')

/**
 * Renames choices, "S to Small and M to Medium" or "S, M to Small, Medium", all at once; undefined where the words name
 * none, and null where not exactly one field has all of them.
 */
export function choicesRenamed(form: Form, said: string): Changed | undefined {
  const renamed = new Map(renamings(said).map(([from, to]) => [plain(from), to]))
  const isLabel = form.fields.some(({ label }) => renamed.has(plain(label)))
  const known = form.fields.map(({ choices }) => new Set(choices.map(plain)))
  const olds = [...renamed.keys()]
  if (isLabel || !known.some((choices) => olds.some((old) => choices.has(old)))) return undefined
  const [field, other] = form.fields.filter((_, at) => olds.every((old) => known[at]?.has(old)))
  if (!field || other) return null
  const choices = field.choices.map((one) => renamed.get(plain(one)) ?? one)
  if (new Set(choices).size < choices.length) return null
  return { ...form, fields: form.fields.map((one) => (one === field ? { ...one, choices } : one)) }
}

/** The old and the new name of each choice. */
function renamings(said: string): [from: string, to: string][] {
  const [, from = '', to = ''] = PAIR.exec(said) ?? []
  const [olds, news] = [listed(from), listed(to)]
  if (olds.length > 1 && olds.length === news.length) {
    return olds.map((old, at) => [old, news[at] ?? old])
  }
  const pairs = namesIn(said).flatMap((part): [string, string][] => {
    const [, one, other] = PAIR.exec(part) ?? []
    return one === undefined || other === undefined ? [] : [[unquoted(one), unquoted(other)]]
  })
  return pairs.length === namesIn(said).length ? pairs : [[unquoted(from), unquoted(to)]]
}

/** Adds a choice to all fields that have some, but for those that are answered by yes or no. */
export function offeredEverywhere(form: Form, more: string): Changed {
  const isOpen = (field: Field) =>
    hasChoices(field) && !field.choices.some((choice) => /^(?:yes|no|sí|\d+)$/i.test(choice))
  const open = form.fields.filter(isOpen)
  let after: Changed = open.length > 0 ? form : null
  for (const { label } of open) after = after && withMoreChoices(after, `"${label}"`, more)
  return after
}

/** Puts choices beside another one of the only field that has it; undefined where there is none. */
export function offeredBeside(
  form: Form,
  more: string,
  where: string,
  beside: string,
): Changed | undefined {
  const [field, other] = form.fields.filter((one) => hasAll(one, beside))
  if (!field || other || !hasChoices(field)) return undefined
  const at = field.choices.map(plain).indexOf(plain(unquoted(beside))) + Number(isAfter(where))
  return exchanged(form, `"${field.label}"`, (one) => ({
    ...one,
    choices: [...new Set(one.choices.toSpliced(at, 0, ...listed(more)))],
  }))
}

/**
 * Moves a choice before or behind the others of its field, which is named or the only one that has it; undefined where
 * there is none.
 */
export function offeredAtEnd(
  form: Form,
  what: string,
  where: string,
  of?: string,
): Changed | undefined {
  const named = of === undefined ? form.fields : [fieldNamed(form, of)]
  const [field, other] = named.filter((one) => one && hasAll(one, what))
  const choice = field?.choices.find((one) => plain(one) === plain(unquoted(what)))
  if (!field || other || choice === undefined) return undefined
  const others = field.choices.filter((one) => one !== choice)
  const isLast = /^(?:last|bottom|end|final|últim)/i.test(where)
  const choices = isLast ? [...others, choice] : [choice, ...others]
  return exchanged(form, `"${field.label}"`, (one) => ({ ...one, choices }))
}
