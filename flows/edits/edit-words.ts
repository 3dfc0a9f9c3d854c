import type { FieldKind, Form } from '../forms/form.ts'
import { PLACE } from '../spellings/sections.ts'
import type { Changed } from './changes.ts'

/** Answers undefined where the words, though alike, do not mean this. */
export type Edit = (found: string[], form: Form) => Changed | undefined

/** A way to write an instruction as a pattern for all of it, and the way that is read. */
export type Spelling = readonly [pattern: string, other: string]

/** The words of instructions, in English and Spanish, for rules to be made of. */
export const THE = '(?:the |their |el |la |los |las )?'
export const FIELD = '(?: fields?| questions?| box)?'
export const KIND = '(?:(?:campo|pregunta) (?:de )?)?'
export const A_FIELD = `${THE}${KIND}(.+?)${FIELD}`
export const ADD = '(?:add|insert|include|agrega|agregar|añade|añadir|incluye)'
export const CHANGE = '(?:change|set|update|cambia|cambiar|pon)'
export const REMOVE =
  '(?:remove|delete|drop|get rid of|take (?:out|away)|leave out|quita|quitar|elimina|eliminar|borra|borrar)'
export const PEOPLE =
  '(?:people|they|(?:the )?(?:customers|users|clients|guests|applicants|participants|students|members|patients|visitors|attendees|parents|respondents|candidates)|(?:los )?clientes|(?:los )?usuarios|(?:las )?personas)'
export const OPTION = '(?:options?|choices?|opci[oó]n(?:es)?)'
export const TO = '(?:to|with|as|a|por|con):?'
export const BESIDE =
  '(?:(?:right|directly|just|immediately|justo) )?(before|after|behind|below|under|above|antes del?|después del?|debajo del?|encima del?)'
export const WISHED =
  '(?:not? )?(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)'
export const WISH = `(${WISHED})`
export const SCREEN = `(?:${PLACE})`
const ORDINALS = [
  ['first', 'one', 'primera?', 'una?'],
  ['second', 'two', 'segund[ao]', 'dos'],
  ['third', 'three', 'tercera?', 'tres'],
  ['fourth', 'four', 'cuart[ao]', 'cuatro'],
  ['fifth', 'five', 'quint[ao]', 'cinco'],
]
export const ORDINAL = ORDINALS.flat().join('|')
/** "First", but not "one". */
export const NTH = ORDINALS.map(([nth, , spanish]) => `${nth}|${spanish}`).join('|')
export const NEW = 'new|separate|next|another|own|nueva|otra|siguiente|propia'
export const COUNT = 'two|three|four|five|dos|tres|cuatro|cinco'
export const EXCEPT = '(?:except(?: for)?|but|menos|excepto|salvo)'
export const KINDS: readonly [string, FieldKind][] = [
  [
    '(?:long (?:text|answer)|multi[- ]?line(?: text| input)?|paragraph|text ?area|texto largo|párrafo)',
    'paragraph',
  ],
  [
    '(?:(?:(?:short|single[- ]line|one[- ]line|free|open|plain|simple)[ -])?text|(?:single|one)[- ]line(?: input)?|texto(?: corto)?)',
    'text',
  ],
  ['(?:number|numeric|número|numero)', 'number'],
  ['(?:date[ -]?(?:picker|field|input)|calendar|selector de fecha)', 'date'],
  [
    '(?:multiple[ -](?:choice|selection)|multi-?select|check ?box(?:es)?(?: list)?|selección múltiple)',
    'some_of',
  ],
  [
    '(?:single[ -]choice(?: drop-?down| list)?|choice|drop-?down|radio buttons?|list|lista|desplegable|selección única)',
    'one_of',
  ],
]
export const YES_NO = '(?:yes[ /-]+(?:or )?no|sí[ /-]+(?:o )?no)'

/** A rule for whole instructions of these words. */
export function rule(pattern: string): RegExp {
  return new RegExp(`^(?:please |por favor,? )?(?:${pattern})$`, 'iu')
}

/** The number of a screen, in words or digits; Infinity for a new one. */
export function numberOf(said = ''): number {
  const place = ORDINALS.findIndex((words) =>
    new RegExp(`^(?:${words.join('|')})$`, 'iu').test(said),
  )
  return place >= 0 ? place + 1 : Number(said) || Infinity
}
