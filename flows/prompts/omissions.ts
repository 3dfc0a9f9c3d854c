import { plain } from '../forms/form.ts'
import { splitList } from '../words/lists.ts'
import { wordsOf } from '../words/words.ts'

const START = '(?<=(?:^|[.;!?\\n])\\s{0,3})'
/** Within a sentence, behind what is asked for. */
const INNER = '(?:(?:\\s?[,;]| [-–—]) (?:(?:and|but|y|pero),? )?| (?:and|but|y|pero),? )'
const POLITE = '(?:please |por favor,? |also |just )?'
const ASK =
  '(?:ask(?:ing)?(?: (?:them|people|customers|users|clients|guests))?(?: (?:for|about))?|collect(?:ing)?|request(?:ing)?|gather(?:ing)?|includ(?:e|ing)|add(?:ing)?)'
const PEDIR =
  '(?:pid(?:as?|an|áis)|preguntes?|pregunten|solicites?|soliciten|incluyas?|incluyan|agregues?|recojas?)(?: por)?'
const NOT = `(?:${POLITE}(?:do not|don['’]?t|never|no need to|(?:we|i|you) (?:do not|don['’]t) (?:need|want|have) to|avoid|skip) ${ASK}|${POLITE}no ${PEDIR})`
const WITHOUT = `(?:without ${ASK}|sin (?:pedir|preguntar(?: por)?|solicitar))`
const UNWANTED =
  "(?:(?:we|i) (?:do not|don['’]t) (?:need|want|care about)|no need for|leave out|omit|exclude|no (?:necesitamos|necesito))"
/** Up to what is asked for again: "don't ask for names, just a rating". */
const THINGS =
  '(?<things>(?!(?:any|too many|more|anything|nothing|else)\\b[^,.;]*(?:,|$))[^.;:!?()"“”\\n]{2,120}?)'
const END = '(?=,? (?:just|only|but|instead|solo|sólo|pero) |[.;!?\\n]|\\s*$)'

