import { describe, expect, it } from '@jest/globals'
import { flowFaults, publishingFaults } from '../../flows/definition.ts'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
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
  withFooters,
} from '../support/flow-parts.ts'
import { choices, footer, input, screen, step, twoScreens } from '../support/flows.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'
import { seededRandom } from '../support/random.ts'

type Raw = Record<string, unknown>

const FOLDER = path.join(PROJECT_ROOT, 'tests/fixtures/flows')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const fixture = (name: string): unknown => JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'))

it('takes a flow of two screens as it is', () => {
  expect(flowFaults(twoScreens())).toEqual([])
  expect(publishingFaults(twoScreens())).toEqual([])
})

it('points to a member whatever its name', () => {
  const flow = { ...twoScreens(), 'a/b~c': 1 }
  expect(flowFaults(flow)).toMatchObject([{ pointer: '/a~1b~0c' }])
})

it.each(FILES)('takes %s, whose shapes the channel shows', (name) => {
  expect(flowFaults(fixture(name))).toEqual([])
})

const kept: [what: string, mutate: (flow: Flow) => void][] = [
  ['the longest heading', put({ type: 'TextHeading', text: 'x'.repeat(80) })],
  ['as many characters of two units each', put({ type: 'TextHeading', text: '🙂'.repeat(80) })],
  ['the least that is the most', put(input('p', { 'min-chars': 3, 'max-chars': 3 }))],
  ['a text that is put together later', put({ type: 'TextHeading', text: '${form.first_name}' })],
  ['twenty choices', put(radio({ 'data-source': choices(20) }))],
  ['200 choices that open', put({ ...radio(), type: 'Dropdown', 'data-source': choices(200) })],
  ['three pictures', put(...[1, 2, 3].map(() => ({ type: 'Image', src: image })))],
  ['three nested conditions', put(nested(3))],
  [
    'a footer in both branches',
    (flow) => withFooters(flow, [footer(toDetails()), footer(toDetails())]),
  ],
  [
    'a list that one goes on from',
    only({ ...entries(entry()), 'on-click-action': step('DETAILS') }),
  ],
  [
    'what lies within what it was given, passed on',
    (flow) => {
      const properties = { name: { type: 'string' } }
      flow.screens[0]!.data.order = { type: 'object', properties, __example__: { name: 'x' } }
      const payload = { name: '${data.order.name}' }
      flow.screens[0]!.layout.children[2] = footer({ ...step('DETAILS'), payload })
    },
  ],
  ['a leap day', put({ type: 'DatePicker', name: 'd', label: 'D', 'min-date': '2028-02-29' })],
]
it.each(kept)('takes %s', (_what, mutate) => {
  const flow = twoScreens()
  mutate(flow)
  expect(flowFaults(flow)).toEqual([])
})

it.each([
  ['a picture', 1_048_576, (src: string) => ({ type: 'Image', src })],
  [
    'a picture beside a choice',
    102_400,
    (picture: string) => radio({ 'data-source': [{ ...choices(1)[0], image: picture }] }),
  ],
])(
  'takes %s of exactly %i bytes, however they are padded, and none of more',
  (_what, most, shown) => {
    const faults = (bytes: number) => {
      const flow = twoScreens()
      put(shown(Buffer.alloc(bytes).toString('base64')))(flow)
      return flowFaults(flow)
    }
    for (const bytes of [most - 2, most - 1, most]) expect(faults(bytes)).toEqual([])
    expect(faults(most + 1)).toMatchObject([{ error: 'INVALID_PROPERTY_VALUE' }])
  },
)

