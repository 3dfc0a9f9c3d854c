import { entry, image } from './flow-parts.ts'
import {
  day,
  due,
  flag,
  footerAction,
  linkAction,
  linked,
  list,
  listAction,
  type Member,
  MILLISECONDS,
  options,
  paragraphs,
  pictures,
  record,
  selectAction,
  since,
  size,
  text,
  unselectAction,
  whole,
  words,
} from './flow-values.ts'
import { choices } from './flows.ts'

type Raw = Record<string, unknown>

/**
 * A component, or what stands in one at a place: what it has at least, and what its members may be; from which
 * version on it is known.
 */
export type Thing = {
  base: Raw
  members: Record<string, Member>
  since?: string
  holder?: (thing: Raw) => Raw
  at?: string
}

const visible = { visible: flag }
const prose = {
  ...visible,
  'font-weight': words('bold', 'italic', 'bold_italic', 'normal'),
  strikethrough: flag,
  markdown: since('5.1', flag),
}
const input = { ...visible, name: due(text(200)), required: flag, enabled: flag }
const typed = {
  ...input,
  label: due(text(20)),
  'label-variant': since('7.0', words('large')),
  'helper-text': text(80),
  'error-message': text(30),
  'init-value': since('4.0', text(4_096)),
}
const selects = {
  'on-select-action': selectAction,
  'on-unselect-action': since('6.0', unselectAction),
}
const group = {
  ...input,
  ...selects,
  label: due(text(30)),
  description: since('4.0', text(300)),
  'error-message': text(80),
  'data-source': due(options(1, 20)),
  'media-size': since('5.0', words('regular', 'large')),
}
const several = {
  'min-selected-items': whole(0, 20),
  'max-selected-items': whole(1, 20),
  'init-value': since('4.0', list(text(1_000), 0, 20), ['x']),
}
const days = { 'min-date': day, 'max-date': day, 'unavailable-dates': list(day, 0, 1_000) }
const picker = {
  ...input,
  label: due(text(80)),
  description: text(300),
  'error-message': { good: ['x', { a: 'x' }], bad: [] },
  'max-file-size-kb': whole(1, 25_600),
}
const link = { base: { type: 'EmbeddedLink', text: 'x', ...linked } }
const asked = { name: 'n', label: 'L' }
const chosen = { ...asked, 'data-source': choices(2) }
const body = [{ type: 'TextBody', text: 'x' }]
const children = { good: [body, []], bad: ['x', [7], [{ text: 'x' }], [{ type: 'TextBody' }]] }
const entries = (...items: Raw[]) => ({ type: 'NavigationList', name: 'n', 'list-items': items })