/** "Don't ask for the address if they choose pickup" */
const UNLESS =
  /(?<=(?:^|[.;!?\n])\s{0,3})(?:please )?(?:do not|don['’]?t|never) (?<ask>ask|collect|request|show)(?: (?:them|people|customers|users|clients|guests))?(?<things>(?: for| about)? [^.;:!?()"“”\n]{2,80}?) (?<when>if|when|unless) (?=\S)/giu
const SALVO =
  /(?<=(?:^|[.;!?\n])\s{0,3})(?:por favor,? )?no (pid(?:as?|an)|preguntes?|solicites?|muestres?)(?: por)?( [^.;:!?()"“”\n]{2,80}?) (?:si|cuando) (?=\S)/giu
/** "Don't require the phone" */
const NOT_REQUIRED =
  /(?<=(?:^|[.;!?\n])\s{0,3})(?:please )?(?:do not|don['’]?t|no need to) require ([^.,;:!?()"“”\n]{2,60}?)(?=[.;\n]|\s*$)/giu
const OMITTED = [
  new RegExp(`(?:${START}|${INNER})${NOT} ${THINGS}${END}`, 'giu'),
  new RegExp(`(?:${INNER}| )${WITHOUT} ${THINGS}(?:${END}|(?=:))`, 'giu'),
  new RegExp(
    `${START}${NOT} (?:(?:any of )?(?:the following|these)|lo siguiente)(?: fields| things)?: (?<things>[^.;:!?"“”\\n]{2,200})`,
    'giu',
  ),
  new RegExp(`\\(${NOT} (?<things>[^.;:!?()"“”\\n]{2,120})\\)`, 'giu'),
  new RegExp(`${START}${UNWANTED} ${THINGS}${END}`, 'giu'),
  /(?<=\b(?:form|flow|survey|poll|questionnaire|formulario|encuesta|cuestionario|flujo)(?: (?:de|para|for|about) [\p{L} ]{1,30}?)?) (?:without|with no|sin) (?<things>[^.;:!?()"“”\n]{2,60}?)(?=[.;!\n]|\s*$)/giu,
  /(?:^|[.,;!\n–—-] ?(?:and |but |y |pero )?)(?:no|without) (?<things>(?!(?:need|longer)\b)[^.,;:!?()"“”\n]{2,60}?) (?:(?:is |are )?(?:needed|necessary)(?: here)?|please)(?=[.,;!\n]|\s*$)/giu,
  /[.,;!\n–—-] ?(?:and |but |y |pero )?(?:no|without|sin) (?<things>(?:personal|contact|identifying|private|datos|información)\b(?: (?:data|details|info(?:rmation)?|questions|personales|de contacto|personal))?|(?:names?|phones?|e-?mails?|address|nombres?|teléfonos?|correos?)(?: (?:numbers?|address(?:es)?))?)(?=[.;!\n]|\s*$)/giu,
]
const KEPT = /\b(?:confirmation|review|summary|screen|page|confirmaci[oó]n|resumen|pantalla)\b/iu
const ANONYMOUS =
  /\banonymous (?:\p{L}{1,20} ){0,3}(?:form|flow|survey|poll|questionnaire)\b|\b(?:formulario|encuesta|cuestionario|flujo) (?:\p{L}{1,20} ){0,3}anónim[oa]s?/iu
const OF_PERSON =
  /\b(?:personal|contact|identifying|private|datos|informacion|anonymous)\b(?!.*\b(?:company|empresa)\b)/
const PERSONAL = ['name', 'email', 'phone', 'nombre', 'correo', 'teléfono']
const OWN_NUMBER = /\b(?:number|numero)$/
/** Words that tell nothing of which thing is meant. */
const EMPTY =
  /^(?:number|addresse?|numero|direccion|field|question|campo|pregunta|my|any|their|your|an?|su)$/

/** A prompt without what it says is not to be asked for, and the words for that. */
export function withoutOmitted(prompt: string): { text: string; omitted: string[] } {
  const omitted = ANONYMOUS.test(prompt) ? ['anonymous'] : []
  let text = prompt
    .replace(UNLESS, (_, ...rest: unknown[]) => {
      const { ask = '', things = '', when = '' } = rest.at(-1) as Record<string, string>
      return `${ask}${things} ${when.toLowerCase() === 'unless' ? 'only if' : 'unless'} `
    })
    .replace(SALVO, 'Pide$2 solo si no ')
    .replace(NOT_REQUIRED, '$1 is optional')
  for (const pattern of OMITTED) {
    text = text.replace(pattern, (found, ...rest: unknown[]) => {
      const [at, whole, { things = '' }] = rest.slice(-3) as [
        number,
        string,
        Record<string, string>,
      ]
      if (isWithin(whole.slice(0, at)) || KEPT.test(things)) return found
      omitted.push(...splitList(things).map((part) => part.text))
      return ''
    })
  }
  return { text, omitted }
}

/** Described things without those that are not to be asked for. */
export function notOmitted<T extends { said: string }>(described: T[], omitted: string[]): T[] {
  const things = omitted.flatMap((one) => (OF_PERSON.test(plain(one)) ? PERSONAL : [one]))
  const meant = things.map((one) => ({
    all: wordsOf(one),
    words: wordsOf(one).filter((word) => !EMPTY.test(word)),
  }))
  const isMeant = (said: string, { all, words }: { all: string[]; words: string[] }) => {
    const own = wordsOf(said)
    // The type of a card is not its number.
    const isOther = OWN_NUMBER.test(all.join(' ')) && own.includes('type')
    return words.length > 0 && !isOther && words.every((word) => own.includes(word))
  }
  return described.filter(({ said }) => !meant.some((one) => isMeant(said, one)))
}

/** Whether a quotation or a bracket, that of choices, is open at the end of a text. */
function isWithin(before: string): boolean {
  const isQuoted = before.split('"').length % 2 === 0
  return isQuoted || before.split('(').length > before.split(')').length
}
