import { languageOf } from '../forms/language.ts'
import { cleaned } from '../words/fillers.ts'
import { splitList } from '../words/lists.ts'
import { CHOSEN } from '../words/owners.ts'
import { ASKING, isIntroducing, isOfKnown, SAID_OF } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'
import { ANSWER_SPELLINGS } from './answer-spellings.ts'
import { withBriefQuestions, WORDS } from './brief-questions.ts'
import { withLimits } from './limits.ts'
import { withoutInnerGroups, withoutNesting } from './nested.ts'
import { inOneNotation } from './notations.ts'
import { namedInFull } from './pairs.ts'
import { withJoined } from './protected.ts'
import { withRemarks } from './remarks.ts'
import { REQUEST_SPELLINGS } from './request-spellings.ts'
import { withSections, withSteps } from './sections.ts'
import { withSeveral } from './several.ts'
import { withSharedWishes } from './shared-wishes.ts'
import { withToldWishes } from './told-wishes.ts'
import { WISH_SPELLINGS } from './wish-spellings.ts'

const BOLD = /\*\*(.+?)\*\*/g
/** A prompt as it would be written out: what one may choose between in brackets, each thing said in full. */
export function spelled(prompt: string): string {
  const divided = withSections(
    namedInFull(
      withoutNesting(
        withJoined(
          withLimits(
            withBriefQuestions(
              withoutInnerGroups(
                withSteps(withSeveral(withToldWishes(withRemarks(inOneNotation(prompt))))),
              ),
            ),
          ),
        ).replace(BOLD, '$1'),
      ),
    ),
  )
  const spellings = [...ANSWER_SPELLINGS, ...WISH_SPELLINGS, ...REQUEST_SPELLINGS]
  return spellings
    .reduce((text, [pattern, other]) => text.replace(pattern, other), withSharedWishes(divided))
    .replace(SIZES, (sizes) => ` (${sizes.trim().split(/[ /]/).join(', ')})`)
    .replace(ENDED, (found, head: string, list: string) =>
      !CHOSEN.test(head) && (isIntroducing(head) || isOfKnown(list)) ? found : `${head} (${list});`,
    )
    .replace(NUMBERED, headed)
    .replace(SLASHED, slashed)
    .replace(RUN_ON, separated)
    .replace(PAIR, '$<verb> $<one> or $<other>')
    .replace(CHOICE, bracketed)
}

/** Choices that a semicolon ends: "topic: order, product; message". */
const ENDED = /(?<![\p{L}\d])((?:\p{L}{1,30} ){0,3}\p{L}{1,30}): ([^:;,.?!()\n]+,[^:;.?!()\n]*);/gu

/** "T-shirt size S M L": choices with nothing but spaces between them. */
const SIZES =
  /(?<=\b(?:sizes?|tallas?)) Y?(?:X{0,3}[SL]|M|[2-5]XL)(?:[ /]Y?(?:X{0,3}[SL]|M|[2-5]XL)){1,10}(?![\p{L}\d])/gu

const NAMED = '(?:[\\p{L}-]{1,30} ){0,2}[\\p{L}-]{1,30}'
/** A thing with its choices, and right behind them another: "plan (monthly, yearly) start date". */
const RUN_ON = new RegExp(
  `(?<![\\p{L}-])(?<one>${NAMED}) ?(?<list>\\([^()\\n,]*,[^()\\n]*\\)) (?<other>${NAMED})(?=(?<own> ?\\([^()\\n]*,| \\p{L}+\\/\\p{L})?)(?=,|[.]?$|[.\\n]| (?:and|y) | ?\\(| \\p{L}+\\/\\p{L})`,
  'gmu',
)

/** "1) Personal info - name, phone 2) Availability - start date" */
const NUMBERED =
  /(?<mark>(?<=^|\s)\(?\d{1,2}[.)] )(?<heading>[^\n\d:,()–—-]{2,40}) [-–—] (?<list>(?:(?!\s\d{1,2}[.)] )[^\n])*,(?:(?!\s\d{1,2}[.)] )[^\n])*)/gu

function headed(found: string, ...rest: unknown[]): string {
  const { mark = '', heading = '', list = '' } = rest.at(-1) as Record<string, string | undefined>
  const isOfThings = splitList(list).some(({ text }) => kindNamed(text) !== null)
  if (found.includes('?')) return found
  return isOfThings ? `\nFields: ${list}\n` : `${mark}${heading}: ${list}`
}

/** "Eat in / take away" */
const SLASHED =
  /(?<=^|[,;:] )(\p{L}{1,20}(?: \p{L}{1,20}){1,2}) \/ (\p{L}{1,20}(?: \p{L}{1,20}){1,2})(?=[,;.]|$)/gmu

function slashed(found: string, one: string, other: string, _at: number, all: string): string {
  const isKnown = [one, other].some((text) => kindNamed(text) !== null)
  const or = languageOf(all) === 'es' ? 'o' : 'or'
  return isKnown ? found : `"${one} ${or} ${other}" (${one}, ${other})`
}

function separated(found: string, ...rest: unknown[]): string {
  const { one = '', list = '', other = '', own } = rest.at(-1) as Record<string, string | undefined>
  const isNamed = own !== undefined || !['rating', null].includes(kindNamed(other))
  const isOther = isNamed && !SAID_OF.test(` ${other}`)
  return isOther && kindNamed(one) !== null ? `${one} ${list}, ${other}` : found
}

/** "Choose between a refund and a replacement" */
const PAIR = new RegExp(
  `\\b(?<verb>(?:choose|select|pick|decide|elegir|elija|elige) (?:between|entre)) (?:an? |the |una? |el |la )?(?<one>${WORDS}) (?:and|y) (?:an? |the |una? |el |la )?(?<other>${WORDS})(?=[,;.?!\\n]|$)`,
  'giu',
)
/** What one is to choose between, without a name for it: "choose chicken, fish or salad". */
const CHOICE = new RegExp(
  `\\b(?:(?:(?:if|whether) (?:they|you)(?: would|['’]d)? (?:want|like|need|prefer)|si (?:quieren|prefieren|desean))|(?<verb>choose|select|pick|elegir|elija|elige))(?: (?:to|from|between|entre))? (?!(?:one|either|up|de|the following)\\b)(?:an? |the |una? )?(?<list>${WORDS}(?:, ${WORDS}){0,8},? (?:or|o) ${WORDS})(?=[,;.?!\\n]|$| (?:and|y) )`,
  'giu',
)

function bracketed(found: string, ...rest: unknown[]): string {
  const { verb = '', list = '' } = rest.at(-1) as Record<string, string | undefined>
  const choices = splitList(list).map(({ text }) => text)
  if (choices.some((one) => kindNamed(one) !== null || ASKING.test(one))) return found
  return `${verb} "${list}" (${choices.map(cleaned).join(', ')})`
}
