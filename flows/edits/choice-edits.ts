import { plain } from '../forms/form.ts'
import {
  choicesRenamed,
  hasAll,
  offeredAtEnd,
  offeredBeside,
  offeredEverywhere,
  onlyChosen,
} from './choice-changes.ts'
import {
  changed,
  exchanged,
  fieldNamed,
  hasChoices,
  listed,
  unquoted,
  withMoreChoices,
  withoutChoices,
} from './changes.ts'
import {
  ADD,
  A_FIELD,
  BESIDE,
  CHANGE,
  type Edit,
  KIND,
  OPTION,
  REMOVE,
  THE,
  TO,
  rule,
} from './edit-words.ts'

const COUNTED = '(?:an?|one|una?|two|three|four|five|dos|tres|cuatro|cinco|[1-9])'
const FURTHER = '(?:more|new|another|other|additional|extra|nuev[ao]s?|otr[ao]s?)'

/** What instructions can ask about the choices of a field. */
export const choiceEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `${ADD} (.+?)(?: as)?(?: an?)?(?: ${OPTION})? (?:everywhere|(?:to|in|for) (?:all|every|each)(?: of)?(?: the)?(?: (?:drop-?downs?|lists?|fields?|questions?|${OPTION}))?(?: with ${OPTION})?|en todas partes|a todas las (?:listas|preguntas))`,
    ),
    ([, more = ''], form) => offeredEverywhere(form, more),
  ],
  [
    rule(
      `${ADD} ${THE}(?:${OPTION} )?(.+?)(?: (?:as|como|to|in|a) [^,"“«]+?)?,? ${BESIDE} ${THE}(?:${OPTION} )?(.+)`,
    ),
    ([, more = '', where = '', beside = ''], form) =>
      fieldNamed(form, beside) ? undefined : offeredBeside(form, more, where, beside),
  ],
  [
    rule(
      `(?:put|move|list|show|pon|mueve) ${THE}(?:${OPTION} )?(.+?) (?:to the |at the |as the |al? )?(first|last|top|bottom|beginning|end|principio|final|primer[oa]?|últim[oa])(?: ${OPTION})?(?: (?:in|of|among|en|de|del) (?:the list of )?${A_FIELD})?`,
    ),
    ([, what = '', where = '', of], form) =>
      fieldNamed(form, what) ? undefined : offeredAtEnd(form, what, where, of),
  ],
  [
    rule(
      `(?:reverse|invert|invierte) ${THE}(?:order of |orden de )?(?:${THE}${OPTION} (?:of|for|in|de|del) )?${A_FIELD}(?: ${OPTION})?`,
    ),
    ([, of = ''], form) => changed(form, of, ({ choices }) => ({ choices: choices.toReversed() })),
  ],
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
    rule(
      `${ADD} ${THE}(?:${COUNTED} )?(?:${FURTHER} )?${OPTION}:? (.+) (?:to|under|in|within|a|en) ${A_FIELD}`,
    ),
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
    rule(
      `${ADD} (?!.*[?"”»] (?:question|field|if|when)\\b)(["“«][^"”»]+["”»]|.+?) (?:to|in|into|among|a|en) ${A_FIELD}`,
    ),
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
    rule(`${REMOVE} (.+?) (?:from|de|del) (?:the list of |la lista de )?${A_FIELD}`),
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
      `(?:sort|order|arrange|show|list|put|alphabeti[sz]e|ordena) (?:${THE}${OPTION} (?:of|for|in|de) )?${A_FIELD}(?: ${OPTION})?(?: (?:alphabetically|(?:in|by) alphabetical order|(?:from )?a(?: to |-)z|alfabéticamente|por orden alfabético))`,
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
    rule(
      `${ADD} (?:${COUNTED} )?${FURTHER} (.+?)(?: ${OPTION})?(?::| (?:called|named|llamad[oa])) (.+)`,
    ),
    ([, to = '', more = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
]
