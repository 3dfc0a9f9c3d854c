import { expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import { change, given, going, graph, link, passing, photo, text } from '../support/flow-graphs.ts'
import { children, end, only, radio, toDetails } from '../support/flow-parts.ts'
import { withCases, withFooters } from '../support/flow-parts.ts'
import { footer, input, screen, step, twoScreens } from '../support/flows.ts'

type Raw = Record<string, unknown>

/** Each rule broken once: all that is told of it. */
const BROKEN: [what: string, faults: [error: string, pointer: string][], flow: () => unknown][] = [
  ['a hyphen in an id', [['PATTERN_MISMATCH', '/screens/0/id']], () => graph({ 'A-B': [] })],
  [
    'an id of 201 letters',
    [['PATTERN_MISMATCH', '/screens/0/id']],
    () => graph({ ['X'.repeat(201)]: [] }),
  ],
  ['an id of no letter', [['PATTERN_MISMATCH', '/screens/0/id']], () => graph({ '': [] })],
  [
    'an id that is a number',
    [['INVALID_PROPERTY_TYPE', '/screens/0/id']],
    () => {
      const flow = graph({ A: [] })
      flow.screens[0]!.id = 7 as never
      return flow
    },
  ],
  [
    'no id',
    [['MISSING_REQUIRED_PROPERTY', '/screens/0/id']],
    () => {
      const flow = graph({ A: [] })
      delete (flow.screens[0] as Raw).id
      return flow
    },
  ],
  [
    'a fault of a screen whose id comes again',
    [
      ['DUPLICATE_SCREEN_IDS', '/screens/1/id'],
      ['INVALID_ROUTING_MODEL', '/screens'],
      ['INVALID_PROPERTY_KEY', '/screens/0/colour'],
    ],
    () => {
      const flow = graph({ A: [], B: [] })
      Object.assign(flow.screens[0]!, { colour: 'red' })
      Object.assign(flow.screens[1]!, { id: 'A' })
      return flow
    },
  ],
  [
    'a screen that is not terminal for saying so',
    [['MISSING_TERMINAL_SCREEN', '/screens']],
    change((f) => {
      f.screens[1]!.terminal = false
      delete f.screens[1]!.success
      children(f, 1)[2] = text()
    }),
  ],
  [
    'an end without success',
    [['MISSING_TERMINAL_SCREEN', '/screens']],
    change((f) => (f.screens[1]!.success = false)),
  ],
  [
    'success as a text',
    [['INVALID_PROPERTY_TYPE', '/screens/1/success']],
    change((f) => (f.screens[1]!.success = 'yes')),
  ],
  [
    'no success before the end',
    [['INVALID_DEPENDENCIES', '/screens/0/success']],
    change((f) => (f.screens[0]!.success = false)),
  ],
  [
    'a title of 201 characters',
    [['INVALID_PROPERTY_VALUE', '/screens/0/title']],
    change((f) => (f.screens[0]!.title = 'x'.repeat(201))),
  ],
  [
    'a text where it is asked whether to refresh',
    [['INVALID_PROPERTY_TYPE', '/screens/0/refresh_on_back']],
    () => {
      const flow = {
        ...twoScreens(),
        data_api_version: '3.0',
        routing_model: { WELCOME: ['DETAILS'] },
      }
      Object.assign(flow.screens[0]!, { refresh_on_back: 'yes' })
      return flow
    },
  ],
  [
    'sensitive answers that are a text',
    [['INVALID_PROPERTY_TYPE', '/screens/0/sensitive']],
    change((f) => (f.screens[0]!.sensitive = 'x')),
  ],
  [
    'a layout of no type',
    [['MISSING_REQUIRED_PROPERTY', '/screens/1/layout/type']],
    change((f) => delete (f.screens[1]!.layout as Raw).type),
  ],
  [
    'a layout of no components',
    [
      ['MISSING_REQUIRED_PROPERTY', '/screens/2/layout/children'],
      ['INVALID_PROPERTY_TYPE', '/screens/2/layout/children'],
    ],
    change((f) => {
      f.screens.push(screen('OTHER', {}, []))
      delete (f.screens[2]!.layout as Raw).children
      children(f, 1).unshift(link(step('OTHER')))
    }),
  ],
  [
    'components that are a text',
    [['INVALID_PROPERTY_TYPE', '/screens/2/layout/children']],
    change((f) => {
      f.screens.push(screen('OTHER', {}, 'x' as never))
      children(f, 1).unshift(link(step('OTHER')))
    }),
  ],
  [
    'a component that is a text',
    [['INVALID_PROPERTY_TYPE', '/screens/0/layout/children/0']],
    change((f) => children(f).unshift('x' as never)),
  ],
  [
    '51 components',
    [['INVALID_PROPERTY_VALUE', '/screens/0']],
    change((f) => children(f).unshift(...Array.from({ length: 48 }, () => text()))),
  ],
  [
    'three lists that one goes on from',
    [['INVALID_PROPERTY_VALUE', '/screens/0']],
    change(only(going('a'), going('b'), going('c'))),
  ],
  [
    'a fault in what is shown else',
    [['MIN_CHARS_REQUIRED', '/screens/0/layout/children/0/else/0/text']],
    change((f) => children(f).unshift({ type: 'If', condition: 'x', then: [], else: [text('')] })),
  ],
  [
    'a form in a condition in a form',
    [['INVALID_PROPERTY_VALUE', '/screens/0/layout/children/0/children/0/then/0']],
    change((f) => {
      const inner = {
        type: 'If',
        condition: 'x',
        then: [{ type: 'Form', name: 'g', children: [] }],
      }
      f.screens[0]!.layout.children = [
        { type: 'Form', name: 'f', children: [inner, input('first_name')] },
        footer(toDetails()),
      ]
    }),
  ],
  [
    'a footer beside those of a condition',
    [['MORE_THAN_ONE_FOOTER', '/screens/0']],
    change((f) => {
      withFooters(f, [footer(toDetails()), footer(toDetails())])
      children(f).unshift(footer(toDetails()))
    }),
  ],
  [
    'a footer in one of two branches',
    [['MISSING_FOOTER_IN_IF_ELSE_BRANCHES', '/screens/0/layout/children/2']],
    change((f) => {
      withFooters(f, [footer(toDetails())])
      Object.assign(children(f)[2]!, { else: [] })
    }),
  ],
  [
    'a footer in a branch of a branch',
    [['MISSING_FOOTER_IN_IF_ELSE_BRANCHES', '/screens/0/layout/children/2/then/0']],
    change((f) => {
      const inner = { type: 'If', condition: 'x', then: [footer(toDetails())] }
      withFooters(f, [inner, footer(toDetails())])
    }),
  ],
  [
    'data that is a list',
    [['INVALID_PROPERTY_TYPE', '/screens/0/data']],
    change((f) => (f.screens[0]!.data = [] as never)),
  ],
  [
    'data of an unknown member',
    [['INVALID_PROPERTY_KEY', '/screens/0/data/a/colour']],
    change((f) => (f.screens[0]!.data.a = given('string', 'x', { colour: 'red' }))),
  ],
  [
    'data of no type',
    [['MISSING_REQUIRED_PROPERTY', '/screens/0/data/a/type']],
    change((f) => (f.screens[0]!.data.a = { __example__: 'x' })),
  ],
  [
    'properties of an unknown type',
    [['INVALID_SCREEN_DATA', '/screens/0/data/a/properties/b/type']],
    change(
      (f) => (f.screens[0]!.data.a = given('object', {}, { properties: { b: { type: 'text' } } })),
    ),
  ],
  [
    'no object for an example of one',
    [['INVALID_SCREEN_DATA', '/screens/0/data/a/__example__']],
    change((f) => (f.screens[0]!.data.a = given('object', null, { properties: {} }))),
  ],
  [
    'a list for an example of an object',
    [['INVALID_SCREEN_DATA', '/screens/0/data/a/__example__']],
    change((f) => (f.screens[0]!.data.a = given('object', [], { properties: {} }))),
  ],
  ...(
    [
      ['number', 'x'],
      ['boolean', 'x'],
      ['string', 7],
      ['string', []],
      ['string', { a: 1 }],
      ['number', true],
    ] as const
  ).map(([type, value]): (typeof BROKEN)[number] => [
    `${JSON.stringify(value)} where a ${type} is due`,
    [
      [
        'INVALID_NAVIGATE_ACTION_PAYLOAD',
        '/screens/0/layout/children/2/on-click-action/payload/name',
      ],
    ],
    change((f) => {
      const example = type === 'number' ? 1 : type === 'boolean' ? true : 'x'
      passing(value, given(type, example))(f)
    }),
  ]),
  ...(
    [
      ['array', []],
      ['object', {}],
    ] as const
  ).map(([type, example]): (typeof BROKEN)[number] => [
    `a text where an ${type} is due`,
    [
      [
        'INVALID_NAVIGATE_ACTION_PAYLOAD',
        '/screens/0/layout/children/2/on-click-action/payload/name',
      ],
    ],
    change(passing('x', given(type, example, { items: { type: 'string' }, properties: {} }))),
  ]),
  [
    'what is agreed to where a text is due',
    [
      [
        'INVALID_NAVIGATE_ACTION_PAYLOAD',
        '/screens/0/layout/children/3/on-click-action/payload/name',
      ],
    ],
    change((f) => {
      passing('${form.o}', given('string', 'x'))(f)
      children(f).unshift({ type: 'OptIn', name: 'o', label: 'x' })
    }),
  ],
  [
    'more than is due, whatever it will be',
    [
      [
        'INVALID_NAVIGATE_ACTION_PAYLOAD',
        '/screens/0/layout/children/2/on-click-action/payload/more',
      ],
    ],
    change(
      (f) =>
        (children(f)[2] = footer({
          ...step('DETAILS'),
          payload: { name: 'x', more: '${form.first_name}' },
        })),
    ),
  ],
  [
    'documents in a step',
    [
      [
        'INVALID_NAVIGATE_ACTION_PAYLOAD',
        '/screens/0/layout/children/3/on-click-action/payload/name',
      ],
    ],
    change((f) => {
      passing('${form.p}', given('array', [], { items: { type: 'string' } }))(f)
      children(f).unshift({ ...photo, type: 'DocumentPicker' })
    }),
  ],
  [
    'a second reference to nothing in a text',
    [['INVALID_SCREEN_DYNAMIC_DATA', '/screens/1/layout/children/0/text']],
    change((f) => (children(f, 1)[0] = text('${data.name} ${data.none}'))),
  ],
  [
    'a reference within what is not there',
    [['INVALID_SCREEN_DYNAMIC_DATA', '/screens/1/layout/children/0/text']],
    change((f) => (children(f, 1)[0] = text('${data.none.a}'))),
  ],
  [
    'a reference to nothing in one of several texts',
    [['INVALID_SCREEN_DYNAMIC_DATA', '/screens/1/layout/children/0/text/1']],
    change((f) => (children(f, 1)[0] = text(['x', '${data.none}']))),
  ],
  [
    'a reference to nothing in a condition, once',
    [
      ['INVALID_SCREEN_DYNAMIC_DATA', '/screens/0/layout/children/0/then/0/text'],
      ['INVALID_SCREEN_DYNAMIC_DATA', '/screens/0/layout/children/0/else/0/text'],
    ],
    change((f) =>
      children(f).unshift({
        type: 'If',
        condition: 'x',
        then: [text('${data.a}')],
        else: [text('${data.b}')],
      }),
    ),
  ],
  [
    'a reference to nothing in a case, once',
    [['INVALID_SCREEN_DYNAMIC_DATA', '/screens/0/layout/children/2/cases/a/0/text']],
    change((f) => withCases(f, { a: [text('${data.a}'), footer(toDetails())] })),
  ],
  [
    'a reference to nothing in a form, once',
    [['INVALID_SCREEN_DYNAMIC_DATA', '/screens/0/layout/children/0/children/0/text']],
    change((f) => {
      f.screens[0]!.layout.children = [
        { type: 'Form', name: 'f', children: [text('${data.a}'), input('first_name')] },
        footer(toDetails()),
      ]
    }),
  ],
  [
    'a circle behind the beginning',
    [['INVALID_ROUTING_MODEL', '/screens']],
    () => graph({ A: ['B'], B: ['C', 'D'], C: ['B'], D: [] }),
  ],
  [
    'no beginning',
    [['INVALID_ROUTING_MODEL', '/screens']],
    () => graph({ A: ['B', 'C'], B: ['A'], C: [] }),
  ],
  [
    'no end, of the flow alone',
    [['MISSING_TERMINAL_SCREEN', '/screens']],
    () => {
      const flow = graph({ A: ['B'], B: [] })
      flow.screens[1] = screen('B', {}, [text()])
      return flow
    },
  ],
  [
    'routes from no screen',
    [['INVALID_ROUTING_MODEL', '/routing_model/NOWHERE']],
    change((f) => (f.routing_model = { WELCOME: ['DETAILS'], NOWHERE: [] })),
  ],
  [
    'routes that are a text',
    [['INVALID_PROPERTY_TYPE', '/routing_model/DETAILS']],
    change((f) => (f.routing_model = { WELCOME: ['DETAILS'], DETAILS: 'x' })),
  ],
  [
    'asking an endpoint that is not there when something is chosen',
    [['INVALID_PROPERTY_VALUE', '/screens/0/layout/children/0/on-select-action/name']],
    change((f) => children(f).unshift(radio({ 'on-select-action': { name: 'data_exchange' } }))),
  ],
  [
    'asking one when one of the choices is made',
    [
      [
        'INVALID_PROPERTY_VALUE',
        '/screens/0/layout/children/0/data-source/0/on-select-action/name',
      ],
    ],
    change((f) => {
      const asks = { 'on-select-action': { name: 'data_exchange' } }
      children(f).unshift(radio({ 'data-source': [{ id: 'a', title: 'A', ...asks }] }))
    }),
  ],
  [
    'a link that ends the flow',
    [['INVALID_ENUM_VALUE', '/screens/1/layout/children/0/on-click-action/name']],
    change((f) => children(f, 1).unshift(link(end))),
  ],
]
it.each(BROKEN)('refuses %s, and tells of nothing else', (_what, faults, flow) => {
  const told = flowFaults(flow()).map(({ error, pointer }) => [error, pointer])
  expect(told.sort()).toEqual([...faults].sort())
})