/** The components, and what stands in them, with what the channel's documentation says of their members. */
export const THINGS: Record<string, Thing> = {
  TextHeading: {
    base: { type: 'TextHeading', text: 'x' },
    members: { ...visible, text: due(text(80)) },
  },
  TextSubheading: {
    base: { type: 'TextSubheading', text: 'x' },
    members: { ...visible, text: due(text(80)) },
  },
  TextBody: {
    base: { type: 'TextBody', text: 'x' },
    members: { ...prose, text: due(paragraphs(4_096)) },
  },
  TextCaption: {
    base: { type: 'TextCaption', text: 'x' },
    members: { ...prose, text: due(paragraphs(409)) },
  },
  RichText: {
    since: '5.1',
    base: { type: 'RichText', text: 'x' },
    members: { ...visible, text: due(paragraphs(100_000)) },
  },
  EmbeddedLink: {
    ...link,
    members: { ...visible, text: due(text(25)), 'on-click-action': due(linkAction) },
  },
  Image: {
    base: { type: 'Image', src: image },
    members: {
      ...visible,
      src: due(pictures(1_048_576)),
      width: size,
      height: size,
      'scale-type': words('cover', 'contain'),
      'aspect-ratio': size,
      'alt-text': text(1_000),
    },
  },
  ImageCarousel: {
    since: '7.1',
    base: { type: 'ImageCarousel', images: [{ src: image, 'alt-text': 'x' }] },
    members: {
      ...visible,
      images: due(list({ good: [{ src: image, 'alt-text': 'x' }], bad: [{}] }, 1, 3)),
      'scale-type': words('cover', 'contain'),
      'aspect-ratio': text(4_096),
    },
  },
  'a picture of an ImageCarousel': {
    base: { src: image, 'alt-text': 'x' },
    members: { src: due(pictures(1_048_576)), 'alt-text': due(text(1_000)) },
    holder: (shown) => ({ type: 'ImageCarousel', images: [shown] }),
    at: '/images/0',
  },
  NavigationList: {
    since: '6.2',
    base: { ...entries(entry()), ...linked },
    members: {
      ...visible,
      name: due(text(200)),
      'list-items': due(list({ good: [entry()], bad: [{}] }, 1, 20)),
      label: text(80),
      description: text(300),
      'media-size': words('regular', 'large'),
      'on-click-action': listAction,
    },
  },
  'an entry of a NavigationList': {
    base: entry(linked),
    members: {
      id: due(text(1_000)),
      'main-content': due({ good: [{ title: 'x' }], bad: ['x', {}] }),
      badge: text(15),
      tags: list(text(15), 1, 3),
      'on-click-action': listAction,
    },
    holder: (item) => entries(item),
    at: '/list-items/0',
  },
  'what an entry says': {
    base: { title: 'x' },
    members: { title: due(text(30)), description: text(20), metadata: text(80) },
    holder: (content) => entries({ id: 'e', 'main-content': content, ...linked }),
    at: '/list-items/0/main-content',
  },
  'what an entry begins with': {
    base: { image },
    members: { image: due(pictures(102_400)), 'alt-text': text(1_000) },
    holder: (start) => entries(entry({ start, ...linked })),
    at: '/list-items/0/start',
  },
  'what an entry ends with': {
    base: {},
    members: { title: text(10), description: text(10), metadata: text(10) },
    holder: (end) => entries(entry({ end, ...linked })),
    at: '/list-items/0/end',
  },
  Footer: {
    base: { type: 'Footer', label: 'x', 'left-caption': 'x', 'right-caption': 'x', ...linked },
    members: {
      ...visible,
      label: due(text(35)),
      'left-caption': text(15),
      'right-caption': text(15),
      enabled: flag,
      'on-click-action': due(footerAction),
    },
  },
  'a Footer with one caption': {
    base: { type: 'Footer', label: 'x', ...linked },
    members: { 'center-caption': text(15) },
  },
  TextInput: {
    base: { type: 'TextInput', ...asked, 'max-chars': '${data.x}', 'helper-text': 'x' },
    members: {
      ...typed,
      'input-type': words('text', 'number', 'email', 'password', 'passcode', 'phone'),
      pattern: since('6.2', text(4_096)),
      'min-chars': whole(0, 4_096),
      'max-chars': whole(1, 4_096),
    },
  },
  TextArea: {
    base: { type: 'TextArea', ...asked },
    members: { ...typed, 'max-length': whole(1, 4_096) },
  },
  RadioButtonsGroup: {
    base: { type: 'RadioButtonsGroup', ...chosen },
    members: { ...group, 'init-value': since('4.0', text(1_000)) },
  },
  CheckboxGroup: {
    base: { type: 'CheckboxGroup', ...chosen },
    members: { ...group, ...several },
  },
  ChipsSelector: {
    since: '6.3',
    base: { type: 'ChipsSelector', ...chosen },
    members: { ...group, ...several, label: due(text(80)), 'data-source': due(options(2, 20)) },
  },
  Dropdown: {
    base: { type: 'Dropdown', ...chosen },
    members: {
      ...input,
      ...selects,
      label: due(text(20)),
      'error-message': text(80),
      'init-value': since('4.0', text(1_000)),
      'data-source': due(options(1, 200)),
    },
  },
  'a choice': {
    base: { id: 'a', title: 'x' },
    members: {
      id: due(text(1_000)),
      title: due(text(30)),
      description: text(300),
      metadata: text(20),
      enabled: flag,
      image: pictures(102_400),
      'alt-text': text(1_000),
      color: since('5.0', text(20)),
      'on-select-action': since('6.0', selectAction),
      'on-unselect-action': since('6.0', unselectAction),
    },
    holder: (choice) => ({ type: 'RadioButtonsGroup', ...asked, 'data-source': [choice] }),
    at: '/data-source/0',
  },
  OptIn: {
    base: { type: 'OptIn', ...asked },
    members: {
      ...input,
      label: due(text(120)),
      'init-value': since('4.0', flag),
      'on-click-action': linkAction,
      'on-select-action': since('6.0', selectAction),
      'on-unselect-action': since('6.0', unselectAction),
    },
  },
  DatePicker: {
    base: { type: 'DatePicker', ...asked },
    members: {
      ...input,
      ...days,
      label: due(text(40)),
      'helper-text': text(80),
      'error-message': text(80),
      'init-value': since('4.0', day, MILLISECONDS),
      'on-select-action': selectAction,
    },
  },
  CalendarPicker: {
    since: '6.1',
    base: { type: 'CalendarPicker', ...asked },
    members: {
      ...input,
      ...days,
      title: text(80),
      description: text(300),
      label: due(text(40)),
      mode: words('single', 'range'),
      'helper-text': text(80),
      'error-message': { good: ['x', { a: 'x' }], bad: [] },
      'init-value': { good: ['2027-01-01', { a: 'x' }], bad: [] },
      'include-days': list(text(10), 1, 7),
      'min-days': whole(1, 10_000),
      'max-days': whole(1, 10_000),
      'on-select-action': selectAction,
    },
  },
  'the labels of a range of days': {
    base: { 'start-date': 'x', 'end-date': 'x' },
    members: { 'start-date': due(text(40)), 'end-date': due(text(40)) },
    holder: (label) => ({ type: 'CalendarPicker', name: 'n', mode: 'range', label }),
    at: '/label',
  },
  PhotoPicker: {
    since: '4.0',
    base: { type: 'PhotoPicker', ...asked },
    members: {
      ...picker,
      'photo-source': words('camera_gallery', 'camera', 'gallery'),
      'min-uploaded-photos': whole(0, 30),
      'max-uploaded-photos': whole(1, 30),
    },
  },
  DocumentPicker: {
    since: '4.0',
    base: { type: 'DocumentPicker', ...asked },
    members: {
      ...picker,
      'min-uploaded-documents': whole(0, 30),
      'max-uploaded-documents': whole(1, 30),
      'allowed-mime-types': list(text(200), 1, 50),
    },
  },
  Form: {
    base: { type: 'Form', name: 'n', children: body },
    members: {
      ...visible,
      name: due(text(200)),
      children: due(children),
      'init-values': record,
      'error-messages': record,
    },
  },
  If: {
    since: '4.0',
    base: { type: 'If', condition: 'x', then: body },
    members: { condition: due(text(4_096)), then: due(children), else: children },
  },
  Switch: {
    since: '4.0',
    base: { type: 'Switch', value: 'x', cases: { a: body } },
    members: {
      value: due(text(4_096)),
      cases: due({ good: [{ a: body, b: [] }], bad: ['x', {}, { a: 'x' }, { a: [7] }] }),
    },
  },
}
