import { capitalised, CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from './form.ts'
import { type Form, plain, SEVERAL_MAX } from './form.ts'
import { cleaned, named, readItem } from './form-items.ts'
import { readChoices } from './form-lists.ts'
import { languageOf, tidy } from './form-words.ts'

type Edit = (found: string[], form: Form) => Form | null

const VERBS =
  'add|remove|delete|drop|rename|make|change|set|replace|mark|insert|put|require|release|agrega|agregar|añade|añadir|quita|quitar|elimina|eliminar|borra|borrar|renombra|renombrar|cambia|cambiar|haz|pon|marca|exige|exigir|libera|liberar'
/** Separates one instruction from the next. */
const NEXT = new RegExp(
  `\\n+|(?<=[.;])\\s+|;\\s*|,?\\s+(?:and|then|and then|y|luego)\\s+(?=(?:${VERBS})\\b)|,\\s+(?=(?:${VERBS})\\b)`,
  'iu',
)
const THE = '(?:the |el |la |los |las )?'
const FIELD = '(?: fields?| questions?)?'
const KIND = '(?:campo |pregunta )?'
const WISH =
  '((?:not? )?(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?))'
const CHOICES = `${THE}(?:options|choices|opciones) (?:of|for|de|del) ${THE}${KIND}(.+?)${FIELD}`

/** What instructions can ask for, the more specific first: "add the option XL to size" adds no field. */
const edits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:change|set|cambia|cambiar|pon) ${THE}(?:title|título|titulo) (?:to|as|a|por|como):? (.+)`,
    ),
    ([, title = ''], form) => ({ ...form, title: capitalised(unquoted(title)) }),
  ],
  [
    rule(
      `(?:change|set|replace|cambia|cambiar|pon) ${THE}(?:options|choices|opciones) (?:of|for|de|del) ${THE}${KIND}(.+?)${FIELD} (?:to|with|as|a|por|con):? (.+)`,
    ),
    ([, of = '', choices = ''], form) => changed(form, of, () => ({ choices: listed(choices) })),
  ],
  [
    rule(
      `(?:add|agrega|agregar|añade|añadir) ${THE}(?:options?|choices?|opci[oó]n(?:es)?) (.+) (?:to|a) ${THE}${KIND}(.+?)${FIELD}`,
    ),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`(?:add|agrega|agregar|añade|añadir) (.+) (?:to|a) ${CHOICES}`),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`(?:remove|delete|drop|quita|quitar|elimina|eliminar) (.+) (?:from|de) ${CHOICES}`),
    ([, fewer = '', from = ''], form) =>
      changed(form, from, ({ choices }) => withoutChoices(choices, listed(fewer))),
  ],
  [
    rule(
      `(?:remove|delete|drop|quita|quitar|elimina|eliminar) ${THE}(?:options?|choices?|opci[oó]n(?:es)?) (.+) (?:from|of|de|del) ${THE}${KIND}(.+?)${FIELD}`,
    ),
    ([, fewer = '', from = ''], form) =>
      changed(form, from, ({ choices }) => withoutChoices(choices, listed(fewer))),
  ],
  [
    rule(
      `(add|remove|delete|agrega|añade|quita|elimina) (?:an? |una )?${THE}(?:confirmation|review|summary|pantalla de confirmaci[oó]n|confirmaci[oó]n|resumen|revisi[oó]n)(?: screen| page| step)?`,
    ),
    ([, verb = ''], form) => ({ ...form, isReviewed: /^a/i.test(verb) }),
  ],
  [
    rule(
      `(?:rename|change the (?:label|name) of|renombra|renombrar|cambia el nombre de) ${THE}${KIND}(.+?)${FIELD} (?:to|as|a|como|por):? (.+)`,
    ),
    ([, from = '', to = ''], form) => renamed(form, from, unquoted(to)),
  ],
  [
    rule(
      `(?:make|mark|set|haz(?: que)?|pon|marca) ${THE}${KIND}(.+?)${FIELD}(?: sean?)?(?: as| como)? ${WISH}`,
    ),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `${THE}${KIND}(.+?)${FIELD} (?:should|must|can|is to|debe|deben|puede) (?:be|ser) ${WISH}`,
    ),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `${THE}${KIND}(.+?)${FIELD} (?:should not|need not|must not|no debe|no deben) (?:be|ser) (required|mandatory|obligatori[oa]s?)`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(`(?:require|exige|exigir) ${THE}${KIND}(.+?)${FIELD}`),
    ([, of = ''], form) => marked(form, of, 'required'),
  ],
  [
    rule(`(?:release|libera|liberar) ${THE}${KIND}(.+?)${FIELD}`),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:remove|delete|drop|quita|quitar|elimina|eliminar|borra|borrar) ${THE}${KIND}(.+?)${FIELD}`,
    ),
    ([, what = ''], form) => removed(form, what),
  ],
  [
    rule(
      `(?:add|insert|include|put|agrega|agregar|añade|añadir|incluye|pon) (.+?)(?: (after|before|después de|antes de) ${THE}${KIND}(.+?)${FIELD})?(?: (?:at the end|al final))?`,
    ),
    ([, what = '', where, beside], form) => added(form, what, where, beside),
  ],
  [
    rule(`${THE}${KIND}(.+?)${FIELD} (?:is|are|es|son) ${WISH}`),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
]

