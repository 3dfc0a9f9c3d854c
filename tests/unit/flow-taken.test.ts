import { expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import { change, given, going, graph, link, passing, photo, text } from '../support/flow-graphs.ts'
import {
  carousel,
  children,
  end,
  entries,
  entry,
  only,
  put,
  radio,
  toDetails,
} from '../support/flow-parts.ts'
import { footer, input, screen, step } from '../support/flows.ts'

type Raw = Record<string, unknown>

const KEPT: [what: string, flow: () => unknown][] = [
  ['an id of 200 letters', () => graph({ ['X'.repeat(200)]: [] })],
  [
    'ten ways on',
    () => {
      const ids = [...'ABCDEFGHIJ']
      const flow = graph({ S: ['A'], ...Object.fromEntries(ids.map((id) => [id, []])) })
      const items = ids.map((id) => entry({ 'on-click-action': step(id) }))
      flow.screens[0]!.layout.children = [entries(...items)]
      return flow
    },
  ],
  [
    'an end that hands nothing on',
    () => {
      const flow = graph({ A: [] })
      children(flow)[0] = footer({ name: 'complete' })
      return flow
    },
  ],
  ['two ways to one screen', () => graph({ A: ['B', 'C'], B: ['D'], C: ['D'], D: [] })],
  [
    'three carousels in all',
    change((f) => {
      children(f).unshift(carousel(), carousel())
      children(f, 1).unshift(carousel())
    }),
  ],
  ['fifty components', change(put(...Array.from({ length: 48 }, () => text())))],
  [
    'what another screen was told by the name of a picker here',
    change((f) => {
      children(f)[1] = input('p')
      children(f)[2] = footer({ ...step('DETAILS'), payload: { name: '${form.p}' } })
      f.screens.push({
        ...screen('LAST', { a: given('string', 'x') }, [footer(end)]),
        terminal: true,
      })
      const action = { ...step('LAST'), payload: { a: '${screen.WELCOME.form.p}' } }
      children(f, 1).unshift(photo, link(action))
    }),
  ],
  ['two links', change(put(text(), link(toDetails()), link(toDetails())))],
  [
    'five agreements',
    change(put(...[1, 2, 3, 4, 5].map((n) => ({ type: 'OptIn', name: `o${n}`, label: 'x' })))),
  ],
  ['two lists that one goes on from', change(only(going('n'), going('m')))],
  ['a screen without a title', change((f) => delete (f.screens[0] as Raw).title)],
  [
    'a screen that ends a flow without success, beside one that does',
    change((f) => {
      f.screens.push({ ...screen('OTHER', {}, [footer(end)]), terminal: true, success: false })
      children(f).unshift(link(step('OTHER')))
    }),
  ],
  [
    'a footer below a rich text',
    () => {
      const flow = graph({ A: ['B'], B: [] })
      children(flow).unshift({ type: 'RichText', text: 'x' })
      return flow
    },
  ],
  [
    'a footer below a rich text of 6.3',
    () => {
      const flow = graph({ A: ['B'], B: [] }, { version: '6.3' })
      children(flow).unshift({ type: 'RichText', text: 'x' })
      return flow
    },
  ],
  [
    'sensitive answers, from 5.1 on',
    change(
      (f) => Object.assign(f, { version: '5.1' }),
      (f) => (f.screens[0]!.sensitive = ['first_name']),
    ),
  ],
  ['no sensitive answers', change((f) => (f.screens[0]!.sensitive = []))],
  [
    'an input within a condition within a form',
    change((f) => {
      const inner = { type: 'If', condition: 'x', then: [input('first_name')] }
      f.screens[0]!.layout.children = [
        { type: 'Form', name: 'f', children: [inner] },
        footer(toDetails()),
      ]
    }),
  ],
  [
    'what another screen was given',
    change((f) => {
      f.screens.push({
        ...screen('LAST', {}, [text('${screen.DETAILS.data.name}'), footer(end)]),
        terminal: true,
      })
      children(f, 1).unshift(link(step('LAST')))
    }),
  ],
  [
    'a title that is computed, however long',
    change(put({ type: 'TextHeading', text: `\`${"'x' ".repeat(40)}\`` })),
  ],
  [
    'an empty list where one is due',
    change(passing([], given('array', [], { items: { type: 'string' } }))),
  ],
  [
    'an object where one is due',
    change(passing({ a: 1 }, given('object', {}, { properties: {} }))),
  ],
  ['a number where one is due', change(passing(7, given('number', 1)))],
  ['true where true or false is due', change(passing(true, given('boolean', false)))],
  ['what is computed where a number is due', change(passing('`1 + 1`', given('number', 1)))],
  [
    'what is agreed to where true or false is due',
    change(passing('${form.o}', given('boolean', true)), (f) =>
      children(f).unshift({ type: 'OptIn', name: 'o', label: 'x' }),
    ),
  ],
  [
    'what was chosen where a text is due',
    change(passing('${form.o}', given('string', 'x')), (f) =>
      children(f).unshift(radio({ name: 'o' })),
    ),
  ],
  ...['TextArea', 'Dropdown', 'DatePicker'].map((type): (typeof KEPT)[number] => [
    `what a ${type} gives where a text is due`,
    change(passing('${form.o}', given('string', 'x')), (f) => {
      const { 'data-source': choices, ...asked } = radio({ name: 'o', type })
      children(f).unshift(type === 'Dropdown' ? { ...asked, 'data-source': choices } : asked)
    }),
  ]),
  [
    'several that were chosen where a list is due',
    change(passing('${form.o}', given('array', [], { items: { type: 'string' } })), (f) =>
      children(f).unshift(radio({ name: 'o', type: 'CheckboxGroup' })),
    ),
  ],
  [
    'data by the name of a picker, passed on',
    change(passing('${data.p}', given('string', 'x')), (f) => {
      f.screens[0]!.data.p = given('string', 'x')
      children(f).unshift(photo)
    }),
  ],
]
it.each(KEPT)('takes %s', (_what, flow) => {
  expect(flowFaults(flow())).toEqual([])
})
