import { expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import {
  type Flow,
  carousel,
  children,
  end,
  entries,
  entry,
  only,
  put,
  toDetails,
} from '../support/flow-parts.ts'
import { footer, screen, step, twoScreens } from '../support/flows.ts'

type Raw = Record<string, unknown>

function manyWays(flow: Flow): void {
  const ids = Array.from({ length: 11 }, (_, n) => `OTHER_${String.fromCharCode(65 + n)}`)
  const ends = ids.map((id) => ({ ...screen(id, {}, [footer(end)]), terminal: true }))
  flow.screens = [screen('WELCOME', {}, [footer(step(ids[0]!))]), ...ends]
  flow.routing_model = { WELCOME: ids }
}

/** Each rule broken once: the fault's name and where it is told. */
const broken: [what: string, error: string, pointer: string, mutate: (flow: Flow) => void][] = [
  [
    'no version',
    'MISSING_FLOW_JSON_VERSION',
    '/version',
    (f) => delete (f as Partial<Flow>).version,
  ],
  [
    'a version that is a number',
    'INVALID_FLOW_JSON_VERSION',
    '/version',
    (f) => (f.version = 7.3 as never),
  ],
  ['a version to come', 'UNSUPPORTED_FLOW_JSON_VERSION', '/version', (f) => (f.version = '99.0')],
  ['an unknown member', 'INVALID_PROPERTY_KEY', '/extra', (f) => (f.extra = 1)],
  [
    'no screens',
    'MISSING_REQUIRED_PROPERTY',
    '/screens',
    (f) => delete (f as Partial<Flow>).screens,
  ],
  ['an empty list of screens', 'MIN_ITEMS_REQUIRED', '/screens', (f) => (f.screens = [])],
  [
    '101 screens',
    'MAX_SCREENS_NUMBER',
    '/screens',
    (f) => (f.screens = Array.from({ length: 101 }, () => f.screens[0]!)),
  ],
  [
    'a screen that is a text',
    'INVALID_PROPERTY_TYPE',
    '/screens/0',
    (f) => (f.screens[0] = 'x' as never),
  ],
  [
    'an endpoint without a routing model',
    'MISSING_REQUIRED_PROPERTY',
    '/routing_model',
    (f) => (f.data_api_version = '3.0'),
  ],
  [
    'an unknown data API',
    'INVALID_ENUM_VALUE',
    '/data_api_version',
    (f) => (f.data_api_version = '9.0'),
  ],
  [
    'the address of a data channel',
    'INVALID_PROPERTY_KEY',
    '/data_channel_uri',
    (f) => (f.data_channel_uri = 'https://example.org'),
  ],
  ['a digit in an id', 'PATTERN_MISMATCH', '/screens/0/id', (f) => (f.screens[0]!.id = 'S1')],
  [
    'a reserved id',
    'SCREEN_ID_IS_RESERVED_KEYWORD',
    '/screens/0/id',
    (f) => (f.screens[0]!.id = 'Success'),
  ],
  ['an id twice', 'DUPLICATE_SCREEN_IDS', '/screens/1/id', (f) => (f.screens[1]!.id = 'WELCOME')],
  [
    'no layout',
    'MISSING_REQUIRED_PROPERTY',
    '/screens/0/layout',
    (f) => delete (f.screens[0] as Raw).layout,
  ],
  [
    'another layout',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/type',
    (f) => (f.screens[0]!.layout.type = 'Grid'),
  ],
  [
    'terminal as a text',
    'INVALID_PROPERTY_TYPE',
    '/screens/1/terminal',
    (f) => (f.screens[1]!.terminal = 'yes'),
  ],
  [
    'success before the end',
    'INVALID_DEPENDENCIES',
    '/screens/0/success',
    (f) => (f.screens[0]!.success = true),
  ],
  [
    'refreshing without an endpoint',
    'INVALID_DEPENDENCIES',
    '/screens/0/refresh_on_back',
    (f) => (f.screens[0]!.refresh_on_back = true),
  ],
  [
    'no terminal screen',
    'MISSING_TERMINAL_SCREEN',
    '/screens',
    (f) => {
      delete f.screens[1]!.terminal
      delete f.screens[1]!.success
    },
  ],
  [
    'no end that is a success',
    'MISSING_TERMINAL_SCREEN',
    '/screens',
    (f) => (f.screens[1]!.success = false),
  ],
  [
    'an end without a footer',
    'MISSING_FOOTER_ON_TERMINAL_SCREEN',
    '/screens/1',
    (f) => children(f, 1).pop(),
  ],
  [
    'two footers',
    'MORE_THAN_ONE_FOOTER',
    '/screens/0',
    (f) => children(f).push(footer(toDetails())),
  ],
  [
    'data without an example',
    'INVALID_SCREEN_DATA',
    '/screens/1/data/name',
    (f) => (f.screens[1]!.data.name = { type: 'string' }),
  ],
  [
    'an example of another type',
    'INVALID_SCREEN_DATA',
    '/screens/1/data/name/__example__',
    (f) => (f.screens[1]!.data.name = { type: 'string', __example__: 1 }),
  ],
  [
    'data of an unknown type',
    'INVALID_SCREEN_DATA',
    '/screens/1/data/name/type',
    (f) => (f.screens[1]!.data.name = { type: 'text', __example__: 'x' }),
  ],
  [
    'an array without items',
    'INVALID_SCREEN_DATA',
    '/screens/0/data/a/items',
    (f) => (f.screens[0]!.data.a = { type: 'array', __example__: [] }),
  ],
  [
    'an object without properties',
    'INVALID_SCREEN_DATA',
    '/screens/0/data/a/properties',
    (f) => (f.screens[0]!.data.a = { type: 'object', __example__: {} }),
  ],
  [
    'completing before the end',
    'INVALID_COMPLETE_ACTION',
    '/screens/0/layout/children/2/on-click-action/name',
    (f) => (children(f)[2]!['on-click-action'] = end),
  ],
  [
    'a step to no screen',
    'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME',
    '/screens/0/layout/children/2/on-click-action/next/name',
    (f) => (children(f)[2] = footer(step('NOWHERE'))),
  ],
  [
    'a step to itself',
    'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME',
    '/screens/0/layout/children/2/on-click-action/next/name',
    (f) => (children(f)[2] = footer(step('WELCOME'))),
  ],
  [
    'a step without what is due',
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    '/screens/0/layout/children/2/on-click-action/payload/name',
    (f) => (children(f)[2] = footer(step('DETAILS'))),
  ],
  [
    'a step with more than is due',
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    '/screens/0/layout/children/2/on-click-action/payload/more',
    (f) => (children(f)[2] = footer({ ...step('DETAILS'), payload: { name: 'x', more: 'y' } })),
  ],
  [
    'a step with another type',
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    '/screens/0/layout/children/2/on-click-action/payload/name',
    (f) => (children(f)[2] = footer({ ...step('DETAILS'), payload: { name: true } })),
  ],
  [
    'a circle',
    'INVALID_ROUTING_MODEL',
    '/screens',
    (f) =>
      children(f, 1).unshift({
        type: 'EmbeddedLink',
        text: 'Back',
        'on-click-action': step('WELCOME'),
      }),
  ],
  [
    'two beginnings',
    'INVALID_ROUTING_MODEL',
    '/screens',
    (f) => f.screens.push({ ...screen('OTHER', {}, [footer(end)]), terminal: true }),
  ],
  [
    'a dead end',
    'INVALID_ROUTING_MODEL',
    '/screens/2',
    (f) => {
      f.screens.push(screen('OTHER', {}, [{ type: 'TextBody', text: 'End' }]))
      children(f).unshift({ type: 'EmbeddedLink', text: 'Other', 'on-click-action': step('OTHER') })
    },
  ],
  ['eleven ways on', 'INVALID_ROUTING_MODEL', '/routing_model', manyWays],
  [
    'a routing model that is a list',
    'INVALID_PROPERTY_TYPE',
    '/routing_model',
    (f) => (f.routing_model = []),
  ],
  [
    'a route that no screen has',
    'INVALID_ROUTING_MODEL',
    '/routing_model/WELCOME/1',
    (f) => (f.routing_model = { WELCOME: ['DETAILS', 'NOWHERE'] }),
  ],
  [
    'a step beside the routes',
    'INVALID_ROUTING_MODEL',
    '/routing_model',
    (f) => (f.routing_model = { DETAILS: ['WELCOME'] }),
  ],
  [
    'asking an endpoint that is not there',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/2/on-click-action/name',
    (f) => (children(f)[2] = footer({ name: 'data_exchange' })),
  ],
  [
    'an address behind a footer',
    'INVALID_ENUM_VALUE',
    '/screens/0/layout/children/2/on-click-action/name',
    (f) => (children(f)[2] = footer({ name: 'open_url', url: 'https://example.org' })),
  ],
  [
    'what a picker gives in a step',
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    '/screens/0/layout/children/1/on-click-action/payload/name',
    (f) => {
      f.screens[0]!.layout.children = [
        { type: 'PhotoPicker', name: 'first_name', label: 'P' },
        footer(toDetails()),
      ]
      f.screens[1]!.data.name = { type: 'array', items: { type: 'string' }, __example__: [] }
    },
  ],
  [
    'a list that one goes on from where the flow ends',
    'INVALID_PROPERTY_VALUE',
    '/screens/1',
    (f) => (f.screens[1]!.layout.children = [entries(entry())]),
  ],
  [
    'a footer below a rich text before 6.3',
    'INVALID_PROPERTY_VALUE',
    '/screens/0',
    (f) => {
      f.version = '6.2'
      only({ type: 'RichText', text: 'x' }, footer(step('DETAILS')))(f)
    },
  ],
  [
    'items of an unknown type',
    'INVALID_SCREEN_DATA',
    '/screens/0/data/a/items/type',
    (f) => (f.screens[0]!.data.a = { type: 'array', items: { type: 'text' }, __example__: [] }),
  ],
  [
    'answers that are sensitive before 5.1',
    'INVALID_PROPERTY_KEY',
    '/screens/0/sensitive',
    (f) => {
      f.version = '5.0'
      f.screens[0]!.sensitive = ['first_name']
    },
  ],
  [
    'a route to where it begins',
    'INVALID_ROUTING_MODEL',
    '/routing_model/WELCOME/0',
    (f) => (f.routing_model = { WELCOME: ['WELCOME', 'DETAILS'] }),
  ],
  [
    'a step without what is due by a name that every object knows',
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    '/screens/0/layout/children/2/on-click-action/payload/constructor',
    (f) => (f.screens[1]!.data.constructor = { type: 'string', __example__: 'x' } as never),
  ],
  [
    'a reference to another screen before 4.0',
    'INVALID_SCREEN_DYNAMIC_DATA',
    '/screens/1/layout/children/0/text',
    (f) => {
      f.version = '3.1'
      children(f, 1)[0] = { type: 'TextBody', text: '${screen.WELCOME.form.first_name}' }
    },
  ],
  [
    'an entry that leads to no screen',
    'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME',
    '/screens/0/layout/children/0/list-items/0/on-click-action/next/name',
    only(entries(entry({ 'on-click-action': step('NOWHERE') }))),
  ],
  [
    'an address behind a list',
    'INVALID_ENUM_VALUE',
    '/screens/0/layout/children/0/on-click-action/name',
    only({
      ...entries(entry()),
      'on-click-action': { name: 'open_url', url: 'https://example.org' },
    }),
  ],
  [
    'data that is changed before 6.0',
    'INVALID_PROPERTY_VALUE',
    '/screens/0/layout/children/0/on-select-action/name',
    (f) => {
      f.version = '5.1'
      const change = { name: 'update_data', payload: {} }
      put({ type: 'DatePicker', name: 'd', label: 'D', 'on-select-action': change })(f)
    },
  ],
  [
    'four carousels in all',
    'INVALID_PROPERTY_VALUE',
    '/screens',
    (f) => {
      for (const index of [0, 1]) children(f, index).unshift(carousel(), carousel())
    },
  ],
  [
    'captions on one side',
    'INVALID_DEPENDENCIES',
    '/screens/0/layout/children/2',
    (f) => (children(f)[2]!['left-caption'] = 'x'),
  ],
]

it.each(broken)('refuses %s as %s at %s', (_what, error, pointer, mutate) => {
  const flow = twoScreens()
  mutate(flow)
  expect(flowFaults(flow)).toContainEqual({ error, pointer, message: expect.any(String) })
})