describe('the lengths', () => {
  const label = (type: string, max: number, more: Raw = {}): [string, string, number, Raw] => [
    ...([type, 'label', max] as const),
    { type, name: 'x', ...more },
  ]
  const lengths: [type: string, member: string, max: number, component: Raw][] = [
    ['TextHeading', 'text', 80, { type: 'TextHeading' }],
    ['TextSubheading', 'text', 80, { type: 'TextSubheading' }],
    ['TextBody', 'text', 4_096, { type: 'TextBody' }],
    ['TextCaption', 'text', 409, { type: 'TextCaption' }],
    label('TextInput', 20),
    ['TextInput', 'helper-text', 80, input('x')],
    ['TextInput', 'error-message', 30, input('x')],
    label('TextArea', 20),
    label('RadioButtonsGroup', 30, { 'data-source': choices(2) }),
    label('CheckboxGroup', 30, { 'data-source': choices(2) }),
    label('Dropdown', 20, { 'data-source': choices(2) }),
    label('ChipsSelector', 80, { 'data-source': choices(2) }),
    label('OptIn', 120),
    label('DatePicker', 40),
    label('CalendarPicker', 40),
    ['CalendarPicker', 'title', 80, { type: 'CalendarPicker', name: 'x', label: 'X' }],
    [
      'EmbeddedLink',
      'text',
      25,
      { type: 'EmbeddedLink', 'on-click-action': { name: 'open_url', url: 'https://example.org' } },
    ],
  ]
  it.each(lengths)('of %s.%s end at %i characters', (_type, member, max, component) => {
    const faults = (length: number) => {
      const flow = twoScreens()
      put({ ...component, [member]: 'é'.repeat(length) })(flow)
      return flowFaults(flow)
    }
    expect(faults(max)).toEqual([])
    expect(faults(max + 1)).toMatchObject([{ pointer: `/screens/0/layout/children/0/${member}` }])
  })
})

describe('what newer versions brought', () => {
  const since: [what: string, first: string, before: string, component: Raw][] = [
    ['chips', '6.3', '6.2', radio({ type: 'ChipsSelector' })],
    ['calendars', '6.1', '6.0', { type: 'CalendarPicker', name: 'x', label: 'X' }],
    ['carousels', '7.1', '7.0', carousel()],
    ['conditions', '4.0', '3.1', nested(1)],
    ['expressions', '6.0', '5.1', { type: 'TextBody', text: '`1 + 1`' }],
    ['markdown', '5.1', '5.0', { type: 'TextBody', text: 'x', markdown: true }],
    ['patterns', '6.2', '6.1', input('p', { pattern: 'x', 'helper-text': 'x' })],
  ]
  it.each(since)('%s need %s, and not %s', (_what, first, before, component) => {
    const faults = (version: string) => {
      const flow = { ...twoScreens(), version }
      put(component)(flow)
      // Before 4.0 a form is due, which is another rule's.
      return flowFaults(flow).filter(({ error }) => error !== 'COMPONENTS_OUTSIDE_FORM')
    }
    expect(faults(first)).toEqual([])
    expect(faults(before)).not.toEqual([])
  })

  it('are needed to be published', () => {
    expect(publishingFaults({ ...twoScreens(), version: '5.1' })).toEqual([])
    const old = publishingFaults({ ...twoScreens(), version: '5.0' })
    expect(old).toMatchObject([{ pointer: '/version' }])
  })

  it('make a form optional, which 3.1 wants around every input', () => {
    const old = flowFaults({ ...twoScreens(), version: '3.1' })
    expect(old.filter(({ error }) => error === 'COMPONENTS_OUTSIDE_FORM')).toHaveLength(2)
  })
})

