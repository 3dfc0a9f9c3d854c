import { plain } from '../forms/form.ts'
import { kindNamed } from './words.ts'

const REVIEWING =
  /\b(confirmation|confirms?|thanks|gracias|review (?:screen|page|step)|(?<!\b(?:short|brief|case|job) )summary(?! of (?:the|your|their|what)\b)|thank[- ]?you|confirmacion|confirmar|resumen(?! del? (?!(?:las? |los |tus? |sus? )?(?:respuestas|datos|informacion|pedido|orden|reserva|compra|formulario)\b))|agradecimiento|pantalla final)\b/
/** The wish for a form without a screen that shows the answers once more. */
export const UNREVIEWED =
  /\b(without (?:a |any )?(?:confirmation|review|summary)|no (?:confirmation|review|summary)|(?:single|one|una sola|una unica)[ -](?:screen|page|pantalla)|sin (?:pantalla de )?(?:confirmacion|resumen|revision))\b/
/** "One question per screen" */
export const ONE_EACH =
  /(?<!\p{L})(?:(?:one|a single|1|una(?: sola)?) (?:question|field|pregunta|campo) (?:per|on each|at a time,? on each|por|en cada) (?:screen|page|step|pantalla|p[aá]gina|paso)|(?:each|every|cada) (?:question|field|one|pregunta|campo)(?: (?:is|goes|should be))? (?:on|in|en) (?:its|a|an|su|una) (?:own |separate |different |new |propia )?(?:screen|page|step|pantalla|p[aá]gina)(?: propia)?)(?!\p{L})(?:: )?/iu
/** A number of screens. */
const SCREENS =
  /^(?:\d|two|three|four|five|several|dos|tres|cuatro|cinco|varias) (?:screens|pages|steps|pantallas|paginas|pasos)\W*$/

/** A screen on which nothing is asked for. */
const GREETING =
  /^(?:an? |the |una? |el |la )?(?:\p{L}+ )?(?:welcome|greeting|intro(?:duction)?|bienvenida|saludo|introduccion)(?: (?:message|text|note|screen|page|mensaje|texto|pantalla))?\W*$/u

/** "Welcomes the user" */
const WELCOMING =
  /^(?:(?:it |first )*)(?:welcom(?:es?|ing)|greet(?:s|ing)?|thank(?:s|ing)?) (?:the |our )?(?:users?|customers?|guests?|clients?|them|visitors?|patients?)(?: (?:with .*|by name|warmly))?$/u

/** What is to be confirmed is asked for: "confirm the password", "confirm identity with date of birth". */
const ASKED_KINDS: unknown[] = ['consent', 'password', 'email', 'phone', 'date', 'number']

/** "Do you confirm? (yes, no)" */
const QUESTION = /^¿|^(?:do|does|will|would|can|have|are|is)\b.*\?/

/** What is said of an answer stands beside it, which a screen has none of. */
const LIMITED = /[\u{F0000}-\u{FFFFF}]/u

/** Words about screens, and not about what they ask for. */
export function isScreen(text: string): boolean {
  const words = plain(text).trim()
  if (LIMITED.test(words)) return false
  if (ASKED_KINDS.includes(kindNamed(words)) || QUESTION.test(words)) return false
  return [REVIEWING, UNREVIEWED, SCREENS, GREETING, WELCOMING].some((pattern) =>
    pattern.test(words),
  )
}
