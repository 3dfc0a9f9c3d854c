import { capitalised, type Form } from '../forms/form.ts'
import { withQuotationMarks } from '../spellings/notations.ts'

const QUOTED = '["“«]([^"”»\\n]{1,1000})["”»]'
/** A question is asked, wherever it stands. */
const SAID = QUOTED.replace('["“«]', '["“«](?![^"”»\\n]*\\?["”»])')
const SAYS =
  '(?: (?:that )?(?:says?|saying|reads?|reading|which says|with the text|que (?:diga|dice)|con el texto))'
const TOP =
  '(?: (?:at|on|in) the (?:top|start|beginning)(?: of the form)?| first| al (?:principio|inicio|comienzo)| arriba)'
const LEAD =
  '(?:[,;] ?)?(?:\\b(?:with|and|add|show|include|con|y|agrega|muestra) ){0,4}(?:an? |the |una? |el |la )?(?:short |brief |small |breve )?'
const INTRO =
  '(?:intro(?:duction|ductory)?(?: (?:text|message|paragraph|line))?|welcome (?:text|message|line)|introducción|texto introductorio|(?:texto|mensaje) de (?:introducción|bienvenida))'
const TEXT =
  '(?:text|note|notice|message|paragraph|line|disclaimer|instructions?|texto|nota|aviso|mensaje|párrafo)'
const SHOW = '(?:show|put|display|say|write|muestra|pon)'
const SHOW_IT = '(?:show|display|add|include|put|muestra|agrega|añade|incluye|pon)'
const NOTES = [
  new RegExp('^\\s*["“«]((?:[^"”»\\s]+\\s){4,60}[^"”»\\s]*[^"”»\\s?])["”»]:(?=[^\\n]*,)', 'u'),
  new RegExp(
    `(?<=^|[.\\n] ?)(?:at|on) the (?:top|start|beginning),? ${SHOW}(?: (?:an?|the))?(?: ${TEXT})?(?:${SAYS})?:? ?${SAID}`,
    'iu',
  ),
  new RegExp(
    `(?:\\b(?:and|that) )?(?:begin|start|open)s? (?:it |the form )?(?:with|by saying)(?: (?:an?|the))?(?: ${TEXT})?(?:${SAYS})?:? ?${SAID}`,
    'iu',
  ),
  new RegExp(
    `(?:empieza|comienza) (?:con|diciendo)(?: (?:una?|el|la))?(?: ${TEXT})?(?:${SAYS})?:? ?${SAID}`,
    'iu',
  ),
  new RegExp(`(?<=^|[.\\n] ?)(?:description|subtitle|descripción|subtítulo): ?${SAID}`, 'iu'),
  new RegExp(`${LEAD}(?<!\\p{L})${INTRO}${TOP}?${SAYS}?:? ?${QUOTED}`, 'iu'),
  new RegExp(
    `${LEAD}(?<!\\p{L})${INTRO}${TOP}?${SAYS}\\b:? ?([^"“«\\n.,;:]{3,200})(?=[.\\n]|$)`,
    'iu',
  ),
  new RegExp(`${LEAD}(?<!\\p{L})${TEXT}(?:${TOP}${SAYS}?|${SAYS}${TOP}?):? ?${SAID}`, 'iu'),
  new RegExp(`${LEAD}(?<!\\p{L})${TEXT}${SAYS}? ${SAID}${TOP}`, 'iu'),
  new RegExp(
    `(?<=^|[.;\\n] ?)(?:(?:and|also|y) )?${SHOW_IT} ${SAID} (?:above|before|on top of|arriba de|antes de) (?:the |el |los |las )?(?:form|fields|questions|formulario|campos|preguntas)`,
    'iu',
  ),
  new RegExp(
    `(?<=^|[.;,\\n] ?)(?:(?:and|also|finally|y|también) ){0,2}${SHOW_IT} (?:an?|the|una?|el|la) (?:short |brief |small |breve )?${TEXT}${SAYS}?: ?${SAID}`,
    'iu',
  ),
  new RegExp(
    `(?<=^|[.;\\n] ?)(?:(?:and|also|finally|y|también) ){0,2}${SHOW_IT} (?:an?|the|una?|el|la) (?:short |brief |small |breve )?(?:note|notice|disclaimer|nota|aviso) (?:(?:that )?(?:says?|saying|explaining|telling (?:them|customers|people))(?: that)?|that(?! (?:asks?|they|you|is|can|will|should|must|customers?|users?|people)\\b)|(?:que )?(?:diga|diciendo)(?: que)?|de que),? ([^"“«\\n.:?]{5,200})(?=[.\\n]|$)`,
    'iu',
  ),
  new RegExp(`(?<=^|[.\\n] ?)[ \\t]*${INTRO}: ([^"\\n.!?]{3,300}[.!?]?)(?=\\s|$)`, 'iu'),
]

const BUTTON =
  'cta|call to action|submit label|(?:(?:submit|send|final|last|finish|action|footer|cta|primary|continue) )?(?<!radio )button|botón(?: de envío| final)?'
const CALLED =
  '(?:(?:["’]s)? (?:text|label))?(?: (?:that )?(?:says?|saying|reads?|reading|labell?ed|called|named|is|(?:should|must|will) (?:say|be|read)|(?:que )?(?:diga|dice)|(?:debe|deber[aá]|tiene que) decir|dirá|con el texto|llamado))?:?'
const BUTTONS = [
  new RegExp(`${LEAD}(?<!\\p{L})(?:${BUTTON})${CALLED} ?["“«]([^"”»\\n]{1,35})["”»]`, 'iu'),
  new RegExp(
    `${LEAD}(?<!\\p{L})(?:(?:submit|send|final) button|button (?:text|label)|botón de envío): ([^",.;()\\n]{1,35})(?=[.,;\\n]|$)`,
    'iu',
  ),
]
/** What is shown when all has been sent is no part of a form. */
const ENDING = new RegExp(
  `${LEAD}(?<!\\p{L})(?:thank[ -]?you|closing|success|goodbye) (?:message|text|note|page|screen)(?: at the end)?(?:${SAYS}?:? ?${QUOTED})?(?: at the end)?(?=[.,;\\n]|$| and )`,
  'iu',
)

/** What a prompt has customers read around the fields: a note before the first, and the word on the last button. */
export function frameOf(prompt: string): Pick<Form, 'note' | 'button'> {
  const text = written(prompt)
  const [note, button] = [NOTES, BUTTONS].map((patterns) =>
    patterns.map((pattern) => tidied(pattern.exec(text)?.[1])).find((one) => one !== ''),
  )
  return {
    ...(note !== undefined && { note: capitalised(note) }),
    ...(button !== undefined && { button }),
  }
}

/** A prompt without that. */
export function withoutFrame(prompt: string): string {
  const text = written(prompt)
  const bare = [...NOTES, ...BUTTONS, ENDING].reduce((rest, one) => rest.replace(one, ' '), text)
  return bare === text ? prompt : bare
}

function written(prompt: string): string {
  return withQuotationMarks(prompt.normalize('NFC'))
}

function tidied(text = ''): string {
  return text.replace(/\s+/g, ' ').trim()
}
