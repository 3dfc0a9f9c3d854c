import { markOf } from './marks.ts'

const REMARK =
  /^(?:e\.? ?g\.?|for (?:example|instance)|such as|ej\.?|p\.? ?ej\.?|por ejemplo|must|should|do not|don['’]t|please|including|excluding|shown|in case|if (?:they|you) (?:want|like|would|need|wish)|so (?:that )?we|we(?:['’]ll)?|used (?:for|by|to|in|on|as|only)|needed (?:for|to)|comma|separated|starting|beginning|ending|in (?:capital|capitals|upper|lower|block)|separad[oa]s?|debe|para que|incluyendo|en caso|tal como)\s\S.*|^(?:sin|without)\s\S(?!.*,\s*(?:with|con)\b)(?!(?:(?!\s(?:or|o|ni)\s).)*,(?:(?!\s(?:or|o|ni)\s).)*$).*|^(?:not(?! (?:required|mandatory|needed|necessary|applicable))|with|as|only|just|exactly|format|like|con|como|formato|s[oó]lo)\s(?!.*(?:,|\/|\b(?:or|o)\b)).*|^(?:at least|minimum(?: of)?|no (?:earlier|later|sooner) than|within|al menos|m[ií]nimo|con)\s\d{1,3}\s(?:business |working )?(?:days?|hours?|weeks?|months?|d[ií]as?|horas?|semanas?)\s\S[^,]*|^(?:(?:future|past|business|working) (?:dates?|days?)|weekdays) only$|^no (?:weekends?|holidays?|(?:sun|mon|tues|wednes|thurs|fri|satur)days?)(?: (?:or|and) (?:weekends?|holidays?|(?:sun|mon|tues|wednes|thurs|fri|satur)days?))?$|^(?:sun|mon|tues|wednes|thurs|fri|satur)days? (?:to|through|-) (?:sun|mon|tues|wednes|thurs|fri|satur)days?$|^(?:between|from|entre) (?:\p{L}{3,10} \d|\d{1,2} (?:de )?\p{L}{3,10})[^,]{3,40}$|^see (?:our|the) [^,]{3,40}$|^(?:company|work|business|corporate|personal|mobile|adults?|residents?|members?) (?:\p{L}{2,15} )?only$|^(?:letters|numbers|digits|text|letras|n[uú]meros) (?:only|solamente|[uú]nicamente)$/iu
const WISHED = /^(optional|required|mandatory|opcional|obligatori[oa])[,;:] (\S.*)$/iu
/** 'With the hint "As on your passport"' */
const HINTED =
  /,? (?:(?:with|and|using|con|y) )?(?:an? |the |una? |el |la )?(?:hint|help(?:er)?(?: text)?|place-?holder(?: text)?|tool ?tip|description|explanation|sub-?title|pista|texto de ayuda|ayuda|indicaci[oó]n|aclaraci[oó]n|descripci[oó]n)(?: (?:saying|that says|text|que diga|of|de)|:)? ["“«]([^"”»\n]{1,200})["”»]/giu

/** "Conditions like asthma or diabetes" */
const LIKE =
  /(?<=(?<!\p{L})(?!customers|users|clients|guests|people|patients|members|students|details|things|fields|questions|inputs|items)\p{L}{3,20}s) ((?:like|such as) \p{L}{3,20}(?:, \p{L}{3,20}){0,4},? (?:or|and) \p{L}{3,20})(?=[,;.\n]|$)/gimu
/** "Phone with country code", "address including postcode" */
const CODED =
  /(?<=\b(?:phones?|numbers?|mobile|tel[eé]fonos?|n[uú]meros?|celular|whatsapp|address|direcci[oó]n)),? (?:(?:with|including|incl\.?|con|incluyendo) (?:the |an? |its |el |la )?(?:(?:country|area|international|dialling|dial) (?:code|prefix)|extension|post ?code|postal code|zip(?: code)?|c[oó]digo(?: de| postal)?(?: pa[ií]s| [aá]rea)?|prefijo(?: (?:internacional|de pa[ií]s))?)|(?:without|sin) (?:spaces|dashes|espacios|guiones))(?!\p{L})/giu

/** "Their email if they want a reply" */
const WANTED =
  /(?<=\b(?:e-?mail|phone|mobile|number|address|correo|teléfono|whatsapp)),? (if (?:they|you)(?:['’]d| would)? (?:want|like|need|wish) (?:an?|to|us to|the)\b[^.,;:()\n]{1,40}?)(?=[.,;\n]|$| and )/giu

/** "Age must be over 18" */
const MUST_BE =
  / (must be (?:over|above|under|below|at least|at most|more than|less than|older than|younger than) \d{1,6}(?: years(?: old)?)?|must be (?:valid|unique|an? (?!required|mandatory|optional|number|date|text|list|drop-?down|choice)(?:\p{L}{1,20} ){0,2}?(?!field|question|number|date|list)\p{L}{2,20})(?=[,.;\n]|$)|debe ser (?:mayor|menor)(?: (?:de|que|a) \d{1,6}(?: a[nñ]os)?)?)(?=[,.;\n]|$| (?:and|y) )/giu

/** "Name as it should appear on the badge" */
const AS_IT_IS =
  / (as (?:it|they|shown|printed|written)(?: (?:should|must|will|does|is|are))? ?(?:appears?|shown|printed|written|listed)?(?: (?:on|in) [^,;:.()\n]{2,40})?)(?=[,;.\n]|$)/giu

/** "The delivery date, not in the past" */
const IN_TIME =
  /(?<=\p{L}|\)),? (?:which |that )?(must (?:not )?be in the (?:past|future)|(?:not|never) in the (?:past|future)|no past dates|(?:future|past) dates only|no earlier than (?:today|tomorrow)|(?:debe ser )?(?:no )?en el (?:pasado|futuro)|a partir de (?:hoy|mañana))(?=[,.;\n]|$| (?:and|y) )/giu

/** A text in which what customers are to be told of an answer, outside of brackets, stands as marks. */
export function withHints(text: string): string {
  return text
    .replace(HINTED, (_, hint: string) => ` (${markOf({ hint })})`)
    .replace(LIKE, (_, hint: string) => ` (${markOf({ hint })})`)
    .replace(AS_IT_IS, (_, hint: string) => ` (${markOf({ hint })})`)
    .replace(CODED, (remark) => ` (${markOf({ hint: remark.replace(/^,? /, '') })})`)
    .replace(WANTED, (_, hint: string) => ` (optional) (${markOf({ hint: toCustomers(hint) })})`)
    .replace(IN_TIME, (_, hint: string) => ` (${markOf({ hint })})`)
    .replace(MUST_BE, (_, hint: string) => ` (${markOf({ hint })})`)
}

/** What stands in brackets as a mark, if it is a remark for customers, and what else stands there; null for others. */
export function remarkIn(content: string): { mark: string; rest: string } | null {
  const [, wish = '', said = content] = WISHED.exec(content) ?? []
  return REMARK.test(said) ? { mark: markOf({ hint: toCustomers(said) }), rest: wish } : null
}

/** Whoever describes a form speaks of customers, and the form to them. */
function toCustomers(remark: string): string {
  return remark.replace(/\btheir\b/gi, 'your').replace(/\bthey\b/gi, 'you')
}
