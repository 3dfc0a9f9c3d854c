import { capitalised, CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from '../forms/form.ts'
import { type Form, plain, SEVERAL_MAX } from '../forms/form.ts'
import { cleaned } from '../words/fillers.ts'
import { readChoices, readScale } from '../words/lists.ts'
import { readSeries } from '../words/series.ts'
import { kindNamed, tidy } from '../words/words.ts'

/** The form after a change; null where that is impossible, or names a field that is not there. */
export type Changed = Form | null

/** The longest label that an instruction may give. */
export const LABEL_CHARACTERS_MAX = 120
/** Of these a form has one, so that the word is enough in either language. */
const UNIQUE_KINDS: readonly unknown[] = ['email', 'phone', 'password', 'photo', 'document']

/** Whether a form is complete, and no larger than a form may be. */
export function isWhole({ title, fields }: Form): boolean {
  const consents = fields.filter(({ kind }) => kind === 'consent').length
  const isChoosable = ({ kind, choices }: Field) =>
    (kind === 'one_of' && choices.length >= 2 && choices.length <= CHOICES_MAX) ||
    (kind === 'some_of' && choices.length >= 1 && choices.length <= SEVERAL_MAX) ||
    (kind !== 'one_of' && kind !== 'some_of')
  const isSized = fields.length > 0 && fields.length <= FIELDS_MAX && consents <= CONSENTS_MAX
  return title !== '' && isSized && fields.every(isChoosable)
}

const FIELD = /(?<=\S) (?:field|question|campo|pregunta)s?$/i

/** A thing has no longer name. */
const WORDS_MAX = 4
/** Says something of a field, or names several. */
const SAYING =
  /,|\b(?:is|are|be|and|or|after|before|behind|below|above|everything|rest|others?|required|optional|mandatory|from|for|es|son|opcional|obligatori[oa]|sea|debe|y|después|antes|todo|resto)\b/

/** The field that some words mean; undefined when they mean none, or more than one. */
export function fieldNamed({ fields }: Pick<Form, 'fields'>, words: string): Field | undefined {
  const wanted = unmarked(cleaned(unquoted(words)).replace(FIELD, ''))
  const labelsOf = ({ name, label }: Field) => [unmarked(label), plain(name.replaceAll('_', ' '))]
  const isExact = (one: Field) =>
    labelsOf(one).includes(wanted) || unmarked(one.label) === unmarked(unquoted(words))
  const exact = fields.find(isExact)
  if (exact || wanted === '') return exact
  const singular = wanted.replace(/(?<=\w{3})s$/, '')
  const close = fields.filter((one) => labelsOf(one).some((label) => hasWords(label, singular)))
  if (close.length > 0) return close.length === 1 ? close[0] : undefined
  const isThing = !SAYING.test(wanted) && wanted.split(' ').length <= WORDS_MAX
  const kind = isThing ? kindNamed(wanted) : null
  const isAlike = kind === 'rating' ? isScale : (one: Field) => one.kind === kind
  const alike = [...UNIQUE_KINDS, 'rating'].includes(kind) ? fields.filter(isAlike) : []
  return alike.length === 1 ? alike[0] : undefined
}

/** Words in their plain form, without the marks of a question. */
function unmarked(words: string): string {
  return plain(words).replace(/[¿?]/g, '').trim()
}

/** Whether one rates something: its choices are numbers in a row. */
function isScale({ choices }: Field): boolean {
  const [first] = choices
  const isInRow = choices.every((choice, index) => choice === String(Number(first) + index))
  return choices.length > 2 && (first === '0' || first === '1') && isInRow
}

/** Whether a label has some words, or parts of words; of a few letters, only a word: "S" is no "size". */
function hasWords(label: string, words: string): boolean {
  return words.length < 3 ? label.split(' ').includes(words) : label.includes(words)
}

/** Whether one chooses from a list to fill a field in. */
export function hasChoices(field: Field | undefined): field is Field {
  return field?.kind === 'one_of' || field?.kind === 'some_of'
}

/** Puts another field in the place of the one that some words mean. */
export function exchanged(form: Form, of: string, change: (field: Field) => Field | null): Changed {
  const field = fieldNamed(form, of)
  const after = field && change(field)
  if (!after) return null
  return { ...form, fields: form.fields.map((one) => (one === field ? after : one)) }
}

/** A field without limits on how much may be answered. */
export function unlimited({ least: _least, most: _most, ...field }: Field): Field {
  return field
}

/** A field whose answer nobody gives beforehand. */
export function withoutInitial({ initial: _initial, ...field }: Field): Field {
  return field
}

/** Changes members of the field that some words mean; choices only where it has some. */
export function changed(
  form: Form,
  of: string,
  change: (field: Field) => Partial<Field> | null,
): Changed {
  return exchanged(form, of, (field) => {
    const members = change(field)
    const isOfChoices = members?.choices && !members.kind
    return members === null || (isOfChoices && !hasChoices(field)) ? null : { ...field, ...members }
  })
}

/** Adds choices that a field does not have yet. */
export function withMoreChoices(form: Form, to: string, more: string): Changed {
  return changed(form, to, ({ choices }) => ({
    choices: [
      ...choices,
      ...listed(more).filter((one) => !choices.map(plain).includes(plain(one))),
    ],
  }))
}

/** Removes choices; null where there is not each of them. */
export function withoutChoices(form: Form, from: string, fewer: string): Changed {
  const gone = listed(fewer).map(plain)
  return changed(form, from, ({ choices }) => {
    const known = choices.map(plain)
    if (!gone.every((choice) => known.includes(choice))) return null
    return { choices: choices.filter((choice) => !gone.includes(plain(choice))) }
  })
}

/** Changes a label. The name stays the same, because replies contain it. */
export function renamed(form: Form, from: string, label: string): Changed {
  if (label === '' || label.length > LABEL_CHARACTERS_MAX) return null
  return changed(form, from, () => ({ label: capitalised(label) }))
}

function isRequiredBy(said: string): boolean {
  return /^not? /i.test(said) === /op[ct]/i.test(said)
}

/** Makes fields required or optional, as is `said` of them. */
export function marked(form: Form, of: string, said: string): Changed {
  return markedAs(form, of, isRequiredBy(said))
}

const ALL =
  /^(?:everything|todo|(?:all|todos|todas)(?: (?:of )?(?:the |los |las )?(?:(?:other )?(?:fields|questions)|campos|preguntas))?)$/i

function markedAs(form: Form, of: string, isRequired: boolean): Changed {
  if (ALL.test(of))
    return { ...form, fields: form.fields.map((field) => ({ ...field, isRequired })) }
  let after: Changed = form
  for (const part of namesIn(of)) after = after && changed(after, part, () => ({ isRequired }))
  return after
}

/** The same, and the opposite for all other fields but agreements. */
export function markedAlone(form: Form, of: string, said: string): Changed {
  const isRequired = isRequiredBy(said)
  const fields = form.fields.map((field) =>
    field.kind === 'consent' ? field : { ...field, isRequired: !isRequired },
  )
  return markedAs({ ...form, fields }, of, isRequired)
}

/** The same for all fields, and the opposite for some. */
export function markedExcept(form: Form, said: string, except: string): Changed {
  const isRequired = isRequiredBy(said)
  const all = markedAs(form, 'all', isRequired)
  return all && markedAs(all, except, !isRequired)
}

/** Removes fields. */
export function removed(form: Form, what: string): Changed {
  const gone = namesIn(what).map((part) => fieldNamed(form, part))
  if (gone.includes(undefined) || new Set(gone).size < gone.length) return null
  return { ...form, fields: form.fields.filter((field) => !gone.includes(field)) }
}

/** Removes all fields before or after one, but for agreements. */
export function removedBeside(form: Form, where: string, beside: string): Changed {
  const field = fieldNamed(form, beside)
  if (!field) return null
  const at = form.fields.indexOf(field)
  const isGone = (one: Field, index: number) =>
    one.kind !== 'consent' && (isAfter(where) ? index > at : index < at)
  return { ...form, fields: form.fields.filter((one, index) => !isGone(one, index)) }
}

/** Removes all fields but these. */
export function kept(form: Form, what: string): Changed {
  const left = namesIn(what).map((part) => fieldNamed(form, part))
  if (left.includes(undefined)) return null
  return { ...form, fields: form.fields.filter((field) => left.includes(field)) }
}

/** The section of a field, or the last one for agreements, which are on the last screen anyway. */
export function sectionOf({ fields }: Form, beside: Field | undefined): number {
  const near = [beside, fields.findLast(({ kind }) => kind !== 'consent')]
  return near.find((one) => one && one.kind !== 'consent')?.section ?? 0
}

/** Whether "after" is said, and not "before". */
export function isAfter(where = ''): boolean {
  return /^(?:after|behind|below|under|desp|debajo)/i.test(where)
}

/** The names that a text lists. */
export function namesIn(text: string): string[] {
  return text.split(/,\s*(?:and |y )?|\s+(?:and|y|&)\s+/i).filter((part) => part.trim() !== '')
}

/** "1 to 5", "numbers from 1 to 5" */
const NUMBERS =
  /^(?:(?:the )?(?:numbers|values) )?(?:from |between )?\d{1,2} ?(?:-|–|to|and|a|y) ?\d{1,2}$/iu

/** The choices that a text lists, be it one. */
export function listed(text: string): string[] {
  const bare = unquoted(text)
  if (/^n\/a$/i.test(bare)) return [bare]
  const numbers = NUMBERS.test(bare) ? readScale(bare) : null
  if (numbers) return numbers.choices
  const series = readSeries(bare)
  if (series && tidy(series.rest) === '') return series.choices
  const readings = [readChoices(tidy(text)), readChoices(bare)]
  return readings.find(({ length }) => length > 0) ?? [bare]
}

/** A text without the quotation marks around it. */
export function unquoted(text: string): string {
  return tidy(text).replace(/^["'“«]|["'”»]$/g, '')
}
