import { expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import {
  type Flow,
  carousel,
  entries,
  entry,
  image,
  nested,
  only,
  put,
  radio,
  toDetails,
  withCases,
  withFooters,
} from '../support/flow-parts.ts'
import { choices, footer, input, step, twoScreens } from '../support/flows.ts'

/** Each rule broken once: the fault's name and where it is told. */
const broken: [what: string, error: string, pointer: string, mutate: (flow: Flow) => void][] = [
  [
    'an unknown component',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/type',
    put({ type: 'Slider' }),
  ],
  [
    'a component of no type',
    'MISSING_REQUIRED_TYPE_PROPERTY',
    '/screens/0/layout/children/0/type',
    put({ text: 'x' }),
  ],
  [
    'a member that a component has not',
    'INVALID_PROPERTY_KEY',
    '/screens/0/layout/children/0/colour',
    put({ type: 'TextBody', text: 'x', colour: 'red' }),
  ],
  [
    'three links',
    'MAX_EMBEDDED_LINK_PER_SCREEN',
    '/screens/0',
    put(
      ...[1, 2, 3].map(() => ({
        type: 'EmbeddedLink',
        text: 'x',
        'on-click-action': { name: 'open_url', url: 'https://example.org' },
      })),
    ),
  ],
  [
    'four pictures',
    'MAX_IMAGE_PER_SCREEN',
    '/screens/0',
    put(...[1, 2, 3, 4].map(() => ({ type: 'Image', src: image }))),
  ],
  [
    'six agreements',
    'MAX_OPT_IN_PER_SCREEN',
    '/screens/0',
    put(...[1, 2, 3, 4, 5, 6].map((n) => ({ type: 'OptIn', name: `o${n}`, label: 'x' }))),
  ],
  [
    'three carousels',
    'INVALID_PROPERTY_VALUE',
    '/screens/0',
    put(...[1, 2, 3].map(() => carousel())),
  ],
  [
    'two pickers',
    'INVALID_PROPERTY_VALUE',
    '/screens/0',
    put(
      { type: 'PhotoPicker', name: 'p', label: 'P' },
      { type: 'DocumentPicker', name: 'd', label: 'D' },
    ),
  ],
  [
    'a list beside others',
    'INVALID_PROPERTY_VALUE',
    '/screens/0',
    put({ ...entries(entry()), 'on-click-action': toDetails() }),
  ],
  [
    'rich text beside others',
    'INVALID_PROPERTY_VALUE',
    '/screens/0',
    put({ type: 'RichText', text: 'x' }),
  ],
  [
    'four nested conditions',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/then/0/then/0/then/0',
    put(nested(4)),
  ],
  [
    'a footer in one branch',
    'MISSING_FOOTER_IN_IF_ELSE_BRANCHES',
    '/screens/0/layout/children/2',
    (f) => withFooters(f, [footer(toDetails())]),
  ],
  ['no cases', 'MIN_ITEMS_REQUIRED', '/screens/0/layout/children/2/cases', (f) => withCases(f, {})],
  [
    'a footer in one case',
    'MISSING_FOOTER_IN_SWITCH_BRANCHES',
    '/screens/0/layout/children/2',
    (f) => withCases(f, { a: [footer(toDetails())], b: [] }),
  ],
  [
    'a name twice',
    'DUPLICATE_FORM_COMPONENT_NAMES',
    '/screens/0/layout/children/1/name',
    put(input('first_name')),
  ],
  [
    'an input beside the form',
    'COMPONENTS_OUTSIDE_FORM',
    '/screens/0/layout/children/1',
    put({ type: 'Form', name: 'f', children: [] }),
  ],
  [
    'a form in a form',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/children/0',
    put({ type: 'Form', name: 'f', children: [{ type: 'Form', name: 'g', children: [] }] }),
  ],
  [
    'data that is not declared',
    'INVALID_SCREEN_DYNAMIC_DATA',
    '/screens/0/layout/children/0/text',
    put({ type: 'TextBody', text: '${data.none}' }),
  ],
  [
    'an input that is not there',
    'INVALID_SCREEN_DYNAMIC_DATA',
    '/screens/0/layout/children/0/text',
    put({ type: 'TextBody', text: '${form.none}' }),
  ],
  [
    'a reference to no screen',
    'INVALID_SCREEN_DYNAMIC_DATA',
    '/screens/0/layout/children/0/text',
    put({ type: 'TextBody', text: '${screen.NONE.form.x}' }),
  ],
  [
    'a reference of no form',
    'INVALID_SCREEN_DYNAMIC_DATA',
    '/screens/0/layout/children/0/text',
    put({ type: 'TextBody', text: '${secret}' }),
  ],
  [
    'an address that is none',
    'INVALID_PROPERTY_VALUE_FORMAT',
    '/screens/0/layout/children/0/on-click-action/url',
    put({
      type: 'EmbeddedLink',
      text: 'x',
      'on-click-action': { name: 'open_url', url: 'javascript:1' },
    }),
  ],
  [
    'a pattern without help',
    'INVALID_DEPENDENCIES',
    '/screens/0/layout/children/0/pattern',
    put(input('p', { pattern: '\\d+' })),
  ],
  [
    'the least above the most',
    'MIN_VALUE_GREATER_THAN_MAX',
    '/screens/0/layout/children/0/min-chars',
    put(input('p', { 'min-chars': 9, 'max-chars': 3 })),
  ],
  [
    'more selected at least than at most',
    'MIN_VALUE_GREATER_THAN_MAX',
    '/screens/0/layout/children/0/min-selected-items',
    put(radio({ type: 'CheckboxGroup', 'min-selected-items': 2, 'max-selected-items': 1 })),
  ],
  [
    'a day that is none',
    'INVALID_PROPERTY_VALUE_FORMAT',
    '/screens/0/layout/children/0/min-date',
    put({ type: 'DatePicker', name: 'd', label: 'D', 'min-date': '2027-02-29' }),
  ],
  [
    'a leap day of a century that has none',
    'INVALID_PROPERTY_VALUE_FORMAT',
    '/screens/0/layout/children/0/min-date',
    put({ type: 'DatePicker', name: 'd', label: 'D', 'min-date': '2100-02-29' }),
  ],
  [
    'a picture of less than no width',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/width',
    put({ type: 'Image', src: image, width: -1 }),
  ],
  [
    'a picture that is no base64',
    'INVALID_PROPERTY_VALUE_FORMAT',
    '/screens/0/layout/children/0/src',
    put({ type: 'Image', src: 'https://example.org/a.png' }),
  ],
  [
    'two badges',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/list-items',
    only({
      ...entries(entry({ badge: 'a' }), entry({ badge: 'b' })),
      'on-click-action': step('DETAILS'),
    }),
  ],
  [
    'entries that lead nowhere',
    'INVALID_DEPENDENCIES',
    '/screens/0/layout/children/0/on-click-action',
    only(entries(entry())),
  ],
  [
    'one chip',
    'MIN_ITEMS_REQUIRED',
    '/screens/0/layout/children/0/data-source',
    put(radio({ type: 'ChipsSelector', 'data-source': choices(1) })),
  ],
  [
    '101 choices with a picture',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/data-source',
    put({
      ...radio(),
      type: 'Dropdown',
      'data-source': [{ ...choices(1)[0], image }, ...choices(100)],
    }),
  ],
  [
    'a choice without a title',
    'MISSING_REQUIRED_PROPERTY',
    '/screens/0/layout/children/0/data-source/0/title',
    put(radio({ 'data-source': [{ id: 'a' }] })),
  ],
  [
    'a picture without words in a carousel',
    'MISSING_REQUIRED_PROPERTY',
    '/screens/0/layout/children/0/images/0/alt-text',
    put({ type: 'ImageCarousel', images: [{ src: image }] }),
  ],
  [
    'an empty text',
    'MIN_CHARS_REQUIRED',
    '/screens/0/layout/children/0/text',
    put({ type: 'TextBody', text: '' }),
  ],
]

it.each(broken)('refuses %s as %s at %s', (_what, error, pointer, mutate) => {
  const flow = twoScreens()
  mutate(flow)
  expect(flowFaults(flow)).toContainEqual({ error, pointer, message: expect.any(String) })
})
