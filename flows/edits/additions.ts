import { laidOut } from '../forms/builder.ts'
import { capitalised, type Field, FIELDS_MAX, type Form, nameFor, plain } from '../forms/form.ts'
import { languageOf } from '../forms/language.ts'
import { type Described, named } from '../prompts/described.ts'
import { readItem } from '../prompts/items.ts'
import { readFields } from '../prompts/reader.ts'
import { underCondition } from '../prompts/reading.ts'
import { withLimits } from '../spellings/limits.ts'
import { COLON } from '../words/colons.ts'
import { withGroups } from '../words/groups.ts'
import { splitList } from '../words/lists.ts'
import { CHOSEN } from '../words/owners.ts'
import { isScreen } from '../words/screen-words.ts'
import { type Changed, fieldNamed, isAfter, LABEL_CHARACTERS_MAX, sectionOf } from './changes.ts'

const WITH_CHOICES =
  /^(.*?) (?:with|con) (?:(?:the |las )?(?:options|choices|opciones):? )?(\S.*)$/iu
const LIST_FOR =
  /^(?:an? |una? )?(?:drop-?down|list|menu|desplegable|lista)(?: (?:for|of|called|named|de|para|llamad[oa]) | (?=["“«]))/iu
const OPTIONS = /\b(?:options|choices|opciones)\b/iu

/** Words before what is asked for: "a new question: Do you smoke?", "2 more fields: age, city". */
const LABELLED =
  /^(?:(?:an?|una?|the|la|el|some|\d{1,2}|two|three|four|five|dos|tres|cuatro|cinco) )?(?:(?:new|more|other|additional|extra|another|nuev[ao]s?|otr[ao]s?) )?(?:questions?|fields?|preguntas?|campos?)(?: más| nuev[ao]s)?:\s*/iu

/** "A question asking if they have allergies" */
const ASKING =
  /^(?:an? |una? )?(?:new |nueva )?(?:question|pregunta) (?:asking|that asks|que pregunte)(?: them)? (?=\p{L})/iu
/** '"How did you find us?" with Google, a friend' */
const QUOTED_WITH = /^(["“«][^"”»]+\?["”»]) (?:with|con) ([^()]*,[^()]*)$/iu

/** "A place for comments" */
const ROOM =
  /^(?:an? |some |una? )?(?:place|space|room|area|spot|box|espacio|lugar|cuadro) (?:for|to (?:write|leave|enter|add)|para) (?:their |the |an? |sus? |el |la |los )?/iu

/** 'Do you smoke?' with yes and no */
const YES_AND_NO = / (?:with|con) (?:the )?(?:options |answers )?(?:yes|sí) (?:and|or|y|o) no$/iu
/** "A yes/no question: first visit?" */
const YES_NO_LABELLED =
  /^(?:an? |una? )?(?:new |nueva )?(?:pregunta (?:de )?)?(yes\/no|yes or no|sí\/no|sí o no)(?: (?:questions?|fields?))?:?\s*(\S.*)$/iu

/** The fields that some words ask for, with names that the form has not used; null for none. */
function described(form: Form, all: string): Field[] | null {
  const what = withGroups(all)
    .replace(YES_AND_NO, ' (yes/no)')
    .replace(YES_NO_LABELLED, '$2 ($1)')
    .replace(QUOTED_WITH, '$1 ($2)')
    .replace(ASKING, '')
    .replace(LABELLED, '')
    .replace(ROOM, '')
  const [, asked = '', options = ''] = WITH_CHOICES.exec(what) ?? []
  const isListed = asked !== '' && (LIST_FOR.test(what) || OPTIONS.test(what))
  const given = isListed ? `${asked.replace(LIST_FOR, '')} (${options})` : what
  const taken = form.fields.map(({ name }) => name)
  const [, chosen = '', choices = ''] = COLON.exec(given) ?? []
  const parts = CHOSEN.test(chosen)
    ? [withLimits(`${chosen} (${choices})`)]
    : splitList(withLimits(given)).map(({ text }) => text)
  if (parts.length > FIELDS_MAX || parts.some(isScreen)) return null
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
  const fields = old && described(form, by)
  if (!fields) return null
  const section = sectionOf(form, old)
  const after = inserted(
    form,
    fields.map((field) => ({ ...field, section })),
    form.fields.indexOf(old),
  )
  return after && { ...after, fields: after.fields.filter((field) => field !== old) }
}
