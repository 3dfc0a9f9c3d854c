import type { FieldKind, Language } from '../forms/form.ts'
import { plain } from '../forms/form.ts'
import { isAdvertising, withoutConsent } from '../words/agreements.ts'
import { asksWhat, asksYesOrNo, namesAlternatives } from '../words/answers.ts'
import { readGroups, readInline } from '../words/brackets.ts'
import { WHO } from '../words/condition-words.ts'
import { cleaned } from '../words/fillers.ts'
import { readScale, splitList } from '../words/lists.ts'
import { type Conditional, type Limit, withoutMarks } from '../words/marks.ts'
import { CHOSEN } from '../words/owners.ts'
import { withoutOccasion } from '../words/purposes.ts'
import { INDIRECT, QUESTION } from '../words/sentences.ts'
import { areDays, readSeries } from '../words/series.ts'
import { kindNamed, readWish, tidy, type Wish, withoutAddresses } from '../words/words.ts'
import { describe, type Described } from './described.ts'

const DATED = /\b(?:dates?|fechas?)\b/i
const YES_NO = /^(?:yes|s[ií]|no)$/i
const PHOTOS = /^(?:photos?|pictures?|images?|scans?|fotos?|fotograf[ií]as?)(?: (?:of|de)\b|$)/i
const LABEL_WORDS_MAX = 8
const INDIRECT_WORDS_MAX = 12
const STATEMENT_WORDS_MAX = 25
const QUESTION_CHARACTERS_MAX = 300
const PARENTHESES = /\(([^()]*)\)|\[([^[\]]*)\]/g
const NO_WISH: Wish = { isOptional: false, isRequired: false, style: null }
/** What customers agree to in their own words: "I give permission for my child to attend the trip". */
const STATED =
  /^(?:i (?:hereby )?(?:give|grant|consent|confirm|understand|agree|accept|certify|declare|authori[sz]e|acknowledge)|(?:yo )?(?:autorizo|acepto|declaro|confirmo|entiendo))(?!\p{L})/iu
/** Begins a condition, and no remark: "only if they want a gift". */
const IF = /^\W*(?:(?:but )?(?:only|just|s[oó]lo) (?:if|when|si|cuando)|if|si)\s/i
/** No name of a thing: "a", or "two" of "two fields". */
const DETERMINER =
  /^(?:an?|the|una?|el|la|\d+|two|three|four|five|six|several|some|dos|tres|cuatro|cinco|seis)$/i

/** Reads one thing that is asked for; null for words that cannot be one. */
export function readItem(marked: string, language: Language): Described | null {
  const { text, limits } = withoutMarks(marked)
  const conditional = limits.find((one): one is Conditional => 'condition' in one)
  if (conditional === undefined) return read(text, limits, language)
  const { condition, before = '', behind = '' } = conditional
  const others = limits.filter((one) => one !== conditional)
  const item = read(text, others, language)
  const whole = withoutMarks(`${text.replace(/^\s*"?/, (start) => start + before)} ${behind}`)
  // Without such words, nobody needs to answer.
  const otherwise =
    before === '' && behind === ''
      ? item && { ...item, isOptional: true }
      : read(whole.text, [...others, ...whole.limits], language)
  const question = WHO.test(before) ? read(tidy(before), [], language) : null
  const words = tidy(text.replace(/^\s*(?:an?|the|their|el|la|los|las|su) /i, ''))
  if (item === null) return null
  const unmet = otherwise ?? item
  const isOptional = unmet.isOptional || (before === '' && IF.test(behind))
  return { ...unmet, isOptional, conditional: { condition, item, words, question } }
}

