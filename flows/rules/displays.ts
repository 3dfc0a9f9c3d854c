import { footerAction, linkAction, listAction } from './actions.ts'
import { carousel, checkEntryActions, entries } from './choices.ts'
import type { Component } from './component.ts'
import { common, long, name } from './component.ts'
import type { Place, Raw } from './faults.ts'
import { report } from './faults.ts'
import { flag, oneOf, optional, paragraphs, picture, required, size, text } from './values.ts'

const prose = {
  ...common,
  'font-weight': optional(oneOf('bold', 'italic', 'bold_italic', 'normal')),
  strikethrough: optional(flag),
  markdown: optional(flag, 501),
}

/** Captions stand on the left and the right, or in the centre only. */
function checkFooter(component: Raw, place: Place): void {
  const has = (side: string) => Object.hasOwn(component, `${side}-caption`)
  if (has('left') === has('right') && !(has('center') && has('left'))) return
  const message = 'needs left-caption and right-caption, or center-caption alone'
  report(place, 'INVALID_DEPENDENCIES', message)
}

/** The components that show something or lead on. */
export const DISPLAYS: readonly [string, Component][] = [
  ['TextHeading', { shape: { ...common, text: required(text(80)) } }],
  ['TextSubheading', { shape: { ...common, text: required(text(80)) } }],
  ['TextBody', { shape: { ...prose, text: required(paragraphs(4_096)) } }],
  ['TextCaption', { shape: { ...prose, text: required(paragraphs(409)) } }],
  ['RichText', { since: 501, shape: { ...common, text: required(paragraphs(100_000)) } }],
  [
    'EmbeddedLink',
    { shape: { ...common, text: required(text(25)), 'on-click-action': required(linkAction) } },
  ],
  [
    'Image',
    {
      shape: {
        ...common,
        src: required(picture(() => 1_048_576)),
        width: optional(size),
        height: optional(size),
        'scale-type': optional(oneOf('cover', 'contain')),
        'aspect-ratio': optional(size),
        'alt-text': optional(text(1_000)),
      },
    },
  ],
  [
    'ImageCarousel',
    {
      since: 701,
      shape: {
        ...common,
        images: required(carousel),
        'scale-type': optional(oneOf('cover', 'contain')),
        'aspect-ratio': optional(long),
      },
    },
  ],
  [
    'NavigationList',
    {
      since: 602,
      shape: {
        ...common,
        name: required(name),
        'list-items': required(entries),
        label: optional(text(80)),
        description: optional(text(300)),
        'media-size': optional(oneOf('regular', 'large')),
        'on-click-action': optional(listAction),
      },
      also: checkEntryActions,
    },
  ],
  [
    'Footer',
    {
      shape: {
        ...common,
        label: required(text(35)),
        'left-caption': optional(text(15)),
        'center-caption': optional(text(15)),
        'right-caption': optional(text(15)),
        enabled: optional(flag),
        'on-click-action': required(footerAction),
      },
      also: checkFooter,
    },
  ],
]
