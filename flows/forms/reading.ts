import { isType } from './brackets.ts'
import type { Described } from './described.ts'
import { FIELDS_MAX, plain } from './form.ts'
import { type Owner, ownerIn, ownerNamed } from './owners.ts'
import { splitList, withoutBrackets } from './lists.ts'
import { isNaming } from './sentences.ts'
import { kindNamed, wordsOf } from './words.ts'

/** What has been read of a prompt. */
export type Reading = {
  described: Described[]
  section: number
  isInList: boolean
  /** Whose the next things are. */
  owner: Owner | null
  all: 'optional' | 'required' | null
}

/** Far more than a form can ask for, even with repetitions; a longer list cannot describe a form. */
export const DESCRIBED_MAX = 4 * FIELDS_MAX

/** Adds a thing. The choices of something named earlier may follow later: "The size is one of S, M, L." */
export function add(
  item: Described,
  reading: Reading,
  earlier = reading.described.find(({ said }) => plain(said) === plain(item.said)),
): void {
  const { described, section } = reading
  if (described.length > DESCRIBED_MAX) return
  const isSame = reading.owner === null || reading.owner.of === earlier?.owner?.of
  const isTold = isSame && item.choices.length > 0 && earlier?.choices.length === 0
  if (isTold) {
    Object.assign(earlier, { kind: item.kind, choices: item.choices, isKnown: true })
    return
  }
  const isAgain = earlier !== undefined && plain(earlier.said) === plain(item.said)
  if (isAgain && isSame) tellMore(earlier, item)
  const of = ownerNamed(item.said)
  if (of !== '') reading.owner = { of, isHeading: false }
  described.push({ ...item, section, ...(reading.owner && { owner: reading.owner }) })
}

/** "Name, email. Required: name. The email must be a company email." */
function tellMore(earlier: Described, item: Described): void {
  const { isOptional, isSaidOptional, isRequired, hint = earlier.hint } = item
  if (hint !== undefined) earlier.hint = hint
  if (isRequired || isSaidOptional) {
    Object.assign(earlier, { isOptional, isSaidOptional, isRequired })
  }
}

/** What was named earlier with these words among others: the "type of service they need" is a "service type". */
export function calledSo(said: string, { described }: Reading): Described | undefined {
  const words = wordsOf(said)
  const isAmong = (one: Described) => words.every((word) => wordsOf(one.said).includes(word))
  const exact = described.find((one) => plain(one.said) === plain(said))
  return exact ?? (words.length > 0 ? described.find(isAmong) : undefined)
}

/** Reads things that are someone's, and leaves open whose those behind them are. */
export function underOwner(owner: Owner | null, reading: Reading, read: () => void): void {
  const before = reading.owner
  reading.owner = owner
  read()
  reading.owner = before
}

/** Heeds whose things a sentence says to follow: a heading those of someone, a thing on its own line more of the same. */
export function followOwner(sentence: string, reading: Reading): void {
  const bare = withoutBrackets(sentence)
  const isAlone = splitList(bare).length === 1 && isNaming(bare) && !/\?|:\s/.test(bare)
  const isThing = isAlone && !sentence.endsWith(':') && kindNamed(sentence) !== null
  if (isThing || isType(/^[^:,]+: (\w+)$/.exec(sentence)?.[1] ?? '')) return
  reading.owner = isAlone ? ownerIn(sentence) : null
}
