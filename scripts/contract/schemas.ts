import { breaks, type Comparison, type Direction, type Pair, type Shift } from './changes.ts'
import { refersToComponents } from './documents.ts'
import { keywordChanges, typesOf } from './keywords.ts'
import { objectChanges } from './objects.ts'
import { byType, labelOf, pairVariants } from './variants.ts'
import { nameOf, type Variant, type View, viewOf } from './views.ts'

/** Deeper than any document that people write; what is below is not compared. */
const DEPTH_MAX = 60

type Walk = {
  comparison: Comparison
  direction: Direction
  /** What is compared already, each with its place. */
  seen: Set<string>
  /** What is being compared, wherever it stands: schemas may contain themselves. */
  above: string[]
  prefix: string
}

/**
 * Tells how the values that fit a schema have changed. `place` says which value it is, to people;
 * a named schema is spoken of by its name wherever it is used.
 */
export function compareSchemas(
  comparison: Comparison,
  direction: Direction,
  pair: Pair<unknown>,
  place: { prefix: string; start: string },
): void {
  const walk = { comparison, direction, seen: new Set<string>(), above: [], prefix: place.prefix }
  compare(walk, pair, place.start)
}

function compare(walk: Walk, pair: Pair<unknown>, start: string): void {
  const place = nameOf(pair.after) ?? nameOf(pair.before) ?? start
  const [before, after] = [pair.before, pair.after].map((schema) => JSON.stringify(schema) ?? '')
  const { isSharedAlike } = walk.comparison
  if (isSharedAlike && before === after && refersToComponents(before ?? '')) return
  const text = `${before}\n${after}`
  const { seen, above } = walk
  if (above.length > DEPTH_MAX) {
    return tell(walk, place, 'other', 'is nested too deeply to be compared')
  }
  if (above.includes(text) || seen.has(`${place} ${text}`)) return
  seen.add(`${place} ${text}`)
  compareViews({ ...walk, above: [...above, text] }, pair, place)
}

function compareViews(walk: Walk, pair: Pair<unknown>, place: string): void {
  const { documents } = walk.comparison
  const before = viewOf(documents.before, pair.before)
  const after = viewOf(documents.after, pair.after)
  if (!before.allowsNull && after.allowsNull) tell(walk, place, 'wider', 'may be null now')
  if (before.allowsNull && !after.allowsNull) tell(walk, place, 'narrower', 'is never null now')

  const isUnion = before.variants.length > 1 || after.variants.length > 1
  // A list of types says what a union of them says.
  const shapesOf = ({ variants }: View) => (isUnion ? variants.flatMap(byType) : variants)
  const { pairs, gone, added } = pairVariants({ before: shapesOf(before), after: shapesOf(after) })
  for (const one of pairs) {
    const unnamed = isUnion ? `${place} (${labelOf(one.after)})`.trim() : place
    compareVariants(walk, one, one.after.name ?? unnamed)
  }
  const isExtension = before.variants.some(({ keywords }) => keywords['x-extensible'] === true)
  for (const variant of gone) tell(walk, place, 'narrower', `is never ${labelOf(variant)} now`)
  for (const variant of added) {
    tell(walk, place, 'wider', `may be ${labelOf(variant)} now`, isExtension)
  }
}

function compareVariants(walk: Walk, pair: Pair<Variant>, place: string): void {
  const keywords = { before: pair.before.keywords, after: pair.after.keywords }
  for (const { shift, what, isExtension } of keywordChanges(keywords)) {
    tell(walk, place, shift, what, isExtension)
  }
  const types = typesOf(keywords.after)
  if (![...typesOf(keywords.before)].some((type) => types.has(type))) return
  const found = objectChanges(walk.direction, keywords)
  for (const { isBreaking, member, what } of found.changes) {
    const where = `${walk.prefix} ${joined(place, member)}`.trim()
    walk.comparison.tell({ isBreaking, where, what })
  }
  for (const { member, schemas } of found.inner) {
    compare(walk, schemas, joined(place, member))
  }
}

function joined(place: string, member: string): string {
  if (place === '' || member === '' || member.startsWith('[')) return `${place}${member}`
  return `${place}.${member}`
}

function tell(walk: Walk, place: string, shift: Shift, what: string, isExtension = false): void {
  const isBreaking = breaks(walk.direction, shift) && !(isExtension && shift === 'wider')
  walk.comparison.tell({ isBreaking, where: `${walk.prefix} ${place}`.trim(), what })
}
