import { type FieldKind, type Language, plain } from '../forms/form.ts'
import { isUsualAgreement } from './agreements.ts'

const YES_NO =
  /^(¿\s*)?(would|do|does|did|are|is|have|has|can|will|was|were|should|may|te|le|lo|la|nos|se siente[ns]?|sabe[ns]?|deseas|desean|podemos|podriamos|quisieras?|queres|podes|tenes|sos|usas|necesitas|sabes|conoces|vas|trabajas|vives|quieres?|quiere|desea|tienes?|tiene|eres|es|esta|ha|has|recomendaria\w*|volveria\w*|(?:requiere|necesita|fuma|bebe|viene|hace|usa|trabaja|vive|acepta|permite|posee|padece|toma|sufre|practica|conoce|recibe|puede|incluye|trae|lleva|cuenta|consume|realiza|presenta|asiste|maneja|conduce|duerme|come)[sn]?|[a-z]{3,}ra[sn]?)\b/
/** What a Spanish question begins with that asks whether something was or would be so: "¿Llegó a tiempo?" */
const HAPPENED =
  /^¿\s*(?:(?:el|la|los|las|tus?|sus?|nuestr[oa]s?)\s\p{L}+\s(?:\p{L}+\s)?)?(?:(?:se|te|le|les|nos|lo|la|los|las|me|ya)\s)*\p{L}+(?:ó|aste|iste|aron|ieron|[aei]r(?:ía|á)[ns]?|[aei]remos)\s/iu
/** "¿El personal fue amable?", "¿Ya tiene abogado?" */
const IS_SO =
  /^¿\s*(?:(?:el|la|los|las|tus?|sus?|nuestr[oa]s?)\s\p{L}+\s)?(?:(?:se|te|le|les|nos|ya)\s)*(?:es|está[ns]?|son|fue(?:ron)?|estuvo|estuvieron|tuvo|tuvieron|hubo|pudo|pudieron|hizo|tiene[ns]?|hay)\s/iu
/** Asks what it is, though it can be read as asking whether it is: "Is there anything else we should know?" */
const ASKS_WHAT = /^(?:¿\s*)?(?:is there anything|hay algo)\b/
/** Names alternatives, which "yes" does not choose between. */
const EITHER =
  /^(?!.*\b(?:any|algun[oa]?s?)\b).*[^\s,]\s(?:or|o|u)\s(?!not?\b|older\b|over\b|above\b|more\b|younger\b|under\b|less\b|mayor|mas\b|menos\b)/

const RATINGS = ['1', '2', '3', '4', '5']
const WEEKDAY =
  /\b(?:days? of (?:the )?week|dias? de la semana)\b|^(?:preferred|available|best) days$|^days available$|^dias (?:disponibles|preferidos)$/
const WEEKDAYS: Record<Language, string[]> = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  es: ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'],
}
const YES_AND_NO: Record<Language, string[]> = { en: ['Yes', 'No'], es: ['Sí', 'No'] }

/** Whether some words name alternatives: "a call or an email", but not "any calls or emails". */
export function namesAlternatives(said: string): boolean {
  return EITHER.test(plain(said))
}

type Asked = { said: string; given: string; isQuestion: boolean; isWhether: boolean }

/** What one answers to something that names no choices: yes or no, one of the usual numbers, a day; none for others. */
export function answersTo(
  asked: Asked,
  known: FieldKind | 'rating' | null,
  language: Language,
): string[] {
  if (isYesOrNo(asked)) return YES_AND_NO[language]
  if (known === 'rating') return RATINGS
  return WEEKDAY.test(plain(asked.said)) ? WEEKDAYS[language] : []
}

/** "Package intact?", "Delivered on time?" */
const STATE =
  /^(?:\S+ ){0,4}(?:friendly|intact|clean|correct|complete|ready|helpful|polite|pregnant)\?$|^(?!need|speed|feed|preferred|desired|estimated|expected|requested)\w+ed(?: \S+){0,3}\?$|^(?:\S+ ){1,4}(?:ok(?:ay)?|possible)\?$|^(?!(?:what|who|which|when|where|how|why|any\w*)\b)(?:\S+ ){1,3}(?:(?!need|speed|feed|bleed|breed)\w+ed|paid|done|sent|seen|known|taken|given|made|found|sold|built|bought|left|met)(?: (?:on time|in full|correctly))?\?$/i