function read(text: string, limits: Limit[], language: Language): Described | null {
  const groups: string[] = []
  const outside = withoutAddresses(text).replace(
    PARENTHESES,
    (_, round?: string, square?: string) => {
      groups.push(round ?? square ?? '')
      return ' '
    },
  )
  const [head = '', ...tail] = withoutConsent(outside).split(/:\s+|:$/)
  if (tail.length > 0 && tidy(tail.join(': ')) !== '') groups.push(tail.join(': '))
  const quotation = /["“«]([^"”»]+)["”»]/.exec(head)?.[1]
  const quoted = quotation === undefined ? undefined : tidy(quotation)
  const bare = quoted ?? tidy(head)
  const isQuestion = /\?\s*$/.test(bare) || ASKED.test(bare)
  const scale = isQuestion && !SCALED.test(plain(head)) ? null : readScale(head)
  const inline = scale || isQuestion ? null : (inlineIn(head, language) ?? readSeries(head))
  const asked = scale?.rest ?? inline?.rest ?? head
  const about = readGroups(groups)
  // "Signature required (yes/no)" asks whether it is.
  const asksIf = YES_NO.test(about.choices[0] ?? '') && /\brequired\b/i.test(asked)
  const { wish, rest } = asksIf
    ? { wish: NO_WISH, rest: tidy(asked) }
    : readWish(quoted === undefined ? asked : asked.replace(`"${quotation}"`, ' '))
  const [, undecided] = WHETHER.exec(tidy(rest)) ?? []
  const said =
    quoted ??
    (isQuestion
      ? tidy(head)
      : (undecided ?? (withoutOccasion(cleaned(rest)) || (scale ? UNNAMED_SCALE[language] : ''))))
  // "2 + 2 = ? (3, 4, 5)"
  const isSum = isQuestion && about.choices.length > 0
  if (!(isSum || /\p{L}/u.test(said)) || DETERMINER.test(said)) return null
  const most = STATED.test(said)
    ? STATEMENT_WORDS_MAX
    : INDIRECT.test(said)
      ? INDIRECT_WORDS_MAX
      : LABEL_WORDS_MAX
  const isLong = said.split(/\s+/).length > most
  const isQuotation = quoted !== undefined || isQuestion
  if (isQuotation ? said.length > QUESTION_CHARACTERS_MAX : isLong) return null
  const listed = [scale?.choices, inline?.choices, about.choices, alternatives(said)]
  const found = listed.find((one) => one?.length) ?? []
  // "The date of the visit (Monday to Friday)" is a date all the same, and "photos of it (front, back)" are photos.
  const isNone =
    (DATED.test(said) && areDays(found)) ||
    ((PHOTOS.test(said) || areFilesOf(head, said)) && !YES_NO.test(found[0] ?? ''))
  const choices = isNone ? [] : found
  // "Photos (front, back)"
  const isTold = isNone && found.length > 0 && !areDays(found)
  const told =
    isTold && !limits.some((one) => 'hint' in one)
      ? [...limits, { hint: found.join(', ') }]
      : limits
  const styled = about.wish.style ?? wish.style ?? styleOf(rest)
  // "Photo (upload)"
  const style = styled === 'document' && kindNamed(said) === 'photo' ? null : styled
  const isSaidOptional = [wish, about.wish].some(({ isOptional }) => isOptional)
  return describe(
    {
      said,
      given: text,
      limits: told,
      choices,
      style,
      isQuestion,
      isNamed: quoted !== undefined,
      isWhether: undecided !== undefined,
    },
    language,
    {
      isSaidOptional,
      isOptional:
        isSaidOptional ||
        isFree(said, choices) ||
        (undecided === undefined && choices.length === 0 && ANY.test(plain(said))) ||
        // A box that one may tick, and no agreement.
        (style === 'consent' && kindNamed(said) !== 'consent' && !SIGNED.test(said)),
      isRequired: wish.isRequired || about.wish.isRequired,
      style,
    },
  )
}

/** The choices that stand beside a thing, or alone: of "make/model", which are known, neither is a choice. */
function inlineIn(head: string, language: Language): ReturnType<typeof readInline> {
  const inline = readInline(head)
  if (inline === null || /\p{L}/u.test(inline.rest)) return inline
  if (/^\p{L}$/u.test(inline.choices[0] ?? '') || YES_NO.test(inline.choices[0] ?? ''))
    return inline
  const isKnown = inline.choices.some((choice) => kindNamed(choice) !== null)
  return isKnown
    ? null
    : { ...inline, rest: inline.choices.join(language === 'es' ? ' o ' : ' or ') }
}

