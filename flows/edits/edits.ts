import { capitalised, type Form } from '../forms/form.ts'
import { kindNamed, wordsOf } from '../words/words.ts'
import { added, copied, replaced } from './additions.ts'
import {
  type Changed,
  changed,
  fieldNamed,
  hasChoices,
  listed,
  marked,
  renamed,
  unquoted,
} from './changes.ts'
import { choiceEdits } from './choice-edits.ts'
import { conditionEdits, withConditionsKept } from './condition-edits.ts'
import {
  ADD,
  A_FIELD,
  BESIDE,
  CHANGE,
  type Edit,
  REMOVE,
  SCREEN,
  WISH,
  THE,
  rule,
} from './edit-words.ts'
import { instructionSpelled } from './edit-spellings.ts'
import { kindEdits } from './kind-edits.ts'
import { limitEdits } from './limit-edits.ts'
import { placeEdits } from './place-edits.ts'
import { removalEdits } from './removal-edits.ts'
import { screenEdits } from './screen-edits.ts'
import { stepsIn, type Touched, touchedBy, withLabels } from './steps.ts'
import { saidEdits, wishEdits } from './wish-edits.ts'

/** Whether all words of a label are among those of another. */
function isWithin(label: string, other: string): boolean {
  const words = wordsOf(unquoted(other))
  return wordsOf(label).every((word) => words.includes(word))
}

/** "Rename date to day and comments to notes" */
const ALSO_RENAMED = /^(.+?) (?:and|y) (.+?) (?:to|as|a|como) (.+)$/i

/** "The phone on the second page": fields that are there already are meant. */
const ON_SCREEN = new RegExp(
  `\\b(?:on|in|to|en|a) (?:the|an?|its|la|una) [^,()]{0,20}${SCREEN}$`,
  'iu',
)

/** "Personal data on the first page, the job on the second" */
const SEVERAL_PLACES = / (?:on|in|to) the (?:first|second|third|last|next|other)\b/iu

