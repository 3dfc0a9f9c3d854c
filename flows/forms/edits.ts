import { capitalised, type Field, type FieldKind, type Form } from './form.ts'
import { added, replaced } from './additions.ts'
import {
  type Changed,
  changed,
  fieldNamed,
  hasChoices,
  kept,
  listed,
  marked,
  markedAlone,
  markedExcept,
  removed,
  renamed,
  unquoted,
} from './changes.ts'
import {
  ADD,
  A_FIELD,
  BESIDE,
  CHANGE,
  EXCEPT,
  type Edit,
  FIELD,
  KINDS,
  REMOVE,
  SCREEN,
  THE,
  WISH,
  YES_NO,
  rule,
} from './edit-words.ts'
import { choiceEdits } from './choice-edits.ts'
import { placeEdits } from './place-edits.ts'
import { stepsIn, withLabels } from './steps.ts'
import { kindNamed } from './words.ts'

const MAKE =
  '(?:make|mark|change|set|(?:i |we )?(?:want|need)|haz(?: que)?|pon|marca|cambia|quiero que|necesito que)'

/** What instructions can ask for, the more specific first: "add the option XL to size" adds no field. */
const edits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:${CHANGE} ${THE}(?:(?:(?:form|flow|survey)(?:['’]s)? )?(?:title|título|titulo)|(?:form|flow|survey)(?:['’]s)? name|(?:title|name|título|nombre) (?:of the|del?|de la) (?:form|flow|survey|formulario|flujo|encuesta)) (?:to|as|a|por|como):?|(?:rename|renombra) ${THE}(?:form|flow|formulario|flujo) (?:to|as|a|como):?|(?:call|title|llama) (?:it|the (?:form|flow)|al (?:formulario|flujo))) (.+)`,
    ),
    ([, title = ''], form) => ({ ...form, title: capitalised(unquoted(title)) }),
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
      `(?:(?:rename|${CHANGE} the (?:label|name) of|renombra|renombrar|cambia el nombre de) ${A_FIELD}|${CHANGE} ${THE}(.+?)(?:['’]s)?(?: field(?:['’]s)?)? (?:label|name)) (?:to|as|a|como|por):? (.+)`,
    ),
    ([, of = '', from = of, to = ''], form) => renamed(form, from, unquoted(to)),
  ],
  [
    rule(
      `(?:make |mark |set |haz(?: que)? |pon |marca |deja )?(?:only|just|solo|sólo) ${A_FIELD} (?:should be |must be |is |are |be |debe ser |deben ser |es |son )?${WISH}`,
    ),
    ([, of = '', said = ''], form) => markedAlone(form, of, said),
  ],
  [
    rule(
      `(?:make|mark|set|haz|pon) (?:all|everything|todos?|todas?)(?: (?:the |los )?(?:fields|campos))? ${WISH} ${EXCEPT} (.+)`,
    ),
    ([, said = '', except = ''], form) => markedExcept(form, said, except),
  ],
  [
    rule(`(?:make|mark|haz|pon|deja) ${WISH} ${A_FIELD}`),
    ([, said = '', all = ''], form) => marked(form, all, said),
  ],
  [
    rule(`${MAKE} ${A_FIELD} ${WISH}(?:,? (?:and|but|y|e|pero)|,) ${A_FIELD} ${WISH}`),
    ([, one = '', said = '', other = '', saidOther = ''], form) => {
      const after = marked(form, one, said)
      return after && marked(after, other, saidOther)
    },
  ],
  [
    rule(`${MAKE} ${A_FIELD}(?: sean?)?(?: as| to(?: be)?| como| a)? ${WISH}`),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `(?:allow|let|permite a) (?:them|people|customers|users|clients|los clientes|los usuarios) (?:to )?(?:skip|leave out|omitir) ${A_FIELD}`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:(?:let|have) ${A_FIELD}|${A_FIELD} (?:should|must|can|is to|debe|deben|puede)) (?:be|ser) ${WISH}`,
    ),
    ([, allowed = '', of = allowed, said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `${A_FIELD} (?:should not|need not|must not|no debe|no deben) (?:be|ser) (required|mandatory|obligatori[oa]s?)`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:(?:require|exige|exigir) ${A_FIELD}|${A_FIELD} (?:must|has to|should|needs to) be (?:filled(?: in| out)?|given|answered|entered|provided))`,
    ),
    ([, required = '', of = required], form) => marked(form, of, 'required'),
  ],
  [
    rule(`(?:release|libera|liberar) ${A_FIELD}`),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  ...placeEdits,
  [
    rule(
      `(?:allow|let (?:them|people|customers|users) (?:choose|pick|select)) (?:several|multiple|more than one) (?:choices (?:of|for|in) )?${A_FIELD}`,
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
      `(?:make|change|turn|convert|haz|cambia|convierte) ${A_FIELD} (?:into |to |a |en |como )?(?:an? |una? )?${words}(?: field| input| question)?`,
    ),
    ([, of = ''], form) => ofKind(form, of, kind),
  ]),
  [
    rule(
      `(?:${REMOVE} (?:everything|all(?: (?:other )?fields)?|todo(?: lo demás)?) ${EXCEPT}|keep only|only keep|(?:only|just) ask for|ask only for|deja (?:solo|sólo)|(?:solo|sólo) pide) ${THE}(.+)`,
    ),
    ([, what = ''], form) => kept(form, what),
  ],
  [
    rule(
      `(?:(?:do not|don['’]t|never|stop) (?:ask|collect|request)(?:ing)?(?: for| about)?|no (?:pidas|pidan|preguntes|pregunten)(?: por)?|deja de pedir) ${A_FIELD}(?: any ?more)?`,
    ),
    ([, what = ''], form) => removed(form, what),
  ],
  [
    rule(
      `(?:(?:i |we )?(?:do not|don['’]t|no longer) (?:need|want)|ya no (?:necesito|necesitamos|quiero|queremos)) ${A_FIELD}(?: any ?more)?`,
    ),
    ([, what = ''], form) => removed(form, what),
  ],
  [rule(`(?:${REMOVE}|no|without|sin) ${A_FIELD}`), ([, what = ''], form) => removed(form, what)],
  [
    rule(
      `(?:replace|reemplaza|reemplazar|sustituye) ${A_FIELD} (?:with|by|por|con) (?:an? |una? )?(.+)`,
    ),
    ([, what = '', by = ''], form) => replaced(form, what, by),
  ],
  [
    rule(
      `(?:also |then |también )?(?:${ADD}|put|pon|ask for|ask about|ask|collect|request|pide|pregunta por)(?: also| también)? (.+?)(?: ${BESIDE} ${A_FIELD})?(?: (?:(?:at|to) the end|al final|too|as well|instead|también|en su lugar|(?:to|in) the (?:form|flow|survey)|al (?:formulario|flujo)))?`,
    ),
    ([, what = '', where, beside = ''], form) => {
      // "Are you below 18?" names no place.
      const isPlace = !/^(?:below|under|above)$/i.test(where ?? '') || fieldNamed(form, beside)
      if (where === undefined || isPlace) return added(form, what, where, where && beside)
      return added(form, `${what} ${where} ${beside}`)
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
      const isOther = kind !== null && kind !== fieldNamed(form, from)?.kind
      return isOther ? replaced(form, from, to) : renamed(form, from, unquoted(to))
    },
  ],
  [
    rule(`${A_FIELD} (?:is|are|es|son) ${WISH}`),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
]

/** A field with choices keeps them for another way to choose; what has none can have no such way. */
function ofKind(form: Form, of: string, kind: FieldKind): Changed {
  const isChosen = kind === 'one_of' || kind === 'some_of'
  return changed(form, of, (field: Field) => {
    if (isChosen) return hasChoices(field) ? { kind } : null
    return { kind, choices: [] }
  })
}

/**
 * The form after all changes that an instruction asks for, in English or Spanish; null when any of them is not
 * understood or is impossible.
 */
export function editForm(form: Form, instruction: string): Changed {
  const steps = stepsIn(instruction)
  let after: Changed = steps.length > 0 ? form : null
  let touched: Field | undefined
  for (const step of steps) {
    const before: Form | null = after
    if (!before) return null
    after = applyStep(before, withLabels(step, before, touched))
    touched = after?.fields.findLast((field) => !before.fields.includes(field)) ?? touched
  }
  return after
}

function applyStep(form: Form, step: string): Changed {
  for (const [pattern, edit] of edits) {
    const found = pattern.exec(step)
    const after = found ? edit([...found], form) : undefined
    if (after !== undefined) return after
  }
  return null
}
