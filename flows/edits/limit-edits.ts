import { HINT_CHARACTERS } from '../forms/form.ts'
import { capitalised, type Field, type Form } from '../forms/form.ts'
import { frameOf, withoutFrame } from '../prompts/frames.ts'
import { SIZE, withLimits } from '../spellings/limits.ts'
import { readCount } from '../words/amounts.ts'
import { amountOf, boundsOf } from '../words/bounds.ts'
import { type Limit, withoutMarks } from '../words/marks.ts'
import { tidy } from '../words/words.ts'
import {
  type Changed,
  exchanged,
  fieldNamed,
  hasChoices,
  unlimited,
  unquoted,
  withoutInitial,
} from './changes.ts'
import { A_FIELD, ADD, CHANGE, type Edit, REMOVE, rule, THE } from './edit-words.ts'

const HINT =
  '(?:(?:short|small|brief) )?(?:hint|help(?:er)?(?: text)?|placeholder(?: text)?|tooltip|description|explanation|pista|ayuda|texto de ayuda|indicación|descripción)'
const LIMIT =
  '(?:(?:character|length|size) )?(?:limits?|max(?:imum)?(?: length)?|min(?:imum)?(?: length)?|límites?|máximo|mínimo)'
const BUTTON =
  '(?:text (?:of|on) the |label (?:of|on) the |texto del )?(?:(?:submit|send|final|last) |["“«][^"”»]+["”»] )?(?:button|botón)(?:["’]s)?(?: text| label)?'
const BUTTON_CHARACTERS_MAX = 35
const OF = '(?:to|for|under|below|on|of|from|in|a|de|del|para|en)'

/** Ways to say in an instruction how much something may be, each as a prompt would say it. */
const SPELLINGS: readonly [RegExp, string][] = [
  [
    /^(?:limit|restrict|cap|keep|limita|limitar|restringe) (.+?) (?:to|at|under|below|a) (?:at most |a maximum of |max(?:imum)? |un máximo de )?(?=\d)/iu,
    '$1 at most ',
  ],
  [
    /^(?:(?:set|change|make|pon) )(?:the |a |el )?(?:max(?:imum)?|limit|character limit|máximo)(?: length| size| number| count| characters)? (?:of|for|on|de|del|para) (.+?) (?:to|at|be|a|en) (\d+)$/iu,
    '$1 at most $2 characters',
  ],
  [
    /^(?:(?:set|change|make|pon) )(?:the |a |el )?(?:min(?:imum)?|mínimo)(?: length| size| number| count| characters)? (?:of|for|on|de|del|para) (.+?) (?:to|at|be|a|en) (\d+)$/iu,
    '$1 at least $2 characters',
  ],
  [
    /^(?:make|set|change) (.+?) (?:to )?(?:be |have )?(?=(?:at least|at most|up to|no more than|between) \d)/iu,
    '$1 ',
  ],
  [
    new RegExp(`^(?:make|set|change|haz|pon) (.+?) (?:to |be |have |de )?(?=${SIZE})`, 'iu'),
    '$1 of ',
  ],
]
const LIMITED =
  /^(?:(?:allow|accept|make|let|ask for|require|only allow|permite|exige) )?(.+?)(?: (?:(?:must|should|can|may|has to|needs? to|debe|puede)(?: (?:only|be|have|contain|ser|estar|tener))*|is|are|has|have|es|son|tiene))?$/iu

