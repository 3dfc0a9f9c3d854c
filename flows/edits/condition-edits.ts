import type { Condition, Field, Form } from '../forms/form.ts'
import { answered } from '../prompts/conditions.ts'
import { added } from './additions.ts'
import { type Changed, fieldNamed, namesIn } from './changes.ts'
import { A_FIELD, ADD, type Edit, rule, THE } from './edit-words.ts'

const ASK =
  '(?:ask(?: for| about)?|show|display|request|collect|require|include|pide|pedir|pregunta(?: por)?|muestra|mostrar|solicita)'
const IF = '(?:if|when|in case(?: of)?|si|cuando|en caso de(?: que)?)'
const ONLY = '(?:only|just|solo|sólo)'
const IS_ONLY = new RegExp(`\\b${ONLY}\\b`, 'iu')
/** Depends on something, and not on a time. */
const UNMET = / (?:if|si|in case|en caso) /iu
/** Goes on with another thing, or is a question itself: "the number, and if …", "ask if they …". */
const JOINED = /(?:,| (?:and|y))\s*$|^(?:if|whether|si)\b/iu
const ALL =
  '(?:always|(?:to|for) (?:everyone|everybody|all(?: (?:customers|users|people))?)|in (?:any|every) case|no matter what|siempre|a todos)'

/** What instructions can ask about who is asked. */
export const conditionEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:(?:${ASK}) ${ALL} ${A_FIELD}|${ALL} (?:${ASK}) ${A_FIELD}|(?:${ASK}) ${A_FIELD} ${ALL}|${THE}(.+?) (?:should |must )?(?:always be|is always|be always|debe estar siempre) (?:asked|shown|visible|displayed|visibles?)|make ${A_FIELD} (?:always (?:visible|shown|asked)|unconditional)|(?:remove|drop) the conditions? (?:from|of|on) ${A_FIELD})`,
    ),
    ([, ...found], form) => askedOfAll(form, found.find((one) => one !== undefined) ?? ''),
  ],
  [
    rule(`(hide|oculta) ${A_FIELD} (?:(unless|a menos que)|(?:except )?${IF}) (.+)`),
    ([, , of = '', unless, condition = ''], form) =>
      depending(form, of, unless === undefined ? `not ${condition}` : condition),
  ],
  [
    rule(
      `(?:(?:${ONLY} )?${ASK} ${A_FIELD}|${A_FIELD} (?:is|are|should be|must be|should) (?:${ONLY} )?(?:be )?(?:asked(?: for)?|shown|displayed|visible|needed|required|necessary|appear))(?: ${ONLY})? (?:${IF}|(?<=${ONLY}[^]*)(?:for|para)) (.+)`,
    ),
    ([whole = '', asked, said, condition = ''], form) => {
      const of = asked ?? said ?? ''
      const isThere = namesIn(of).every((name) => fieldNamed(form, name))
      const isMet = answered(condition, form.fields) !== null
      const isOnly = IS_ONLY.test(whole)
      // "Ask if they smoke"
      const isNew =
        asked !== undefined && (isOnly || !/^(?:show|display|ask (?!for|about))/i.test(whole))
      // Nothing tells who is meant: "the parent's name if they are under 18".
      const isUnmet = !isMet && isNew && !isOnly && UNMET.test(whole) && !JOINED.test(of)
      if (isUnmet) return addedAsOptional(form, of)
      if (isThere) return depending(form, of, condition)
      if (isNew && isMet) return added(form, `${of} (only if ${condition})`)
      return isOnly ? null : undefined
    },
  ],
  [
    rule(`(?:${ONLY} )?${ASK} ${A_FIELD} (?:for|to|para|a) (.+?) (?:${ONLY}|solamente|únicamente)`),
    ([, of = '', condition = ''], form) => depending(form, of, condition),
  ],
  [
    rule(`${IF} ([^,]+?),? (?:(?:then|also|entonces|también) )*(?:${ASK}|${ADD}) (.+)`),
    ([, condition = '', what = ''], form) => {
      if (!answered(condition, form.fields)) return null
      const isThere = namesIn(what).every((name) => fieldNamed(form, name))
      return isThere
        ? depending(form, what, condition)
        : added(form, `${what} (only if ${condition})`)
    },
  ],
]

/** Adds fields that may be left out. */
function addedAsOptional(form: Form, what: string): Changed {
  const after = added(form, what)
  const optional = (field: Field) =>
    form.fields.includes(field) ? field : { ...field, isRequired: false }
  return after && { ...after, fields: after.fields.map(optional) }
}

/** Asks for fields only of those whose answers a condition names; null where nobody gives such answers. */
function depending(form: Form, of: string, condition: string): Changed {
  let after: Changed = form
  for (const name of namesIn(of)) after = after && dependingOne(after, name, condition)
  return after
}

function dependingOne(form: Form, of: string, condition: string): Changed {
  const field = fieldNamed(form, of)
  const others = form.fields.filter((one) => one !== field)
  const answer = field && answered(condition, others)
  const before = others.find((one) => one === answer?.of)
  if (!field || !answer || !before) return null
  const dependent = { ...field, when: { name: before.name, among: answer.among } }
  const fields = form.fields.map((one) => (one === field ? dependent : one))
  if (fields.indexOf(before) < fields.indexOf(dependent)) return { ...form, fields }
  // What it depends on is asked for first.
  const moved = { ...dependent, section: before.section }
  return { ...form, fields: others.toSpliced(others.indexOf(before) + 1, 0, moved) }
}

function askedOfAll(form: Form, of: string): Changed | undefined {
  const named = namesIn(of).map((name) => fieldNamed(form, name))
  if (named.includes(undefined)) return undefined
  const fields = form.fields.map((field) => {
    const { when: _when, ...always } = field
    return named.includes(field) ? always : field
  })
  return { ...form, fields }
}

/** The form after a change, in which conditions are about renamed choices under their new names. */
export function withConditionsKept(before: Form, after: Form): Form {
  const renamed = ({ name, among }: Condition): Condition => {
    const [olds, news] = [before, after].map(({ fields }) => choicesOf(fields, name))
    const isSame = olds?.length === news?.length
    const nameNow = (choice: string) => {
      const now = news?.[olds?.indexOf(choice) ?? -1] ?? choice
      return isSame && !news?.includes(choice) ? now : choice
    }
    return { name, among: among.map(nameNow) }
  }
  const fields = after.fields.map((field) =>
    field.when ? { ...field, when: renamed(field.when) } : field,
  )
  return { ...after, fields }
}

function choicesOf(fields: Field[], name: string): string[] {
  return fields.find((field) => field.name === name)?.choices ?? []
}
