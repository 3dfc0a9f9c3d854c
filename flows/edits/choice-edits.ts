import { type Field, type Form, plain } from '../forms/form.ts'
import {
  type Changed,
  changed,
  exchanged,
  fieldNamed,
  hasChoices,
  listed,
  namesIn,
  unquoted,
  withMoreChoices,
  withoutChoices,
} from './changes.ts'
import {
  ADD,
  A_FIELD,
  CHANGE,
  type Edit,
  KIND,
  OPTION,
  REMOVE,
  THE,
  TO,
  rule,
} from './edit-words.ts'

/** The one field with choices, where a form has no other. */
function onlyChosen({ fields }: Form): Field | undefined {
  const [field, other] = fields.filter(hasChoices)
  return other ? undefined : field
}

function hasAll({ choices }: Field, said: string): boolean {
  const known = choices.map(plain)
  return listed(said).every((choice) => known.includes(plain(choice)))
}

const PAIR = new RegExp(`^(.+?) ${TO} (.+)$`, 'iu')

/**
 * Renames choices, "S to Small and M to Medium" or "S, M to Small, Medium", all at once; undefined where the words name
 * none, and null where not exactly one field has all of them.
 */
function choicesRenamed(form: Form, said: string): Changed | undefined {
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

const COUNTED = '(?:an?|one|una?|two|three|four|five|dos|tres|cuatro|cinco|[1-9])'
const FURTHER = '(?:more|new|another|other|additional|extra|nuev[ao]s?|otr[ao]s?)'

/** What instructions can ask about the choices of a field. */
export const choiceEdits: readonly [RegExp, Edit][] = [
  [
    rule(`(?:${CHANGE}|replace) ${THE}${OPTION} (?:of|for|de|del) ${A_FIELD}(?: ${TO}|:) (.+)`),
    ([, of = '', choices = ''], form) => changed(form, of, () => ({ choices: listed(choices) })),
  ],
  [
    rule(
      `(?:(?:${CHANGE}|replace) ${THE}${KIND}(.+?)(?:['’]s)? ${OPTION}(?: ${TO}|:)|${THE}(.+?) ${OPTION} (?:are|is|son)(?: now| ahora)?:?) (.+)`,
    ),
    ([, named = '', of = named, choices = ''], form) =>
      changed(form, of, () => ({ choices: listed(choices) })),
  ],
  [
    rule(`${ADD} ${THE}(?:${COUNTED} )?(?:${FURTHER} )?${OPTION}:? (.+) (?:to|a) ${A_FIELD}`),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`${ADD} (.+) (?:to|a) ${THE}${OPTION} (?:of|for|de|del) ${A_FIELD}`),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`${ADD} (.+) (?:to|a) ${THE}${KIND}(.+?) ${OPTION}`),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(
      `${ADD} (.+?) (?:as|como) (?:an? |una? )?(?:new )?${OPTION} (?:to|for|of|in|a|de|para) ${A_FIELD}`,
    ),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`${ADD} (?:an? |una? )?(.+?) ${OPTION} (?:to|a) ${A_FIELD}`),
    ([, more = '', to = ''], form) => withMoreChoices(form, to, more),
  ],
  [
    rule(`${ADD} (.+?) (?:to|a) ${A_FIELD}`),
    ([, more = '', to = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
  [
    rule(`${REMOVE} (.+) (?:from|de) ${THE}${OPTION} (?:of|for|de|del) ${A_FIELD}`),
    ([, fewer = '', from = ''], form) => withoutChoices(form, from, fewer),
  ],
  [
    rule(`${REMOVE} ${THE}${OPTION} (.+) (?:from|of|de|del) ${A_FIELD}`),
    ([, fewer = '', from = ''], form) => withoutChoices(form, from, fewer),
  ],
  [
    rule(`${REMOVE} (.+?) (?:from|de|del) ${A_FIELD}`),
    ([, fewer = '', from = ''], form) =>
      hasChoices(fieldNamed(form, from)) ? withoutChoices(form, from, fewer) : undefined,
  ],
  [
    rule(`(?:make|set) (?!.*(?:yes|sí)/no)${A_FIELD}:? ([^/,\\s][^/,]*(?:/[^/,]+)+)`),
    ([, of = '', choices = ''], form) =>
      hasChoices(fieldNamed(form, of))
        ? changed(form, of, () => ({ choices: listed(choices) }))
        : undefined,
  ],
  [
    rule(
      `${THE}${KIND}(.+?)(?: ${OPTION})? (?:should|must|can) be (?:one of |(?:an? )?(?:drop-?down|list|choice|selection)(?: list| menu)? (?:with|of|from|between) )?(.+)`,
    ),
    ([, of = '', choices = ''], form) => {
      const several = listed(choices)
      const isChoices = several.length > 1 && hasChoices(fieldNamed(form, of))
      return isChoices ? changed(form, of, () => ({ choices: several })) : undefined
    },
  ],
  [
    rule(`${ADD} (.+?) (?:as|como) (?:an? |una? )?(?:new )?${A_FIELD}`),
    ([, more = '', to = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
  [
    rule(
      `(?:${CHANGE}|rename|replace|renombra|reemplaza) ${THE}(?:${OPTION} )?(.+ ${TO} .+) (?:in|of|for|en|de) ${A_FIELD}`,
    ),
    ([, said = '', of = ''], form) => {
      const field = fieldNamed(form, of)
      if (!hasChoices(field)) return undefined
      const after = choicesRenamed({ ...form, fields: [field] }, said)
      return after && exchanged(form, field.label, () => after.fields[0] ?? null)
    },
  ],
  [
    rule(`(?:${CHANGE}|rename|replace|renombra|reemplaza) ${THE}(?:${OPTION} )?(.+ ${TO} .+)`),
    ([, said = ''], form) => choicesRenamed(form, said),
  ],
  [
    rule(
      `(?:sort|order|arrange|alphabeti[sz]e|ordena) (?:${THE}${OPTION} (?:of|for|in|de) )?${A_FIELD}(?: ${OPTION})?(?: (?:alphabetically|(?:in|by) alphabetical order|from a to z|alfabéticamente|por orden alfabético))`,
    ),
    ([, of = ''], form) =>
      changed(form, of, ({ choices }) => ({
        choices: choices.toSorted((one, other) => one.localeCompare(other, form.language)),
      })),
  ],
  // The choices of the one field that has some need not be called by its name.
  [
    rule(`(?:${CHANGE}|rename|replace|renombra|reemplaza) ${THE}${OPTION}(?: ${TO}|:) (.+)`),
    ([, choices = ''], form) => {
      const field = onlyChosen(form)
      return field && changed(form, field.label, () => ({ choices: listed(choices) }))
    },
  ],
  [
    rule(
      `${ADD} (?:(?:an? |una? )?(?:new |nueva )?|${THE})${OPTION}:? (?!(?:for|of|to|para|de)\\b)(.+)`,
    ),
    ([, more = ''], form) => {
      const field = onlyChosen(form)
      return field && withMoreChoices(form, field.label, more)
    },
  ],
  [
    rule(`${REMOVE} ${THE}${OPTION} (.+)`),
    ([, fewer = ''], form) => {
      const field = onlyChosen(form)
      return field && withoutChoices(form, field.label, fewer)
    },
  ],
  [
    rule(
      `(?:${A_FIELD} should (?:also )?(?:offer|include|have)(?: (?:${COUNTED} )?(?:${FURTHER} )?${OPTION}:?)?|${THE}(.+?): ${ADD}) (.+?)(?: too| as well)?`,
    ),
    ([, offering = '', to = offering, more = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
  [
    rule(`(only |just )?(?:also )?offer (.+?)(?: too| as well| only)?`),
    ([, only, choices = ''], form) => {
      const field = onlyChosen(form)
      if (!field) return undefined
      if (only === undefined) return withMoreChoices(form, field.label, choices)
      return changed(form, field.label, () => ({ choices: listed(choices) }))
    },
  ],
  [
    rule(`${REMOVE} ${THE}(.+) ${OPTION}`),
    ([, fewer = ''], form) => {
      const field = onlyChosen(form)
      return field && hasAll(field, fewer) ? withoutChoices(form, field.label, fewer) : undefined
    },
  ],
  [
    rule(`${REMOVE} ${THE}(.+)`),
    ([, what = ''], form) => {
      if (!fieldNamed(form, what)) {
        const [only, other] = form.fields.filter((one) => hasAll(one, what))
        if (only && !other) return withoutChoices(form, only.label, what)
      }
      const field = form.fields.find(
        (one) => hasChoices(one) && plain(what).startsWith(`${plain(one.label)} `),
      )
      const choice = plain(unquoted(what.slice(field?.label.length)))
      const isKnown = field?.choices.some((one) => plain(one) === choice)
      return field && isKnown ? withoutChoices(form, field.label, choice) : undefined
    },
  ],
  [
    rule(
      `(?:(?:allow|let (?:them|people|customers|users) (?:choose|pick|select)) (?:only|just) one ${A_FIELD}|(?:only|just) one ${A_FIELD} (?:can|may|should) be (?:chosen|selected|picked)|only (?:allow|let (?:them|people|customers|users) (?:choose|pick|select)) one ${A_FIELD})`,
    ),
    ([, ...said], form) => {
      const field = fieldNamed(form, said.find((one) => one) ?? '')
      return hasChoices(field) ? changed(form, field.label, () => ({ kind: 'one_of' })) : undefined
    },
  ],
  [
    rule(`${ADD} (?:${COUNTED} )?${FURTHER} (.+?)(?: ${OPTION})?: (.+)`),
    ([, to = '', more = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
]
