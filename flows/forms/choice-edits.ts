import { type Field, type Form, plain } from './form.ts'
import {
  type Changed,
  changed,
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

const PAIR = new RegExp(`^(.+?) ${TO} (.+)$`, 'iu')

/** Renames choices, "S to Small and M to Medium"; undefined where the words mean none. */
function choicesRenamed(form: Form, said: string): Changed | undefined {
  const pairs = said.split(/,\s*(?:and |y )?|\s+(?:and|y)\s+/i).map((part) => PAIR.exec(part))
  const lists = PAIR.exec(said)?.slice(1, 3).map(listed)
  const [olds = [], news = []] = lists ?? []
  if (olds.length > 1 && olds.length === news.length) {
    return olds.reduce<Changed | undefined>(
      (after, old, at) => after && choiceRenamed(after, old, news[at] ?? ''),
      form,
    )
  }
  const given = pairs.every((pair) => pair !== null) ? pairs : [PAIR.exec(said)]
  let after: Changed | undefined = form
  for (const pair of given) {
    const [, from = '', to = ''] = pair ?? []
    after = after && choiceRenamed(after, from, to)
  }
  return after
}

/** Undefined where not exactly one field has the choice, or a field is called so. */
function choiceRenamed(form: Form, from: string, to: string): Changed | undefined {
  const wanted = plain(unquoted(from))
  const holders = form.fields.filter(({ choices }) => choices.map(plain).includes(wanted))
  const isLabel = form.fields.some(({ label }) => plain(label) === wanted)
  const [field] = holders
  if (!field || holders.length > 1 || isLabel) return undefined
  const choices = field.choices.map((one) => (plain(one) === wanted ? unquoted(to) : one))
  if (new Set(choices).size < choices.length) return null
  return { ...form, fields: form.fields.map((one) => (one === field ? { ...one, choices } : one)) }
}

const COUNTED = '(?:an?|una?|two|three|four|five|dos|tres|cuatro|cinco|[1-9])'
const FURTHER = '(?:more|new|another|other|additional|extra|nuev[ao]s?|otr[ao]s?)'

/** What instructions can ask about the choices of a field. */
export const choiceEdits: readonly [RegExp, Edit][] = [
  [
    rule(`(?:${CHANGE}|replace) ${THE}${OPTION} (?:of|for|de|del) ${A_FIELD}(?: ${TO}|:) (.+)`),
    ([, of = '', choices = ''], form) => changed(form, of, () => ({ choices: listed(choices) })),
  ],
  [
    rule(`(?:${CHANGE}|replace) ${THE}${KIND}(.+?)(?:['’]s)? ${OPTION} ${TO} (.+)`),
    ([, of = '', choices = ''], form) => changed(form, of, () => ({ choices: listed(choices) })),
  ],
  [
    rule(`${ADD} ${THE}${OPTION} (.+) (?:to|a) ${A_FIELD}`),
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
    rule(`${THE}${KIND}(.+?)(?: ${OPTION})? (?:should|must|can) be (?:one of )?(.+)`),
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
    rule(`(?:${CHANGE}|rename|replace|renombra|reemplaza) ${THE}(?:${OPTION} )?(.+ ${TO} .+)`),
    ([, said = ''], form) => choicesRenamed(form, said),
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
    rule(`${ADD} (?:${COUNTED} )?${FURTHER} (.+?)(?: ${OPTION})?: (.+)`),
    ([, to = '', more = ''], form) =>
      hasChoices(fieldNamed(form, to)) ? withMoreChoices(form, to, more) : undefined,
  ],
]
