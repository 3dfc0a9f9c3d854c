import { type Language, plain } from '../forms/form.ts'
import { APPLICATIONS } from './applications.ts'
import { BOOKINGS } from './bookings.ts'
import { GENERAL, OPINIONS } from './general.ts'
import type { Kind } from './kinds.ts'
import { REQUESTS } from './requests.ts'

/** What a form is to ask for, as people list it. */
export type Listing = { asks: string; language: Language }

const USUAL = [...OPINIONS, ...BOOKINGS, ...APPLICATIONS, ...REQUESTS, ...GENERAL]

/** How far into a prompt its kind of form may be named: farther on it is only mentioned. */
const NAMED_WITHIN = 100
/** Asks for words about a form, and not for one. */
const TELLING = /^(?:please )?(?:tell|write|say|sing|explain|dime|cuenta\w*|escrib\w*|explic\w*)\b/

/**
 * What a form of the kind that a prompt names usually asks for; null for a kind that is not known. For prompts
 * that name no fields themselves.
 */
export function usualOf({ asks: prompt, language }: Listing): Listing | null {
  const text = plain(prompt).replace(/\s+/g, ' ').trim()
  const start = text.replace(/[.!]+$/, '').slice(0, NAMED_WITHIN)
  if (TELLING.test(start)) return null
  const names = [start, ...turned(start)]
  const bare = start.replace(WISH, '')
  return (
    firstOf(names, ({ named }) => named, language) ??
    firstOf([bare], ({ ofAny }) => ofAny, language)
  )
}

/** What people say before the name of what they want. */
const WISH =
  /^(?:please )?(?:(?:create|build|make|design|generate|set up|give|(?:i|we) (?:need|want)|crear?|haz|hacer|genera|necesito|necesitamos|quiero|queremos)(?: me| us)? )?(?:an? |the |our |my |una? |el |la )?(?:(?:quick|short|simple|basic|small|new|whatsapp) )*/

/** The first kind that one of some names has. */
function firstOf(
  names: string[],
  patternsOf: (kind: Kind) => Record<Language, RegExp> | undefined,
  language: Language,
): Listing | null {
  for (const name of names) {
    for (const kind of USUAL) {
      const { en, es } = patternsOf(kind) ?? {}
      const isEnglish = en?.test(name) === true
      if (!isEnglish && !es?.test(name)) continue
      const spoken = isEnglish ? language : 'es'
      return { asks: kind.asks[spoken], language: spoken }
    }
  }
  return null
}

const FOR =
  /\b(?:form|flow|survey) (?:for|about|to (?:get|request|handle|manage)) (?:an? |the |our |my |your )?((?:[\w'’-]+ ){0,3}[\w'’-]+)$/

/** "A form for job applications" the other way round, as forms are called: "job application form". */
function turned(start: string): string[] {
  const [, topic] = FOR.exec(start) ?? []
  return topic === undefined ? [] : [`${topic} form`, `${topic.replace(/s$/, '')} form`]
}
