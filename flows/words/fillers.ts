import { tidy } from './words.ts'

/** Words that introduce what is asked for and say nothing about it. */
const LEADING_WORDS = [
  'please|and(?= (?:an?|the|their|your|also)\\b)|y(?= (?:una?|el|la|su|también)\\b)|then|also|next(?! (?:steps?|visit|appointment|date|meeting|payment|delivery|time|of kin)\\b)|finally|lastly|after that|plus(?= (?:any|an?|the|their)\\b)',
  'they(?= (?:should|must|can|will|then|also|finally|gives?|provides?|enters?|chooses?|selects?|picks?|leaves?|uploads?|fill) )',
  'ask(?:s|ing(?! price))?|tell (?:us|me)(?! about)|let us know|updates?(?= (?:the|their|your|an?|my|our)\\b)|(?:(?:[a-z]+ )?to )?(?:send|give) (?:us|me)|know|adds?|create|display|show|collects?|requests?(?! (?:types?|dates?|numbers?|ids?)\\b)|gets?|chooses?|selects?|picks?(?! up\\b)|enters?|leaves?(?! (?:at|it|in|with|types?|dates?|balance|start|end)\\b)|provides?|gives?|uploads?|writes?|sign up',
  '(?:start|begin|end|finish)s? with|attach(?:es)?|share|use(?! cases?\\b)|say|specify|mention|includes?|called|named',
  'with|al? (?:cliente|usuario|paciente|alumno|estudiante|invitado|visitante)s?|al huésped|a (?:los |las )?huéspedes|clientes|usuarios|pacientes|a (?:los|las)',
  '(?:let|allow|have)s? (?:the |our )?(?:them|people|customers?|users?|clients?|guests?|patients?)|them',
  "(?:customers?|users?|clients?|guests?|patients?)(?! (?:counts?|types?|category|groups?|names|numbers?|ids?|codes?|references?|\\d{1,2})\\b)|people(?=['’]s)|us(?= (?:an?|the|your|their)\\b)|person(?! (?:you|they|who|to|in)\\b)|you|either",
  'just|only|valid(?= (?:e-?mail|phone|mobile|address))|solo|sólo|for|about|if|whether|an?(?! (?:(?:few|little|bit)\\b|qu))|the|their|your|his|her|its|our|my|some|one|of|to(?! (?:address|account|date|where|zip|city|country|airport|location)\\b)|in|it',
  'must|should|can|be|are|is|have|has',
  'por favor|también|tambien|luego|después|finalmente',
  'necesito|necesitamos|quiero|queremos|pide|pedir|elegir|elijan?|elige|escog(?:e|an?)|seleccion[ae]n?|(?:me|nos) (?:den|dejen|digan|env[ií]en|manden)|subir|sub[ea]n?|adjunt[ae]n?|adjuntar|escribir|escrib[ea]n?|indi(?:can?|quen?)|ingres[ae]n?|proporcion[ae]n?|dejar|deja[ns]?|dejen?|indicar|ingresar|pregunta|preguntar',
  'primero(?= (?:pide|pregunta|el|la|los|las|su)(?:\\s|$))|el|la|los|las|un|una|unos|unas|su|sus|tu|tus|del|de|al|por(?! qu)|para|si|que',
]
const LEADING = new RegExp(`^(?:(?:${LEADING_WORDS.join('|')})(?:'s|’s|s')?\\s+)+`, 'i')
const TRAILING =
  /(?<!\b(?:they|you|we|it|will|would))\s+(?:(?:of|from) (?:the )?(?:customer|user|client|guest)|(?<!\bn[uú]mero )del? (?:cliente|usuario)|please|only|too|as well|también|at the end|al final|with|con|that|which|is|are|es|son|be|as|of|de)$/i

const PURPOSE = /\s+so (?:that )?(?:we|they|you|i)\b.*$/i

/** May end with a preposition: "what they need help with". */
const INDIRECT =
  /^(?:what|which|who|where|how (?:old|many|much|big|long|far|urgent|important|likely|often|serious|severe|large|heavy|bad|good|satisfied))\b|^(?:person|people|company|place) (?:you|they|we)\b/i

/** Removes words before and after the thing that is asked for. */
export function cleaned(text: string): string {
  let clean = tidy(text)
  for (let round = 0; round < 3; round++) {
    clean = tidy(clean.replace(LEADING, ''))
    if (!INDIRECT.test(clean)) clean = tidy(clean.replace(TRAILING, ''))
    clean = tidy(clean.replace(PURPOSE, ''))
  }
  return clean
}