/** What instructions can ask for, the more specific first: "add the option XL to size" adds no field. */
const edits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:${CHANGE} ${THE}(?:(?:(?:form|flow|survey)(?:['’]s)? )?(?:title|título|titulo)|(?:form|flow|survey)(?:['’]s)? name|(?:title|name|título|nombre) (?:of the|del?|de la) (?:form|flow|survey|formulario|flujo|encuesta))(?: (?:to|as|a|por|como):?|:)|(?:rename|renombra) ${THE}(?:form|flow|formulario|flujo)(?: (?:to|as|a|como):?|(?= ["“«]))|the (?:form|flow) (?:is|should be) (?:called|named|titled)|(?:call|title|llama) (?:it|the (?:form|flow)|al (?:formulario|flujo))|${THE}(?:title|título) (?:should (?:be|read|say)|must (?:be|read|say)|is|debe ser|es):?|${ADD} (?:an? |the |un |una )?(?:title|heading|headline|título)(?: (?:called|saying|of|that says|que diga))?:?(?= ["“«])) (.+)`,
    ),
    ([, title = ''], form) =>
      /["”»] .*["“«]/.test(title) ? null : { ...form, title: capitalised(unquoted(title)) },
  ],
  ...limitEdits,
  // Not a part of these forms, and no field either.
  [
    rule(
      `(?:${ADD}|${CHANGE}|use|show) (?:an? |the )?(?:default(?: value)?|placeholder(?: text)?|hint|help(?:er)? text|tooltip|validation) (?:to|for|on|under|in|of) .+`,
    ),
    () => null,
  ],
  ...choiceEdits,
  [
    rule(
      `(${ADD}|${REMOVE}|no|without|sin) (?:an? |una )?${THE}(?:confirmation|review|summary|pantalla de confirmaci[oó]n|confirmaci[oó]n|resumen|revisi[oó]n)(?: ${SCREEN})?(?: at the end| al final| please)?`,
    ),
    ([, verb = ''], form) => ({ ...form, isReviewed: new RegExp(`^${ADD}`, 'iu').test(verb) }),
  ],
  [
    rule(
      `(?:(?:rename|reword|rephrase|relabel|${CHANGE} (?:the )?(?:label|name) of|renombra|renombrar|cambia el nombre del?) ${A_FIELD}|${CHANGE} ${THE}(.+?)(?:['’]s)?(?: field(?:['’]s)?)? (?:label|name)) (?:to|as|a|como|por):? (.+)`,
    ),
    ([, of = '', from = of, to = ''], form) => {
      const [, first = '', other = '', second = ''] = ALSO_RENAMED.exec(to) ?? []
      if (!fieldNamed(form, other)) return renamed(form, from, unquoted(to))
      const after = renamed(form, from, unquoted(first))
      return after && renamed(after, other, unquoted(second))
    },
  ],
  [
    rule(`${A_FIELD} (?:should|must|debe) (?:be (?:called|named|labell?ed)|llamarse):? (.+)`),
    ([, of = '', to = ''], form) =>
      fieldNamed(form, of) ? renamed(form, of, unquoted(to)) : undefined,
  ],
  ...conditionEdits,
  ...wishEdits,
  ...screenEdits,
  ...placeEdits,
  ...kindEdits,
  [
    rule(
      `(?:(?:i |we )?(?:let|have|want|ask) )?(?:the )?(?:customers?|people|users|clients|guests|them|they) (?:(?:to|should|must|can) )?(?:confirm|review|check)(?: (?:it|everything|(?:all )?(?:the|their) answers))?(?: (?:before (?:sending|submitting|they (?:send|submit)(?: it)?)|at the end))`,
    ),
    (_, form) => ({ ...form, isReviewed: true }),
  ],
  ...removalEdits,
  [
    rule(
      `(?:duplicate|copy|repeat|duplica|copia|repite) ${A_FIELD} (?:as|called|named|and (?:call|name) it|como|y llámalo):? (?:an? |una? )?(.+)`,
    ),
    ([, what = '', label = ''], form) => copied(form, what, unquoted(label)),
  ],
  [
    rule(`(?:duplicate|copy|duplica|copia) ${A_FIELD}`),
    ([, what = ''], form) => {
      const label = fieldNamed(form, what)?.label
      return label === undefined ? undefined : copied(form, what, `${label} 2`)
    },
  ],
  [
    rule(
      `(?:replace|reemplaza|reemplazar|sustituye) ${A_FIELD} (?:with|by|por|con) (?:an? |una? )?(.+)`,
    ),
    ([, what = '', said = ''], form) => {
      // "Replace the doctor with specialty: heart, skin"
      const by = said.replace(/^([\p{L} ]{2,40}): ([^()]*,[^()]*)$/u, '$1 ($2)')
      const choices = listed(by)
      const areChoices = choices.length > 1 && choices.every((one) => kindNamed(one) === null)
      return areChoices && hasChoices(fieldNamed(form, what))
        ? changed(form, what, () => ({ choices }))
        : replaced(form, what, by)
    },
  ],
  [
    rule(
      `(?:${ADD}|ask for|use|pide|usa) (.+) (?:instead of|en lugar del?|en vez del?) ${A_FIELD}`,
    ),
    ([, by = '', what = ''], form) => replaced(form, what, by),
  ],
  [
    rule(
      `(?:rather than|instead of|en lugar del?|en vez del?) ${A_FIELD},? (?:${ADD}|ask for|use|have|pide|usa) (.+)`,
    ),
    ([, what = '', by = ''], form) =>
      fieldNamed(form, what) ? replaced(form, what, by) : undefined,
  ],
  [
    rule(
      `(?:also |then |también )?(?:${ADD}|put|pon|ask for|ask about|ask|collect|request|know(?: about)?|find out|pide|pregunta(?: por)?)(?: also| también)? (.+?)(?: ${BESIDE} ${A_FIELD})?(?: (?:(?:at|to) the end|al final|too|as well|instead|también|en su lugar|(?:to|in) the (?:form|flow|survey)|al (?:formulario|flujo)))?(?:(?:,| as| and make it) ${WISH})?`,
    ),
    ([found = '', named = '', where, beside = '', wish], form) => {
      // "Put 3 questions on each screen"
      const isPlaced = /^(?:please )?(?:put|pon) /i.test(found) && where === undefined
      const isElsewhere = ON_SCREEN.test(named) || /^(?:the )?same /i.test(named)
      if (isElsewhere || (isPlaced && (kindNamed(named) === null || SEVERAL_PLACES.test(named))))
        return null
      const what = wish === undefined ? named : `${named} (${wish})`
      // "Are you below 18?" and "Should it come before noon?" name no place.
      const isSaid = /^(?:below|under|above)$/i.test(where ?? '') || beside.endsWith('?')
      const isPlace = !isSaid || fieldNamed(form, beside)
      if (where === undefined || isPlace) return added(form, what, where, where && beside)
      return added(form, `${what} ${where} ${beside}`)
    },
  ],
  [
    rule(`(?:(?:i|we) )?(?:also )?(need|want) (?!to )(?:to know )?(.+)`),
    ([, verb = '', what = ''], form) => {
      const isOther =
        verb.toLowerCase() === 'want' && (kindNamed(what) === null || /\sto\s/i.test(what))
      return isOther || fieldNamed(form, what) ? undefined : added(form, what)
    },
  ],
  [
    rule(`(?:change|cambia|cambiar) ${A_FIELD} (?:to|into|por|a):? (?:an? |una? )?(.+)`),
    ([, from = '', to = ''], form) => {
      const choices = listed(to)
      if (choices.length > 1 && hasChoices(fieldNamed(form, from))) {
        return changed(form, from, () => ({ choices }))
      }
      const kind = kindNamed(to)
      const field = fieldNamed(form, from)
      // "Size to T-shirt size"
      const isSame = field !== undefined && isWithin(field.label, to)
      const isOther = !isSame && kind !== null && kind !== field?.kind
      return isOther ? replaced(form, from, to) : renamed(form, from, unquoted(to))
    },
  ],
  ...saidEdits,
  [
    rule(`${A_FIELD}: ([^:?]*,[^:?]*)`),
    ([, of = '', list = ''], form) =>
      hasChoices(fieldNamed(form, of))
        ? changed(form, of, () => ({ choices: listed(list) }))
        : undefined,
  ],
  [
    rule(`${A_FIELD}:? \\(?${WISH}\\)?`),
    ([, of = '', said = ''], form) => (fieldNamed(form, of) ? marked(form, of, said) : undefined),
  ],
  [
    rule(
      `(?:let|have) (?:them|customers|people|users) (?:choose|pick|select|give|enter|provide) (?:an?|their) (.+)`,
    ),
    ([, what = ''], form) => (fieldNamed(form, what) ? form : added(form, what)),
  ],
  [
    rule(
      `(?:(?:they|customers|people|users|clients|guests) (?:should|must|need to|have to)|have (?:them|customers|people|users))(?: also)? ((?:upload|attach|enter|give|provide|leave|accept|agree|confirm|tell us|choose|select)\\b.+)`,
    ),
    ([, what = ''], form) => added(form, what),
  ],
]

/**
 * The form after all changes that an instruction asks for, in English or Spanish; null when any of them is not
 * understood or is impossible.
 */
export function editForm(form: Form, instruction: string): Changed {
  const steps = stepsIn(instruction)
  let after: Changed = steps.length > 0 ? form : null
  let touched: Touched | undefined
  for (const step of steps) {
    const before: Form | null = after
    if (!before) return null
    after = applyStep(before, withLabels(instructionSpelled(step), before, touched))
    touched = after ? touchedBy(before, after, touched) : touched
  }
  return after
}

function applyStep(form: Form, step: string): Changed {
  for (const [pattern, edit] of edits) {
    const found = pattern.exec(step)
    const after = found ? edit([...found], form) : undefined
    if (after !== undefined) return after && withConditionsKept(form, after)
  }
  return null
}