/** "Okay to text offers?", "Anonymous?", "Child seat?" */
const WILLING =
  /^(?:(?:is it |are you )?(?:ok(?:ay)?|fine|happy|willing|interested|urgent|anonymous|vegetarian|vegan|allergic|retired|available|flexible)\b.*|need (?!what|which|to know)\S.*|(?:child|booster|baby) seats?|valet|access for \S.*|breakfast|parking|luggage|criminal record|elevator|lift|balcony|garage|garden|pool|insurance|own (?:car|vehicle|transport(?:ation)?|tools|equipment)|wi-?fi|gift[ -]?wrap(?:ping)?|pets|kids|children|lessons|tattoos|siblings|transport(?:ation)?|accommodation|childcare|(?:[\w-]+ )?(?:smoker|member|buyer|driver|owner|citizen|resident|homeowner|renter)|student|veteran|first time(?: \w+){0,2}|valid \S.*|(?:new|returning|existing|first[- ]time) (?:customer|patient|client|visitor|member|donor)|(?!what|which|how|why|when|where|who)\w+(?: \w+)? th(?:is|ese) \S.*|auto-?renew(?:al)?)\?$|^¿\s*(?:aprobad[oa]|incluid[oa]|autorizad[oa]|vacunad[oa]|asegurad[oa]|embarazada|fumadora?|casad[oa]|diab[eé]tic[oa]|al[eé]rgic[oa]|jubilad[oa])(?!\p{L})/iu
/** "Parking needed?" */
const NEEDED =
  /^(?!(?:hours|days|weeks|number|quantity|amount|items|services|products|people|staff|what|which|how)\b).*\s(?:needed|wanted|offered|included|required|necessary|available|allowed|accepted)\?$/i

/** Is so or not, without a question: "vaccinated", "hotel pickup needed". */
const BARE =
  /^(?:(?:already |fully )?(?:vaccinated|neutered|spayed|first[- ]time (?:home ?)?(?:buyer|visitor|customer|donor|guest|driver)|microchipped|insured|furnished|pregnant|vegetarian|vegan|pet[- ]friendly)|vacunad[oa]|esterilizad[oa]|asegurad[oa]|embarazada|(?:[\w-]+ ){0,2}(?:pick-?up|drop-?off|parking|delivery|catering|invoice|transport|breakfast|wheelchair|cot|crib|gift ?wrap(?:ping)?|childcare|interpreter|shuttle|transfer|accommodation|assembly|installation) (?:needed|required|wanted|included))$/i

function isYesOrNo({ said, given, isQuestion, isWhether }: Asked): boolean {
  if (asksWhat(said)) return false
  const isAsked =
    YES_NO.test(plain(said)) ||
    [HAPPENED, IS_SO, NEEDED, STATE, WILLING].some((one) => one.test(said))
  if (isQuestion) return isAsked && !namesAlternatives(said)
  if (isWhether) return !namesAlternatives(said) && !isUsualAgreement(said)
  return BARE.test(said) || /\b(yes|si)\s?[/|,]\s?no\b/.test(plain(given))
}

/** Whether a question that begins like one for a yes or a no asks for a text: "Is there anything else?" */
export function asksWhat(said: string): boolean {
  return ASKS_WHAT.test(plain(said))
}

/** Whether a question begins like one that is answered by yes or no: "Do you smoke or drink?" */
export function asksYesOrNo(said: string): boolean {
  return YES_NO.test(plain(said))
}

/** Things of which people take several. */
const SEVERAL_OF =
  'favou?rite [a-z]+[a-rt-z]s|[a-z]+s to [a-z]+|toppings|extras|dishes|platos|add-?ons|fillings|sides|sauces|ingredients|interests|topics|channels|canales|subjects|hobbies|activities|skills|languages|allergies|symptoms|effects|conditions|restrictions|shifts|days|documents|documentos|services|products|items|features|amenities|accessories|preferences|areas of [a-z]+|goals|roles|tasks|sessions|workshops|classes|courses|events|brands|genres|intereses|objetivos|temas|ingredientes|complementos|accesorios|salsas|dias|turnos|difficulties|issues|problems|challenges|concerns|barriers|reasons|habits|tools|equipment|vaccines|instruments|dificultades|problemas|desafios|razones|herramientas|instrumentos|idiomas|alergias|sintomas|restricciones|preferencias|servicios|productos|actividades|aficiones|habilidades'
const SEVERAL = new RegExp(
  `^que (?:${SEVERAL_OF}) [a-z]+$|^(?!.*\\b(?:number|numero|how|most|main|best|one|types?|tipos?|kinds?)\\b).*\\b(?:${SEVERAL_OF})\\b(?:\\s(?:available|needed|wanted|required|preferred|desired|included|interest|entregad[oa]s|incluid[oa]s|spoken|known|of interest|of (?:the )?week|de la semana|you|they|do|did|suit|work|apply|would|should|that|disponibles|extras?|preferid[oa]s|de interes|que|adicionales)\\b.*)?$`,
)

/** Whether several may be chosen, since the things are such, and not numbers of them: "toppings", "available days". */
export function areSeveral(said: string, choices: string[]): boolean {
  const isOther = (choice: string) => /\d|^(?:yes|no|s[ií]|single|simple)$/i.test(choice)
  return (
    SEVERAL.test(plain(said).replace(/^¿\s*|[\s?]+$/g, '')) &&
    !/\s(?:or|o)\s/i.test(said) &&
    !choices.some(isOther)
  )
}
