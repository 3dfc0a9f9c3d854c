import { CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from '../forms/form.ts'
import { type Form, type Language, plain, SEVERAL_MAX } from '../forms/form.ts'
import { isForeign, languageOf } from '../forms/language.ts'
import { outlined, withNames } from '../outlines/outlines.ts'
import { SECTION } from '../spellings/sections.ts'
import { type Listing, usualOf } from '../usual/usual.ts'
import { isSeveral } from '../words/choosing.ts'
import { isHeading, isTitle } from '../words/purposes.ts'
import { ONE_EACH, UNREVIEWED } from '../words/screen-words.ts'
import type { Described } from './described.ts'
import { areFitting, fieldsOf, withoutPurposes } from './fields.ts'
import { fragmentsIn, goesOnWithList } from './fragments.ts'
import { frameOf, withoutFrame } from './frames.ts'
import { readKnown } from './known.ts'
import { notOmitted, withoutOmitted } from './omissions.ts'
import { sentencesOf } from './prompts.ts'
import { DESCRIBED_MAX, heedConditions, type Reading } from './reading.ts'
import { applyLimits, applySaying, isLimiting, isSaying } from './sayings.ts'
import { letSeveral } from './sayings.ts'
import { titleOf, withoutTitle } from './titles.ts'
import { readList, readSentence } from './sentence.ts'

const NOTHING = 'no fields of a form were found in the prompt; name what is to be asked'
const FOREIGN =
  'the prompt is in a language that the built-in rules do not read; write it in English or Spanish'
const TOO_MUCH = `the prompt asks for more than a form can have: ${FIELDS_MAX} fields, ${CONSENTS_MAX} agreements, ${CHOICES_MAX} choices, and ${SEVERAL_MAX} where one may choose several`

/**
 * Reads the form that a prompt describes in English or Spanish: the fields, their kinds, and which are
 * optional; where it names none, those that are usual for its kind of form. Otherwise answers the reason why there
 * is none.
 */
export function readForm(name: string, given: string): Form | string {
  const { text: prompt, names } = outlined(given)
  if (isForeign(prompt)) return FOREIGN
  const named = { asks: prompt, language: languageOf(prompt) }
  const reading = read(named)
  const isNamed = namesAny(reading) || listsSome(prompt, reading)
  const usual = isNamed && !mayBeTitle(prompt, reading) ? null : usualOf(named)
  const asked = usual ?? (isNamed || asksPlainly(prompt, reading) ? named : null)
  if (asked === null) return NOTHING
  const fields = fieldsFor(
    asked === named ? reading : read(asked, [], reading.omitted),
    asked.language,
  )
  if (fields === null) return TOO_MUCH
  return {
    title: titleOf(name, prompt),
    language: asked.language,
    fields: withNames(fields, names),
    isReviewed: !UNREVIEWED.test(plain(prompt)),
    ...frameOf(prompt),
  }
}

/**
 * The fields that a prompt names itself, beside others that there are already; null where it names none, or more than
 * a form can have.
 */
export function readFields(prompt: string, others: Field[]): Field[] | null {
  const language = languageOf(prompt)
  const reading = read({ asks: prompt, language }, others)
  return namesAny(reading) ? fieldsFor(reading, language, others) : null
}

/** Whether the one thing that a prompt names may be what the whole form is: "Product return request". */
function mayBeTitle(prompt: string, { described }: Reading): boolean {
  const isShort = prompt.trim().split(/\s+/).length <= TITLE_WORDS_MAX
  return described.length === 1 && isShort && !NAMING.test(prompt)
}

const TITLE_WORDS_MAX = 6
/** Shows that something is asked for, and not only that a form is called so. */
const NAMING =
  /[,:;?()\d\n]|\b(?:and|with|ask|asks|asking|collect|gather|capture|y|con|pide|pedir|pregunt\p{L}+)\b/iu

/** Whether a prompt lists things, though none of them is known: "Lunch survey: favourite dish, what should improve". */
function listsSome(prompt: string, { described }: Reading): boolean {
  return described.length > 1 && /\p{L}: /u.test(prompt)
}

/** Whether a prompt asks for things in so many words, though none of them is known: "Ask for the flavour". */
function asksPlainly(prompt: string, { described }: Reading): boolean {
  const isShort = described.every(({ said }) => said.split(/\s+/).length <= THING_WORDS_MAX)
  return described.length > 0 && isShort && PLAINLY.test(prompt)
}

const THING_WORDS_MAX = 8
const PLAINLY =
  /\b(?:ask(?:s|ing)?(?: (?!about\b)\p{L}+){0,3} (?:for|who|what|which|when|where|how|whether)|(?:collect|gather|captur)(?:e|s|ing)?|tell us (?:who|what|which|when|where|how)|pid[ea]n?|pedir|pregunt(?:e|a|ar|en)|recopil\p{L}+)\s/iu

function namesAny({ described }: Reading): boolean {
  return described.some(({ isKnown }) => isKnown)
}

function fieldsFor(
  reading: Reading,
  language: Form['language'],
  others: Field[] = [],
): Field[] | null {
  if (reading.described.length > DESCRIBED_MAX) return null
  const fields = fieldsOf(reading, language, others)
  return areFitting(fields) ? fields : null
}

function read({ asks, language }: Listing, others: Field[] = [], unwanted: string[] = []): Reading {
  const { text, omitted } = withoutOmitted(withoutFrame(withoutTitle(asks.replace(ONE_EACH, ''))))
  const reading: Reading = {
    ...{
      described: [],
      others,
      section: 0,
      isInList: false,
      fragments: new Set(),
      owner: null,
      all: null,
      omitted: [...unwanted, ...omitted],
    },
  }
  const sayings: { sentence: string; at: number }[] = []
  const sentences = sentencesOf(text)
  reading.fragments = fragmentsIn(sentences)
  for (const [at, sentence] of sentences.entries()) {
    if (reading.described.length > DESCRIBED_MAX) break
    if (sentence === SECTION)
      Object.assign(reading, { section: reading.section + 1, isInList: false, owner: null })
    else if (isSeveral(sentence)) letSeveral(reading)
    else if (isSaying(sentence)) sayings.push({ sentence, at: reading.described.length })
    else if (isLimiting(sentence, reading) && applyLimits(sentence, reading, language)) continue
    else {
      const before = reading.described.length
      if (goesOnWithList(sentence, sentences[at - 1])) readList(sentence, language, reading)
      else readSentence(sentence, language, reading)
      if (isHeading(sentence) || (sentence === sentences[0] && isTitle(sentence)))
        for (const one of reading.described.slice(before)) one.isPurpose = true
    }
  }
  heedSayings(sayings, reading, language)
  heedConditions(reading)
  const wanted = withoutPurposes(notOmitted(reading.described, reading.omitted))
  return { ...reading, described: ONE_EACH.test(asks) ? wanted.map(onOwnScreen) : wanted }
}

/** What they ask for themselves comes where they stand. */
function heedSayings(
  sayings: { sentence: string; at: number }[],
  reading: Reading,
  language: Language,
): void {
  let moved = 0
  for (const { sentence, at } of sayings) {
    const before = reading.described.length
    applySaying(sentence, reading, (text) => readKnown(text, language, reading))
    const asked = reading.described.splice(before)
    reading.described.splice(at + moved, 0, ...asked)
    moved += asked.length
  }
}

/** What only some are asked for stays with what stands before it, lest others come to an empty screen. */
function onOwnScreen(one: Described, at: number, all: Described[]): Described {
  return { ...one, section: all.slice(0, at + 1).findLastIndex(({ when }) => !when) }
}
