import { type Field, type Form, plain } from '../forms/form.ts'
import { withQuotationMarks } from '../spellings/notations.ts'
import { kindNamed, wordsOf } from '../words/words.ts'
import { fieldNamed } from './changes.ts'
import { stepsSpelled } from './step-spellings.ts'
import { ADD, COUNT, NTH, numberOf, REMOVE, WISHED } from './edit-words.ts'

const VERBS =
  '(?:call|name|label) it|re-?order|rearrange|(?:let|have) (?:them|customers|people)|add|limit|restrict|limita|limitar|show|muestra|remove|delete|drop|get rid of|take out|leave out|use|rename|make|change|set|replace|mark|insert|put|require|release|move|keep|turn|convert|allow|ask|agrega|agregar|añade|añadir|quita|quitar|elimina|eliminar|borra|borrar|renombra|renombrar|cambia|cambiar|haz(?:l[oa])?|pon(?:l[oa])?|m[aá]rca(?:l[oa])?|exige|exigir|libera|liberar|mueve|mover|reemplaza|reemplazar|convierte|pide'
/** Not behind what an instruction depends on, or where: "if they are a company, ask …", "before the date, ask …" */
const AFTER_IF =
  '(?<!(?:(?:^|[.:;,?\\n]\\s{0,3})(?:(?:and|but|y|pero)\\s)?(?:if|when|si|cuando)|(?:^|[.;\\n]\\s{0,3})(?:after|before|behind|below|under|for|on|in|instead of|rather than|en lugar|en vez|después|antes|debajo|para)) [^,.;]{1,60},?\\s(?:(?:then|and)\\s)?)'
/** A full stop behind them ends no sentence. */
const TITLES = 'Drs?|Dra|Mr|Mrs|Ms|Sra?|Srta|Prof|St'
/** Separates one instruction from the next. */
const NEXT = new RegExp(
  `\\n+|(?<=\\b${WISHED}),?\\s+(?:(?:and|but|y|e|pero)\\s+)?(?=[^\\s,;.][^,;.]*\\s(?:is|are|es|son|should be|must be)\\s${WISHED})|(?<=;|(?<!\\b(?:${TITLES}))\\.)\\s+|;\\s*|,?\\s+(?:and|but|then|and then|y|pero|luego)\\s+(?:instead\\s+|also\\s+|también\\s+)?(?=(?:${VERBS})\\b)${AFTER_IF}|,\\s+(?=(?:${VERBS})\\b)${AFTER_IF}`,
  'iu',
)

