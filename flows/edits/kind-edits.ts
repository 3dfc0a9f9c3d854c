import type { Field, FieldKind, Form } from '../forms/form.ts'
import { readScale } from '../words/lists.ts'
import {
  changed,
  type Changed,
  exchanged,
  fieldNamed,
  hasChoices,
  listed,
  unlimited,
  withoutInitial,
} from './changes.ts'
import { onlyRated } from './choice-changes.ts'
import { A_FIELD, CHANGE, type Edit, FIELD, KINDS, rule, THE, YES_NO } from './edit-words.ts'

/** What instructions can ask about the kind of a field. */
export const kindEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `${CHANGE} ${THE}(?:rating )?(?:scale|escala)(?: (?:of|for|de) ${A_FIELD})? (?:to|a)(?: from)? (\\d{1,2} ?(?:-|–|to|a) ?\\d{1,2})`,
    ),
    ([, of, scale = ''], form) => {
      const field = of === undefined ? onlyRated(form) : fieldNamed(form, of)
      return field
        ? changed(form, `"${field.label}"`, () => ({
            choices: readScale(`(${scale})`)?.choices ?? [],
          }))
        : null
    },
  ],
  [
    rule(
      `(?:allow|let (?:them|people|customers|users) (?:choose|pick|select)) (?:several|multiple|more than one) (?:choices (?:of|for|in) )?${A_FIELD}`,
    ),
    ([, of = ''], form) => ofKind(form, of, 'some_of'),
  ],
  [
    rule(
      `(?:haz que |permite que )?${A_FIELD} (?:permita|acepte) (?:varias|varios|múltiples)(?: opciones| respuestas)?`,
    ),
    ([, of = ''], form) => ofKind(form, of, 'some_of'),
  ],
  [
    rule(
      `(?:make|change|turn|convert|haz|cambia|convierte) ${A_FIELD} (?:into |to |a |en |como )?(?:an? |una? )?${YES_NO}${FIELD}`,
    ),
    ([, of = ''], form) => {
      const choices = form.language === 'es' ? ['Sí', 'No'] : ['Yes', 'No']
      return changed(form, of, () => ({ kind: 'one_of', choices }))
    },
  ],
  ...KINDS.map(([words, kind]): [RegExp, Edit] => [
    rule(
      `(?:make|change|turn|convert|set|haz|cambia|convierte) ${A_FIELD} (?:into |to |a |en |como )?(?:an? |una? )?${words}(?: field| question| list)? (?:with|of|from|con|de)(?: (?:the |las )?(?:options|choices|opciones))?:? (.+)`,
    ),
    ([, of = '', list = ''], form) =>
      exchanged(form, of, (field) => {
        const choices = listed(list)
        const isChosen = kind === 'one_of' || kind === 'some_of'
        return isChosen && choices.length > 1
          ? { ...withoutInitial(unlimited(field)), kind, choices }
          : null
      }),
  ]),
  ...KINDS.map(([words, kind]): [RegExp, Edit] => [
    rule(
      `(?:make|change|turn|convert|have|show|display|haz|cambia|convierte) ${A_FIELD} (?:into |to |as |a |en |como )?(?:an? |una? )?${words}(?: field| input| question)?`,
    ),
    ([, of = ''], form) => (/ (?:to|into) /i.test(of) ? undefined : ofKind(form, of, kind)),
  ]),
  ...KINDS.map(([words, kind]): [RegExp, Edit] => [
    rule(`(?:use|usa) (?:an? |una? )?${words} (?:for|para) ${A_FIELD}`),
    ([, of = ''], form) => ofKind(form, of, kind),
  ]),
]

/** A field with choices keeps them for another way to choose; what has none can have no such way. */
function ofKind(form: Form, of: string, kind: FieldKind): Changed {
  const isChosen = kind === 'one_of' || kind === 'some_of'
  return exchanged(form, of, (field: Field) => {
    if (isChosen) return hasChoices(field) ? { ...field, kind } : null
    return { ...withoutInitial(unlimited(field)), kind, choices: [] }
  })
}
