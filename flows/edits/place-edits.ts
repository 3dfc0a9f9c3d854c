import type { Form } from '../forms/form.ts'
import { kindNamed } from '../words/words.ts'
import { added, merged, replaced } from './additions.ts'
import { fieldNamed, namesIn, unquoted } from './changes.ts'
import { ADD, A_FIELD, BESIDE, type Edit, numberOf, rule } from './edit-words.ts'
import { allMoved, inThisOrder, moved, movedByOne, movedToPlace, swapped } from './moves.ts'

const SEQUENCE =
  /(?:^|(?<=[\s,]))(?:(?:first|last)(?! names?\b)|then|next|finally|primero|luego|después|por último),?\s/giu

/** Which of two fields comes first; undefined where there are not both. */
function firstOf(form: Form, one: string, other: string): string | undefined {
  const places = [one, other].map((said) => fieldNamed(form, said))
  if (places.includes(undefined)) return undefined
  return form.fields.find((field) => places.includes(field)) === places[0] ? one : other
}

/** What instructions can ask about the order of fields. */
export const placeEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:${ADD}|ask for|collect|pide) (.+?),? (?:between|entre) ${A_FIELD} (?:and|y) ${A_FIELD}`,
    ),
    ([, what = '', one = '', other = ''], form) => {
      const before = firstOf(form, one, other)
      return before === undefined ? undefined : added(form, what, 'after', before)
    },
  ],
  [
    rule(
      `(?:${ADD}|ask for|collect|pide) (.+?),? (?:(?:at|to) the (?:very )?(?:beginning|start|top)(?: of (?:the|this) form)?|as the first (?:question|field)|al (?:principio|inicio|comienzo))(: .+)?`,
    ),
    ([, what = '', more = ''], form) => added(form, what + more, 'before', form.fields[0]?.label),
  ],
  [
    rule(
      `${ADD} (?:an? |una? )?(?:new |nueva )?(?:question|field|pregunta|campo) ${BESIDE} ${A_FIELD},? (?:asking (?:for|about)|that asks for|for|about|called|named|to ask for|para|sobre|de) (.+)`,
    ),
    ([, where = '', beside = '', what = ''], form) =>
      fieldNamed(form, beside) ? added(form, what, where, beside) : undefined,
  ],
  [
    rule(`(?:move|put|mueve|pon) ${A_FIELD},? (?:between|entre) ${A_FIELD} (?:and|y) ${A_FIELD}`),
    ([, what = '', one = '', other = ''], form) => {
      const before = firstOf(form, one, other)
      return before === undefined || !fieldNamed(form, what)
        ? undefined
        : moved(form, what, 'after', before)
    },
  ],
  [
    rule(`(?:move|put|mueve|mover|pon) ${A_FIELD} ${BESIDE} ${A_FIELD}`),
    ([, what = '', where = '', beside], form) =>
      namesIn(what).every((name) => fieldNamed(form, name))
        ? allMoved(form, what, where, beside)
        : undefined,
  ],
  [
    rule(
      `(?:move|put|make|mueve|pon) ${A_FIELD} (first|last|primero|al final)(?:,? (?:and|y)|,) ${A_FIELD} (first|last|primero|al final)`,
    ),
    ([, one = '', where = '', other = '', there = ''], form) => {
      const after = moved(form, one, where.replace('al ', ''))
      return after && moved(after, other, there.replace('al ', ''))
    },
  ],
  [
    rule(`(?:put|move) ${A_FIELD} first,? (?:and )?then ${A_FIELD}`),
    ([, one = '', next = ''], form) => {
      const after = moved(form, one, 'first')
      return after && moved(after, next, 'after', one)
    },
  ],
  [
    rule(
      `(?:move|mueve) ${A_FIELD} (?:one |one place |una posición )?(up|down|hacia arriba|hacia abajo|arriba|abajo)(?: (?:by )?one(?: place| position| spot)?)?`,
    ),
    ([, what = '', where = ''], form) => movedByOne(form, what, /up|arriba/i.test(where)),
  ],
  [
    rule(
      `(?:move|put|make|mueve|mover|pon) ${A_FIELD} (?:to the |at the |the |to |come |go |be |al )?(first|top|beginning|start|end|bottom|last|final|principio|inicio|primer[oa]?|último)(?: one| question| field)?`,
    ),
    ([found = '', what = '', where = ''], form) => {
      // "Put the date of birth at the beginning": there is none yet.
      const isNew = /^(?:please )?(?:put|pon) /i.test(found) && !fieldNamed(form, what)
      const isFirst = !/^(?:end|bottom|last|final|último)/i.test(where)
      if (!isNew || [null, 'paragraph'].includes(kindNamed(what)))
        return allMoved(form, what, where)
      return added(form, what, 'before', isFirst ? form.fields[0]?.label : undefined)
    },
  ],
  [
    rule(
      `(?:(?:move|put|make) )?${A_FIELD} (?:(?:should|must|has to) )?(?:(?:be|come|go)s? )?(?:to |in )?(?:the )?(second|third|fourth|fifth)(?: (?:question|field|one|place|position))?`,
    ),
    ([, what = '', place], form) =>
      fieldNamed(form, what) ? movedToPlace(form, what, numberOf(place)) : undefined,
  ],
  [
    rule(`change ${A_FIELD} to (?:be )?(?:the )?(first|last)(?: one| question| field)`),
    ([, what = '', where = ''], form) => moved(form, what, where),
  ],
  [
    rule(`(?:start|begin|end|finish|empieza|termina) (?:it )?(?:with|con) ${A_FIELD}`),
    ([found = '', what = ''], form) => {
      const where = /^(?:please |por favor,? )?(?:end|finish|termina)/i.test(found)
        ? 'last'
        : 'first'
      return fieldNamed(form, what) ? moved(form, what, where) : undefined
    },
  ],
  [
    rule(
      `(?:change the order|reorder(?: (?:it|the fields))?|order|sort|cambia el orden|ordena)(?: to| as| a|:) (.+)`,
    ),
    ([, what = ''], form) => inThisOrder(form, what.replace(SEQUENCE, '')),
  ],
  [
    rule(
      `(?:(?:change the order|reorder)(?: so that|:) |(?:(?:i|we)(?:['’]d| would)? )?(?:like|want) )?${A_FIELD} (?:(?:should|must|to) )?(?:(?:come|go|be)s? )?(first|last|before everything(?: else)?|after everything(?: else)?)`,
    ),
    ([, what = '', where = ''], form) =>
      fieldNamed(form, what)
        ? moved(form, what, /^(?:last|after)/i.test(where) ? 'last' : 'first')
        : undefined,
  ],
  [
    rule(
      `(?!(?:${ADD}|ask|pide)\\b)(?:(?:(?:i|we)(?:['’]d| would)? )?(?:like|want) )?${A_FIELD} (?:(?:should|must|has to|to|debe) )?(?:(?:come|go|stand|be|ir|va)s? )?${BESIDE} ${A_FIELD}`,
    ),
    ([, what = '', where = '', beside = ''], form) =>
      fieldNamed(form, what) && fieldNamed(form, beside)
        ? moved(form, what, where, beside)
        : undefined,
  ],
  [
    rule(
      `(?:merge|combine|join|une|unir|unifica|combina|junta|fusiona) ${A_FIELD} (?:and|with|y|con) ${A_FIELD}(?: (?:in|into|to|as|en|como) (?:(?:one|a single|the same|un solo|una sola|el mismo|una?)(?: (?:field|question|one|campo|pregunta))?(?:,? (?:called|named|llamad[oa]):?)?)? ?(.*))?`,
    ),
    ([, one = '', other = '', label = ''], form) => merged(form, one, other, unquoted(label)),
  ],
  [
    rule(
      `(?:(?:make|have) (?:the form|it) )?(?:ask for|use|have) (?:the )?first(?: name)? and last names?(?: separately| instead)?`,
    ),
    (_, form) =>
      fieldNamed(form, 'name') ? replaced(form, 'name', 'first name and last name') : undefined,
  ],
  [
    rule(`(?:split|divide|break|separa)(?: up)? ${A_FIELD} (?:into|in|en) (.+)`),
    ([, what = '', parts = ''], form) =>
      fieldNamed(form, what) ? replaced(form, what, parts) : undefined,
  ],
  [
    rule(`(?:swap|switch|intercambia) ${A_FIELD} (?:and|with|y|con) ${A_FIELD}`),
    ([, one = '', other = ''], form) => swapped(form, one, other),
  ],
]
