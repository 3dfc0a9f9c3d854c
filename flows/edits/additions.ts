import { laidOut } from '../forms/builder.ts'
import { capitalised, type Field, FIELDS_MAX, type Form, nameFor, plain } from '../forms/form.ts'
import { languageOf } from '../forms/language.ts'
import { outlined } from '../outlines/outlines.ts'
import { type Described, named } from '../prompts/described.ts'
import { readItem } from '../prompts/items.ts'
import { readFields } from '../prompts/reader.ts'
import { underCondition } from '../prompts/reading.ts'
import { withLimits } from '../spellings/limits.ts'
import { COLON } from '../words/colons.ts'
import { splitList } from '../words/lists.ts'
import { CHOSEN } from '../words/owners.ts'
import { isScreen } from '../words/screen-words.ts'
import { isOfKnown } from '../words/sentences.ts'
import { additionSpelled } from './addition-spellings.ts'
import { type Changed, exchanged, fieldNamed, isAfter } from './changes.ts'
import { LABEL_CHARACTERS_MAX, sectionOf } from './changes.ts'

/** "Do you smoke? If yes, how many?" */
const CONDITIONAL = /\?["”»]? (?:if|si) (?:yes|so|no|not|es así|sí)(?!\p{L})/iu

/** One field, and no example of the data. */
const IS_FIELD = /^\{\s*"?(?:label|name|title|question|field|id|type)"?\s*:/iu
/** 'A field: {"label": "Company"}' */
const DATA = /[[{]\s*[{"][\s\S]*[}\]]$/u

/** The fields that some words ask for, with names that the form has not used; null for none. */
function described(form: Form, what: string): Field[] | null {
  const [json] = DATA.exec(what) ?? []
  if (json !== undefined) {
    const data = IS_FIELD.test(json) ? `[${json}]` : json
    const { text } = outlined(data)
    return text === data ? null : readFields(text, form.fields)
  }
  const given = additionSpelled(what)
  const taken = form.fields.map(({ name }) => name)
  const [, chosen = '', choices = ''] = COLON.exec(given) ?? []
  const parts = CHOSEN.test(chosen)
    ? [withLimits(`${chosen} (${choices})`)]
    : splitList(withLimits(given)).map(({ text }) => text)
  if (parts.length > FIELDS_MAX || parts.some(isScreen)) return null
  if (CONDITIONAL.test(given)) return readFields(given, form.fields)
  const read = parts.length > 1 ? readFields(`Fields: ${given}`, form.fields) : null
  if (read !== null) return read
  const fields = parts.map((part) => {
    const language = languageOf(part) === 'es' ? 'es' : form.language
    const read = readItem(part, language)
    const field = read && fieldFor(underCondition(read, form.fields), taken, form.fields)
    if (field) taken.push(field.name)
    return field
  })
  return fields.includes(null) ? null : (fields as Field[])
}

function fieldFor(item: Described, taken: string[], others: Field[]): Field {
  const of = others.find((one) => one === item.when?.of)
  const when = of && item.when && { name: of.name, among: item.when.among }
  return { ...named(item, taken, !item.isOptional), ...(when && { when }) }
}

/** Puts fields before the one at a place, or at the end, on its screen; null where their labels are taken. */
function inserted(form: Form, fields: Field[], at: number): Changed {
  const labels = form.fields.map(({ label }) => plain(label))
  if (fields.length === 0 || fields.some(({ label }) => labels.includes(plain(label)))) return null
  return { ...form, fields: form.fields.toSpliced(at, 0, ...fields) }
}

/** Adds fields, beside another one or at the end. */
export function added(form: Form, what: string, where?: string, beside?: string): Changed {
  const fields = described(form, what)
  const other = beside === undefined ? undefined : fieldNamed(form, beside)
  if (!fields || (beside !== undefined && !other)) return null
  const last = other ?? lastConcerned(form, fields[0]?.when?.name)
  const section = sectionOf(form, last)
  const at =
    last === undefined
      ? form.fields.length
      : form.fields.indexOf(last) + Number(other === undefined || isAfter(where))
  return inserted(
    form,
    fields.map((field) => ({ ...field, section })),
    at,
  )
}

/** The last field that has to do with an answer: the one that it is given to, or another that depends on it. */
function lastConcerned({ fields }: Form, name: string | undefined): Field | undefined {
  return fields.findLast(
    (one) => name !== undefined && (one.name === name || one.when?.name === name),
  )
}

/** Adds fields on a screen of their own, behind all others. */
export function onNewScreen(form: Form, what: string): Changed {
  const [, heading = '', things = ''] = COLON.exec(what) ?? []
  const isHeaded = isOfKnown(things) && /(?:address|dirección|details|data)$/iu.test(heading)
  const fields = described(form, isHeaded ? things : what)
  if (!fields) return null
  const divided = { ...form, fields: laidOut(form) }
  const section = sectionOf(divided, undefined) + 1
  return inserted(
    divided,
    fields.map((field) => ({ ...field, section })),
    form.fields.length,
  )
}

/** Adds the same field behind itself, under another label. */
export function copied(form: Form, what: string, label: string): Changed {
  const field = fieldNamed(form, what)
  if (!field || label === '' || label.length > LABEL_CHARACTERS_MAX) return null
  const name = nameFor(
    label,
    form.fields.map((one) => one.name),
  )
  const copy = { ...field, name, label: capitalised(label) }
  return inserted(form, [copy], form.fields.indexOf(field) + 1)
}

/** Puts other fields in the place of one. */
export function replaced(form: Form, what: string, by: string): Changed {
  const old = fieldNamed(form, what)
  if (!old) return null
  const rest = { ...form, fields: form.fields.filter((field) => field !== old) }
  const isNeeded = rest.fields.some(({ when }) => when?.name === old.name)
  const fields = described(isNeeded ? form : rest, by)
  if (!fields) return null
  const section = sectionOf(form, old)
  return inserted(
    rest,
    fields.map((field) => ({ ...field, section })),
    form.fields.indexOf(old),
  )
}

/** Puts one field in the place of two; without a label of its own, it has both of theirs. */
export function merged(form: Form, one: string, other: string, label: string): Changed {
  const [first, second] = [one, other].map((said) => fieldNamed(form, said))
  if (!first || !second || first === second) return null
  const rest = { ...form, fields: form.fields.filter((field) => field !== second) }
  if (label !== '') return replaced(rest, first.label, label)
  const and = form.language === 'es' ? 'y' : 'and'
  const both = `${first.label} ${and} ${second.label.charAt(0).toLowerCase()}${second.label.slice(1)}`
  const isText = first.kind !== second.kind || first.choices.length > 0
  return exchanged(rest, first.label, () => ({
    name: nameFor(
      both,
      form.fields.map(({ name }) => name),
    ),
    label: both,
    kind: isText ? 'text' : first.kind,
    isRequired: first.isRequired || second.isRequired,
    choices: [],
    section: first.section,
  }))
}
