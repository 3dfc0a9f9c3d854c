import { capitalised, type Field, FIELDS_MAX, plain } from '../forms/form.ts'
import { isType } from '../words/brackets.ts'
import { splitList, withoutBrackets } from '../words/lists.ts'
import { type Owner, ownerIn, ownerNamed } from '../words/owners.ts'
import { isNaming } from '../words/sentences.ts'
import { kindNamed, wordsOf } from '../words/words.ts'
import { answered, type Chosen, isOfLast } from './conditions.ts'
import type { Described } from './described.ts'

/** What has been read of a prompt. */
export type Reading = {
  described: Described[]
  /** The fields that there are beside what is described. */
  others: readonly Field[]
  section: number
  isInList: boolean
  /** The sentences that only name a thing each. */
  fragments: ReadonlySet<string>
  /** Whose the next things are. */
  owner: Owner | null
  all: 'optional' | 'required' | null
  /** What is not to be asked for. */
  omitted: string[]
}

/** Far more than a form can ask for, even with repetitions; a longer list cannot describe a form. */
export const DESCRIBED_MAX = 4 * FIELDS_MAX

/** Adds a thing. The choices of something named earlier may follow later: "The size is one of S, M, L." */
export function add(read: Described, reading: Reading, named?: Described): void {
  const { described, section } = reading
  if (described.length > DESCRIBED_MAX) return
  const item = conditioned(read, reading)
  const earlier = named ?? described.find(({ said }) => plain(said) === plain(item.said))
  if (item.when && earlier && !earlier.when && earlier !== item.when.of) {
    depend(earlier, item, reading)
    return
  }
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

/** A thing under its condition; where nothing tells who meets that, they are asked. */
function conditioned(read: Described, reading: Reading): Described {
  const known = () => [...reading.others, ...reading.described]
  const item = underCondition(read, known())
  const question = item.when ? null : read.conditional?.question
  if (!question) return withOwnWords(item, read, reading)
  add(question, reading)
  return underCondition(read, known())
}

/** "If so, the guest's name", beside their own: these are two. */
function withOwnWords(item: Described, { conditional }: Described, reading: Reading): Described {
  const words = conditional?.words ?? item.said
  const isOther = item.when && /\bguests?\b/i.test(words)
  const hasSame = reading.described.some(({ said }) => plain(said) === plain(item.said))
  return isOther && hasSame ? { ...item, said: words, label: capitalised(words) } : item
}

/** A thing with the answers that it is asked for, where its condition names any of what is known. */
export function underCondition(read: Described, known: readonly Chosen[]): Described {
  const { conditional } = read
  const when = conditional && answered(conditional.condition, known)
  if (!when || !conditional) return read
  const { item } = conditional
  return { ...item, isOptional: item.isSaidOptional ?? false, when }
}

/** Heeds conditions about what was described only after them: "address if delivery, delivery or pickup". */
export function heedConditions(reading: Reading): void {
  for (const one of [...reading.described]) {
    if (!one.conditional || isOfLast(one.conditional.condition)) continue
    const { section, owner } = one
    const others = reading.described.filter((other) => other !== one)
    const item = underCondition(one, [...reading.others, ...others])
    if (item.when) Object.assign(one, item, { conditional: undefined, section, owner })
    if (item.when) depend(one, item, reading)
  }
}

/** "Address, delivery or pickup. Ask for the address only if delivery.": what it depends on comes before it. */
function depend(earlier: Described, { when }: Described, { described }: Reading): void {
  Object.assign(earlier, { when, isOptional: earlier.isSaidOptional ?? false })
  const [at, of] = [described.indexOf(earlier), described.findIndex((one) => one === when?.of)]
  if (of > at) described.splice(of, 0, ...described.splice(at, 1))
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
