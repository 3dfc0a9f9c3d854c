import type { Form } from '../forms/form.ts'
import { isTitle } from '../words/purposes.ts'
import { CLAUSE, isNaming, QUESTION, TELLING } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'
import { isBareList } from './fragments.ts'
import { itemsOf } from './listed.ts'
import { add, type Reading } from './reading.ts'

const PAIR_WORDS_MAX = 6

/** "What they think of our prices", beside something known. */
const WHAT = /^(?:what|how|why|which|qué|cómo|por qué)\s/i

const PLAIN_WORDS_MAX = 6

/** "Languages you want to practise" */
function isPlain(said: string): boolean {
  return said.split(/\s+/).length <= PLAIN_WORDS_MAX && !TELLING.test(said) && !CLAUSE.test(said)
}

/** A list without an introduction counts only as far as it names something known. */
export function readKnown(text: string, language: Form['language'], reading: Reading): void {
  const items = itemsOf(text, language)
  // What a list begins with may be what the form is: "Newsletter signup, name, email".
  const isFirst = reading.described.length === 0 && items.length > 2
  const [head] = items
  if (isFirst && head?.item.choices.length === 0 && isTitle(head.item.said)) items.shift()
  const isFamiliar = ({ item, isLoose }: (typeof items)[number]) =>
    item.isKnown && !(isLoose && kindNamed(item.said) === null)
  if (!items.some(isFamiliar)) return
  const first = items.findIndex((one) => isFamiliar(one) || QUESTION.test(one.item.said))
  // "Diet and allergies."
  const isBrief = text.split(/\s+/).length <= PAIR_WORDS_MAX && !CLAUSE.test(text)
  const isPair = isBrief && items.length === 2
  const isBare = isBareList(text)
  const listed = isPair || isBare ? items : items.slice(first)
  const known = listed.filter((one) => isFamiliar(one) || QUESTION.test(one.item.said))
  const isList =
    (isBare || ((known.length > 1 || isPair) && known.length >= listed.length / 2)) &&
    listed.every(({ item: { said } }) => isNaming(said) || QUESTION.test(said) || isPlain(said))
  for (const one of items) {
    const isWanted = WHAT.test(one.item.said) || (isList && listed.includes(one))
    if (one.item.isKnown || isWanted) add(one.item, reading)
  }
}