describe('whatever comes', () => {
  const hostile: unknown[] = [
    ...[
      null,
      undefined,
      true,
      0,
      '',
      [],
      {},
      [[[]]],
      { version: '7.3', screens: [null, 1, [], {}] },
    ],
    JSON.parse('{"version":"7.3","screens":[{"id":"__proto__","__proto__":{"layout":1}}]}'),
    {
      version: '7.3',
      screens: [screen('constructor', {}, [{ type: 'constructor' }, { type: 'toString' }])],
    },
    JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  ]
  it.each(hostile.map((value, index) => [index, value]))('no fault is thrown (%i)', (_n, value) => {
    expect(flowFaults(value)).not.toEqual([])
  })

  it('is told of in at most fifty faults', () => {
    const flow = twoScreens()
    put(...Array.from({ length: 500 }, () => ({ type: 'None' })))(flow)
    expect(flowFaults(flow)).toHaveLength(LIMITS.faultsTold)
  })

  it('has no name of more than 200 characters, whatever it names', () => {
    const named = (characters: number) => {
      const flow = twoScreens()
      const model = { type: 'string', __example__: 'x' }
      flow.screens[0]!.data = { ['n'.repeat(characters)]: model }
      return flowFaults(flow)
    }
    expect(named(200)).toEqual([])
    const [fault, ...others] = named(201)
    expect(others).toEqual([])
    expect(fault).toMatchObject({ error: 'INVALID_PROPERTY_KEY', pointer: '' })
    expect(fault?.message.length).toBeLessThan(150)
  })

  it('is judged in no time when an endless name holds members without number', async () => {
    const growth = await growthOf(5_000, (length) => {
      const flow = twoScreens()
      const some = { type: 'object', properties: numbered(100, { type: 'string' }) }
      const model = { type: 'object', properties: numbered(length / 100, some) }
      flow.screens[0]!.data = { ['n'.repeat(length)]: model }
      return () => expect(JSON.stringify(flowFaults(flow)).length).toBeLessThan(1_000)
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  })

  it('is judged in no time when a text begins references and ends none', async () => {
    const growth = await growthOf(1_000, (length) => {
      const flow = twoScreens()
      put({ type: 'TextBody', text: `${'x'.repeat(4_096)}${'${'.repeat(length)}` })(flow)
      return () => expect(flowFaults(flow)).toHaveLength(1)
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  })

  const sample = { type: 'string', __example__: 'x' }
  const named = (size: number, value: unknown) => ({ name: value, ...numbered(size, value) })
  type Pass = { links: number; pickers: number; given: Raw; due: Raw; faults: number }
  const passes: [what: string, passOf: (size: number) => Pass][] = [
    [
      'go on without what is due',
      (size) => ({
        links: size / 20,
        pickers: 0,
        given: {},
        due: named(size / 2, sample),
        faults: LIMITS.faultsTold,
      }),
    ],
    [
      'pass on what pickers might give',
      // Nothing is wrong but how many components there are, and how many pickers.
      (size) => ({
        links: 1,
        pickers: size,
        due: named(size, sample),
        given: named(size, '${form.first_name}'),
        faults: 2,
      }),
    ],
  ]
  it.each(passes)('is judged in no time when its links %s', async (_what, passOf) => {
    const growth = await growthOf(5_000, (size) => {
      const { links, pickers, given, due, faults } = passOf(size)
      const action = { ...step('DETAILS'), payload: given }
      const link = { type: 'EmbeddedLink', text: 'On', 'on-click-action': action }
      const picker = (index: number) => ({ type: 'PhotoPicker', name: `p${index}`, label: 'P' })
      const flow = twoScreens()
      flow.screens[0]!.layout.children = [
        input('first_name'),
        ...Array.from({ length: pickers }, (_, index) => picker(index)),
        ...Array.from({ length: links }, () => link),
        footer(action),
      ]
      flow.screens[1]!.data = due
      return () => expect(flowFaults(flow)).toHaveLength(faults)
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  })

  it('is never thrown at, however a valid flow is mangled', () => {
    const { between } = seededRandom(20_261_121)
    const random = { below: (most: number) => between(0, most - 1) }
    const values = [null, 1, '', '${form.x}', [], {}, true, 'If', '${data.name}', { type: 'Form' }]
    for (let round = 0; round < 4_000; round++) {
      const flow: unknown = JSON.parse(JSON.stringify(twoScreens()))
      let at = flow as Raw
      for (let depth = random.below(9); depth > 0; depth--) {
        const keys = Object.keys(at)
        const inner = at[keys[random.below(Math.max(1, keys.length))] ?? '']
        if (typeof inner !== 'object' || inner === null) break
        at = inner as Raw
      }
      const keys = [...Object.keys(at), 'type', 'children']
      at[keys[random.below(keys.length)] ?? ''] = values[random.below(values.length)]
      expect(Array.isArray(flowFaults(flow))).toBe(true)
    }
  })
})

function numbered(length: number, value: unknown): Raw {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`n${index}`, value]))
}
