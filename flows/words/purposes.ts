import { tidy } from './words.ts'

const REACHED =
  '(?:\\p{L}+ )?(?:names?|e-?mails?|phones?|mobiles?|nombres?|correos?|teléfonos?)(?: (?:address|numbers?|completos?|electrónicos?))?'
/** Stands behind an article, or is what people sign up for. */
const OCCASION =
  '(?:(?:an?|our|my|una?|nuestr[oa]s?) |(?:[\\p{L}-]+ ){0,2}(?:registration|sign-?up|booking|reservation|appointment|newsletter|webinar|wait(?:ing )?list|event|quote|demo|consultation|registro|inscripción|reserva|cita)$)'
/** "Phone number for a webinar registration", but not "phone number for deliveries". */
const TOLD_BEHIND = new RegExp(`^(${REACHED}) (?:for|para) ${OCCASION}.*$`, 'iu')

/** A thing without what the form is for, which often follows the last thing of a list. */
export function withoutOccasion(said: string): string {
  return said.replace(TOLD_BEHIND, '$1')
}

const HEADING =
  /\bto (?:collect|get|gather|take|receive) (?:rsvps?|leads?|orders?|registrations?|sign-?ups?|bookings?|responses?|applications?|reservations?|entries)\b[^,:;?()\n]*$|^(?:please )?(?:provide|create|build|make|design|i need|we need|i want|we want)(?: me| us)? (?:an? )?(?:(?:simple|easy|quick|good) )?(?:way|tool|means|place) (?:for [^.,:;?()\n]{1,40} )?to [^,:;?()\n]*$|^(?:i|we) (?:need|want|would like) to (?:collect|gather|get) [^,:;?()]{2,60} from [^,:;?()]{2,40}$|^(?:(?:(?:we|i) (?:need|want) )?(?:to )?(?:get|collect|gather)?|(?:we|i) (?:need|want)) ?(?:(?:customer|client|guest|visitor|event|post-[a-z]+) )?(?:feedback|opinions?|reviews?|opinión|opiniones|comentarios) (?:about|on|for|of|after|sobre|del?|para|acerca del?) (?:our|the|my|an?|each|every|cada|nuestr[oa]s?|el|la|los|las|mi|una?)\b[^,;:?()\n]*$/iu

/** Whether a sentence is only a heading for what is asked behind it: "Feedback about our webinar." */
export function isHeading(sentence: string): boolean {
  return HEADING.test(tidy(sentence))
}

/** What forms are: "Job application for waiters". */
const TITLE =
  /^(?:an? |the |our |una? )?(?:[\p{L}'’-]+ ){0,4}?(?:applications?|registrations?|bookings?|reservations?|requests?|appointments?|enquiry|inquiry|sign-?ups?|orders?|intakes?|reports?|claims?|quotes?|(?<=\S )check-?(?:in|out)|screening|onboarding|feedback|rsvp|notice|pledge|wait-?list|solicitud(?:es)?|reservas?|registros?|citas?|pedidos?|reportes?|altas?|inscripci[oó]n)(?: (?:for|to|of|de|para) [^,:;?()]{2,50})?$/iu

/** "Solicitar cotización de mudanza", "report a streetlight" */
const DEED =
  /^(?:solicitar|registrar|reportar|agendar|reservar|levantar|request|report|register|book|schedule)\s(?!.*\b(?:names?|e-?mails?|phones?|nombres?|correos?|teléfonos?)\b)[^,:;?()]{2,60}$/iu

/** Whether some words are what a form is called by what it does, before what it asks for: "Job application for waiters". */
export function isTitle(said: string): boolean {
  const bare = tidy(said.replace(/!+$/, ''))
  return TITLE.test(bare) || DEED.test(bare)
}

/** What is filled in, and not chosen. */
const FILLED =
  /^(?:an? |the |our |una? )?(?:(?!(?:types?|kinds?|preferred|reason|time|date|status)\b)[\p{L}'’-]+ ){1,3}?(?:application|registration|enrol?lment|admission|intake|onboarding|sign-?up|enquiry|inquiry|booking|reservation): (?!.* or )|^(?:una? )?(?:solicitud|inscripción|registro|reserva|matrícula) (?:de|para) [\p{L} ]{2,40}: (?!.* o )/iu

/** The things behind the title of a form, where that is no thing itself: "Loan application: amount, term"; else null. */
export function listBehindTitle(sentence: string): string | null {
  const [title] = FILLED.exec(sentence) ?? []
  return title === undefined ? null : sentence.slice(title.length)
}

const REQUESTING = /^(?:request|solicit)/i
/** "A form to request room service", but not "to request the product", nor what a form may ask for itself. */
const REQUESTED =
  /^\s*(?:an? |una? )?(?!(?:the|their|el|la|los|las|su)\b)(?!.*\b(?:names?|e-?mails?|phones?|address(?:es)?|dates?|numbers?|details|info(?:rmation)?|feedback|comments?|photos?|documents?|reviews?|nombres?|correos?|teléfonos?|direcci[oó]n|fechas?|datos|fotos?)\b)[^,]*$/i
/** "A flow to collect proof of delivery problems" */
const MATTERS =
  /^[^,]*\b(?:problems|issues|complaints|incidents|claims|cases|enquiries|inquiries|problemas|incidencias|quejas|reclamos)[\s.!]*$/i
/** Whether the one thing that a form is said to be for is not asked for: "to request room service". */
export function isPurpose(verb: string, asked: string): boolean {
  return (REQUESTING.test(verb) && REQUESTED.test(asked)) || MATTERS.test(asked)
}

/** "Thanks, and have a nice day!" */
const CLOSING =
  /^(?:thanks?|thank you|thx|(?:muchas )?gracias|(?:best |kind )?regards|cheers|saludos)(?!\p{L})(?!.*:)/iu

/** Whether a sentence only ends what was said to whoever builds the form. */
export function isClosing(sentence: string): boolean {
  return CLOSING.test(sentence)
}

/** "We're a plumbing company" */
const INTRODUCING =
  /^(?:we|i)(?:['’](?:re|m|ve)| (?:are|am|own|run|have|manage|operate|sell|offer|provide|teach))\b|^(?:somos|soy|tengo|tenemos|vendo|vendemos|trabajo|trabajamos|manejo|manejamos|ofrezco|ofrecemos)\s/iu

/** Whether a sentence only says who wants the form. */
export function isIntroduction(text: string): boolean {
  return INTRODUCING.test(text)
}
