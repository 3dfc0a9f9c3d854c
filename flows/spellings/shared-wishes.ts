import { numberFrom } from '../words/amounts.ts'

const COUNT = 'two|three|four|five|dos|tres|cuatro|cinco|[2-5]'
const PLACE = 'last|first|últim[oa]s?|primer[oa]s?'
const WHICH = `(?<pair>both|ambos|ambas)|(?<none>neither|none|ningun[oa])|(?<every>(?<=\\()(?:all|todos|todas))|(?:the |los |las |el |la )?(?:(?<place>${PLACE})(?: (?<count>${COUNT}))?|(?<cuenta>${COUNT}) (?<lugar>${PLACE}))|(?:all |the |los |las )(?<all>${COUNT})`
const WISH =
  '(?<not>not )?(?<wish>optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)'
const VERB =
  '(?:are|is|being|(?:should|must|can|may) be|son|es|sean|(?:deben|pueden) ser|ser(?:án|á))'
/** "…, both optional", "… (the last two are optional)", "…. Both are required" */
const SHARED = new RegExp(
  `(?:(?<open> ?\\()|,? (?:where|with|and|but|donde|con|y|pero) |(?:[,;.]\\s|,? [-–—] ))(?:(?:only|solo|sólo) )?(?:${WHICH})(?: ones?)?(?: of (?:them|these|which|those)| de ell[oa]s)?(?: fields| campos)? (?:${VERB} )?${WISH}(?<close>\\))?(?=[,.;\\n]|$| (?:and|y|plus) )`,
  'giu',
)
const GROUPED = /\([^()\n]*\)|"[^"\n]*"/g
const SEPARATOR = /,?\s+(?:and|y|e|&|plus)\s+|\s*,\s*/giu
/** Where a sentence ends, or what introduces a list. */
const BEGUN = /[.;:?!\n](?=\s|$)/gu
const HAS_WISH = /\((?:optional|required)\)\s*$/i

const KINDS = '(required|mandatory|optional|opcional(?:es)?|obligatori[oa]s?)'
const LISTED = '([^.;:?!()"\\n]*[^.;:?!()"\\n\\s,])'
/** What else is asked for, without a wish of its own. */
const MORE =
  ',(?: (?:and|plus|as well as|y|además de))? (?!(?:(?:and|but|y) )?(?:the |el |la |lo |los )?(?:rest|others?|all|everything|resto|demás)\\b)(?![^.;(\\n]*(?:optional|required|mandatory|opcional|obligatori))'
/** "Name and phone required, company and notes optional" */
const TWO_GROUPS = new RegExp(
  `(?<=^|[.;:\\n] ?)${LISTED} (?:(?:are|son) )?${KINDS}[,;]? (?:(?:and|but|while|y|pero) )?(?!(?:the )?(?:rest|others?)\\b|all\\b|everything)${LISTED} (?:(?:are|son) )?${KINDS}(?=[.;\\n]|$|${MORE})`,
  'gimu',
)
/** "Name, phone - all required" */
const TOGETHER = /,?(?: [-–—])? (?:all|both|todos|todas|ambos|ambas)$/iu
/** "Name and phone are required, and a note" */
const ONE_GROUP = new RegExp(`(?<=^|[.;:\\n] ?)${LISTED} (?:are|son) ${KINDS}(?=${MORE})`, 'gimu')
/** "Two optional fields: company and job title" */
const COUNTED = new RegExp(
  `(?<=^|[.;,\\n] ?|\\b(?:and|plus|y) )(?:${COUNT}) (?:${KINDS} (?:fields|questions)|(?:campos|preguntas) ${KINDS}): ${LISTED}(?=[.;\\n]|$)`,
  'gimu',
)

/** A text in which each of several things has its own wish, where one was said of them together. */
export function withSharedWishes(all: string): string {
  const text = all
    .replace(TWO_GROUPS, (found, ones: string, one: string, others: string, other: string) => {
      const isTwo =
        meansOptional(one) !== meansOptional(other) && ones.concat(others).search(SEPARATOR) >= 0
      return isTwo ? `${each(ones.replace(TOGETHER, ''), one)}, ${each(others, other)}` : found
    })
    .replace(ONE_GROUP, (_, list: string, wish: string) => each(list, wish))
    .replace(COUNTED, (_, wish = '', deseo = '', list: string) => each(list, `${wish}${deseo}`))
  let done = ''
  let at = 0
  for (const { 0: said, index, groups = {} } of text.matchAll(SHARED)) {
    const isWhole = (groups.open === undefined) === (groups.close === undefined)
    const spread = isWhole ? withWish(text.slice(at, index), groups) : null
    if (spread === null) continue
    done += spread
    at = index + said.length
  }
  return done + text.slice(at)
}

type Said = Record<string, string | undefined>

/** A text with the wish at those of the things it ends with that it is meant for; null where there are too few. */
function withWish(text: string, said: Said): string | null {
  const masked = text.replace(GROUPED, (group) => '_'.repeat(group.length))
  const start = ([...masked.matchAll(BEGUN)].at(-1)?.index ?? -1) + 1
  const ends = [...masked.slice(start).matchAll(SEPARATOR)].map(({ index }) => start + index)
  const meant = ends.length === 0 ? [] : meantOf([...ends, text.length], said)
  if (meant.length === 0) return null
  const isOptional = [said.none, said.not].some(Boolean) || meansOptional(said.wish)
  return marked(text, meant, isOptional)
}

function meansOptional(wish = ''): boolean {
  return /^op/iu.test(wish)
}

/** A list with the same wish at each. */
function each(list: string, wish: string): string {
  const ends = [...list.matchAll(SEPARATOR)].map(({ index }) => index)
  return marked(list, [...ends, list.length], meansOptional(wish))
}

function marked(text: string, ends: number[], isOptional: boolean): string {
  return ends.reduceRight((all, end) => {
    const head = all.slice(0, end)
    const mark = HAS_WISH.test(head) ? '' : ` (${isOptional ? 'optional' : 'required'})`
    return head + mark + all.slice(end)
  }, text)
}

/** Which of the things that end there are meant; none where there are fewer. */
function meantOf(ends: number[], { pair, none, every, all, ...said }: Said): number[] {
  if (every !== undefined || /^no/i.test(none ?? '')) return ends
  const counted = all ?? said.count ?? said.cuenta
  const count = (pair ?? none) ? 2 : counted === undefined ? 1 : numberFrom(counted)
  if (count > ends.length) return []
  return /^(?:first|primer)/iu.test(said.place ?? said.lugar ?? '')
    ? ends.slice(0, count)
    : ends.slice(-count)
}
