import { isRecord } from '../../core/json-values.ts'
import { listAction, selectAction, unselectAction } from './actions.ts'
import type { Place } from './faults.ts'
import { items, member, report, within } from './faults.ts'
import type { Check } from './values.ts'
import { flag, listOf, optional, picture, required, shaped, text } from './values.ts'

const ID_CHARACTERS = 1_000
const ALT_CHARACTERS = 1_000

/** Pictures of choices may have 100 KB since version 6.0, and 300 KB before. */
const smallPicture = picture((version) => (version >= 600 ? 102_400 : 307_200))

/** One choice of a list. */
const choice = shaped({
  id: required(text(ID_CHARACTERS)),
  title: required(text(30)),
  description: optional(text(300)),
  metadata: optional(text(20)),
  enabled: optional(flag),
  image: optional(smallPicture),
  'alt-text': optional(text(ALT_CHARACTERS)),
  color: optional(text(20), 500),
  'on-select-action': optional(selectAction, 600),
  'on-unselect-action': optional(unselectAction, 600),
})

/** The choices of a group. */
export function choices(least: number, most: number): Check {
  return listOf(choice, least, most)
}

const DROPDOWN_MAX = 200
const DROPDOWN_PICTURES_MAX = 100

/** The choices of a dropdown: fewer of them when they have pictures. */
export function dropdownChoices(value: unknown, place: Place): void {
  choices(1, DROPDOWN_MAX)(value, place)
  const hasPictures = items(value).some((item) => member(item, 'image') !== undefined)
  if (hasPictures && items(value).length > DROPDOWN_PICTURES_MAX) {
    const message = `must have at most ${DROPDOWN_PICTURES_MAX} items when they have pictures`
    report(place, 'INVALID_PROPERTY_VALUE', message)
  }
}

const TAGS_MAX = 3

const entry = shaped({
  id: required(text(ID_CHARACTERS)),
  'main-content': required(
    shaped({
      title: required(text(30)),
      description: optional(text(20)),
      metadata: optional(text(80)),
    }),
  ),
  start: optional(
    shaped({ image: required(smallPicture), 'alt-text': optional(text(ALT_CHARACTERS)) }),
  ),
  end: optional(
    shaped({
      title: optional(text(10)),
      description: optional(text(10)),
      metadata: optional(text(10)),
    }),
  ),
  badge: optional(text(15)),
  tags: optional(listOf(text(15), 1, TAGS_MAX)),
  'on-click-action': optional(listAction),
})

/** The entries of a navigation list; at most one of them has a badge. */
export function entries(value: unknown, place: Place): void {
  listOf(entry, 1, 20)(value, place)
  const badges = items(value).filter((item) => member(item, 'badge') !== undefined)
  if (badges.length > 1) {
    report(place, 'INVALID_PROPERTY_VALUE', 'must have a badge on one item at the most')
  }
}

/** Checks that either the list itself or each of its entries has an action, and not both. */
export function checkEntryActions(list: Record<string, unknown>, place: Place): void {
  const given = list['list-items']
  if (!Array.isArray(given)) return
  const acting = given.filter((item) => isRecord(item) && 'on-click-action' in item)
  const due = Object.hasOwn(list, 'on-click-action') ? 0 : given.length
  if (acting.length === due) return
  const message = 'must be on the list alone, or on every item and not on the list'
  report(within(place, 'on-click-action'), 'INVALID_DEPENDENCIES', message)
}

const pictures = shaped({
  src: required(picture(() => 1_048_576)),
  'alt-text': required(text(ALT_CHARACTERS)),
})

/** The pictures of a carousel. */
export const carousel = listOf(pictures, 1, 3)
