import { ORDINAL, SCREEN, type Spelling, WISHED } from './edit-words.ts'

const AGREGA = '(?:agrega|agregar|añade|añadir|incluye|inserta)'
const OPCIONES = '(?:las? )?(?:opci[oó]n(?:es)?)'
const EN_PANTALLA = `(?:la )?(?:(?:${ORDINAL}|siguiente|última) ${SCREEN}|${SCREEN} (?:\\d|${ORDINAL}))`
const LISTA = '(?:menú|lista|desplegable|selector|campo|pregunta)'

/** Ways to speak of fields as a program does, in Spanish. */
export const SPANISH_SPELLINGS: readonly Spelling[] = [
  // 'Cambia la etiqueta de "Nombre" a "Nombre completo"'
  [
    '(?:cambia|modifica|actualiza) (?:la )?(?:etiqueta|texto|nombre) (?:del campo|de la pregunta|del?) (?!botón|formulario|flujo)(.+?) (?:a|por) (.+)',
    'renombra $1 a $2',
  ],
  [
    '(?:cambia|modifica|actualiza) (?:el )?(?:texto |etiqueta )?(?:del )?botón(?: final| de envío| de enviar)? (?:a|por):? (.+)',
    'cambia el botón a $1',
  ],
  // 'Agrega la opción "Sur" al menú de sucursal', "las opciones de sucursal deben ser: …"
  [
    `${AGREGA} ((?:las? )?opci[oó]n(?:es)? .+?) (?:al|a la|en el|en la) ${LISTA}(?: (?:de|del|de la))? (.+)`,
    'agrega $1 a $2',
  ],
  [
    `${OPCIONES} (?:de|del|para) (?:la |el )?(.+?) (?:deben ser|son|serán|deberían ser)(?: ahora)?:? (.+)`,
    'cambia las opciones de $1 a $2',
  ],
  [
    '(?:pon|coloca|deja)(?:er)? (.+?) como (?:la )?primera opci[oó]n (?:de|en|del) (?:la |el )?(.+)',
    'put $1 first in $2',
  ],
  [
    '(?:pon|coloca|deja)(?:er)? (.+?) como (?:la )?última opci[oó]n (?:de|en|del) (?:la |el )?(.+)',
    'put $1 last in $2',
  ],
  [
    '(?:haz que |permite que |que )?(?:el |la )?(.+?) (?:permitan?|acepten?) (?:la )?(?:selecci[oó]n m[uú]ltiple|selecciones m[uú]ltiples|(?:varias|m[uú]ltiples) (?:opciones|respuestas|selecciones))',
    'allow several $1',
  ],
  // "En la pantalla 2, agrega la edad"
  [`en (${EN_PANTALLA}):?,? (?:también )?(${AGREGA} .+)`, '$2 a $1'],
  [`en ${EN_PANTALLA}:?,? (?!${AGREGA})(.+)`, '$1'],
  ['(?:ordena|reordena) (?:los |las )?(?:campos|preguntas):? (.+)', 'change the order: $1'],
  [
    `(?:haz|pon|marca|deja) (obligatori[oa]s|opcionales) (?:a )?(?:todos los campos|todas las preguntas|todo) (?:excepto|menos|salvo) (?:el |la |los |las )?(.+)`,
    'todos los campos $1 excepto $2',
  ],
  // "El formulario también debe pedir la dirección"
  [
    '(?:el|este) (?:formulario|flujo) (?:también )?(?:debe|tiene que|debería) (?:también )?(?:pedir|incluir|solicitar|preguntar(?: por)?|capturar|recoger|tener) (.+)',
    'agrega $1',
  ],
  // "Establece el límite de comentarios en 200 caracteres"
  [
    '(?:establece|fija|define|pon|cambia) (?:el |un )?(?:límite|máximo|longitud máxima)(?: de caracteres)? (?:de|del|para|en) (?:la |el |los |las )?(.+?) (?:en|a) (\\d+)(?: caracteres)?',
    'limita $1 a $2 caracteres',
  ],
  // "Asegúrate de que el correo sea obligatorio"
  ['aseg[uú]rate de que (.+?) teng(?:a|an) (.+)', '$1 debe tener $2'],
  [
    `(?:aseg[uú]rate de |que )?(?:haz |quiero |queremos |necesito |me gustaría )?(?:que )?(.+?) sean? (${WISHED})`,
    '$1 debe ser $2',
  ],
]

/** What one chooses with, as it is read. */
const NAMES: readonly [RegExp, string][] = [
  [/(?:menú|lista) desplegable/giu, 'desplegable'],
  [/(?:bot[oó]n(?:es)?|grupo) de (?:opci[oó]n(?:es)?|radio)/giu, 'desplegable'],
  [/casillas(?: de verificación| de selección)?(?= (?:con|de|para|"))/giu, 'selección múltiple'],
]

/** An instruction whose words for lists in Spanish are those that are read. */
export function withSpanishNames(step: string): string {
  return NAMES.reduce((text, [pattern, other]) => text.replace(pattern, other), step)
}
