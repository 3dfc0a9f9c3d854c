import { capitalised, CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from './form.ts'
import { type Form, nameFor, plain, SEVERAL_MAX } from './form.ts'
import { laidOut } from './form-builder.ts'
import { cleaned, named, readItem } from './form-items.ts'
import { readChoices, splitList } from './form-lists.ts'
import { readForm } from './form-reader.ts'
import { kindNamed, languageOf, tidy } from './form-words.ts'

/** The form after a change; null where that is impossible, or names a field that is not there. */
export type Changed = Form | null

const LABEL_CHARACTERS_MAX = 120
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

/** The field that some words mean; undefined when they mean none, or more than one. */
export function fieldNamed({ fields }: Form, words: string): Field | undefined {
  const wanted = plain(cleaned(unquoted(words)))
  const labelsOf = ({ name, label }: Field) => [plain(label), plain(name.replaceAll('_', ' '))]
  const isExact = (one: Field) =>
    labelsOf(one).includes(wanted) || plain(one.label) === plain(unquoted(words))
  const exact = fields.find(isExact)
  if (exact || wanted === '') return exact
  const singular = wanted.replace(/(?<=\w{3})s$/, '')
  const close = fields.filter((one) => labelsOf(one).some((label) => label.includes(singular)))
  if (close.length > 0) return close.length === 1 ? close[0] : undefined
  const kind = kindNamed(wanted)
  const alike = UNIQUE_KINDS.includes(kind) ? fields.filter((one) => one.kind === kind) : []
  return alike.length === 1 ? alike[0] : undefined
}

/** Whether one chooses from a list to fill a field in. */
export function hasChoices(field: Field | undefined): field is Field {
  return field?.kind === 'one_of' || field?.kind === 'some_of'
}

/** Changes members of the field that some words mean; choices only where it has some. */
export function changed(
  form: Form,
  of: string,
  change: (field: Field) => Partial<Field> | null,
): Changed {
  const field = fieldNamed(form, of)
  const members = field ? change(field) : null
  if (!field || !members) return null
  if (members.choices && !members.kind && !hasChoices(field)) return null
  const after = { ...field, ...members }
  return { ...form, fields: form.fields.map((one) => (one === field ? after : one)) }
}

/** Adds choices that a field does not have yet. */
export function withMoreChoices(form: Form, to: string, more: string): Changed {
  return changed(form, to, ({ choices }) => ({
    choices: [...new Set([...choices, ...listed(more)])],
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

/** Makes fields required or optional, as is `said` of them. */
export function marked(form: Form, of: string, said: string): Changed {
  const isRequired = /^not? /i.test(said) === /op[ct]/i.test(said)
  const all = /^(?:all|everything|todo|todos|todas)\b/i.test(of)
  if (all) return { ...form, fields: form.fields.map((field) => ({ ...field, isRequired })) }
  let after: Changed = form
  for (const part of namesIn(of)) after = after && changed(after, part, () => ({ isRequired }))
  return after
}

/** The same, and the opposite for all other fields but agreements. */
export function markedAlone(form: Form, of: string, said: string): Changed {
  const isRequired = /op[ct]/i.test(said)
  const fields = form.fields.map((field) =>
    field.kind === 'consent' ? field : { ...field, isRequired },
  )
  return marked({ ...form, fields }, of, said)
}

/** Removes fields. */
export function removed(form: Form, what: string): Changed {
  const gone = namesIn(what).map((part) => fieldNamed(form, part))
  if (gone.includes(undefined) || new Set(gone).size < gone.length) return null
  return { ...form, fields: form.fields.filter((field) => !gone.includes(field)) }
}

/** Removes all fields but these. */
export function kept(form: Form, what: string): Changed {
  const left = namesIn(what).map((part) => fieldNamed(form, part))
  if (left.includes(undefined)) return null
  return { ...form, fields: form.fields.filter((field) => left.includes(field)) }
}

const WITH_CHOICES =
  /^(.*?) (?:with|con) (?:(?:the |las )?(?:options|choices|opciones):? )?(\S.*)$/iu
const LIST_FOR = /^(?:an? |una? )?(?:drop-?down|list|menu|desplegable|lista) (?:for|of|de|para) /iu
const OPTIONS = /\b(?:options|choices|opciones)\b/iu

/** The fields that some words ask for, with names that the form has not used; null for none. */
function described(form: Form, what: string): Field[] | null {
  const [, asked = '', options = ''] = WITH_CHOICES.exec(what) ?? []
  const isListed = asked !== '' && (LIST_FOR.test(what) || OPTIONS.test(what))
  const given = isListed ? `${asked.replace(LIST_FOR, '')} (${options})` : what
  const taken = form.fields.map(({ name }) => name)
  const parts = splitList(given).map(({ text }) => text)
  if (parts.length > FIELDS_MAX) return null
  const read = parts.length > 1 ? readForm('', `Fields: ${given}`) : ''
  if (typeof read !== 'string') {
    return read.fields.map((field) => {
      const name = nameFor(field.name.replaceAll('_', ' '), taken)
      taken.push(name)
      return { ...field, name }
    })
  }
  const fields = parts.map((part) => {
    const language = languageOf(part) === 'es' ? 'es' : form.language
    const item = readItem(part, language)
    const field = item && named(item, taken, !item.isOptional)
    if (field) taken.push(field.name)
    return field
  })
  return fields.includes(null) ? null : (fields as Field[])
}

/** Puts fields before the one at a place, or at the end, on its screen; null where their labels are taken. */
function inserted(form: Form, fields: Field[], at: number): Changed {
  const labels = form.fields.map(({ label }) => plain(label))
  if (fields.length === 0 || fields.some(({ label }) => labels.includes(plain(label)))) return null
  return { ...form, fields: form.fields.toSpliced(at, 0, ...fields) }
}

/** The section of a field, or the last one for agreements, which are on the last screen anyway. */
function sectionOf({ fields }: Form, beside: Field | undefined): number {
  const near = [beside, fields.findLast(({ kind }) => kind !== 'consent')]
  return near.find((one) => one && one.kind !== 'consent')?.section ?? 0
}

/** Adds fields, beside another one or at the end. */
export function added(form: Form, what: string, where?: string, beside?: string): Changed {
  const fields = described(form, what)
  const other = beside === undefined ? undefined : fieldNamed(form, beside)
  if (!fields || (beside !== undefined && !other)) return null
  const section = sectionOf(form, other)
  const at = other ? form.fields.indexOf(other) + Number(isAfter(where)) : form.fields.length
  return inserted(
    form,
    fields.map((field) => ({ ...field, section })),
    at,
  )
}

/** Adds fields on a screen of their own, behind all others. */
export function onNewScreen(form: Form, what: string): Changed {
  const fields = described(form, what)
  if (!fields) return null
  const divided = { ...form, fields: laidOut(form) }
  const section = sectionOf(divided, undefined) + 1
  return inserted(
    divided,
    fields.map((field) => ({ ...field, section })),
    form.fields.length,
  )
}

/** Puts other fields in the place of one. */
export function replaced(form: Form, what: string, by: string): Changed {
  const old = fieldNamed(form, what)
  const fields = old && described(form, by)
  if (!fields) return null
  const { section } = old
  const after = inserted(
    form,
    fields.map((field) => ({ ...field, section })),
    form.fields.indexOf(old),
  )
  return after && { ...after, fields: after.fields.filter((field) => field !== old) }
}

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

/** Moves a field to the end of a screen, by its number from 1; Infinity for a new one. */
export function movedToScreen(form: Form, what: string, screen: number): Changed {
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

function isAfter(where = ''): boolean {
  return /^(?:after|behind|desp)/i.test(where)
}

function namesIn(text: string): string[] {
  return text.split(/,\s*(?:and |y )?|\s+(?:and|y)\s+/i).filter((part) => part.trim() !== '')
}

/** The choices that a text lists, be it one. */
export function listed(text: string): string[] {
  const choices = readChoices(unquoted(text))
  return choices.length > 0 ? choices : [unquoted(text)]
}

/** A text without the quotation marks around it. */
export function unquoted(text: string): string {
  return tidy(text).replace(/^["'“«]|["'”»]$/g, '')
}
