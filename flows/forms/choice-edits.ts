import {
  changed,
  fieldNamed,
  hasChoices,
  listed,
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
]