function rule(pattern: string): RegExp {
  return new RegExp(`^(?:please |por favor,? )?${pattern}$`, 'iu')
}

/**
 * The form after all changes that an instruction asks for, in English or Spanish; null when any of them is not
 * understood or is impossible.
 */
export function editForm(form: Form, instruction: string): Form | null {
  const steps = instruction
    .normalize('NFC')
    .split(NEXT)
    .map((step) => step.replace(/[.!;,\s]+$/, '').trim())
    .filter((step) => step !== '')
  let after: Form | null = steps.length > 0 ? form : null
  for (const step of steps) after = after && applyStep(after, step.replace(/\s+/g, ' '))
  return after
}

function applyStep(form: Form, step: string): Form | null {
  for (const [pattern, edit] of edits) {
    const found = pattern.exec(step)
    if (found) return edit([...found], form)
  }
  return null
}

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

/** The index of the field that some words mean; -1 when they mean none, or more than one. */
function indexOf({ fields }: Form, words: string): number {
  const wanted = plain(cleaned(unquoted(words)))
  const texts = fields.map(({ name, label }) => [plain(label), plain(name.replaceAll('_', ' '))])
  const exact = texts.findIndex((one) => one.includes(wanted) || one[0] === plain(unquoted(words)))
  if (exact >= 0 || wanted === '') return exact
  const close = texts.flatMap((one, index) =>
    one.some((text) => text.includes(wanted)) ? [index] : [],
  )
  return close.length === 1 ? (close[0] ?? -1) : -1
}

function changed(form: Form, of: string, change: (field: Field) => Partial<Field> | null) {
  const index = indexOf(form, of)
  const field = form.fields[index]
  const members = field ? change(field) : null
  if (!field || !members) return null
  const isOfChoices = field.kind === 'one_of' || field.kind === 'some_of'
  if (members.choices && !isOfChoices) return null
  return { ...form, fields: form.fields.with(index, { ...field, ...members }) }
}

function withMoreChoices(form: Form, to: string, more: string): Form | null {
  return changed(form, to, ({ choices }) => ({
    choices: [...new Set([...choices, ...listed(more)])],
  }))
}

function withoutChoices(choices: string[], fewer: string[]): Partial<Field> | null {
  const gone = fewer.map(plain)
  const known = choices.map(plain)
  if (!gone.every((choice) => known.includes(choice))) return null
  return { choices: choices.filter((choice) => !gone.includes(plain(choice))) }
}

function renamed(form: Form, from: string, label: string): Form | null {
  if (label === '' || label.length > 120) return null
  // The name stays the same, because replies contain it.
  return changed(form, from, () => ({ label: capitalised(label) }))
}

function marked(form: Form, of: string, said: string): Form | null {
  const isRequired = /^not? /i.test(said) === /op[ct]/i.test(said)
  const all = /^(?:all|everything|todo|todos|todas)\b/i.test(of)
  if (all) return { ...form, fields: form.fields.map((field) => ({ ...field, isRequired })) }
  let after: Form | null = form
  for (const part of namesIn(of)) after = after && changed(after, part, () => ({ isRequired }))
  return after
}

function removed(form: Form, what: string): Form | null {
  let after: Form | null = form
  for (const part of namesIn(what)) {
    const index: number = after ? indexOf(after, part) : -1
    after = after && index >= 0 ? { ...after, fields: after.fields.toSpliced(index, 1) } : null
  }
  return after
}

function namesIn(text: string): string[] {
  return text.split(/,\s*(?:and |y )?|\s+(?:and|y)\s+/i).filter((part) => part.trim() !== '')
}

const WITH_CHOICES = /^(.*?) (?:with|con) (?:the |las )?(?:options|choices|opciones):? (.+)$/iu

function added(form: Form, what: string, where?: string, beside?: string): Form | null {
  const [, asked, options] = WITH_CHOICES.exec(what) ?? []
  const given = asked === undefined ? what : `${asked} (${options})`
  const described = readItem(given, languageOf(given) === 'es' ? 'es' : form.language)
  if (!described) return null
  const { fields } = form
  const taken = fields.map(({ name }) => name)
  if (fields.some(({ label }) => plain(label) === plain(described.label))) return null
  const at = beside === undefined ? fields.length : indexOf(form, beside)
  if (at < 0) return null
  // Agreements are on the last screen, wherever they were described.
  const near = [fields[at], fields.findLast(({ kind }) => kind !== 'consent')]
  const section = near.find((one) => one && one.kind !== 'consent')?.section ?? 0
  const field = { ...named(described, taken, !described.isOptional), section }
  const isAfter = where !== undefined && /^(after|desp)/i.test(where)
  return { ...form, fields: fields.toSpliced(isAfter ? at + 1 : at, 0, field) }
}

function listed(text: string): string[] {
  const choices = readChoices(unquoted(text))
  return choices.length > 0 ? choices : [unquoted(text)]
}

function unquoted(text: string): string {
  return tidy(text).replace(/^["'“«]|["'”»]$/g, '')
}
