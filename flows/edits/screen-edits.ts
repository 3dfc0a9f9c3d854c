import { onNewScreen } from './additions.ts'
import { fieldNamed, namesIn } from './changes.ts'
import {
  ADD,
  A_FIELD,
  COUNT,
  type Edit,
  NEW,
  NTH,
  ORDINAL,
  REMOVE,
  SCREEN,
  numberOf,
  rule,
} from './edit-words.ts'
import {
  addedBehindScreen,
  addedOnScreen,
  allMovedToScreen,
  divided,
  dividedBehind,
  onOneScreen,
  screenOf,
  screensIn,
  screensJoined,
  withoutRest,
  withoutScreen,
} from './moves.ts'

/** What instructions can ask about the screens of a form. */
export const screenEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:(?:put|show|ask|have|move|split|divide|make|pon|muestra)(?: (?:it|this|the form))?(?: (?:in|into|so|to))? ?)?(?:(?:one|a single|only one|una(?: sola)?) (?:question|field|pregunta) (?:per|on each|in each|por|en cada) ${SCREEN}|(?:each|every|cada) (?:question|field|pregunta)(?: (?:is|goes))? (?:on|in|en) (?:its|a|an|su|una) (?:own|separate|different|new|propia)? ?${SCREEN}(?: propia)?)`,
    ),
    (_, form) => ({
      ...form,
      // What only some are asked for stays with what stands before it.
      fields: form.fields.map((field, at, all) => ({
        ...field,
        section: all.slice(0, at + 1).findLastIndex(({ when }) => !when),
      })),
    }),
  ],
  [
    rule(
      `(?:(?:put|show|merge|combine|pon) )?(?:everything|all(?: (?:the )?(?:fields|questions|screens))?|todo) (?:in|on|into|en) (?:one|a single|the same|una sola|la misma) ${SCREEN}`,
    ),
    (_, form) => onOneScreen(form),
  ],
  [
    rule(
      `(?:move|put|mueve|mover|pon) (?:everything|all(?: (?:the )?(?:fields|questions))?|the (?:rest|fields|questions)|todo lo que (?:va|viene|está)) (?:after|behind|below|después del?) ${A_FIELD} (?:to|on|in|into|a|en) (?:an? |una? |the |its |la |el |su )?(?:${ORDINAL}|${NEW}) ${SCREEN}`,
    ),
    ([, last = ''], form) => dividedBehind(form, last),
  ],
  [
    rule(
      `(?:put|move|keep|have|pon) (.+?) (?:on|in|to|en) (?:(?:the |la )?(?:first|primera) ${SCREEN}|${SCREEN} (?:1|one|uno?)),? (?:(?:and|y) )?(?:put )?(?:the (?:rest|others)|everything else|all others?|all other fields|el resto|lo demás) (?:on|in|to|en) (?:(?:the |an? |la |una )?(?:${ORDINAL}|${NEW})(?: one| ${SCREEN})?|${SCREEN} (?:2|two|dos))`,
    ),
    ([, first = ''], form) => withoutRest(form, first),
  ],
  [
    rule(
      `(?:(?:split|divide|break)(?: up)?(?: (?:it|this|the form|el formulario))?(?: (?:in|into|en) (?:two|2|dos)(?: ${SCREEN}s?)?)?[:,;]? (?:with |con )?)?(.+?)(?: (?:on|in|en))? (?:(?:the |la )?(?:first|primera)(?: one| ${SCREEN})?|${SCREEN} (?:1|one|uno)),? (?:(?:and|y) )?(?:the (?:rest|others)|everything else|all others?|el resto|lo demás)(?: (?:on|in|en))? (?:(?:the |la )?(?:second|other|next|segunda|otra)(?: one| ${SCREEN})?|${SCREEN} (?:2|two|dos))`,
    ),
    ([, first = ''], form) => withoutRest(form, first),
  ],
  [
    rule(
      `(?:move|put|mueve|mover|pon) ${A_FIELD} (?:to|on|a|en) (?:an? |una? |the |its |their |la |el |su )?(?:(${ORDINAL}|${NEW}|last|final|última) ${SCREEN}|${SCREEN} ([1-9]|${ORDINAL}))`,
    ),
    ([found = '', what = '', before, after], form) => {
      const isLast = /^(?:last|final|última)$/i.test(before ?? '')
      const screen = isLast ? Math.max(2, screensIn(form)) : numberOf(before ?? after)
      // "Put a photo upload on its own screen": there is none yet.
      const isNew = screen === Infinity && /^\S+ an? /i.test(found) && !fieldNamed(form, what)
      return isNew ? onNewScreen(form, what) : allMovedToScreen(form, what, screen)
    },
  ],
  [
    rule(
      `${ADD} (?:an? |una? |the )?(?:(?:${ORDINAL}|${NEW}) )?${SCREEN}(?: [1-9])? (?:with|for|containing|asking for|that asks for|to ask for|con|para|que pida) (.+)`,
    ),
    ([, what = ''], form) =>
      namesIn(what).every((name) => fieldNamed(form, name))
        ? allMovedToScreen(form, what, Infinity)
        : onNewScreen(form, what),
  ],
  [
    rule(
      `(?:split|divide|break) (?:it |this |the form |el formulario )?(?:after|behind|después del?) ${A_FIELD}`,
    ),
    ([, last = ''], form) => dividedBehind(form, last),
  ],
  [
    rule(
      `(?:split|divide|make|have|show|put) (?:it |this |the form |everything |el formulario )?(?:into|in|on|over|across|en) ([1-9]|${COUNT}) ${SCREEN}s`,
    ),
    ([, count = ''], form) => divided(form, numberOf(count)),
  ],
  [
    rule(
      `${ADD} (.+?),? (?:to|on|in|a|en) (?:the |la )?(?:(${NTH}|last) ${SCREEN}|${SCREEN} ([1-9]|${ORDINAL}))`,
    ),
    ([, what = '', before, after], form) => {
      const isLast = before?.toLowerCase() === 'last'
      return addedOnScreen(form, what, isLast ? screensIn(form) : numberOf(before ?? after))
    },
  ],
  [
    rule(
      `${ADD} (?:an? |una )?(?:new |nueva )?${SCREEN} (?:between|after|entre|después de) (?:the |la )?(?:(${ORDINAL})(?: ${SCREEN})?|${SCREEN}s? ([1-9]))(?: (?:and|y) (?:the |la )?(?:(?:${ORDINAL})(?: ${SCREEN})?|(?:${SCREEN} )?[1-9]))?,? (?:with|for|that asks for|asking for|con|para)(?: the| an?)?(?: fields?)? (.+)`,
    ),
    ([, nth, number, what = ''], form) => addedBehindScreen(form, what, numberOf(nth ?? number)),
  ],
  [
    rule(
      `(?:merge|combine|join|put) (?:the )?(?:${SCREEN}s ([1-9])|(${ORDINAL})(?: ${SCREEN})?) (?:and|y) (?:the )?(?:([1-9])|(${ORDINAL}))(?: ${SCREEN}s?)?(?: (?:into|in|on|to) (?:one|a single)(?: ${SCREEN})?)?`,
    ),
    ([, one, first, other, second], form) =>
      screensJoined(form, numberOf(one ?? first), numberOf(other ?? second)),
  ],
  [
    rule(
      `(?:merge|combine|join|put) ${A_FIELD} (?:and|y) ${A_FIELD} (?:screens|pages|steps|on the same ${SCREEN})(?: (?:into|in|on|to) (?:one|a single)(?: ${SCREEN})?)?`,
    ),
    ([, one = '', other = ''], form) => {
      const [first, second] = [screenOf(form, one), screenOf(form, other)]
      if (first === undefined || second === undefined) return null
      return first === second ? form : screensJoined(form, first, second)
    },
  ],
  [
    rule(`${ADD} (.+?),? (?:to|on|in|as|en) (?:an? |una? |its |their )(?:${NEW}) ${SCREEN}`),
    ([, what = ''], form) => onNewScreen(form, what),
  ],
  [
    rule(
      `${REMOVE} (?:the |la )?(?:(${NTH}|last|última) ${SCREEN}|${SCREEN} ([1-9]))(?: (?:and|with) (?:all )?(?:its|the) (?:fields|questions))?`,
    ),
    ([, nth, number], form) => {
      const isLast = /^(?:last|última)$/i.test(nth ?? '')
      return withoutScreen(form, isLast ? screensIn(form) : numberOf(nth ?? number))
    },
  ],
]