/** Nothing that is quoted begins another step. */
const QUOTED = /["“«]([^"”»]*)["”»]/g

/** What an instruction asks for, one thing after the other, without words of politeness. */
export function stepsIn(instruction: string): string[] {
  const quoted: string[] = []
  const bare = withQuotationMarks(instruction.normalize('NFC')).replace(
    QUOTED,
    (found) => `"${quoted.push(found) - 1}"`,
  )
  return stepsSpelled(bare)
    .split(NEXT)
    .map((step) => step.replace(/"(\d+)"/g, (_, at: string) => quoted[Number(at)] ?? ''))
    .map((step, at, [first = '']) => {
      const asked = requested(
        step
          .replace(/[.!;,\s]+$/, '')
          .replace(PURPOSE, '')
          .replace(REASON, '$1')
          .trim(),
      )
      // The question mark of a request that is put as a question.
      const isFurther = at > 0 && REQUEST.test(first) && !/[:"“«]/.test(asked)
      return isFurther ? asked.replace(/\?$/, '') : asked
    })
    .filter((step, at) => step !== '' && !(at > 0 && WHY.test(step)))
}

/** "Remove the email, we call everyone" */
const REASON = new RegExp(
  `^((?:please )?(?:${REMOVE}|no need for|no) [^,"“«]{1,60}), (?:we|i|they|it(?:['’]s)?|that(?:['’]s)?|this|there(?:['’]s)?|nobody|no one|everyone) (?!should|must|need|can|want|may)[^"“«]*$`,
  'i',
)

/** Tells why, in a sentence of its own: "We have it already." */
const WHY =
  /^(?:we|i|they)(?:['’]ll|['’]ve)? (?:(?:already|no longer|never|always|do not|don['’]t|will|can) )*(?:have|has|got|need|use|know|want|get|ask for) (?:it|them|that|this)\b[^"“«]*$/i
/** Tells why, and not what. */
const PURPOSE =
  /,? so (?:that )?(?:people|they|customers|users|clients|we) (?:can|may|could)\b[^"“«]*$|,? (?:because|since|porque|ya que) [^"“«]*$|, (?:as )?(?:we|i|they) (?:do not|don['’]t|no longer|never) (?:need|want|use|ask for) (?:it|them|that|this)(?: any ?more)?$|, ya no (?:l[oa]s?) (?:necesit|quer|us)[a-z]+$|,? if (?:it|they)(?:['’]s| is|['’]re| are)(?: not|n['’]t)(?: already| yet)?$/i

const REQUEST =
  /^(?:(?:first(?: of all)?|second(?:ly)?|then|next|finally|lastly|after that|actually|i (?:also )?forgot[:,]|one more thing[:,]|btw|by the way|oh|ok(?:ay)?|now|great|perfect|sorry|thanks|hmm|maybe|perhaps|and|also|please|por favor|let me (?:rephrase|clarify|correct (?:that|myself)):?|is it possible to|would it be possible to|it would be (?:nice|great|good) to|could (?:you|we)|can (?:you|we)|would you|will you|i(?:['’]d| would) like(?: you)? to|(?:the|this) (?:form|flow) (?:should|must|needs to|has to) (?:also )?(?=(?:include|ask|collect|request)\b)|(?:i|we) (?:also )?(?:want|need)(?: you)? to|let['’]s|make (?:it so|sure)(?: that)?|puedes?|podrías?|(?:quiero|queremos|quisiera|me gustaría|hay que)(?= \p{L}+r ))(?: please| also)?,? (?:also )?)+/iu

/** "What about adding the email?" */
const GERUND =
  /^(?:what|how) about (adding|removing|moving|making|changing|renaming|asking|putting|splitting|having)\b/i
const VERB_OF: Record<string, string> = {
  ...{ adding: 'add', removing: 'remove', moving: 'move', making: 'make', changing: 'change' },
  ...{ renaming: 'rename', asking: 'ask', putting: 'put', splitting: 'split', having: 'add' },
}

/** What is asked for in an instruction that is put politely: "Could you remove the date?" */
function requested(step: string): string {
  const asked = step
    .replace(REQUEST, '')
    .replace(GERUND, (_, verb: string) => VERB_OF[verb.toLowerCase()] ?? verb)
    .replace(/,? (?:please|por favor)\??$/i, '')
  return asked === step ? step : asked.replace(/(?<!["”»])\?$/, '')
}

const IT =
  /(?<=^(?:make|mark|change|turn|convert|set|move|put|rename|limit|restrict|keep|leave|show|hide|require) )it(?= |$)|(?<= (?:below|after|before|behind|above|under) )it$/i
/** 'Make the size required and add the hint "In cm"' */
const HINT_MORE = /^add (?:an? |the )?(?:hint|help(?:er)? text|placeholder):? (["“«][^"”»]+["”»])$/i
/** "Rename size to T-shirt size and change its options to S, M" */
const ITS = /\bits (options?|choices?|label|default|limit)\b/i
/** "Add city and street, and make them optional" */
const THEM =
  /(?<=^(?:make|mark|set|move|put|require|haz|pon|marca) )(?:them|both(?: of them)?|these|all of them|ambos|ambas)(?= )/i
/** "Y hazla opcional" */
const HAZLA = /^(?:haz|márca|marca|pon)l[oa] /i
/** "Add Other to size, and ask them to describe it" */
const SPECIFY =
  /^(?:ask|let|have) (?:them|people|customers|users|clients|guests)(?: to)? (?:please )?(specify|describe|explain)(?: (?:it|which(?: one)?|what))?$/i
/** "Add a rating before the size, call it …" */
const CALLED = /^(?:call|name|label) it:? /i
/** "Rename size to T-shirt size and add 3XL", "remove Monday and add Friday" */
const ONE_MORE = new RegExp(
  `^${ADD} (?!.* (?:before|after|behind|below|above|to|with|as|antes|después|al?|con|como) )([^,:()]{1,40})$`,
  'iu',
)

/** 'Rename size to T-shirt size and add the option "XXL"' */
const OPTION_MORE = new RegExp(
  `^${ADD} (?:an? |the )?(?:new )?(?:options?|choices?) (?!.* (?:to|in|for) )(.+)$`,
  'iu',
)

function isSizeOf(choice: string): boolean {
  return /^[A-Z\d]{1,4}$/.test(choice)
}
const PLACED = new RegExp(
  `(?<!\\p{L})(?:the |la |el )?(?:(?:(last|últim[oa])|(${NTH})) (?:question|field|pregunta|campo)|(?:question|field|pregunta|campo) (?:number |no\\.? ?|#)?([1-9]\\d?))(?![\\p{L}\\d])`,
  'giu',
)

/** Names what there is not yet. */
const ADDING = /^(?:add|include|agrega|ask|put an?)\b/i
/** "The owner details", "everything about the pet" */
const GROUP =
  /(?<!\p{L})(?:(?:all )?(?:the )?(?<of>(?!all )\p{L}{3,20}) (?:questions|fields|details|data|info(?:rmation)?)|(?:everything|all(?: questions| fields)?|the (?:questions|fields)) (?:about|of|for) (?:the )?(?<about>\p{L}{3,20}))(?!\p{L})/giu

/** "Keep only the dates" */
const PLURAL =
  /(?<=^(?:keep only|remove|delete|drop|make|move|put|hide) (?:[^"]{1,80} )?)(?:the|both|all(?: the)?) (?<of>\p{L}{3,20}s)(?=$|[ ,])/giu

/** "Put the uploads on their own page" */
const FILES =
  /(?<=^(?:put|move|make|remove|delete|show) )(?:all )?(?:the )?(?:uploads|attachments|files)(?= |$)/i

/** "The last two questions" */
const SEVERAL_PLACED = new RegExp(
  `(?<!\\p{L})(?:the |las |los )?(?:(first|primer[ao]s)|(last|últim[ao]s)|(?=(?:${COUNT}|[2-5]) (?:últim|(primer))[ao]s)) ?(${COUNT}|[2-5])(?: (?:últim|primer)[ao]s)? (?:questions|fields|preguntas|campos)(?!\\p{L})`,
  'giu',
)

/** How one is called and reached. */
function isOfContact({ kind, label }: Field): boolean {
  return kind === 'email' || kind === 'phone' || /\b(?:name|nombre)\b/i.test(label)
}

/** "Make the email the first question": here it is a place. */
const AS_PLACE = /^(?:make|move|put|change)\b.* (?:first|last) (?:question|field)$/i

/** The fields that a step changed or added; of the last of them, whether it lost choices, and which it gained. */
export type Touched = { fields: Field[]; field: Field; isShortened: boolean; gained: string[] }

/** What the step from one form to another touched; what was `touched` before, where that is nothing. */
export function touchedBy(before: Form, after: Form, touched?: Touched): Touched | undefined {
  const fields = after.fields.filter((one) => !before.fields.includes(one))
  const field = fields.at(-1)
  const former = before.fields.find(({ name }) => name === field?.name)
  if (!field) return touched
  const isShortened = field.choices.length < (former?.choices.length ?? 0)
  const gained = former ? field.choices.filter((one) => !former.choices.includes(one)) : []
  return { fields, field, isShortened, gained }
}

/**
 * A step with the labels of the fields that it means: "it" is the one that was `touched` before, "the second question"
 * the one that stands there, and "the owner details" are all with that word.
 */
export function withLabels(step: string, { fields }: Form, last: Touched | undefined): string {
  const words = withTouched(step.replace(/\s+/g, ' '), last)
  return AS_PLACE.test(words) ? words : withPlaces(withGroups(words, fields), fields)
}

/** The labels of fields, as a list of names. */
function labelsOf(fields: Field[]): string {
  return fields.map(({ label }) => `"${label}"`).join(', ')
}

function withTouched(step: string, last: Touched | undefined): string {
  // Where nothing tells who is meant, this is no instruction.
  const asked = step.replace(SPECIFY, (_, verb: string) =>
    last?.gained.length === 1
      ? `if "${last.gained[0]}", ask for "Please ${verb.toLowerCase()}"`
      : verb,
  )
  if (!last) return asked
  const { fields, field, isShortened } = last
  return asked
    .replace(IT, () => `"${field.label}"`)
    .replace(HINT_MORE, (_, hint: string) => `add the hint ${hint} to "${field.label}"`)
    .replace(ITS, (_, what: string) => `${what} of "${field.label}"`)
    .replace(THEM, () => labelsOf(fields))
    .replace(HAZLA, () => `haz "${field.label}" `)
    .replace(CALLED, () => `rename "${field.label}" to `)
    .replace(OPTION_MORE, (found, option: string) =>
      field.choices.length > 0 ? `add the option ${option} to "${field.label}"` : found,
    )
    .replace(ONE_MORE, (found, more: string) => {
      const isSize = field.choices.length > 0 && [more, ...field.choices].every(isSizeOf)
      const isInstead = isShortened && kindNamed(more) === null
      return isSize || isInstead ? `add the option ${more} to "${field.label}"` : found
    })
}

/** A step with the labels of the fields of a kind, or of someone: "the uploads", "the owner details". */
function withGroups(step: string, fields: Field[]): string {
  const files = fields.filter(({ kind }) => kind === 'document' || kind === 'photo')
  const named = step.replace(FILES, (found) => (files.length > 0 ? labelsOf(files) : found))
  if (ADDING.test(named)) return named
  const plural = named.replace(PLURAL, (found, of: string) => {
    const [word = ''] = wordsOf(of)
    const meant = fields.filter(({ label }) => wordsOf(label).includes(word))
    return meant.length > 1 && !fieldNamed({ fields }, of) ? labelsOf(meant) : found
  })
  return plural.replace(GROUP, (found, ...rest: unknown[]) => {
    const { of, about = of ?? '' } = rest.at(-1) as Record<string, string | undefined>
    const [word = ''] = wordsOf(about)
    const isMeant = ({ label }: Field) => wordsOf(label).includes(word)
    const meant = fields.filter(/^contact/i.test(about) ? isOfContact : isMeant)
    return meant.length > 0 && !fieldNamed({ fields }, found) ? labelsOf(meant) : found
  })
}

/** A step with the labels of fields that it tells by their places; agreements stand last. */
function withPlaces(step: string, fields: Field[]): string {
  const isAgreed = ({ kind }: Field) => kind === 'consent'
  const asked = [...fields.filter((one) => !isAgreed(one)), ...fields.filter(isAgreed)]
  return step
    .replace(SEVERAL_PLACED, (_, ...found: string[]) => {
      const [english, , spanish, count] = found
      const isFirst = (english ?? spanish) !== undefined
      return labelsOf(isFirst ? asked.slice(0, numberOf(count)) : asked.slice(-numberOf(count)))
    })
    .replace(PLACED, (found, last?: string, nth?: string, number?: string) => {
      const field = last === undefined ? asked[numberOf(nth ?? number) - 1] : asked.at(-1)
      const isLabel = fields.some(({ label }) => plain(label) === plain(found))
      return field && !isLabel ? `"${field.label}"` : found
    })
}