/** A question of a list, without its mark: "would you come again". */
export const ASKED =
  /^\s*(?:(?:what|how|when|where|why|which|who) (?:can|do|did|would|will|are|should|could|have)(?:n['’]t)? (?:you|we)|what['’]s (?:wrong|broken|missing|happening)|(?:how|what|which) (?:[a-z]+ ){1,5}(?:do|did|would|will|can|could|should|have) you|(?:would|do|does|did|are|is|have|has|can|may|should|will|was|were) (?:you|they|it|this|we|he|she)|(?:do|does|did|are|is|was|were|has|have|will|can) (?:the|your|our|there|any|anyone))\b|^\s*(?:what|which) (?!the\b)(?:[a-z]+ ){1,2}(?:is|are|was|were) [a-z]+|^\s*(?:is|are|was|were) (?:[a-z]+ ){1,3}(?:ok(?:ay)?|good|clean|ready|correct|complete|friendly|helpful|polite|easy|fair|on time|[a-z]+(?:ed|ous|ful|ive|able|ible|less))\s*$|^\s*(?:(?:qu[eé]|c[oó]mo|cu[aá]ndo|d[oó]nde|por qu[eé]) (?:no )?(?:te|le|les|nos|lo) \p{L}{3,}|(?:\p{L}{3,}ría[sn]?|podemos|podríamos) \p{L})/iu
/** Asks for a yes or a no, without being a question: "whether they come by car". */
export const WHETHER =
  /^\s*(?:(?:asks?|asking|pregunt\w+|to|know|tell us|let us know|say|indicate|also|también)\s+)*(?:whether|if(?! (?:you|so|yes|not)\b)|si)\s+(?:to\s+)?(?=\S+\s|(?:fuma|bebe|viene|conduce|trabaja|estudia|asiste|asistirá|vendrá|vive|\p{L}{3,12}ría|\p{L}{3,12}rá)n?$)(.*?)(?:\s+(?:or not|o no))?$/iu
/** A question for those who have answered the one before in a certain way. */
const DEPENDENT =
  /^(?:¿\s*)?(?:if (?:yes|so|no|not|any)|si (?:es así|la respuesta|no|sí))(?=[\s,])/i
/** Asks for more, if there is any, or only in some cases. */
const VOLUNTARY =
  /^(?:¿\s*)?(?:any|anything|algun[oa]?s?|algo)\b.*\?$|^(?:¿\s*)?(?:cual(?:es)?|which ones?|what kind)\?$|\s(?:if|si) (?:it['’]s |for |es )?[a-z]+(?: [a-z]+)?$|\bif (?:below|above|under|over|less|more|lower|higher)\b/

const SIGNED = /\b(?:signature|firma)\b/i
/** Nobody needs to have any. */
const ANY = /^(?:any|anything|algun[oa]?s?)\b(?! of\b)/

/** Whether something is up to the customer, whatever else is required. */
function isFree(said: string, choices: string[]): boolean {
  return (
    DEPENDENT.test(said) ||
    VOLUNTARY.test(plain(said)) ||
    asksWhat(said) ||
    (choices.length === 0 && kindNamed(said) === 'consent' && isAdvertising(said))
  )
}

const ALTERNATIVE_WORDS_MAX = 3
const PREFERRED =
  /\b(?:prefer\w*|prefier\w*|quiere[ns]?|desea[ns]?|busca[ns]?|necesita[ns]?|planea[ns]?|piensa[ns]?|rather(?: have)?|(?:do|would) (?:you|they) (?:want|like|need)|^(?:are|is) (?:you|they|it|this)|^(?:you|they|it) (?:are|is)|^(?:it|this)['’]s|^(?:es|son)(?: (?:una? )?(?:clientes?|pacientes?|usuari[oa]s?|personas?|soci[oa]s?))?|^(?:they|you|will (?:they|you)|¿?\s*(?:do|would) (?:they|you)) (?:will )?(?:join|attend|come|pay|participate|take part|meet|work|study|travel)|^(?:they|you) will [a-z]+|^(?:(?:the|el|la) )?[a-z]+ (?:wants?|needs?|would like|is|are)(?: to)?)\s+(.+?)\??$/i

const AT = /^(?:in|at|by|from|on|online|remotely)\b/i
const TO_DO = /^to (?:shop|buy|pay|work|study|meet|learn|eat|attend|join|order)\s/i

/** What one may choose between in words: "Would you prefer a call or an email?", "Pickup or delivery?" */
function alternatives(said: string): string[] {
  const bare = said.replace(/^¿\s*/, '')
  const isBare = said.endsWith('?') && !QUESTION.test(bare) && !asksYesOrNo(said)
  const parts = splitList((PREFERRED.exec(said)?.[1] ?? (isBare ? bare : '')).replace(/\?$/, ''))
  // "To shop online or in store"
  if (parts[0] && AT.test(parts[1]?.text ?? '')) parts[0].text = parts[0].text.replace(TO_DO, '')
  const isShort = parts.every(({ text }) => text.split(' ').length <= ALTERNATIVE_WORDS_MAX)
  return isShort && namesAlternatives(said) && parts.at(-1)?.after === 'or'
    ? parts.map(({ text }) => (/^(?:in\s|para llevar$)/i.test(text) ? tidy(text) : cleaned(text)))
    : []
}

/** What a scale is about when only its numbers were given: "1-5 stars". */
const UNNAMED_SCALE: Record<Language, string> = { en: 'Rating', es: 'Valoración' }
/** Says that numbers are a scale, in a question, too. */
const SCALED =
  /\b(?:scale|stars?|points?|escala|estrellas|puntos)\b|^(?:¿\s*)?(?:how|que tan|cuan|como|.*\b(?:recom+end|calific|evalu|puntu)\w*)\b.*\b\d{1,2} ?(?:-|–|to|a|al) ?\d{1,2}\W*$/

/** Says that one may choose several: "choose toppings". */
const PLURAL =
  /\b(?:choose|select|pick)\s+(?:(?:the|their|your|any) )?(?:[a-z]+ )?[a-z]+(?<![su])s\b|\b(?:elija|elige|elegir|seleccionar?)\s+(?:los|las|sus)\s/i

const UPLOAD = /^\s*(?:an? )?(?:uploads?|attach(?:es)?|subir|adjuntar)\b|\supload\s*$/i

/** "Upload an ID (passport, licence)", "proof of address (utility bill, bank statement)": which of them it may be. */
function areFilesOf(head: string, said: string): boolean {
  const isFile = UPLOAD.test(head) || /^proof of\s/i.test(said)
  return isFile && !CHOSEN.test(said)
}

/** What a verb says about the input, where nothing else does. */
function styleOf(head: string): FieldKind | null {
  if (PLURAL.test(head)) return 'some_of'
  const known = kindNamed(head)
  return UPLOAD.test(head) && known !== 'photo' && known !== 'document' ? 'document' : null
}
