import { ADD, SCREEN, type Spelling, THE } from './edit-words.ts'

const REVIEW =
  '(?:confirmation|review|summary|confirmaci[oó]n|revisi[oó]n|resumen)(?: (?:of|de) (?:all |todas )?(?:the |their |las )?(?:answers|respuestas))?'

/** Ways to say in an instruction what customers read besides the labels, and whether they review their answers. */
export const FRAME_SPELLINGS: readonly Spelling[] = [
  // "Skip the confirmation page", "show a summary before sending"
  [
    `(?:skip|omit|disable|turn off|deactivate|omite|salta|hide|oculta|desactiva) ${THE}${REVIEW}(?: ${SCREEN})?`,
    'remove the review',
  ],
  [`(?:enable|turn on|activate|activa) ${THE}${REVIEW}(?: ${SCREEN})?`, 'add a review'],
  [
    `(?:show|display|have|include|muestra|haz) (?:them )?(?:an? |the |una? |el |la )?${REVIEW}(?: ${SCREEN})?(?: (?:before (?:sending|submitting|they (?:send|submit)(?: it)?)|at the end|antes de enviar|al final))?`,
    'add a review',
  ],
  [
    '(?:rename|edit|renombra|renombrar) (?:the |el )?(?:title|título|heading)(?: of the (?:form|flow))? ((?:to|as|a|por|como):? .+)',
    'change the title $1',
  ],
  // "Change Submit to Send it", "add a note that prices include tax"
  [
    '(?:change|rename|replace|cambia) (?:the |el )?["“«]?(?:submit|send|done|finish|enviar)["”»]?(?: button)? (?:to|with|by|a|por) (["“«].+["”»])',
    'change the button to $1',
  ],
  [
    `${ADD} (?:an? |the |una? )?(?:short )?(?:description|text|note|subtitle|line|sentence|descripción|texto|nota|subtítulo) (?:below|under|after|debajo de|bajo|después de) (?:the |el )?(?:title|heading|título)(?::| saying:?| that says:?| que diga:?)? ["“«]?([^"“”«»]+)["”»]?`,
    'add a note at the top saying "$1"',
  ],
  [
    `${ADD} (?:an? |una? )?(?:note|disclaimer|remark|notice|reminder|nota|aviso) (?:(?:saying )?that|que diga que|de que|saying|que diga) (?!says |reads )(?!.*\\b(?:below|under|debajo)\\b)([^"“”«»]+)`,
    'add a note at the top saying "$1"',
  ],
  // "Phone: say that we never call at night"
  [
    '([^:]{1,60}): (?:please )?(?:say|explain|mention|tell (?:them|customers|people)|note|add a note|di|explica|aclara)(?: that| que)? (.+)',
    'explain below $1 that $2',
  ],
  [
    `(?:do not|don[\'’]t|never|no) (?:show|display|ask for|include|muestres) ${THE}${REVIEW}(?: ${SCREEN})?(?: at the end| al final)?`,
    'remove the review',
  ],
  // 'Show "We reply within a day" at the top'
  [
    `(?:${ADD}|put|show|write|display|pon|muestra) ["“«]([^"”»]+)["”»] (?:at|on|in|en|al) (?:the |la )?(?:very )?(?:top|beginning|start|principio|inicio|parte superior)(?: of the (?:form|flow|screen)| del formulario)?`,
    'add a note at the top saying "$1"',
  ],
  // "Put a short welcome at the top: …"
  [
    `(?:${ADD}|put|show|write|display|pon) (?:an? |una? )?(?:short |brief |warm |friendly )?(?:welcome|greeting|intro(?:duction)?|saludo|bienvenida)(?: (?:text|message|note|line))? (?:(?:at|on) the (?:top|start|beginning)(?: of the form)?|al (?:principio|inicio)):? (["“«].+["”»])`,
    'add a welcome message: $1',
  ],
  [
    '(?:under|below|beneath|debajo del?) (.+?),? (?:write|say|show|add|put|display|escribe|pon|muestra)(?: the (?:text|note|hint|words))?:? (["“«].+["”»])',
    'explain below $1: $2',
  ],
  // "Call the button Book visit", "Title: Vet visit"
  [
    '(?:(?:call|name|label) (?:the )?(?:submit |send |final )?button|(?:submit |final )?button(?: text| label)?:|(?:texto del )?botón:) ?(.+)',
    'change the button to $1',
  ],
  ['(?:(?:form )?title|título(?: del formulario)?): ?(.+)', 'change the title to $1'],
  [
    '(?:introduce|open|start|begin)(?: (?:the form|it))? with (?:an? (?:short )?(?:note|text|message|line|sentence):? )?(["“«].+["”»])',
    'add a welcome message: $1',
  ],
  ['(?:haz )?que el botón(?: final| de envío)? diga:? (.+)', 'cambia el botón a $1'],
  [
    '(?:under|below|beneath|debajo del?|abajo del?) (.+?),? (?:say|explain|mention|note|aclara|indica|explica|di|escribe|pon) (?:that|que) (.+)',
    'explain below $1 that $2',
  ],
  // "Show 'We deliver in 3 days' under the date"
  [
    '(?:show|write|say|display|mention|muestra|escribe) (["“«][^"”»]+["”»]) (?:under|below|beneath|underneath|next to|beside|debajo del?) (.+)',
    'explain below $2: $1',
  ],
  ['(?:make|change) (?:the )?title [^:"“«]{0,30}: (.+)', 'change the title to $1'],
  [
    '(?:explain|mention|say|note|tell (?:them|people|customers)) that (.+) (?:below|under|beneath|underneath|next to) (?:the )?(.+)',
    'explain below $2 that $1',
  ],
  [
    `${ADD} (?:an? |una )?(?:short )?(?:note|text|remark|line|explanation|disclaimer|sentence|nota|aclaración) (?:under|below|beneath|next to|debajo del?) (?:the )?(.+?)(?::| saying:?| that says:?| that| que diga:?) (.+)`,
    'explain below $1 that $2',
  ],
  [
    '(?:write|say|show|escribe|pon|muestra) (?:below|under|beneath|debajo del?) (.+?): (.+)',
    'explain below $1 that $2',
  ],
  ['cambia el botón (?:para )?que diga:? (.+)', 'cambia el botón a $1'],
  ['pon(?:le)? (?:de |como |el )?título:? (.+)', 'cambia el título a $1'],
  [
    '(?:show|muestra|display) (?:the |their |all |las |sus )*(?:answers|respuestas) (?:before (?:sending|submitting|they (?:send|submit))|antes de enviar)',
    'add a review',
  ],
]