/** What instructions can ask about how much may be answered, and about what customers read besides the labels. */
export const limitEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:${REMOVE}|no|without|sin) (?:the |any |el |los |la )?(?:${LIMIT}|(${HINT})) ${OF} ${A_FIELD}`,
    ),
    ([, hint, of = ''], form) =>
      exchanged(form, of, (field) =>
        hint === undefined ? withoutLimits(field) : withoutHint(field),
      ),
  ],
  [
    rule(
      `(?:${ADD}|${CHANGE}|show|put|use|muestra) (?:an? |the |una? |el |la )?${HINT}:? (["“«].+["”»]) ${OF} ${A_FIELD}`,
    ),
    ([, hint = '', of = ''], form) => exchanged(form, of, (field) => hinted(field, unquoted(hint))),
  ],
  [
    rule(
      `(?:${ADD}|${CHANGE}|show|put|muestra) (?:an? |the |una? |el |la )?${HINT} ${OF} ${A_FIELD}(?:: ?| (?:to|saying|that says|as|with|que diga|con) | (?=["“«]))(["“«].+["”»]|[^"“«]+)`,
    ),
    ([, of = '', hint = ''], form) => exchanged(form, of, (field) => hinted(field, unquoted(hint))),
  ],
  [
    rule(
      `(?:explain|say|mention|note|tell (?:them|customers)|explica|indica|aclara) (?:below|under|underneath|beside|next to|at|for|debajo del?|en) ${A_FIELD}(?:,? (?:that|que)|:) (.+)`,
    ),
    ([, of = '', hint = ''], form) => exchanged(form, of, (field) => hinted(field, unquoted(hint))),
  ],
  [
    rule(
      `(?:(?:${CHANGE}|make|rename|relabel|call|name|renombra) (?:the |el )?${BUTTON} (?:to|as|say|read|be|a|por|como|que diga|diga)|(?:the |el )?${BUTTON} (?:should|must|debe) (?:say|read|be|decir)):? (.+)`,
    ),
    ([, label = ''], form) => labelled(form, unquoted(label)),
  ],
  [
    rule(
      `(?:put|use|write|show|pon|usa|escribe) (["“«].+["”»]) (?:on|in|as|for|en|como|para) (?:the |el )?${BUTTON}`,
    ),
    ([, label = ''], form) => labelled(form, unquoted(label)),
  ],
  [
    rule(
      `(?:${REMOVE}|no|without|sin) (?:the |el |la )?(?:intro(?:duction)?(?: text)?|welcome (?:text|message)|(?:note|text|message|line|sentence) at the (?:top|start|beginning)|introducción|texto de bienvenida)`,
    ),
    (_, { note: _note, ...form }) => (_note === undefined ? null : form),
  ],
  [
    rule(`(?:(?:${ADD}|${CHANGE}|put|show|use|start with|begin with|muestra|empieza con) )?(.+)`),
    ([, said = ''], form) => framed(form, said),
  ],
  [
    rule(
      `(?:(?:only )?allow|accept|permit|let (?:them|people|customers|users)(?: (?:to )?(?:choose|select|pick|upload|send|give|add))?|require|permite(?: elegir)?|exige) (.+)`,
    ),
    ([, said = ''], form) => counted(form, said),
  ],
  [
    rule(
      `${REMOVE} ${THE}(?:default(?: value| answer)?|valor (?:por defecto|predeterminado)) ${OF} ${A_FIELD}`,
    ),
    ([, of = ''], form) =>
      exchanged(form, of, (field) => (field.initial === undefined ? null : withoutInitial(field))),
  ],
  [
    rule(
      `(?:(?:${CHANGE}|make) ${THE}default (?:(?:value|answer|option|choice) )?(?:(?:of|for|in) )?${A_FIELD} (?:to|be|as):?|(?:pon|cambia) (?:el )?(?:valor )?(?:por defecto|predeterminado) (?:de|del|para) ${A_FIELD} (?:a|en|como):?|(?:default|pre-?set|pre-?fill|pre-?select) ${A_FIELD} (?:to|with|as)|(?:make|let|have|set) ${A_FIELD} (?:to )?default to) (.+)`,
    ),
    ([, english, spanish, other, made = '', initial = ''], form) =>
      begun(form, english ?? spanish ?? other ?? made, unquoted(initial)),
  ],
  [
    rule(
      `(?:(?:make|set|use) (.+?) (?:as )?the default (?:value |option |choice |answer )?(?:(?:for|of|in) )?|pre-?select (.+?) (?:for|in|as) )${A_FIELD}`,
    ),
    ([, made, selected = '', of = ''], form) => begun(form, of, unquoted(made ?? selected)),
  ],
  [
    rule(
      `(?:make |set |keep )?${A_FIELD}(?: (?:must be|should be|has to be|is|debe estar|debe ser))? (?:between|from|entre|de) (\\d{1,6}) ?(?:-|–|to|and|a|y) ?(\\d{1,6})`,
    ),
    ([, of = '', least, most], form) => valued(form, of, Number(least), Number(most)),
  ],
  [
    rule(
      `${A_FIELD} (?:can(?:not|['’]t| not)|must not|mustn['’]t|should not|shouldn['’]t|may not) be (?:(more|higher|greater|larger|older|bigger)|less|lower|smaller|fewer|younger) than (\\d{1,6})`,
    ),
    ([, of = '', more, bound], form) =>
      more === undefined
        ? valued(form, of, Number(bound), null)
        : valued(form, of, null, Number(bound)),
  ],
  [
    rule(`${A_FIELD} (?:debe ser |es )?(?:(?:de )?al menos|como mínimo|mínimo) (\\d{1,6})`),
    ([, of = '', least], form) => valued(form, of, Number(least), null),
  ],
  [
    rule(
      `(?:limit|restrict|cap|limita|restringe) ${A_FIELD} (?:to|at|a) (?:at most |a maximum of |max(?:imum)? |un máximo de )?(\\d{1,6})(?: (?!char|letter|digit|word|car|letra|d[ií]g|pal|photo|file|foto|arch)\\p{L}{2,20})?`,
    ),
    ([, of = '', most], form) =>
      hasChoices(fieldNamed(form, of))
        ? limited(form, of, [{ of: 'count', least: null, most: Number(most) }])
        : valued(form, of, null, Number(most)),
  ],
  [rule('(.+)'), ([, said = ''], form) => sized(form, said)],
]

/** A note before the first field, or the word on the button, where that is all that is said. */
function framed(form: Form, said: string): Changed | undefined {
  const text = said.replace(/ (?:to|a):? (?=["“«])/iu, ': ')
  const frame = frameOf(text)
  const isAll = /^(?:the|el|la)?$/iu.test(tidy(withoutFrame(text)))
  return isAll && Object.keys(frame).length > 0 ? { ...form, ...frame } : undefined
}

function labelled(form: Form, button: string): Changed {
  return button === '' || button.length > BUTTON_CHARACTERS_MAX ? null : { ...form, button }
}

/** Null where there are none. */
function withoutLimits(field: Field): Field | null {
  return field.least === undefined && field.most === undefined ? null : unlimited(field)
}

function withoutHint({ hint, ...field }: Field): Field | null {
  return hint === undefined ? null : field
}

function hinted(field: Field, hint: string): Field | null {
  return hint === '' || hint.length > HINT_CHARACTERS
    ? null
    : { ...field, hint: /^\S+@\S+$|^https?:/i.test(hint) ? hint : capitalised(hint) }
}

/** Null where it is no such answer. */
function begun(form: Form, of: string, initial: string): Changed {
  return exchanged(form, of, (field) => {
    const bounds = boundsOf(field, [{ initial }], form.language)
    return bounds.initial === undefined ? null : { ...field, ...bounds }
  })
}

/** "More than one size, at most 2" */
const SEVERAL =
  /^(?:several|multiple|more than one|varias|varios) (.+?),? (?:but |pero )?((?:at most|up to|max(?:imum)?|no more than|hasta|máximo) \d{1,2})$/iu

/** "Up to 2 toppings" */
function counted(form: Form, said: string): Changed | undefined {
  const read = readCount(said.replace(SEVERAL, '$2 $1'))
  return read && fieldNamed(form, read.of) ? limited(form, read.of, [read.limit]) : undefined
}

/** "The PIN must have 4 digits" */
function sized(form: Form, said: string): Changed | undefined {
  const spelled = SPELLINGS.reduce((text, [pattern, other]) => text.replace(pattern, other), said)
  const { text, limits } = withoutMarks(withLimits(spelled))
  const [, of = ''] = LIMITED.exec(tidy(text)) ?? []
  const isOfAll = !limits.some((one) => 'condition' in one)
  return limits.length > 0 && isOfAll && fieldNamed(form, of)
    ? limited(form, of, limits)
    : undefined
}

/** How large a number may be, of a field for one. */
function valued(
  form: Form,
  of: string,
  least: number | null,
  most: number | null,
): Changed | undefined {
  const isNumber = fieldNamed(form, of)?.kind === 'number'
  return isNumber ? limited(form, of, [{ of: 'value', least, most }]) : undefined
}

/** Null where the limits mean nothing for such a field. */
function limited(form: Form, of: string, limits: Limit[]): Changed {
  return exchanged(form, of, (field) => {
    const counted = hasChoices(field) ? amountOf(limits, 'count') : undefined
    const kind = counted ? (counted.most === 1 ? 'one_of' : 'some_of') : field.kind
    const bounds = boundsOf({ ...field, kind }, limits, form.language)
    return Object.keys(bounds).length > 0 ? { ...unlimited(field), kind, ...bounds } : null
  })
}
